"""The documentation site: built strictly, complete, with a search, and without anything from another host."""

import json
import re
import types
from pathlib import Path

import pytest

from diskwars_server.connections.transport import ListenOptions, Transport
from diskwars_server.http.docs_site import DocsSite
from diskwars_server.store.memory.database import MemoryDatabase
from tests.browser.web_page import headless_shell, open_browser
from tests.code_sizes import ROOT
from tests.optional_packages import import_or_skip
from tests.server.http.test_routes import is_well
from tests.server.in_memory_server import InMemoryServer

import_or_skip("mkdocs")
import_or_skip("mkdocstrings")
from tools.docs_site import build, hooks  # noqa: E402  needs them

NEEDS_OTHERS = re.compile(r"""<(?:script|img|iframe|source)[^>]+src="?(?:https?:)?//|<link[^>]+href="?(?:https?:)?//""")
STYLE_OF_OTHERS = re.compile(r"""url\(["']?(?:https?:)?//|@import""")
LINK = re.compile(r'<a [^>]*href="([^"#][^"]*)"')
NOT_SHOWN = {"design"}
"""Pages that are for those who work on the project: they show pictures of the tests."""
MAX_SITE_BYTES = 16_000_000

pytestmark = pytest.mark.timeout(240)  # seven seconds of a free core


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("docs") / "site"
    build.build_site(folder)
    return folder


def test_every_page_of_docs_is_on_the_site(site: Path) -> None:
    pages = {page.relative_to(ROOT / "docs").with_suffix("") for page in (ROOT / "docs").rglob("*.md")}
    shown = {page.relative_to(site).with_suffix("") for page in site.rglob("*.html")}
    assert {str(page) for page in pages - shown} == NOT_SHOWN


def test_nothing_comes_from_another_host(site: Path) -> None:
    pages = {str(page): page.read_text("utf-8") for page in [*site.rglob("*.html"), *site.rglob("*.css")]}
    assert len(pages) > 40
    assert [page for page, text in pages.items() if NEEDS_OTHERS.search(text) or STYLE_OF_OTHERS.search(text)] == []


def test_links_between_pages_lead_to_files(site: Path) -> None:
    lost = []
    for page in site.rglob("*.html"):
        for target in LINK.findall(page.read_text("utf-8")):
            path = target.partition("#")[0]
            if "://" in path or path.startswith(("mailto:", "/")) or page.name == "404.html":
                continue
            if not (page.parent / path).exists():
                lost.append(f"{page.relative_to(site)}: {target}")
    assert lost == []


def test_reference_has_the_methods_of_the_sdk_with_their_docstrings(site: Path) -> None:
    reference = (site / "sdk.html").read_text("utf-8")
    assert "Follow a match; with" in reference
    assert 'id="diskwars_client.client.Client.open_match"' in reference
    assert [module for module in hooks.SDK_MODULES if f'id="{module}"' not in reference] == []


def test_search_knows_pages_and_reference(site: Path) -> None:
    index = json.loads((site / "search" / "search_index.json").read_text("utf-8"))
    found = {document["location"].partition("#")[0] for document in index["docs"]}
    assert {"protocol.html", "sdk.html", "rules.html"} <= found


def test_site_is_small(site: Path) -> None:
    assert sum(file.stat().st_size for file in site.rglob("*") if file.is_file()) < MAX_SITE_BYTES


def test_pages_of_a_package_name_their_version_and_look_for_no_other(site: Path) -> None:
    page = (site / "rules.html").read_text("utf-8")
    assert f"Diskwars {build.read_version()}" in page
    assert '"provider": "mike"' not in page


def test_versions_are_listed_newest_first_and_the_first_page_leads_there(tmp_path: Path) -> None:
    for version in ("1.9.0", "1.10.0", "1.0.0"):
        (tmp_path / version).mkdir()
        (tmp_path / version / "index.html").write_text("")
    (tmp_path / "other").mkdir()
    build.list_versions(tmp_path)
    listed = json.loads((tmp_path / build.VERSIONS).read_text())
    assert [row["version"] for row in listed] == ["1.10.0", "1.9.0", "1.0.0"]
    assert [row["aliases"] for row in listed] == [["latest"], [], []]
    assert 'url=1.10.0/index.html"' in (tmp_path / "index.html").read_text()


def test_pages_of_several_versions_look_for_their_list(monkeypatch: pytest.MonkeyPatch) -> None:
    config = types.SimpleNamespace(copyright="", extra={})
    assert hooks.on_config(config).extra == {}
    monkeypatch.setenv(build.VERSIONS_VARIABLE, "yes")
    assert hooks.on_config(config).extra["version"]["provider"] == "mike"


def test_fence_with_a_word_for_tests_is_a_fence_of_its_language() -> None:
    assert hooks.on_page_markdown("```json opened\n{}\n```\n") == "```json\n{}\n```\n"
    assert hooks.on_page_markdown("[a test](../tests/x.json)") == "a test"


async def test_reader_searches_and_finds_without_a_fault_or_a_foreign_request(site: Path) -> None:
    """The policy of the server lets the site do what it needs: its scripts, and the worker that searches."""
    faults: list[str] = []
    async with MemoryDatabase() as database, open_browser(headless_shell()) as browser:
        node = InMemoryServer(database)
        docs = DocsSite(site, node.session_context.quotas)
        mounted = Transport(node.session_context, is_well, ListenOptions(), page={}, mounts=[docs.mount()])
        async with mounted as transport:
            address = transport.url.replace("ws://", "http://").removesuffix("/ws")
            page = await browser.new_page()
            page.on("console", lambda said: faults.append(said.text) if said.type in ("error", "warning") else None)
            page.on("pageerror", lambda fault: faults.append(str(fault)))
            page.on(
                "request", lambda sent: None if sent.url.startswith((address, "data:")) else faults.append(sent.url)
            )
            page.on("response", lambda got: faults.append(f"{got.status} {got.url}") if got.status >= 400 else None)
            await page.goto(f"{address}/docs/")
            await page.get_by_role("textbox", name="Search").fill("seat chain")
            await page.locator(".md-search-result__item a").first.click()
            await page.wait_for_url(re.compile(r"/docs/[\w-]+\.html"))
            assert "chain" in (await page.locator("article").inner_text()).lower()
        await node.matches.close()
    assert faults == []
