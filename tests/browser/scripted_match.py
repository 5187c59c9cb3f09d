"""Matches at an open question of each kind, served to a page in place of a server and judged by the rules."""

import json
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import msgspec
from msgspec.structs import replace
from playwright.async_api import Page, WebSocketRoute

from diskwars_engine.ruleset import Illegal
from diskwars_protocol.match.actions import Resign
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.records.records import genesis_hash
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars.vocabulary import DiskwarsBody
from tests.engine.played_match import (
    ACTION_DECODER,
    ARMIES,
    CHAIN_LENGTH,
    PlayedMatch,
    greedy_action,
    mixed_action,
    player_of,
)
from tests.golden.write_files import GREENSKINS_AND_DARK_ELVES, UNDEAD_AND_CHAOS, begin_with, diskwars_file

QUESTION_TYPES = (
    *("first_player", "initiative_order", "scenario", "deployment_card", "terrain", "deployment", "scout"),
    *("activation", "continuation", "scatter", "trigger_order", "engage_ability", "reinforcement", "rampage"),
    *("engagement", "melee_targets"),
)
"""All but `command_card`, whose answer needs the seat's own nonce chain: a whole match shows that."""
MAX_MATCHES = 24
BOTH_PACKS_ARMIES = (
    UNDEAD_AND_CHAOS,
    replace(GREENSKINS_AND_DARK_ELVES, hand=("get-stuck-in", "green-tide", "hold-fast", "dark-omens")),
)
"""Two heroes of command value 2 take four cards (R2.6)."""
WELCOME = {"server_time_ms": 0, "rulesets": [{"id": "diskwars", "seat_counts": [2, 3, 4]}], "limits": {}}


def question_type(decision: Decision[a.Question]) -> str:
    return str(type(decision.question).__struct_config__.tag)


class OpenQuestion(msgspec.Struct, frozen=True):
    """The records of a match up to a question, and the seat that is asked."""

    playing: PlayedMatch
    bodies: tuple[DiskwarsBody, ...]
    decision: Decision[a.Question]


@cache
def find_question(wanted: str) -> OpenQuestion:
    """Return a match at a question of this kind: that of the first of some seeded matches in which it is asked."""
    return find_moment(lambda playing, decision: question_type(decision) == wanted)


def find_moment(is_wanted: Callable[[PlayedMatch, Decision[a.Question]], bool]) -> OpenQuestion:
    """Return a match at the first question of some seeded matches that is the wanted one."""
    for playing in seeded_matches():
        while playing.state.status != "ended":
            for decision in playing.state.decisions:
                if is_wanted(playing, decision):
                    return OpenQuestion(playing, tuple(playing.bodies), decision)
            decision = playing.chance.choice(playing.state.decisions)
            playing.answer(decision, mixed_action(playing, decision))
    raise AssertionError("no match asks this")


@cache
def find_end() -> OpenQuestion:
    """Return a match that the second player has just lost, and its first question."""
    playing = PlayedMatch(1, ARMIES[:2], a.DiskwarsSettings(setup="quick", regiments=1)).begin()
    decision = playing.state.decisions[0]
    playing.commit(playing.decide(player_of(1), None, Resign()))
    return OpenQuestion(playing, tuple(playing.bodies), decision)


def find_played_end() -> OpenQuestion:
    """Return a match that greedy players have played to its end, and its first question."""
    playing = PlayedMatch(1, ARMIES[:2], a.DiskwarsSettings(setup="quick", regiments=1)).begin()
    decision = playing.state.decisions[0]
    playing.play(greedy_action)
    return OpenQuestion(playing, tuple(playing.bodies), decision)


def seeded_matches() -> Iterator[PlayedMatch]:
    full = a.DiskwarsSettings(setup="full", regiments=1)
    yield PlayedMatch(1, ARMIES[:3], full).begin()
    for seed in range(1, MAX_MATCHES):
        yield begin_with(seed, BOTH_PACKS_ARMIES, regiments=2)
        yield PlayedMatch(seed, ARMIES[2:], full).begin()


async def keep_seat(page: Page, playing: PlayedMatch) -> None:
    """Let the page find the chains of a match's seats, as the device does on which its player has sat down."""
    key = f"diskwars.seat.{playing.state.match}"
    ends, heads = ([chain.link(place).hex() for chain in playing.chains] for place in (CHAIN_LENGTH, 0))
    saved = json.dumps({"farEnds": ends, "heads": heads, "locks": []})
    await page.add_init_script(f"localStorage.setItem({json.dumps(key)}, {json.dumps(saved)})")


class ScriptedServer:
    """Answers what a page sends about one match.

    `answers` are the actions that the rules took, `refusals` the others. `replies` answer requests of other types;
    `requests` are those that were asked.
    """

    def __init__(self, question: OpenQuestion, replies: dict[str, dict[str, Any]] | None = None) -> None:
        self.playing, self.decision = question.playing, question.decision
        self.answers: list[a.Action] = []
        self.refusals: list[Illegal] = []
        self.replies = replies or {}
        self.requests: list[dict[str, Any]] = []
        self._routes: list[WebSocketRoute] = []

    @property
    def match(self) -> str:
        return str(self.playing.state.match)

    async def open(self, page: Page, address: str, path: str = "") -> None:
        """Open the page at the match, or at a page below its own, as the player who is asked."""
        await keep_seat(page, self.playing)
        await page.route_web_socket("**/ws", self.serve)
        await page.goto(f"{address}m/{self.match}{path}")

    def push(self, message: dict[str, Any]) -> None:
        """Send what the page has not asked for."""
        self._routes[-1].send(json.dumps({"match": self.match, **message}))

    def serve(self, route: WebSocketRoute) -> None:
        self._routes.append(route)
        route.on_message(lambda raw: self._receive(route, json.loads(raw)))

    def _receive(self, route: WebSocketRoute, message: dict[str, Any]) -> None:
        for answer in self._answers_to(message):
            route.send(json.dumps(answer))

    def _answers_to(self, message: dict[str, Any]) -> Iterator[dict[str, Any]]:
        id = message.get("id")
        match message["type"]:
            case "hello":
                yield {
                    "type": "welcome",
                    "version": 1,
                    "player": player_of(self.decision.seat),
                    "token": "t" * 32,
                    **WELCOME,
                }
            case "watch":
                lines = diskwars_file(self.playing).splitlines(keepends=True)
                genesis = genesis_hash(lines[0].rstrip(b"\n")).hex()
                head = len(lines) - 1
                common = {"match": self.match, "ruleset": "diskwars", "header": json.loads(lines[0])}
                own = {"seat": self.decision.seat, "after": 0, "head": head, "hash": genesis}
                yield {"type": "watching", "id": id, **common, **own}
                yield {"type": "records", "match": self.match, "records": [json.loads(line) for line in lines[1:]]}
                if self.playing.state.status != "ended":
                    yield self._options()
            case "act":
                yield from self._act(message)
            case "get_players":
                yield {"type": "player_list", "id": id, "players": []}
            case kind if kind in self.replies:
                self.requests.append(message)
                yield {"id": id, "match": self.match, **self.replies[kind]}
            case _:
                yield {"type": "refused", "id": id, "code": "fault", "text": "not served here"}

    def _options(self) -> dict[str, Any]:
        rules, state = self.playing.rules, self.playing.state
        options = rules.options_with_unavailable(state, self.decision)
        return {
            "type": "options",
            "match": self.match,
            "decision": self.decision.id,
            "options": msgspec.to_builtins(options),
        }

    def _act(self, message: dict[str, Any]) -> Iterator[dict[str, Any]]:
        action = ACTION_DECODER.decode(json.dumps(message["action"]).encode())
        try:
            self.playing.decide(player_of(self.decision.seat), message["decision"], action)
        except Illegal as refused:
            self.refusals.append(refused)
            answer = {"code": refused.code, "text": refused.text, **({"rule": refused.rule} if refused.rule else {})}
            yield {"type": "refused", "id": message["id"], **answer}
            return
        self.answers.append(action)
        yield {"type": "accepted", "id": message["id"], "match": self.match, "seq": len(self.playing.bodies) + 1}
