"""Packages that `.ci/run` installs and `./dev test` does without: the extra `checks`."""

import importlib
from typing import Any

import pytest

from tests.effort import is_whole


def import_or_skip(module: str) -> Any:
    """Return a module of the extra `checks`. Where it is missing, the test or the file is skipped; `.ci/run` fails."""
    if is_whole():
        return importlib.import_module(module)
    reason = f"needs {module}, which `DISKWARS_TEST_EFFORT=whole ./dev test` installs"
    return pytest.importorskip(module, reason=reason)
