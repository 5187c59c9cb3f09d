"""File of a league's results: JSON lines, one for each match as it ends, so that a league that was stopped goes on.

Each line says everything that the result depends on. A line of another version or other settings is refused.
"""

import errno
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
from msgspec import Struct

from diskwars_cli.console.command import CommandError
from diskwars_cli.simulate.league_match import PlayedMatch
from diskwars_cli.simulate.league_plan import Conditions, LeagueMatch, LeaguePlan

MAX_LINE_BYTES = 1_048_576
"""A line has some kilobytes; an army of one's own is written in full."""
_LINE_STARTS = (b'{"line":"league",', b'{"line":"match",')


class LeagueLine(Struct, frozen=True, kw_only=True, tag="league", tag_field="line"):
    """The bots and options of a league, with which `--resume` goes on; the last of these lines counts."""

    bots: list[str]
    ruleset: str
    players: int
    matches: int
    seed: int
    decision_seconds: float
    sprt: str
    with_times: bool
    house_rules: list[str]
    ruleset_values: dict[str, Any]
    packs: list[str]


class MatchLine(PlayedMatch, frozen=True, kw_only=True, tag="match", tag_field="line"):
    """One match: its seed, the bots by seat with the digests of their files, how it ended, and its conditions."""

    seed: int
    bots: list[str]
    identities: list[str]
    loadouts: list[Any]
    conditions: Conditions


class ResultFile:
    """The results of a league so far, and the file to which more are appended; without a path, they are only kept."""

    def __init__(self, path: str, plan: LeaguePlan) -> None:
        """Read the file if there is one. Raises CommandError."""
        self.path, self._plan = path, plan
        self.played: dict[int, PlayedMatch] = {}
        self._loaded = 0
        self._file: BinaryIO | None = None
        if path:
            self._file = _open_locked(path)
            try:
                self._read()
            except BaseException:
                self._file.close()
                raise

    @property
    def loaded(self) -> int:
        """The number of matches that were in the file."""
        return self._loaded

    def __enter__(self) -> "ResultFile":
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()

    def add(self, match: LeagueMatch, played: PlayedMatch) -> None:
        """Keep a result, and append it to the file. Raises CommandError."""
        self.played[match.number] = played
        self._append(
            MatchLine(
                seed=match.seed,
                bots=list(self._plan.names(match)),
                identities=[self._plan.identities[bot] for bot in match.seats],
                loadouts=self._plan.loadouts(match),
                conditions=self._plan.conditions,
                **msgspec.structs.asdict(played),
            )
        )

    def begin(self, league: LeagueLine) -> None:
        """Write the bots and options of this run. Raises CommandError."""
        self._append(league)

    def _append(self, line: Struct) -> None:
        if self._file is None:
            return
        try:
            self._file.write(msgspec.json.encode(line) + b"\n")
            self._file.flush()
        except OSError as fault:
            raise _unusable(self.path, fault) from None

    def _read(self) -> None:
        assert self._file is not None
        for number, place, raw in _lines(self.path, self._file):
            if not raw.endswith(b"\n") and _is_torn(number, raw):
                self._file.truncate(place)
                return
            line = _decoded(self.path, number, raw)
            if isinstance(line, MatchLine):
                self._load(number, line)

    def _load(self, number: int, line: MatchLine) -> None:
        match = self._plan.find(line.seed, line.bots)
        if match is None:
            seated = " against ".join(line.bots)
            raise CommandError(f"{self.path}:{number}: {seated} with seed {line.seed} is not a match of this league")
        if difference := self._difference(line, match):
            raise CommandError(f"{self.path}:{number}: {difference}; name another file to begin a new league")
        fields = {name: getattr(line, name) for name in PlayedMatch.__struct_fields__}
        self._loaded += match.number not in self.played
        self.played[match.number] = PlayedMatch(**fields)

    def _difference(self, line: MatchLine, match: LeagueMatch) -> str:
        """Return in words what a result depended on that is different now; empty if nothing is."""
        now = self._plan.conditions
        for name in Conditions.__struct_fields__:
            before, after = getattr(line.conditions, name), getattr(now, name)
            if before != after:
                return f"played with {name.replace('_', ' ')} {_brief(before)}, and now it is {_brief(after)}"
        for bot, name, identity in zip(match.seats, line.bots, line.identities, strict=True):
            if identity != self._plan.identities[bot]:
                return f"played with another version of {name}"
        return "" if line.loadouts == self._plan.loadouts(match) else "played with other armies"


def read_league(path: str) -> LeagueLine:
    """Return the bots and options with which a league was begun. Raises CommandError."""
    league: LeagueLine | None = None
    try:
        with open(path, "rb") as file:
            for number, _, raw in _lines(path, file):
                if raw.startswith(b'{"line":"league"') and raw.endswith(b"\n"):
                    line = _decoded(path, number, raw)
                    league = line if isinstance(line, LeagueLine) else league
    except OSError as fault:
        raise _unusable(path, fault) from None
    if league is None:
        raise CommandError(f"{path} does not say which league it belongs to")
    return league


def _open_locked(path: str) -> BinaryIO:
    """Open a file to read and append, for this process alone. Raises CommandError."""
    try:
        file = Path(path).open("a+b")  # noqa: SIM115 - its owner closes it
    except OSError as fault:
        raise _unusable(path, fault) from None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as fault:
        file.close()
        if fault.errno in (errno.EAGAIN, errno.EACCES):
            raise CommandError(f"{path} is in use by another league") from None
        raise _unusable(path, fault) from None
    file.seek(0)
    return file


def _lines(path: str, file: BinaryIO) -> Iterator[tuple[int, int, bytes]]:
    """Yield number, place and bytes of each line. Raises CommandError for one longer than `MAX_LINE_BYTES`."""
    number, place = 0, 0
    while raw := file.readline(MAX_LINE_BYTES + 1):
        number += 1
        if len(raw) > MAX_LINE_BYTES:
            raise CommandError(f"{path}:{number} is no line of a league: it is longer than {MAX_LINE_BYTES} bytes")
        yield number, place, raw
        place += len(raw)


def _is_torn(number: int, raw: bytes) -> bool:
    """Return whether a last line without its end is one that the program was killed at, and may be cut off.

    Any other file may end without a newline too; it is not ours to change. Behind lines of a league a few
    bytes are enough.
    """
    return raw.startswith(_LINE_STARTS) or (number > 1 and any(start.startswith(raw) for start in _LINE_STARTS))


def _decoded(path: str, number: int, raw: bytes) -> LeagueLine | MatchLine:
    try:
        return msgspec.json.decode(raw, type=LeagueLine | MatchLine)
    except msgspec.MsgspecError as error:
        raise CommandError(f"{path}:{number} is no line of a league: {error}") from None


def _brief(value: object) -> str:
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return text if len(text) <= 120 else f"{text[:119]}…"


def _unusable(path: str, fault: OSError) -> CommandError:
    return CommandError(f"{path} cannot be used for results: {os.strerror(fault.errno or errno.EIO)}")
