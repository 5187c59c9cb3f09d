"""Notices: channels and preferences of the notices that an account gets while its player is away."""

from diskwars_client.requester import Requester, new_command_id
from diskwars_protocol.messages.notices import (
    AddNoticeChannel,
    EmailTarget,
    GetNotices,
    NoticePreferences,
    NoticeRequest,
    NoticeSettings,
    NoticeTarget,
    RemoveNoticeChannel,
    SetNotices,
    TryNoticeChannel,
    WebhookFormat,
    WebhookTarget,
)


class NoticeTopic:
    """Requests about notices, as `client.notices`. Each returns what holds from then on, and raises CommandRefused."""

    def __init__(self, requester: Requester) -> None:
        self._requester = requester

    async def get(self) -> NoticeSettings:
        """Return the channels and preferences, and the kinds of channels that the server has."""
        return await self._request(GetNotices(new_command_id()))

    async def add_email(self, address: str) -> NoticeSettings:
        """Add an address. Nothing but a link is sent there until that has been opened."""
        return await self.add(EmailTarget(address))

    async def add_webhook(self, url: str, format: WebhookFormat = "json") -> NoticeSettings:
        """Add an address to which notices are posted."""
        return await self.add(WebhookTarget(url, format))

    async def add(self, target: NoticeTarget) -> NoticeSettings:
        """Add a channel of any kind. One that is known stays as it is."""
        return await self._request(AddNoticeChannel(new_command_id(), target))

    async def remove(self, channel: str) -> NoticeSettings:
        """Remove a channel by its id."""
        return await self._request(RemoveNoticeChannel(new_command_id(), channel))

    async def send_test(self, channel: str) -> NoticeSettings:
        """Let the server send something by a channel: the link again to an address that is not confirmed."""
        return await self._request(TryNoticeChannel(new_command_id(), channel))

    async def set_preferences(self, preferences: NoticePreferences) -> NoticeSettings:
        """Replace the preferences."""
        return await self._request(SetNotices(new_command_id(), preferences))

    async def _request(self, request: NoticeRequest) -> NoticeSettings:
        return await self._requester.request(request, NoticeSettings)
