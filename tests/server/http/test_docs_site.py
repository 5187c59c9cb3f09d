"""The documentation site as a server shows it: its own policy, nothing beside the folder, and bounds."""

import base64
import hashlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from diskwars_server.connections.transport import ListenOptions, Transport
from diskwars_server.http import docs_site
from diskwars_server.http.docs_site import DocsSite
from tests.server.http.test_routes import get, is_well
from tests.server.in_memory_server import InMemoryServer

PAGE = "<html><script>start()</script><p>Rules</p></html>"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    site = tmp_path / "site"
    (site / "assets").mkdir(parents=True)
    (site / "index.html").write_text(PAGE)
    (site / "404.html").write_text("<html>lost</html>")
    (site / "assets" / "main.css").write_text("p { color: red }" * 100)
    (site / "notes.exe").write_text("no")
    (tmp_path / "secret.html").write_text("secret")
    return site


@pytest.fixture
async def url(node: InMemoryServer, folder: Path) -> AsyncIterator[str]:
    site = DocsSite(folder, node.session_context.quotas)
    async with Transport(node.session_context, is_well, ListenOptions(), page={}, mounts=[site.mount()]) as transport:
        yield transport.url


async def test_page_has_a_policy_of_its_own_that_allows_the_scripts_in_it(url: str) -> None:
    answer = await get(url, "/docs/")
    assert (answer.status, answer.body) == (200, PAGE.encode())
    policies = answer.headers.get_all("Content-Security-Policy") or []
    assert len(policies) == 1
    policy = policies[0]
    digest = base64.b64encode(hashlib.sha256(b"start()").digest()).decode()
    assert f"script-src 'self' 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy
    assert "http" not in policy


async def test_folder_without_a_slash_leads_to_the_one_with_it(url: str) -> None:
    answer = await get(url, "/docs")
    assert (answer.status, answer.headers["Location"]) == (301, "/docs/")


async def test_file_is_compressed_and_known_by_its_tag(url: str) -> None:
    first = await get(url, "/docs/assets/main.css", Accept_Encoding="gzip")
    assert (first.status, first.headers["Content-Encoding"]) == (200, "gzip")
    again = await get(url, "/docs/assets/main.css", If_None_Match=first.headers["ETag"])
    assert (again.status, again.body) == (304, b"")


@pytest.mark.parametrize("path", ["/docs/../secret.html", "/docs/%2e%2e/secret.html", "/docs/notes.exe", "/docs/x"])
async def test_nothing_beside_the_site_is_found(url: str, path: str) -> None:
    answer = await get(url, path)
    assert (answer.status, answer.body) == (404, b"<html>lost</html>")


async def test_only_reading_is_allowed(url: str) -> None:
    answer = await get(url, "/docs/", method="DELETE")
    assert (answer.status, answer.headers["Allow"]) == (405, "GET, HEAD")
    head = await get(url, "/docs/", method="HEAD")
    assert (head.status, head.body, int(head.headers["Content-Length"])) == (200, b"", len(PAGE))


async def test_site_that_is_too_large_is_not_shown(
    node: InMemoryServer, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(docs_site, "MAX_DOCS_FILES", 2)
    site = DocsSite(folder, node.session_context.quotas)
    async with Transport(node.session_context, is_well, ListenOptions(), page={}, mounts=[site.mount()]) as transport:
        answer = await get(transport.url, "/docs/")
    assert (answer.status, b"./dev docs" in answer.body) == (404, True)
