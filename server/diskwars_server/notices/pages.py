"""Answers to the links in mail: each shows one button first, because programs open the links of mail before people do.

A mail program's own button posts at once (RFC 8058).
"""

import html
import re
from collections.abc import Mapping
from http import HTTPStatus

from websockets.http11 import Request, Response

from diskwars_protocol.messages.notices import NoticeLanguage
from diskwars_server.http.routes import Route, make_response
from diskwars_server.notices.links import LinkKind
from diskwars_server.notices.notice_requests import NoticeService
from diskwars_server.store.errors import StoreUnavailable

POLICY = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
_STYLE = (
    "body{font:1rem/1.5 system-ui;max-width:34rem;margin:4rem auto;padding:0 1rem}"
    "button{font:inherit;padding:.5rem 1.5rem}"
    "@media(prefers-color-scheme:dark){body{background:#111;color:#eee}a{color:#9cf}}"
)
_HEAD = (
    '<!doctype html><html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    f"<title>Diskwars</title><style>{_STYLE}</style></head>"
)
_LINK = re.compile(r"/notices/(confirm|stop)/([0-9A-Za-z._~-]{1,256})")
_WORDS: Mapping[NoticeLanguage, Mapping[str, str]] = {
    "en": {
        "confirm": "Notices about matches go to this address from now on?",
        "stop": "No more notices to this address?",
        "yes": "Yes",
        "confirmed": "The address is confirmed.",
        "stopped": "Nothing more is sent to this address.",
        "bad": "This link is too old, or it was cut off. Ask for another one on the page of your account.",
        "later": "The server cannot do this now. Try again in a minute.",
        "home": "To the matches",
    },
    "de": {
        "confirm": "Von jetzt an Benachrichtigungen über Partien an diese Adresse?",
        "stop": "Keine Benachrichtigungen mehr an diese Adresse?",
        "yes": "Ja",
        "confirmed": "Die Adresse ist bestätigt.",
        "stopped": "An diese Adresse wird nichts mehr geschickt.",
        "bad": "Dieser Link ist zu alt oder wurde abgeschnitten. Auf der Seite deines Kontos bekommst du einen neuen.",
        "later": "Das geht im Moment nicht. Versuche es in einer Minute noch einmal.",
        "home": "Zu den Partien",
    },
    "pl": {
        "confirm": "Czy powiadomienia o partiach mają od teraz trafiać na ten adres?",
        "stop": "Czy nie wysyłać już powiadomień na ten adres?",
        "yes": "Tak",
        "confirmed": "Adres został potwierdzony.",
        "stopped": "Na ten adres nic już nie będzie wysyłane.",
        "bad": "Ten link jest za stary albo został ucięty. Nowy dostaniesz na stronie swojego konta.",
        "later": "Serwer nie może teraz tego zrobić. Spróbuj za minutę.",
        "home": "Do partii",
    },
}


class NoticePages:
    """The route of the links of one server."""

    def __init__(self, service: NoticeService) -> None:
        self._service = service

    def routes(self) -> tuple[Route, ...]:
        # Not counted as a query: mail programs of one provider press the button for many people, and a link that is not
        # genuine reads no store.
        return (Route(_LINK, self._answer, takes_post=True),)

    async def _answer(self, request: Request, address: str, named: re.Match[str]) -> Response:
        kind: LinkKind = "confirm" if named[1] == "confirm" else "stop"
        words = _WORDS[_language(request)]
        linked = self._service.read_link(kind, named[2])
        if linked is None:
            return self._page(HTTPStatus.NOT_FOUND, words["bad"], words)
        if request.method != "POST":
            return self._page(HTTPStatus.OK, words[kind], words, has_button=True)
        try:
            if kind == "stop":
                await self._service.stop(linked)
                return self._page(HTTPStatus.OK, words["stopped"], words)
            if not await self._service.confirm(linked):
                return self._page(HTTPStatus.NOT_FOUND, words["bad"], words)
        except StoreUnavailable:
            return self._page(HTTPStatus.SERVICE_UNAVAILABLE, words["later"], words)
        return self._page(HTTPStatus.OK, words["confirmed"], words)

    def _page(self, status: HTTPStatus, text: str, words: Mapping[str, str], *, has_button: bool = False) -> Response:
        button = f'<form method="post"><button>{words["yes"]}</button></form>' if has_button else ""
        home = f'<p><a href="{html.escape(self._service.home)}">{words["home"]}</a></p>'
        body = f"{_HEAD}<body><h1>{text}</h1>{button}{home}</body></html>\n"
        response = make_response(status, "text/html; charset=utf-8", body.encode())
        del response.headers["Content-Security-Policy"]
        response.headers["Content-Security-Policy"] = POLICY
        response.headers["Cache-Control"] = "no-store"
        return response


def _language(request: Request) -> NoticeLanguage:
    """Return the language that the browser asks for first, or English."""
    first = ",".join(request.headers.get_all("Accept-Language")).lower().lstrip()
    return next((language for language in _WORDS if first.startswith(language)), "en")
