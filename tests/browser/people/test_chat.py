"""The chat of a match, presence, and playing again, with two and three browsers in a real Chromium."""

import pytest
from playwright.async_api import Browser, Page, WebSocketRoute, expect

from tests.browser.clicks import resign
from tests.browser.web_page import accessibility_findings, collect_faults, open_page

PAYLOADS = (
    '<img src=x onerror="window.hurt=1">',
    "<script>window.hurt=1</script>",
    '"><svg onload=window.hurt=1>',
    "{@html '<b>bold</b>'} {hurt} javascript:window.hurt=1",
    '<a href="javascript:window.hurt=1">here</a>',
)

FINGER_PX = 44
"""What takes a finger, at least: who misses one button does not press the other."""

pytestmark = [pytest.mark.timeout(240), pytest.mark.asyncio(loop_scope="session")]


async def begin_together(browser: Browser, url: str, game: str = "Diskwars") -> tuple[Page, Page]:
    """Return the pages of two people at a running match."""
    host, guest = await open_page(browser), await open_page(browser)
    await host.goto(f"{url}new")
    await host.get_by_role("dialog").get_by_label("Game").select_option(label=game)
    await host.get_by_role("button", name="Create match and get the link").click()
    link = await host.get_by_label("Link", exact=True).input_value()
    await guest.goto(link)
    await guest.get_by_role("button", name="Take seat 2").click()
    for page in (host, guest):
        await page.get_by_role("button", name="I am ready").click()
    await expect(host.locator(".act .q b")).not_to_contain_text("Ready")
    return host, guest


async def open_chat(page: Page) -> None:
    await page.get_by_role("tab", name="Chat").click()
    await expect(page.get_by_role("region", name="Chat")).to_be_visible()


async def write(page: Page, text: str) -> None:
    line = page.get_by_label("Write a message")
    await line.fill(text)
    await line.press("Enter")
    await expect(line).to_have_value("")


async def test_players_write_to_each_other_before_the_match_begins(browser: Browser, url: str) -> None:
    host, guest = await open_page(browser), await open_page(browser)
    faults = [collect_faults(host), collect_faults(guest)]
    await host.goto(f"{url}new")
    await host.get_by_role("button", name="Create match and get the link").click()
    link = await host.get_by_label("Link", exact=True).input_value()
    await expect(host.get_by_text("Invite", exact=True)).to_be_visible()
    await open_chat(host)  # which the invite does not cover
    await write(host, "Come in!")
    await guest.goto(link)
    await guest.get_by_role("button", name="Only watch").click()
    await open_chat(guest)  # as somebody who watches, and so writes to others than the players
    await guest.get_by_role("button", name="Take seat 2").click()
    await expect(guest.get_by_role("log", name="Players")).to_contain_text("Come in!")
    await write(guest, "Here I am.")
    await expect(host.get_by_role("log", name="Players")).to_contain_text("Here I am.")
    assert faults == [[], []]


async def test_players_write_to_each_other_and_watchers_read_nothing_of_it(browser: Browser, url: str) -> None:
    host, guest = await begin_together(browser, url)
    faults = [collect_faults(host), collect_faults(guest)]
    watcher = await open_page(browser)
    await watcher.goto(host.url)
    await open_chat(host)
    await write(host, "Good luck!")
    # Somebody who looks at the log sees a dot, and reads it when they open the chat.
    await expect(guest.get_by_role("tab", name="Chat new messages")).to_be_visible()
    await open_chat(guest)
    await expect(guest.get_by_role("log", name="Players")).to_contain_text("Good luck!")
    await expect(guest.get_by_role("tab", name="Chat", exact=True)).to_be_visible()
    await open_chat(watcher)
    await write(watcher, "Who wins?")
    await expect(watcher.get_by_role("log", name="Watchers")).to_contain_text("Who wins?")
    await expect(watcher.get_by_role("log")).not_to_contain_text("Good luck!")
    await expect(host.get_by_role("log", name="Players")).not_to_contain_text("Who wins?")
    assert await accessibility_findings(host) == []
    assert not any(faults)


async def test_texts_of_others_never_become_markup(browser: Browser, url: str) -> None:
    host, guest = await begin_together(browser, url, "The pit")
    await open_chat(host)
    await open_chat(guest)
    for text in PAYLOADS:
        await write(host, text)
    for text in PAYLOADS:
        await expect(guest.get_by_role("log").get_by_text(text, exact=True)).to_be_visible()
    assert await guest.locator(".messages :is(img, script, a, b b)").count() == 0
    for page in (host, guest):
        assert await page.evaluate("window.hurt") is None


async def test_messages_of_a_muted_player_are_hidden_until_they_are_unmuted(browser: Browser, url: str) -> None:
    host, guest = await begin_together(browser, url)
    await open_chat(host)
    await open_chat(guest)
    await write(host, "Slow poke")
    log = guest.get_by_role("log")
    await expect(log).to_contain_text("Slow poke")
    await guest.get_by_role("button", name="Mute ").click()
    await expect(log).not_to_contain_text("Slow poke")
    await guest.get_by_text("1 muted").click()
    await guest.get_by_role("button", name="again").last.click()
    await expect(log).to_contain_text("Slow poke")
    assert await guest.get_by_text("1 muted").count() == 0


async def test_chat_goes_on_after_the_line_was_cut(browser: Browser, url: str) -> None:
    host, guest = await begin_together(browser, url)
    routes: list[WebSocketRoute] = []

    def relay(route: WebSocketRoute) -> None:
        routes.append(route)
        route.connect_to_server()

    await guest.route_web_socket("**/ws", relay)
    await guest.reload()
    await open_chat(guest)
    await open_chat(host)
    await write(host, "One")
    await expect(guest.get_by_role("log")).to_contain_text("One")
    await routes[-1].close(code=4000, reason="cut")
    await write(host, "Two")
    await expect(guest.get_by_role("log")).to_contain_text("Two")
    await write(guest, "Three")
    await expect(host.get_by_role("log")).to_contain_text("Three")
    await expect(guest.get_by_role("log")).to_contain_text("Three")
    assert await guest.get_by_role("log").locator(".message").count() == 3


async def test_unread_message_is_still_new_after_a_reload(browser: Browser, url: str) -> None:
    host, guest = await begin_together(browser, url, "The pit")
    await open_chat(host)
    await open_chat(guest)
    send, resigning = (guest.get_by_role("button", name=name, exact=True) for name in ("Send", "Resign"))
    boxes = await send.bounding_box(), await resigning.bounding_box()
    assert boxes[0] is not None
    assert boxes[1] is not None
    assert boxes[1]["y"] - boxes[0]["y"] - boxes[0]["height"] >= FINGER_PX, "the command line is between them"
    await guest.get_by_role("tab", name="Log").click()
    await write(host, "Hello")
    news = guest.get_by_role("tab", name="Chat new messages")
    await expect(news).to_be_visible()
    await guest.reload()
    await news.click()
    await expect(guest.get_by_role("log")).to_contain_text("Hello")
    await guest.reload()
    await guest.get_by_role("tab", name="Log").click()
    await expect(guest.get_by_role("tab", name="Chat", exact=True)).to_be_visible()
    await expect(news).to_have_count(0)


async def test_refused_text_says_why_and_is_not_lost(browser: Browser, url: str) -> None:
    host, _ = await begin_together(browser, url)
    await open_chat(host)
    await host.get_by_label("Write a message").fill("\u202eright to left")
    await host.get_by_role("button", name="Send").click()
    await expect(host.get_by_role("region", name="Chat").get_by_role("alert")).to_be_visible()
    assert await host.get_by_label("Write a message").input_value() == "\u202eright to left"


async def test_opponent_who_leaves_is_shown_as_offline(browser: Browser, url: str) -> None:
    host, guest = await begin_together(browser, url)
    opponent = host.locator(".panel").first.locator(".presence")
    await expect(opponent).to_have_attribute("title", "online")
    await guest.close()
    await expect(opponent).to_have_attribute("title", "offline", timeout=60_000)
    assert await opponent.count() == 1


async def test_players_play_again_with_their_seats_turned(browser: Browser, url: str) -> None:
    host, guest = await begin_together(browser, url)
    faults = [collect_faults(host), collect_faults(guest)]
    before = host.url
    await resign(host)
    again = "Play again with seats swapped"
    await host.get_by_role("button", name=again).click()
    await expect(host.get_by_text("to agree")).to_be_visible()
    await guest.get_by_role("button", name=again).click()
    for page in (guest, host):
        await expect(page.get_by_role("button", name="I am ready")).to_be_visible(timeout=40_000)
    assert host.url == guest.url != before
    await expect(host.get_by_role("list", name="Log")).to_contain_text("The match was opened")
    assert not any(faults)
