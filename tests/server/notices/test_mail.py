"""Mail as a real server gets it: two parts, a way out in one click, an id that a repeated attempt shares."""

import pytest

from diskwars_protocol.messages.notices import EmailTarget, NoticePreferences
from diskwars_server.notices.mail import MailSender, MailServer, parse_mail_server
from diskwars_server.notices.outcomes import Failed, Rejected, Sent
from diskwars_server.notices.texts import Message
from diskwars_server.store.notices import Delivery, NoticeText, StoredChannel
from tests.server.notices.club import Club, add_mail, find_token, go_away, prefer
from tests.server.notices.receivers import receive_mail

MESSAGE = Message("Your turn against Bjørn <b>", ("Game: the pit.",), "https://club.example.org/m/abc", "en")
CHANNEL = StoredChannel("ann", "c1", EmailTarget("ann@example.org"), "working", 1)
DELIVERY = Delivery("d1", "ann", "c1", (NoticeText("your_turn", "abc", 0),), 1_790_000_000_000, 0)
STOP = "https://club.example.org/notices/stop/" + "x" * 200


def sender(url: str) -> MailSender:
    return MailSender(parse_mail_server(url), "disks@club.example.org", lambda channel: STOP)


async def test_mail_has_what_mail_programs_need() -> None:
    async with receive_mail() as box:
        assert await sender(box.url).send(CHANNEL, DELIVERY, MESSAGE) == Sent()
    (mail,) = box.mails
    assert mail["To"] == "ann@example.org"
    assert mail["From"] == "disks@club.example.org"
    assert mail["Subject"] == "Your turn against Bjørn <b>"
    assert mail["Message-ID"] == "<d1@club.example.org>"
    assert mail["Auto-Submitted"] == "auto-generated"
    assert mail["Date"].datetime.timestamp() == 1_790_000_000
    plain, page = mail.iter_parts()
    assert (
        plain.get_content().replace("\r\n", "\n")
        == f"Game: the pit.\n\n{MESSAGE.link}\n\nTo stop mail to this address: {STOP}\n"
    )
    assert "<h1>Your turn against Bjørn &lt;b&gt;</h1>" in page.get_content()
    assert f'<a href="{MESSAGE.link}">' in page.get_content()


async def test_link_out_is_one_line_that_programs_read() -> None:
    """The standard library's own policy turns a link of more than 78 characters into encoded words."""
    async with receive_mail() as box:
        await sender(box.url).send(CHANNEL, DELIVERY, MESSAGE)
    (mail,) = box.mails
    assert mail["List-Unsubscribe"] == f"<{STOP}>"
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"


@pytest.mark.parametrize(
    ("refusal", "outcome"), [("550 no such user", Rejected("SMTP 550")), ("450 later", Failed("SMTP 450"))]
)
async def test_refusal_of_the_server_says_whether_to_try_again(refusal: str, outcome: object) -> None:
    async with receive_mail() as box:
        box.refusal = refusal
        assert await sender(box.url).send(CHANNEL, DELIVERY, MESSAGE) == outcome


async def test_fault_of_the_operator_gives_no_address_up() -> None:
    async with receive_mail() as box:
        box.sender_refusal = "550 relaying denied"
        assert await sender(box.url).send(CHANNEL, DELIVERY, MESSAGE) == Failed("SMTP 550")


async def test_server_that_is_away_is_tried_again() -> None:
    assert isinstance(await sender("smtp+plain://127.0.0.1:9").send(CHANNEL, DELIVERY, MESSAGE), Failed)


async def test_server_without_tls_gets_nothing_where_tls_was_asked_for() -> None:
    async with receive_mail() as box:
        outcome = await sender(f"smtp://127.0.0.1:{box.port}").send(CHANNEL, DELIVERY, MESSAGE)
    assert isinstance(outcome, Failed)
    assert box.mails == []


async def test_mail_about_a_match_names_it_in_the_readers_language_and_time(club: Club) -> None:
    ann, ben = await club.join("Ann of Nuln"), await club.join("Ben of Ulm")
    await add_mail(club, ann, "ann@example.org")
    await prefer(ann, NoticePreferences(language="de", time_zone="Europe/Berlin"))
    match = await club.begin(ann, ben)
    go_away(ann, ben)
    await club.pass_time(30)
    (mail,) = club.mail.mails
    assert mail["Subject"] == "Du bist am Zug gegen Ben of Ulm"
    text = mail.get_body(("plain",)).get_content()  # type: ignore[union-attr]
    assert f"https://club.example.org/m/{match}\r\n" in text
    token = find_token("stop", text)
    linked = club.parts.service.read_link("stop", token)
    assert linked is not None
    await club.parts.service.stop(linked)
    assert await club.node.database.notices.find_channels([ann.player]) == {}


@pytest.mark.parametrize(
    ("url", "server"),
    [
        ("smtp://mail.example.org", MailServer("mail.example.org", 587, tls=False, starttls=True)),
        ("smtps://u%40x:p%2Fw@mail.example.org", MailServer("mail.example.org", 465, True, False, "u@x", "p/w")),
        ("smtp+plain://localhost:2525", MailServer("localhost", 2525, tls=False, starttls=False)),
    ],
)
def test_address_of_a_mail_server_says_how_tls_begins(url: str, server: MailServer) -> None:
    assert parse_mail_server(url) == server


@pytest.mark.parametrize("url", ["", "mail.example.org", "http://x", "smtp://", "smtp://h/path", "smtp://h?x=1"])
def test_what_is_no_mail_server_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="expected smtp"):
        parse_mail_server(url)
