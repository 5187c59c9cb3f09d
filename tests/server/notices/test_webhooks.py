"""Webhooks: each service reads its own form, and a player's name can neither call people nor change the form."""

import json

import pytest

from diskwars_protocol.messages.notices import WebhookFormat, WebhookTarget
from diskwars_server.notices.addresses import ReachableAddresses, parse_networks
from diskwars_server.notices.outbound import Answer, OutboundHttp
from diskwars_server.notices.outcomes import Failed, Rejected, Sent
from diskwars_server.notices.texts import Message
from diskwars_server.notices.webhooks import MAX_DISCORD_LENGTH, WebhookSender, outcome_of
from diskwars_server.store.notices import Delivery, NoticeText, StoredChannel
from tests.server.notices.receivers import Received, receive_http

MESSAGE = Message(
    "Your turn against @everyone <b> & Bjørn", ("Game: the pit.",), "https://club.example.org/m/abc", "en"
)
DELIVERY = Delivery("d1", "ann", "c1", (NoticeText("your_turn", "abc", 1),), 5, 5)


async def post(format: WebhookFormat, message: Message = MESSAGE) -> Received:
    async with receive_http() as receiver:
        http = OutboundHttp(ReachableAddresses(parse_networks(["127.0.0.0/8"])))
        channel = StoredChannel("ann", "c1", WebhookTarget(f"{receiver.url}/hook", format), "working", 1)
        assert await WebhookSender(http).send(channel, DELIVERY, message) == Sent()
        await http.close()
    return receiver.requests[0]


async def test_own_form_has_everything_for_programs() -> None:
    received = await post("json")
    assert received.headers["Content-Type"] == "application/json"
    assert received.headers["Idempotency-Key"] == "d1"
    assert json.loads(received.body) == {
        "id": "d1",
        "title": MESSAGE.title,
        "lines": ["Game: the pit."],
        "link": MESSAGE.link,
        "notices": [{"kind": "your_turn", "match": "abc", "seat": 1}],
    }


async def test_discord_calls_nobody_and_takes_the_length() -> None:
    long = Message("x" * 3000, (), MESSAGE.link, "en")
    assert json.loads((await post("discord")).body)["allowed_mentions"] == {"parse": []}
    content = json.loads((await post("discord", long)).body)["content"]
    assert len(content) <= MAX_DISCORD_LENGTH
    assert content.endswith(f"x\n{MESSAGE.link}")
    many = Message("News", tuple(f"line {number} {MESSAGE.link}" for number in range(99)), MESSAGE.link, "en")
    lines = json.loads((await post("discord", many)).body)["content"].splitlines()
    assert len(lines) > 20
    assert all(line.endswith(MESSAGE.link) for line in lines[1:])


async def test_slack_reads_no_markup_in_a_name() -> None:
    text = json.loads((await post("slack")).body)["text"]
    assert text.startswith("Your turn against @everyone &lt;b&gt; &amp; Bjørn\n")


async def test_ntfy_opens_the_match() -> None:
    received = await post("ntfy")
    assert received.headers["Click"] == MESSAGE.link
    assert received.body.decode().splitlines() == [MESSAGE.title, *MESSAGE.lines, MESSAGE.link]


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (Answer(200), Sent()),
        (Answer(204), Sent()),
        (Answer(301), Rejected("HTTP 301")),
        (Answer(400), Rejected("HTTP 400")),
        (Answer(410), Rejected("HTTP 410", is_gone=True)),
        (Answer(408), Failed("HTTP 408")),
        (Answer(429, 60), Failed("HTTP 429", 60)),
        (Answer(503), Failed("HTTP 503")),
    ],
)
def test_status_says_what_became_of_a_message(answer: Answer, outcome: object) -> None:
    assert outcome_of(answer) == outcome


async def test_address_that_must_not_be_reached_is_rejected() -> None:
    http = OutboundHttp(ReachableAddresses())
    channel = StoredChannel("ann", "c1", WebhookTarget("https://127.0.0.1/"), "working", 1)
    assert isinstance(await WebhookSender(http).send(channel, DELIVERY, MESSAGE), Rejected)
