"""Operations about challenges of the player whose token it is."""

from diskwars_protocol.messages.challenges import (
    AcceptChallenge,
    ChallengePlayer,
    ChallengeRequest,
    DeclineChallenge,
    ListChallenges,
    WithdrawChallenge,
)
from diskwars_server.api.answers import JSON_TYPE, Answer, Body
from diskwars_server.api.conversations import Conversation
from diskwars_server.api.operations import Call, Operation
from diskwars_server.session.session import SessionContext


class ChallengeOperations:
    """The operations about challenges, of one server."""

    def __init__(self, context: SessionContext) -> None:
        self._context = context

    def operations(self) -> tuple[Operation, ...]:
        return (
            Operation(
                "GET",
                "/challenges",
                ListChallenges,
                self._ask,
                topic="play",
                summary="Challenges to and from the player",
                scope="watch",
                needs_token=True,
                example="/challenges",
            ),
            Operation(
                "POST",
                "/challenges",
                ChallengePlayer,
                self._ask,
                topic="play",
                summary="Challenge a player by name",
                text="The same request under the same `id` is one challenge, however often it comes.",
                scope="open",
                needs_token=True,
                codes=("unknown_player", "takes_no_challenges", "challenged_already", "too_many_challenges"),
                example="/challenges",
            ),
            self._answer(AcceptChallenge, "accept", "Accept a challenge, which opens its match", "too_many_open"),
            self._answer(DeclineChallenge, "decline", "Decline a challenge"),
            self._answer(WithdrawChallenge, "withdraw", "Take a challenge back"),
        )

    def _answer(self, request: type[ChallengeRequest], word: str, summary: str, *codes: str) -> Operation:
        """Return the operation that answers a challenge, or takes it back."""
        return Operation(
            "POST",
            f"/challenges/{{challenge}}/{word}",
            request,
            self._ask,
            topic="play",
            summary=summary,
            scope="open",
            needs_token=True,
            codes=("unknown_challenge", "challenge_over", *codes),
            example=f"/challenges/ch5kq2m7xw4n/{word}",
        )

    async def _ask(self, call: Call, request: ChallengeRequest) -> Answer:
        assert call.device is not None
        async with Conversation(self._context, call.user.address, call.device) as conversation:
            return Body(await conversation.ask(request), JSON_TYPE)
