"""A replay in a terminal is stepped through, jumped in, and seen from other viewpoints."""

import asyncio
from collections.abc import Sequence

from diskwars_client.replays import replay_file
from diskwars_client.terminal.replay import ReplayBrowser, browse_replay, narration, read_pages
from diskwars_client.terminal_pages import Screen
from diskwars_protocol.match.ids import ALL, PUBLIC
from tests.client.match_files import match_file
from tests.rows import each_row


def browser(seq: int = 1) -> ReplayBrowser:
    return ReplayBrowser(replay_file(match_file()), seq)


class ScriptedConsole:
    """A console whose lines are written beforehand."""

    def __init__(self, *lines: str) -> None:
        self._lines = list(lines)
        self.printed: list[str] = []

    async def read_line(self) -> str | None:
        return self._lines.pop(0) if self._lines else None

    def show_prompt(self, text: str) -> None:
        pass

    def print_line(self, text: str) -> None:
        self.printed += text.split("\n")

    def screen(self) -> Screen | None:
        return None

    def ring_bell(self) -> None:
        pass

    def set_status(self, text: str) -> None:
        pass

    def set_completions(self, orders: Sequence[str], names: Sequence[str]) -> None:
        pass


def test_steps_go_on_and_back() -> None:
    at = browser()
    assert at.follow("")[0].startswith("record 2 of ")
    at.follow("n")
    at.follow("next")
    assert at.seq == 4
    at.follow("p")
    assert at.follow("previous")[0].startswith("record 2 of ")


def test_jumps_show_the_table_and_the_open_question() -> None:
    at = browser()
    lines = at.follow("round 2")
    assert "round 2" in lines[0]
    assert any(line.startswith("round 2 of 5") for line in lines)
    assert at.seq == at.replay.seq_of("round", 2)
    at.follow("next activation")
    assert at.seq > at.replay.seq_of("round", 2)
    at.follow("previous round")
    assert at.seq == at.replay.seq_of("round", 2)
    at.follow(f"to {at.replay.last}")
    assert at.seq == at.replay.last


def test_viewpoint_is_changed_where_one_stands() -> None:
    at = browser(30)
    assert at.follow("as public")[0].endswith("seen as public")
    assert (at.seq, at.replay.viewer) == (30, PUBLIC)
    at.follow("as all")
    assert at.replay.viewer == ALL


def test_link_names_the_moment_and_the_viewpoint() -> None:
    at = browser(12)
    assert at.follow("link") == ["seed-1/12?as=all"]
    at.follow("as b")
    assert at.follow("link") == ["seed-1/12?as=b"]


def test_marks_are_listed() -> None:
    at = browser()
    lines = at.follow("marks")
    assert len(lines) == len(at.replay.marks)
    assert lines[0].endswith("round 1")


@each_row(
    ("order", "said"),
    [
        ("dance", '"dance" is not an order; `help` lists them'),
        ("round", '"round" is not an order'),
        ("round x", '"x" is not a number'),
        ("round 77", "there is no round 77"),
        ("to 0", "match seed-1 has records 1 to"),
        ("to 99999999999999999999", "is not a number"),
        ("as e", 'there is no viewpoint "e"'),
        ("as d", "the match has no seat d"),
        ("play 0", "a pause has 0.05 to 60 seconds, not 0"),
        ("play nan", "a pause has 0.05 to 60 seconds, not nan"),
    ],
)
def test_wrong_orders_are_answered_and_change_nothing(order: str, said: str) -> None:
    at = browser(7)
    (line,) = at.follow(order)
    assert said in line
    assert (at.seq, at.replay.viewer, at.pace) == (7, ALL, None)


def test_playing_stops_at_the_end_and_at_any_order() -> None:
    at = browser()
    at.follow("play 0.5")
    assert (at.seq, at.pace) == (2, 0.5)
    at.step()
    assert at.seq == 3
    at.follow("p")
    assert at.pace is None
    at.follow(f"to {at.replay.last - 1}")
    at.follow("play")
    assert (at.seq, at.pace) == (at.replay.last, None)


async def test_replay_is_browsed_until_the_input_ends() -> None:
    console = ScriptedConsole("n", "link", "quit", "never read")
    await browse_replay(replay_file(match_file()), console, 5)
    assert console.printed[0].startswith("record 5 of ")
    assert console.printed[-1] == "seed-1/6?as=all"
    ended = ScriptedConsole()
    await browse_replay(replay_file(match_file()), ended)
    assert ended.printed[0].startswith("record 1 of ")


async def test_playing_goes_on_by_itself() -> None:
    class SlowConsole(ScriptedConsole):
        """A console at which nobody types once the match plays."""

        async def read_line(self) -> str | None:
            if not self._lines:
                await played.wait()
                return None
            return await super().read_line()

        def print_line(self, text: str) -> None:
            super().print_line(text)
            if text.startswith(f"record {last} of"):
                played.set()

    replay, played = replay_file(match_file()), asyncio.Event()
    last = replay.last
    console = SlowConsole("play 0.05")
    await browse_replay(replay, console, last - 3)
    assert [line.split()[1] for line in console.printed if line.startswith("record ")] == [
        str(last - 3),
        str(last - 2),
        str(last - 1),
        str(last),
    ]


def test_narration_tells_the_match_as_its_viewpoint_saw_it() -> None:
    everything, public = (narration(replay_file(match_file(), viewer)) for viewer in (ALL, PUBLIC))
    assert any("locked All Together" in line for line in everything)
    assert not any("locked All Together" in line for line in public)
    assert everything[-1] == public[-1]


class SmallScreen(ScriptedConsole):
    """A console of 80 by 24 characters; `pages` holds what was printed between two lines that were typed."""

    def __init__(self, *lines: str) -> None:
        super().__init__(*lines)
        self.pages: list[list[str]] = [[]]

    async def read_line(self) -> str | None:
        self.pages.append([])
        return await super().read_line()

    def print_line(self, text: str) -> None:
        self.pages[-1] += text.split("\n")

    def screen(self) -> Screen | None:
        return Screen(80, 24)


async def test_replay_on_a_screen_fits_it_and_shows_the_small_map() -> None:
    console = SmallScreen("next melee", "", "", "help", "quit")
    await browse_replay(replay_file(match_file()), console, 40)
    assert all(len(page) <= 22 for page in console.pages)
    assert all(len(line) <= 80 for page in console.pages for line in page)
    first = console.pages[0][0].split()
    assert console.pages[1][0].split()[0] == first[0] == "record", "the jump tells before it shows the map"
    melee = replay_file(match_file()).beside(40, "melee", "next")
    assert console.pages[1][0].startswith(f"record {melee} of "), "an empty line shows the next page before it steps"


async def test_order_drops_what_was_left_unread() -> None:
    console = SmallScreen("map", "to 5", "quit")
    await browse_replay(replay_file(match_file()), console, 60)
    assert console.pages[2][0].startswith("record 5 of ")


async def test_text_is_read_page_by_page_and_left_with_a_letter() -> None:
    lines = [f"line {number}" for number in range(60)]
    console = SmallScreen("", "q", "never read")
    await read_pages("\n".join(lines), console)
    assert [len(page) for page in console.pages] == [22, 22, 0]
    plain = ScriptedConsole()
    await read_pages("\n".join(lines), plain)
    assert plain.printed == lines


@each_row(("order", "seq"), [("40", 40), ("b", 6), ("back", 6), ("n", 8)])
def test_number_goes_to_a_record_and_back_goes_back(order: str, seq: int) -> None:
    at = browser(7)
    at.follow(order)
    assert at.seq == seq
