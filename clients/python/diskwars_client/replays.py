"""Replays of match files and of followed matches."""

from diskwars_client.errors import DecisionUnavailable
from diskwars_client.match_handle import MatchHandle
from diskwars_protocol.match.ids import ALL, PUBLIC, Viewer
from diskwars_protocol.match.replay import Replay
from diskwars_protocol.records.match_file import MatchFile, MatchFileError, read_file
from diskwars_protocol.rulesets import registry


class UnknownRuleset(MatchFileError):
    """Error for a file of a ruleset that is not installed, or not known here."""


def replay_file(raw: bytes, viewer: Viewer | None = None) -> Replay:
    """Return the replay of a match file, as a viewer of everything that the file opens, or as `viewer`.

    Raises BadRecord, NewerFormat, UnknownRuleset, ReplayError. The rules are not checked: `verify` does that.
    """
    return replay_records(read_file(raw), viewer)


def replay_records(file: MatchFile, viewer: Viewer | None = None) -> Replay:
    """Return the replay of a match file that has been read. Raises UnknownRuleset, ReplayError."""
    name = file.header.ruleset
    if name not in registry.RULESETS:
        raise UnknownRuleset(f"the ruleset {name} is not installed")
    return Replay(registry.RULESETS[name], file.records, viewer=viewer)


def replay_handle(handle: MatchHandle, viewer: Viewer | None = None) -> Replay:
    """Return the replay of what a handle has received, as its player saw it, or as `viewer`.

    Raises ReplayError, and DecisionUnavailable where the match was watched from a snapshot.
    """
    if not handle.stream.log.has_history:
        raise DecisionUnavailable(f"match {handle.id}: a replay begins with record 1: call fetch_history() first")
    seat = PUBLIC if handle.seat is None else handle.seat
    received_as = ALL if handle.stream.sees_everything else seat
    return Replay(handle.vocabulary, handle.stream.log.wire, received_as=received_as, viewer=viewer)
