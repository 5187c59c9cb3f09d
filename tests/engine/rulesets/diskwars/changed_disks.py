"""Check that an answer has changed nothing else on the board."""

from tests.engine.rulesets.diskwars.positions import ScriptedPosition


def changed_disks(before: ScriptedPosition, after: ScriptedPosition) -> set[str]:
    """Return the names of all disks about which anything at all is other than before."""
    pairs = zip(before.board.disks, after.board.disks, strict=True)
    return {before.name(old.id) for old, new in pairs if old != new}
