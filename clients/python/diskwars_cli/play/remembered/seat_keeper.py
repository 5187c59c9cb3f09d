"""The seat of one run of `play`, kept in the memory of seats while it is played."""

from msgspec.structs import replace

from diskwars_cli.play.remembered.seat_memory import RememberedBot, RememberedSeat, SeatMemory
from diskwars_client.errors import CommandRefused
from diskwars_client.match_handle import MatchHandle
from diskwars_client.seat_secrets import SavedSecrets


class SeatKeeper:
    """Keeps a player's seat and those of their bots up to date in the memory."""

    def __init__(self, memory: SeatMemory, seat: RememberedSeat) -> None:
        """Hold the seat for this process. Raises CommandError if another terminal plays it."""
        self._memory, self.seat = memory, seat
        memory.make_room()
        memory.hold(seat)

    def follow(self, handle: MatchHandle, token: str) -> None:
        """Keep the player's token, unless it is that of an account, and from now on their secrets.

        Raises CommandError.
        """
        handle.own_seat.on_secrets_change = lambda saved: self._save(replace(self.seat, secrets=saved))
        kept = "" if self.seat.account else token
        self._save(replace(self.seat, token=kept, secrets=_secrets_of(handle)))

    def follow_bot(self, number: int, handle: MatchHandle, name: str, token: str) -> None:
        """Keep the token and the secrets of a bot. Raises CommandError."""

        def keep(secrets: SavedSecrets | None) -> None:
            bots = list(self.seat.bots)
            bots[number : number + 1] = [RememberedBot(name, token, secrets)]
            self._save(replace(self.seat, bots=tuple(bots)))

        handle.own_seat.on_secrets_change = keep
        keep(_secrets_of(handle))

    def add_server_bot(self, name: str) -> None:
        """Keep that a bot of the server plays in the match. Raises CommandError."""
        self._save(replace(self.seat, server_bots=(*self.seat.server_bots, name)))

    def forget(self) -> None:
        """Remove the seat: its match is over."""
        self._memory.forget(self.seat)

    def _save(self, seat: RememberedSeat) -> None:
        self.seat = seat
        self._memory.save(seat)


async def recover_secrets(handle: MatchHandle, saved: SavedSecrets | None) -> None:
    """Continue with the secrets of an earlier run, or take control where they are lost or another device has it."""
    try:
        if saved is None or not handle.own_seat.resume_secrets(saved):
            await handle.own_seat.take_control()
    except CommandRefused as refused:
        if refused.code != "match_ended":
            raise


def _secrets_of(handle: MatchHandle) -> SavedSecrets | None:
    return None if handle.own_seat.secrets is None else handle.own_seat.secrets.saved()
