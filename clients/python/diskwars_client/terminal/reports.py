"""The order `report` in a terminal: a report to the operators of the server about another player."""

from collections.abc import Callable

from msgspec import Struct

from diskwars_client.errors import ClientError, CommandRefused
from diskwars_client.match_handle import MatchHandle
from diskwars_client.plugs.terminal_ruleset import OrderError
from diskwars_client.topics.chat import ChatTopic
from diskwars_protocol.match.bot_identity import bot_name
from diskwars_protocol.match.ids import PlayerId, Seat, seat_letter
from diskwars_protocol.messages.reports import MAX_REPORT_TEXT_LENGTH

REPORT_ORDERS = ("report",)
REPORT_HELP = "report TEXT          tell the operators of the server about another player"


class ReportDraft(Struct, frozen=True):
    """A report that waits to be confirmed: about whom, up to which record, and what it says."""

    player: PlayerId
    seq: int
    text: str


class TerminalReports:
    """Reports of a player at a terminal about the others in a match. Nothing is sent before it is confirmed."""

    def __init__(self, chat: ChatTopic, handle: MatchHandle) -> None:
        self._chat, self._handle = chat, handle
        self._draft: ReportDraft | None = None

    async def follow_order(self, line: str, label: Callable[[Seat], str]) -> str | None:
        """Write or send a report; return what to show then, None for another order, which drops the draft.

        `label` names the player of a seat. Raises OrderError.
        """
        draft, self._draft = self._draft, None
        if draft is not None and line.lower() in ("yes", "y"):
            return await self._send(draft)
        verb, _, text = line.partition(" ")
        if verb not in REPORT_ORDERS:
            return None
        seat, text = self._find_seat(text.strip())
        self._draft = ReportDraft(self._find_player(seat), self._handle.head, self._checked_text(text))
        return (
            f"about {label(seat)}, up to {self._moment(self._draft)}, to the operators of the server and to nobody "
            f"else:\n  {text}\n`yes` sends it, any other order drops it"
        )

    def _find_seat(self, text: str) -> tuple[Seat, str]:
        """Return the seat that a report is about, which has to be named among several, and the text."""
        others = [seat for seat in range(len(self._handle.match.seats)) if seat != self._handle.seat]
        first, _, rest = text.partition(" ")
        named = [seat for seat in others if seat_letter(seat) == first]
        if named:
            return named[0], rest.strip()
        if len(others) == 1:
            return others[0], text
        letters = " or ".join(map(seat_letter, others))
        raise OrderError(f"report whom? Type {letters} before the text: `report {seat_letter(others[0])} TEXT`")

    def _find_player(self, seat: Seat) -> PlayerId:
        player = self._handle.match.seats[seat].player
        if not player:
            raise OrderError(f"nobody sits on seat {seat_letter(seat)}")
        if bot_name(player) is not None:
            raise OrderError(f"a bot of the server plays seat {seat_letter(seat)}: there is nobody to report")
        return player

    def _checked_text(self, text: str) -> str:
        if not text:
            raise OrderError("report what? Type what happened: `report TEXT`")
        if len(text) > MAX_REPORT_TEXT_LENGTH:
            raise OrderError(f"a report has at most {MAX_REPORT_TEXT_LENGTH} characters; this one has {len(text)}")
        return text

    def _moment(self, draft: ReportDraft) -> str:
        return f"{self._handle.id}/{draft.seq}"

    async def _send(self, draft: ReportDraft) -> str:
        try:
            await self._chat.report(self._handle.id, draft.seq, draft.player, draft.text)
        except CommandRefused as refused:
            return f"not sent: {refused.text}"
        except ClientError as fault:
            return f"not sent: {fault}"
        return f"sent: the operators can look at {self._moment(draft)}"
