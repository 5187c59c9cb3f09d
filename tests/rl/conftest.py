"""Environments need the extra `rl`, which the tools of the tests bring."""

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("pettingzoo") else ["*"]
