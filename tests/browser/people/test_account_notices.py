"""Notices of an account in the page: channels, preferences, and a push that arrives with the page closed."""

import asyncio
import base64
import json
import os
from collections.abc import AsyncIterator
from typing import Any

import http_ece
import pytest
import pytest_asyncio
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from playwright.async_api import Browser, BrowserContext, Page, expect

from diskwars_server.http.page_files import StaticFile
from tests.browser.web_page import DESKTOP, WAIT_MS, collect_faults, serving_page, show
from tests.server.notices.receivers import HttpReceiver, MailBox, receive_http, receive_mail

pytestmark = [pytest.mark.timeout(180), pytest.mark.asyncio(loop_scope="session")]

SUBSCRIBE = """
(keys) => {
  PushManager.prototype.getSubscription = async () => null;
  PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
    window.subscribed = { userVisibleOnly, applicationServerKey };
    const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer;
    return { endpoint: keys.endpoint, getKey: (name) => bytes(keys[name]) };
  };
}
"""
"""Chromium without a push service of its maker: the page subscribes with one of this test."""
SHOWN = """
navigator.serviceWorker.ready.then((worker) => worker.getNotifications())
  .then((all) => all.map(({ title, body, data }) => [title, body, data]))
"""


@pytest.fixture(scope="module")
def chromium(whole_chromium: Browser) -> Browser:
    """The Chromium that people use: the one without windows makes no notice."""
    return whole_chromium


@pytest_asyncio.fixture(loop_scope="session")
async def mail() -> AsyncIterator[MailBox]:
    async with receive_mail() as box:
        yield box


@pytest_asyncio.fixture(loop_scope="session")
async def web() -> AsyncIterator[HttpReceiver]:
    async with receive_http() as receiver:
        yield receiver


@pytest_asyncio.fixture(loop_scope="session")
async def url(files: dict[str, StaticFile], mail: MailBox) -> AsyncIterator[str]:
    settings: dict[str, Any] = {
        "public_url": "http://127.0.0.1:1",
        "smtp_url": mail.url,
        "mail_from": "disks@club.example.org",
        "notice_networks": ("127.0.0.0/8",),
    }
    async with serving_page(files, **settings) as address:
        yield address


async def open_account(browser: Browser, url: str, name: str, **options: Any) -> tuple[BrowserContext, Page]:
    """Return a page of somebody with an account, at the settings."""
    usual: dict[str, Any] = {**DESKTOP, "reduced_motion": "reduce"}
    context = await browser.new_context(**usual, **options)
    context.set_default_timeout(WAIT_MS)
    page = await context.new_page()
    await page.goto(f"{url}settings")
    await page.get_by_label("Name").fill(name)
    await page.get_by_label("Password").fill("correct horse battery")
    async with page.expect_event("load"):  # the page loads itself again with the new token
        await page.get_by_role("button", name="Make an account").click()
    await expect(page.get_by_role("heading", name="Notices while you are away")).to_be_visible()
    return context, page


async def wait_for(values: list[Any]) -> Any:
    """Return the first of what arrives."""
    async with asyncio.timeout(WAIT_MS / 1000):
        while not values:
            await asyncio.sleep(0.05)
    return values.pop(0)


async def test_player_adds_an_address_confirms_it_and_chooses(browser: Browser, url: str, mail: MailBox) -> None:
    context, page = await open_account(browser, url, "Ann of Nuln")
    faults = collect_faults(page)
    await expect(page.get_by_text("Nowhere yet.")).to_be_visible()
    await page.get_by_label("E-mail").fill("ann@example.org")
    await page.get_by_role("button", name="Add address").click()
    await expect(page.get_by_text("open the link in the mail")).to_be_visible()
    link = (await wait_for(mail.mails)).get_body(("plain",)).get_content().split("http://127.0.0.1:1/")[1].split()[0]
    confirming = await context.new_page()
    await confirming.goto(url + link)
    await confirming.get_by_role("button", name="Yes").click()
    await expect(confirming.get_by_role("heading", name="The address is confirmed.")).to_be_visible()
    await show(confirming, "notices-confirmed")
    await page.reload()
    await expect(page.get_by_text("ann@example.org – works")).to_be_visible()
    box = page.get_by_role("checkbox", name="A match is over: E-mail")
    await expect(box).to_be_checked()
    await box.uncheck()
    await page.get_by_role("checkbox", name="Quiet hours").check()
    await page.get_by_label("from").fill("23:30")
    await page.get_by_label("from").blur()
    await expect(page.get_by_label("from")).to_have_value("23:30")
    await show(page, "notices-chosen")
    await page.reload()
    await expect(box).not_to_be_checked()
    await expect(page.get_by_label("from")).to_have_value("23:30")
    await page.get_by_role("button", name="Send a test").click()
    assert (await wait_for(mail.mails))["Subject"] == "This is how a notice looks"
    await page.get_by_role("button", name="Remove ann@example.org").click()
    await expect(page.get_by_text("Nowhere yet.")).to_be_visible()
    assert faults == []


async def test_address_that_must_not_be_reached_is_refused_in_the_readers_language(browser: Browser, url: str) -> None:
    _, page = await open_account(browser, url, "Ben of Ulm")
    faults = collect_faults(page)
    await page.get_by_role("group", name="Language").get_by_role("button", name="Deutsch").click()
    await page.get_by_placeholder("https://").fill("https://169.254.169.254/")
    await page.get_by_role("button", name="Webhook hinzufügen").click()
    await expect(page.get_by_role("alert")).to_contain_text("lässt sich nichts schicken")
    await show(page, "notices-refused-german")
    assert faults == []


async def test_push_arrives_with_the_page_closed_and_leads_to_the_match(
    browser: Browser, url: str, web: HttpReceiver
) -> None:
    private, auth = ec.generate_private_key(ec.SECP256R1()), os.urandom(16)
    point = private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    parts = {"p256dh": point, "auth": auth}
    keys = {name: base64.b64encode(value).decode() for name, value in parts.items()}
    keys["endpoint"] = f"{web.url}/push"
    context, page = await open_account(browser, url, "Cid of Wolfenburg", permissions=["notifications"])
    await page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    await page.evaluate(SUBSCRIBE, keys)
    await page.get_by_role("button", name="Notify this browser").click()
    await expect(page.get_by_text("127.0.0.1 – works")).to_be_visible()
    assert (await page.evaluate("window.subscribed.userVisibleOnly")) is True
    await page.get_by_role("button", name="Send a test").click()
    request = await wait_for(web.requests)
    payload = http_ece.decrypt(request.body, private_key=private, auth_secret=auth, version="aes128gcm")
    assert json.loads(payload)["title"] == "This is how a notice looks"
    # The push service's part: Chromium hands what it was sent to the worker.
    session = await context.new_cdp_session(page)
    registrations: list[dict[str, Any]] = []
    session.on("ServiceWorker.workerRegistrationUpdated", lambda event: registrations.extend(event["registrations"]))
    await session.send("ServiceWorker.enable")
    registration = await wait_for(registrations)
    match = {**json.loads(payload), "title": "Your turn", "link": "https://elsewhere.example/m/abc"}
    await session.send(
        "ServiceWorker.deliverPushMessage",
        {"origin": url.rstrip("/"), "registrationId": registration["registrationId"], "data": json.dumps(match)},
    )
    async with asyncio.timeout(WAIT_MS / 1000):
        while not (shown := await page.evaluate(SHOWN)):
            await asyncio.sleep(0.05)
    assert shown == [["Your turn", "Notices reach you here. This one says nothing else.", "/m/abc"]]
    (worker,) = context.service_workers
    await worker.evaluate("(path) => openMatch(path).catch(({ name }) => name)", shown[0][2])
    await expect(page).to_have_url(f"{url}m/abc")


async def test_server_without_notices_says_so(browser: Browser, shared_url: str) -> None:
    _, page = await open_account(browser, shared_url, "Dan of Marienburg")
    await expect(page.get_by_text("This server sends none")).to_be_visible()
    assert await page.get_by_role("button", name="Add address").count() == 0


async def test_page_says_once_which_match_is_in_view_and_asks_once_for_notices(browser: Browser, url: str) -> None:
    context, page = await open_account(browser, url, "Eva of Talabheim")
    sent: list[str] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(str(frame))))
    await page.reload()
    await expect(page.get_by_text("Nowhere yet.")).to_be_visible()
    await page.get_by_role("link", name="Play", exact=True).click()
    await expect(page.get_by_role("button", name="Play now")).to_be_enabled()
    await asyncio.sleep(1)
    counts = [sum(f'"type":"{kind}"' in frame for frame in sent) for kind in ("get_notices", "look_at")]
    assert counts[0] == 1, sent
    assert 1 <= counts[1] <= 3, sent
    await context.close()
