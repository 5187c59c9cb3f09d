"""A node of `serve --workers` ends with the process that started it."""

import subprocess
import sys

HELD_UP = """
from diskwars_cli.own_server.serve_node import end_with_parent
end_with_parent()
print("busy", flush=True)
while True:
    pass
"""


def test_node_whose_loop_is_held_up_ends_when_its_input_does() -> None:
    """As on systems where no signal comes when a parent ends."""
    with subprocess.Popen([sys.executable, "-c", HELD_UP], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as node:
        assert node.stdin is not None
        assert node.stdout is not None
        try:
            assert node.stdout.readline() == b"busy\n"
            node.stdin.close()
            assert node.wait(timeout=30) != 0
        finally:
            node.kill()
