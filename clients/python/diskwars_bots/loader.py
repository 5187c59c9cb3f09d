"""Loader of bots by name: those of a ruleset, of installed packages, and functions in Python files of the user.

Every error in a user's file becomes a `BotError` that names the file and line.
"""

import inspect
import random
import sys
import traceback
from collections.abc import Callable
from importlib.metadata import EntryPoint
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from msgspec import Struct

from diskwars_bots.chooser import Chooser
from diskwars_bots.installed_bots import installed_bots, installed_file
from diskwars_bots.rulesets.registry import find_bots
from diskwars_protocol.match.decisions import Decision, Options


class BotError(Exception):
    """A bot that cannot be loaded, has failed, or has given a refused answer. The message names file and line."""


def load_chooser(name: str, ruleset: str) -> Chooser:
    """Load a chooser by name: `greedy`, or `my_bot.py:choose` for a function in a file. Raises BotError.

    A bot of an installed package has a name without a file; one that comes with the program goes before it.
    """
    bots = find_bots(ruleset)
    if (found := bots.find(name)) is not None:
        return found
    installed = installed_bots(ruleset)
    if name in installed:
        return load_installed(installed[name])
    path, colon, function = name.rpartition(":")
    if name.endswith(".py"):
        raise BotError(f"{name} names a file only: name the function too, as in `{name}:choose`")
    if not colon or not path.endswith(".py"):
        hint = "`my_bot.py:choose` names a function of your own"
        known = ", ".join(sorted({*bots.choosers, *installed}))
        raise BotError(f"there is no bot {name!r}; there are {known}, and {hint}")
    module = _load_module(path)
    chooser = getattr(module, function, None)
    if not callable(chooser):
        raise BotError(f"{path} has no function {function!r}; {_functions_text(module)}")
    return UserBot(path, function, chooser)


def load_installed(entry: EntryPoint) -> Chooser:
    """Load a bot of an installed package. Raises BotError."""
    file = str(installed_file(entry) or entry.module)
    try:
        chooser = entry.load()
    except Exception as fault:  # a package may raise anything when it is imported
        raise BotError(f"bot {entry.name} of {entry.value}: {_fault_text(file, fault)}") from fault
    if not callable(chooser):
        raise BotError(f"bot {entry.name} of {entry.value} is no function")
    return UserBot(file, entry.attr, chooser)


def bot_label(name: str) -> str:
    """Return the display name of a bot on a server: `greedy bot`, `my_bot bot`."""
    path, colon, _ = name.rpartition(":")
    return f"{Path(path).stem if colon else name} bot"


class UserBot:
    """A chooser that wraps a function of a user's file; its errors name file and line."""

    def __init__(self, path: str, name: str, function: Callable[..., Any]) -> None:
        self._path, self._function = path, function
        self._place = f"{path}:{_first_line(function)}: {name}"

    def __call__(self, match: Any, decision: Decision[Any], options: Options[Any, Any, Any], rng: random.Random) -> Any:
        try:
            action = self._function(match, decision, options, rng)
        except Exception as fault:  # a user's function may raise anything
            raise BotError(_fault_text(self._path, fault)) from fault
        if not isinstance(action, Struct):
            raise BotError(f"{self._place} returned {action!r}, which is no action")
        return action

    def refused(self, action: Struct, refusal: str) -> BotError:
        """Return the error for a refused answer of this bot."""
        return BotError(f"{self._place} answered {action.__struct_config__.tag}, which is refused: {refusal}")


_modules: dict[Path, ModuleType] = {}
"""Modules by file: each is executed once, even if several seats use it."""


def _load_module(path: str) -> ModuleType:
    """Import a file under a unique module name; it can import files beside it, like a script. Raises BotError."""
    full = Path(path).resolve()
    if full in _modules:
        return _modules[full]
    if not full.is_file():
        raise BotError(f"there is no file {path}")
    spec = spec_from_file_location(f"diskwars_user_bot_{len(_modules)}_{full.stem}", full)
    if spec is None or spec.loader is None:
        raise BotError(f"{path} cannot be read as Python")
    if str(full.parent) not in sys.path:
        sys.path.append(str(full.parent))
    module = module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their own module up there
    try:
        spec.loader.exec_module(module)
    except Exception as fault:
        del sys.modules[spec.name]
        raise BotError(_fault_text(path, fault)) from fault
    _modules[full] = module
    return module


def _fault_text(path: str, fault: Exception) -> str:
    """Format an error with the innermost line of the user's own file: `my_bot.py:12: KeyError: 'x'`."""
    if isinstance(fault, SyntaxError) and fault.filename:
        file = path if Path(fault.filename).resolve() == Path(path).resolve() else fault.filename
        return f"{file}:{fault.lineno}: {type(fault).__name__}: {fault.msg}"
    full = str(Path(path).resolve())
    lines = [frame.lineno for frame in traceback.extract_tb(fault.__traceback__) if frame.filename == full]
    place = f"{path}:{lines[-1]}" if lines else path
    return f"{place}: {type(fault).__name__}: {fault}"


def _first_line(function: Callable[..., Any]) -> int:
    code = getattr(inspect.unwrap(function), "__code__", None)
    return int(getattr(code, "co_firstlineno", 1))


def _functions_text(module: ModuleType) -> str:
    own = [
        name
        for name, value in vars(module).items()
        if inspect.isfunction(value) and value.__module__ == module.__name__
    ]
    return f"it has {', '.join(own)}" if own else "it has none"
