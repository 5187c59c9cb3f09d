"""The message that says how many people watch a match. It names nobody."""

from msgspec import Struct

from diskwars_protocol.match.match import MatchIdText
from diskwars_protocol.schema_types import AtLeastZero


class WatchersChanged(Struct, frozen=True, gc=False, tag="watchers_changed"):
    """How many people without a seat watch a match now, on all nodes; sent to everybody who watches it.

    Changes that come soon after one another come together, within seconds. Before the first of these nobody watches.
    """

    match: MatchIdText
    watchers: AtLeastZero
