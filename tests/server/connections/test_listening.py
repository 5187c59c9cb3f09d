"""A server that is started in a shell has room for all the connections that it takes."""

import subprocess
import sys

from tests.rows import each_row

RAISE = """
import resource
from diskwars_server.connections import listening
listening.OPEN_FILES = 600
resource.setrlimit(resource.RLIMIT_NOFILE, ({soft}, {hard}))
listening.raise_open_file_limit()
print(*resource.getrlimit(resource.RLIMIT_NOFILE))
"""


@each_row(("soft", "hard", "raised"), [(160, 500, 500), (160, 160, 160), (160, 900, 600), (700, 900, 700)])
def test_limit_of_the_shell_is_raised_to_what_is_needed_and_allowed(soft: int, hard: int, raised: int) -> None:
    program = [sys.executable, "-c", RAISE.format(soft=soft, hard=hard)]
    output = subprocess.run(program, capture_output=True, text=True, check=True, timeout=50).stdout
    assert output.split() == [str(raised), str(hard)]
