"""Clubs and tournaments as reports name them: who answers for one, and the record up to which it is reported."""

from msgspec import Struct

from diskwars_protocol.clubs.fold import fold_club
from diskwars_protocol.messages.reports import ReportedContentKind
from diskwars_protocol.tournaments.fold import fold_tournament
from diskwars_server.refusals import Refusal
from diskwars_server.store.clubs import Clubs, may_see_club
from diskwars_server.store.tournaments import Tournaments


class ReportedContent(Struct, frozen=True):
    """A club or tournament at a record. `player` leads the club, or has opened the tournament; empty: nobody does.

    `texts` is what people have written, by what it is.
    """

    player: str
    seq: int
    texts: dict[str, str]


class ContentFinder:
    """Reads clubs and tournaments. Every method may raise StoreUnavailable."""

    def __init__(self, clubs: Clubs, tournaments: Tournaments) -> None:
        self._clubs, self._tournaments = clubs, tournaments

    async def find_seen(self, kind: ReportedContentKind, id: str, viewer: str) -> ReportedContent:
        """Return what a player may see, as it is now. Raises Refusal."""
        found = await self.find(kind, id, viewer=viewer)
        if found is None:
            raise Refusal(f"unknown_{kind}", place="$.subject")
        return found

    async def find(
        self, kind: ReportedContentKind, id: str, seq: int | None = None, *, viewer: str | None = None
    ) -> ReportedContent | None:
        """Return a club or tournament after a record, or as it is now; with a viewer only what that player may see."""
        return await (self._find_club(id, seq, viewer) if kind == "club" else self._find_tournament(id, seq))

    async def _find_club(self, id: str, seq: int | None, viewer: str | None) -> ReportedContent | None:
        records = (await self._clubs.read(id))[:seq]
        state = fold_club(id, records) if records else None
        if state is None or (viewer is not None and not may_see_club(state, viewer)):
            return None
        texts = {"name": state.name, "rules": state.options.house_rules or ""}
        texts |= {f"season {season.number}": season.name for season in state.seasons}
        return ReportedContent(state.leader.player if state.leader else "", state.seq, texts)

    async def _find_tournament(self, id: str, seq: int | None) -> ReportedContent | None:
        records = (await self._tournaments.read(id))[:seq]
        if not records:
            return None
        state = fold_tournament(id, records)
        texts = {"name": state.name, "note": state.note or ""}
        for round_ in state.rounds:
            for board in round_.boards:
                note = board.result.note if board.result else None
                texts[f"note {round_.number}/{board.number}"] = note or ""
        return ReportedContent(state.organisers[0], state.seq, texts)
