"""The data of an account for its player: what the server stores of it that no other request shows."""

from diskwars_protocol.match.ids import MatchId, PlayerId
from diskwars_protocol.messages.accounts import GetOwnData, OwnChatMessage, OwnData, OwnReport
from diskwars_server.players.handlers import Handler, Handlers
from diskwars_server.players.users import User
from diskwars_server.refusals import Refusal
from diskwars_server.store.accounts import Accounts
from diskwars_server.store.chat import Chat, StoredMessage
from diskwars_server.store.reports import Reports, StoredReport

MAX_MESSAGES = 200
"""Of one answer: more would be more than a message holds."""
MAX_REPORTS = 200


class OwnDataService:
    """Answers requests about the own data. Every handler may raise Refusal and StoreUnavailable."""

    def __init__(self, accounts: Accounts, chat: Chat, reports: Reports) -> None:
        self._accounts, self._chat, self._reports = accounts, chat, reports

    def handlers(self) -> Handlers[User]:
        return (Handler(GetOwnData, self._get, history="lenient", waits_turn=True),)

    async def _get(self, user: User, request: GetOwnData) -> OwnData:
        account = await self._accounts.find_player(user.player) if user.has_account else None
        if account is None or account.is_deleted:
            raise Refusal("not_registered")
        # One more than the answer holds tells whether another follows.
        messages = await self._chat.list_of_player(user.player, request.skip, MAX_MESSAGES + 1)
        reports = () if request.skip else await self._reports.list_sent(user.player, MAX_REPORTS)
        return OwnData(
            request.id,
            user.player,
            account.name,
            account.created_ms,
            account.renamed_ms or None,
            tuple(map(_shown_message, messages[:MAX_MESSAGES])),
            tuple(map(_shown_report, reports)),
            has_more=len(messages) > MAX_MESSAGES,
        )


def _shown_message(message: StoredMessage) -> OwnChatMessage:
    return OwnChatMessage(MatchId(message.match), message.channel, message.number, message.at_ms, message.text)


def _shown_report(report: StoredReport) -> OwnReport:
    player = PlayerId(report.player) if report.player else None
    return OwnReport(report.kind, report.subject, report.seq, report.at_ms, report.text, player)
