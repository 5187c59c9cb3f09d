"""Previews of links to matches in other programs: tags in the page (Open Graph, https://ogp.me; oEmbed)."""

import re
from html import escape
from urllib.parse import quote

from diskwars_protocol.match.ids import seat_letter
from diskwars_server.http.page_files import StaticFile
from diskwars_server.store.match_index import Listing

_HOST = re.compile(r"(?:[A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?")
_TITLE_END = b"</title>"
OEMBED_TYPE = "application/json+oembed"


def site_of(host: str, is_secure: bool) -> str | None:
    """Return the address of the site that a client named as its host; None for what is no host."""
    if not _HOST.fullmatch(host):
        return None
    return f"{'https' if is_secure else 'http'}://{host}"


def with_head(page: StaticFile, tags: str) -> StaticFile:
    """Return the page with more in its head; a page without a title as it is."""
    head, title_end, rest = page.body.partition(_TITLE_END)
    if not title_end:
        return page
    return StaticFile.of(head + title_end + tags.encode() + rest, page.content_type, is_text=True)


def preview_tags(site: str, listing: Listing, moment: str | None, *, has_picture: bool) -> str:
    """Return the tags of a link to a match, or to a record of it."""
    place = "" if moment is None else f"/{moment}"
    tags = {
        "og:type": "website",
        "og:site_name": "Diskwars",
        "og:title": title_of(listing, moment),
        "og:description": _description(listing),
        "og:url": f"{site}/m/{listing.match}{place}",
    }
    if has_picture and is_open_to_all(listing) and listing.status != "open":
        query = "" if moment is None else f"?seq={moment}"
        tags["og:image"] = f"{site}/matches/{listing.match}/board.png{query}"
        tags |= {"og:image:type": "image/png", "og:image:width": "1200", "og:image:height": "630"}
        tags["og:image:alt"] = "The board"
    return "".join(f'<meta property="{name}" content="{escape(text)}">' for name, text in tags.items())


def discovery_link(site: str, listing: Listing, moment: str | None) -> str:
    """Return the tag of a page by which sites find how to embed its match; nothing for one that not all may watch."""
    if not is_open_to_all(listing):
        return ""
    address = f"{site}/m/{listing.match}{'' if moment is None else f'/{moment}'}"
    href = f"{site}/oembed?format=json&url={quote(address, safe='')}"
    title = escape(title_of(listing, moment))
    return f'<link rel="alternate" type="{OEMBED_TYPE}" href="{escape(href)}" title="{title}">'


def is_open_to_all(listing: Listing) -> bool:
    """Return whether everybody who knows the match may watch it, as it is now or a round later."""
    watchers = listing.match_options.watchers
    is_open = watchers in ("live", "round_later") or (watchers == "after_end" and listing.status == "ended")
    return is_open and not listing.is_locked


def title_of(listing: Listing, moment: str | None) -> str:
    """Return what a match, or a moment of it, is called."""
    name = listing.ruleset.replace("_", " ").capitalize()
    return f"{name}: a match" if moment is None else f"{name}: a moment of a match"


def _description(listing: Listing) -> str:
    players = f"{len(listing.seats)} players"
    if listing.result is None:
        return f"A match for {players} that waits for them." if listing.status == "open" else f"{players}, under way."
    winners = " and ".join(f"seat {seat_letter(seat)}" for seat in listing.result.winners) or "nobody"
    return f"{players}, ended: {winners} won ({listing.result.end_reason.replace('_', ' ')})."
