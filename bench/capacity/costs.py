"""What was measured of one act, connection, record and failure, and how people play.

The figures come from docs/benchmarks.md and docs/reliability.md; `docs/capacity.md` names the table of each.
"""

from msgspec import Struct


class Costs(Struct, frozen=True, kw_only=True):
    """Measured costs, by unit in the name. Those of an act are of Diskwars, with both players on the same node."""

    act_us: float = 600.0
    """CPU of a node: from the frame to the frames of both players, 400 to 600 measured."""
    act_database_us: float = 80.0
    """CPU of PostgreSQL, 40 to 80 measured; more where batches are small."""
    batch_database_us: float = 200.0
    """CPU of PostgreSQL for each transaction, whatever it holds: an act alone costs 280 to 380."""
    remote_act_us: float = 215.0
    """CPU of the node of the other player, where that is another one."""
    watcher_us: float = 14.0
    message_us: float = 5.0
    """CPU of a broker for one message: assumed, from 200,000 a second of a core. Not measured here."""
    connect_us: float = 590.0
    """CPU for a connection up to its greeting."""
    join_us: float = 223.0
    """CPU to join a match that is in memory."""
    load_us: float = 4_000.0
    """CPU to read a match of a hundred records and fold it."""
    flush_ms: float = 1.0
    """Until the log of PostgreSQL is on the disk: assumed, of a server's SSD. It depends on the disk alone."""
    standby_ms: float = 0.5
    """To a synchronous standby in the same building and back: assumed."""
    log_bytes_a_second: float = 400e6
    """What a disk takes in sequence: assumed."""
    record_bytes: int = 3_807
    """On disk for one act, with indexes and log."""
    archived_bytes: int = 450
    """The same in the archive."""
    node_mib: float = 85.0
    active_match_kib: float = 374.0
    """With two connections, as a process grew."""
    resting_match_kib: float = 35.0
    connection_kib: float = 18.5
    promotion_seconds: float = 34.1
    """From the loss of a primary with its supervisor until the next act is stored."""
    poll_seconds: float = 1.0
    """After which a lost message of the broker is found in the database."""


class Usage(Struct, frozen=True, kw_only=True):
    """How people play: assumed, the same shares at every size."""

    live_matches: int
    played_share: float = 0.1
    """Matches with people at the table now; the others wait for days."""
    think_seconds: float = 10.0
    days_a_move: float = 0.25
    """Of the matches that wait: days between two acts."""
    watchers_a_match: float = 0.1
    same_node_share: float = 0.9
    """Of the played matches, both players are on one node: clients are led to the node of their match."""

    @property
    def played_matches(self) -> int:
        return round(self.live_matches * self.played_share)

    @property
    def acts_a_second(self) -> float:
        """Acts of all matches, if nobody has to wait for the server."""
        waiting = self.live_matches - self.played_matches
        return self.played_matches / self.think_seconds + waiting / (self.days_a_move * 86_400)
