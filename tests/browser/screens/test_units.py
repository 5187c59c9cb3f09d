"""The page's own tests and type checks, with its client against a real server."""

import re

import pytest

from tests.browser.web_page import built_page, run_npm, serving_page


@pytest.mark.timeout(240)
async def test_client_library_agrees_with_the_vectors_and_plays_on_a_real_server() -> None:
    async with serving_page(built_page()) as url:
        output = await run_npm("test", url=url.replace("http", "ws", 1) + "ws")
    assert re.search(r"Tests\s+\d+ passed \(", output)
    assert "skipped" not in output


@pytest.mark.timeout(240)
async def test_sources_of_the_page_have_no_type_errors() -> None:
    assert "found 0 errors and 0 warnings" in await run_npm("check")
