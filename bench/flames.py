"""Flame graphs of a loaded server, of this tree and of another revision: `python -m bench.flames REV`.

    python -m bench.flames REV [--seconds 10] [--folder docs/measured]

Both are loaded as `./dev bench against REV` loads them, one after the other, with recorded matches of Diskwars.
"""

import argparse
import contextlib
import json
import os
import signal
import sys
import tempfile
from pathlib import Path

from bench.against import LOADS, ComparedLoad, Tree, name_of, unpack
from bench.load.load import LoadPlan
from bench.load.load_runs import OURS, plan_for_server, start_generator
from bench.measuring import processes
from bench.measuring.flames import Stack, flame_graph
from bench.measuring.processes import ROOT, ChildProcess, PostgresCluster, available_cores

SAMPLER = ROOT / "bench" / "measuring" / "stack_sampler.py"
SATURATED = next(load for load in LOADS if load.is_recorded and load.acts_a_second is None)
MATCHES = 50
OWN_CODE = ("diskwars_protocol", "diskwars_engine", "diskwars_server")


def sample_tree(tree: Tree, base: PostgresCluster, load: ComparedLoad, seconds: float, matches: int) -> list[Stack]:
    """Load the server of a tree for some seconds, and return the stacks that were sampled meanwhile."""
    traces = tree.record_matches()
    with tempfile.TemporaryDirectory(prefix="diskwars-flames-") as folder:
        file = Path(folder) / "stacks.json"
        program = (sys.executable, str(SAMPLER), str(file), tree.server)
        server = ChildProcess(
            tree.server,
            base.new_database(),
            core=available_cores()[0],
            program=program,
            folder=str(tree.folder),
            **tree.environment,
        )
        with contextlib.ExitStack() as stack:
            stack.enter_context(server)
            measure = stack.enter_context(start_generator(plan_for_server(LoadPlan(OURS, traces=traces), server, base)))
            measure(load.window(traces, matches, 0.5))  # matches are brought on, and caches filled
            os.kill(server.pid, signal.SIGUSR2)
            measure(load.window(traces, matches, seconds))
            os.kill(server.pid, signal.SIGUSR2)
        return [(names, count) for names, count in json.loads(file.read_text())]


def module_names(tree: Tree) -> tuple[str, ...]:
    """Return what the names of functions of the project begin with."""
    files = (file for package in OWN_CODE for file in tree.folder.rglob(f"{package}/**/*.py"))
    return tuple(sorted({f"{file.stem}." for file in files if file.stem != "__init__"}))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.flames", description=__doc__)
    parser.add_argument("revision", metavar="REV", help="a commit, tag or branch of this repository")
    parser.add_argument("--seconds", type=float, default=10.0, metavar="S", help="of each (10)")
    parser.add_argument("--folder", type=Path, default=ROOT / "docs" / "measured", help="where both are written")
    options = parser.parse_args()
    name = name_of(options.revision)
    options.folder.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="diskwars-flames-") as folder, processes.temporary_cluster() as base:
        trees = {"before": unpack(name, Path(folder)), "now": Tree.find(ROOT)}
        for which, tree in trees.items():
            stacks = sample_tree(tree, base, SATURATED, options.seconds, MATCHES)
            title = f"Diskwars, {MATCHES} matches, saturated: {name if which == 'before' else 'this revision'}"
            drawn = flame_graph(title, stacks, module_names(tree))
            (options.folder / f"flames-{which}.svg").write_text(drawn, "utf-8")
            print(f"{which}: {sum(count for _, count in stacks):,} samples", flush=True)


if __name__ == "__main__":
    main()
