"""The common parts of the packs of all rulesets."""

from pathlib import Path
from typing import Annotated, TypeAlias

from msgspec import Meta

from diskwars_protocol.schema_types import MAX_PACK_ID_LENGTH

PackText: TypeAlias = Annotated[str, Meta(min_length=1, max_length=MAX_PACK_ID_LENGTH)]
"""The id or the version of a pack."""


class PackError(Exception):
    """A pack that cannot be used; `faults` lists every fault with its place."""

    def __init__(self, path: Path, faults: tuple[str, ...]) -> None:
        super().__init__(f"{path}: {len(faults)} fault{'s' if len(faults) > 1 else ''}\n" + "\n".join(faults))
        self.path = path
        self.faults = faults
