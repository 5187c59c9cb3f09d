"""Every address that the page reads is answered with its document, and no other."""

import re
from pathlib import Path

import pytest

from diskwars_server.http.routes import PAGE_ROUTE

ROUTES = (Path(__file__).parents[3] / "clients/web/src/page/routes.ts").read_text("utf-8")


def views(name: str) -> list[str]:
    """Return the words that a pattern of the page takes."""
    pattern = re.search(rf"const {name} = /\^\\/\(([a-z|]+)\)", ROUTES)
    assert pattern is not None, name
    return pattern[1].split("|")


@pytest.mark.parametrize(
    "path", ["/", "/m/c9dk2n5ytxgw", "/m/c9dk2n5ytxgw/17", "/m/c9dk2n5ytxgw/decided", "/clubs/join/club-c9dk-1x"]
)
def test_lobby_matches_and_invitations_are_pages(path: str) -> None:
    assert PAGE_ROUTE.fullmatch(path)


def test_every_view_of_the_page_is_one() -> None:
    assert len(views("WITH_ID")) > 5
    for view in views("WITH_ID"):
        assert PAGE_ROUTE.fullmatch(f"/{view}"), view
        assert PAGE_ROUTE.fullmatch(f"/{view}/some-id_1.2"), view
        assert PAGE_ROUTE.fullmatch(f"/{view}/"), f"{view} with a slash that somebody has typed"
    assert set(re.findall(r"^const (\w+) = /", ROUTES, re.M)) == {"MATCH", "WITH_ID", "JOIN_CLUB", "PLAIN"}
    for view in views("PLAIN"):
        assert PAGE_ROUTE.fullmatch(f"/{view}"), view


@pytest.mark.parametrize("path", ["/nothing", "//", "/m/", "/m/a/b", "/rules/a/b", "/rules//", "/history/1"])
def test_other_addresses_are_not_found(path: str) -> None:
    assert PAGE_ROUTE.fullmatch(path) is None
