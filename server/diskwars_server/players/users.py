"""One connected user: the player, the device, the connection, and what their address may still cause."""

from msgspec import Struct

from diskwars_protocol.match.ids import PlayerId
from diskwars_protocol.messages.accounts import Account
from diskwars_server.broadcast.outbox import Outbox
from diskwars_server.limits.address_quotas import AddressQuotas
from diskwars_server.limits.usage import ConnectionUsage
from diskwars_server.refusals import Refusal


class LoggedInDevice(Struct, frozen=True):
    """The player and the device that a token stands for. A guest has neither a name nor a device.

    `is_bot` as it was when the connection began, or this connection marked the account.
    """

    player: PlayerId
    name: str = ""
    device: str = ""
    is_bot: bool = False

    @property
    def account(self) -> Account | None:
        return Account(self.name, self.device, self.is_bot) if self.device else None


class User:
    """The user of one connection, as handlers of requests see them."""

    def __init__(self, outbox: Outbox, address: str, quotas: AddressQuotas) -> None:
        """`address` is where the user comes from, as quotas count it."""
        self.outbox, self.address, self.quotas = outbox, address, quotas
        self.player = PlayerId("")
        """The id of the player; empty before the welcome. A plain attribute: every act reads it."""
        self._device = LoggedInDevice(self.player)
        outbox.usage = quotas.bytes.usage_of(address)

    @property
    def device(self) -> LoggedInDevice:
        return self._device

    @device.setter
    def device(self, device: LoggedInDevice) -> None:
        self.player, self._device = device.player, device

    @property
    def has_account(self) -> bool:
        return bool(self.device.device)

    @property
    def usage(self) -> ConnectionUsage:
        """The account of the bytes that this connection uses up."""
        return self.outbox.usage

    def count_query(self) -> None:
        """Count a request that reads a store. Raises Refusal for one too many."""
        if wait_ms := self.quotas.admit_query(self.address):
            raise too_many_requests(wait_ms)

    def require_history_budget(self, is_resume: bool) -> None:
        """Raise Refusal where too much history was sent. What a match under way needs has twice the budget."""
        if wait_ms := self.usage.history_wait_ms(is_resume):
            raise Refusal("too_much_history", retry_after_ms=wait_ms)

    def admit_opening(self) -> Refusal | None:
        """Count a new match, or return why there may be none."""
        if wait_ms := self.usage.write_wait_ms(is_under_way=False):
            return Refusal("too_much_written", retry_after_ms=wait_ms)
        if not self.quotas.admit_opening(self.address):
            text = "too many matches were opened from your address: one more may be opened after a while"
            return Refusal("too_many_open", text, retry_after_ms=self.quotas.opening_wait_ms(self.address))
        return None

    def admit_bot(self) -> int:
        """Count a bot and return 0, or the milliseconds until there may be another."""
        return self.quotas.admit_bot(self.address)


def too_many_requests(wait_ms: int) -> Refusal:
    return Refusal("busy", "too many requests came from your address", retry_after_ms=wait_ms)
