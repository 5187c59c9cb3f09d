"""Lists of the lobby that are the same in every run: a server whose answers to some requests are written here."""

import json
from typing import Any

from playwright.async_api import Page, WebSocketRoute

OWN_PLAYER = "p-own"
START_MS = 1_790_000_000_000
"""An instant in September 2026."""
HOUR_MS = 3_600_000
CLOCK = {"type": "bank", "bank_seconds": 900, "increment_seconds": 10}
NAMES = {OWN_PLAYER: "Vera", "p-marek": "Marek", "p-ilse": "Ilse of the Hills", "p-tom": "Tom", "p-jana": "Jana"}


def player_summary(player: str) -> dict[str, Any]:
    seed = list(NAMES).index(player) * 123_457
    online = {"is_online": player != "p-tom"}
    return {"player": player, "name": NAMES[player], "kind": "guest", "avatar_seed": seed, **online}


def summary(number: int, status: str, players: list[str | None], **fields: Any) -> dict[str, Any]:
    """Return a `MatchSummary`; where a player is named after a bot, the bot sits there."""
    seats = [seat_of(player, "abcd"[seat]) for seat, player in enumerate(players)]
    at = START_MS - number * HOUR_MS
    common = {"match": f"canned{number:02}", "ruleset": "diskwars", "created_ms": at, "updated_ms": at}
    return {**common, "status": status, "seats": seats, "match_options": {}, **fields}


def seat_of(player: str | None, letter: str) -> dict[str, Any]:
    if player is None:
        return {}
    return {"player": f"bot-{player}-{letter}", "bot": player} if player in ("mild", "greedy") else {"player": player}


def ended(
    number: int, players: list[str | None], winners: list[int], scores: list[int], **fields: Any
) -> dict[str, Any]:
    result = {"type": "result", "winners": winners, "scores": scores, "end_reason": "victory_points"}
    armies = ["empire-patrol", "chaos-patrol"][: len(players)]
    return summary(number, "ended", players, result=result, armies=armies, records=90 + number, **fields)


MATCHES = [
    summary(1, "open", ["p-marek", None], match_options={"clock": CLOCK}),
    summary(2, "open", ["p-ilse", None], is_locked=True, ruleset="pit"),
    summary(3, "running", ["p-tom", "p-jana"], match_options={"clock": CLOCK}, deciding=[0]),
    summary(4, "running", ["p-jana", "greedy"], ruleset="regiments", deciding=[0]),
    ended(5, ["p-marek", "p-ilse"], [1], [4, 12]),
]
RATING = {"rating": 18214, "uncertainty": 2905, "games": 31, "wins": 19, "losses": 11, "draws": 1}
LEADERBOARD_ENTRIES = [
    {**RATING, "place": 1, "player": "p-ilse", "name": "Ilse of the Hills"},
    {**RATING, "place": 2, "player": OWN_PLAYER, "name": "Vera", "rating": 17036, "wins": 12},
    {**RATING, "place": 3, "player": "p-tom", "name": "Tom", "rating": -310, "wins": 2},
]
LEADERBOARD = {"type": "leaderboard", "ruleset": "diskwars", "entries": LEADERBOARD_ENTRIES}
ARMY_RESULTS = {"ruleset": "diskwars", "games": 40, "wins": 23, "losses": 16, "draws": 1, "points": 5, "records": 9}
STATISTICS = {
    "type": "player_statistics",
    "player": "p-ilse",
    "name": "Ilse of the Hills",
    "kind": "registered",
    "ratings": [{**RATING, "ruleset": "diskwars"}, {**RATING, "ruleset": "pit", "rating": 9050}],
    "armies": [{**ARMY_RESULTS, "army": "empire-patrol"}, {**ARMY_RESULTS, "army": "chaos-patrol", "wins": 9}],
}
ENDED = [
    ended(5, ["p-marek", "p-ilse"], [1], [4, 12]),
    ended(6, [OWN_PLAYER, "mild"], [0], [9, 5]),
    ended(7, ["p-tom", "p-jana"], [], [7, 7]),
    summary(8, "ended", ["p-tom", "greedy"], ruleset="pit", result={"type": "result", "winners": [1]}, records=41),
]


class CannedServer:
    """The page's own server, but for the requests whose answers are named in `answers`; `requests` are all of them."""

    def __init__(self, answers: dict[str, dict[str, Any]] | None = None, *, is_canned_player: bool = True) -> None:
        """With `is_canned_player` its `welcome` names `OWN_PLAYER`, who sits in no match of the server."""
        self._is_canned_player = is_canned_player
        self.answers: dict[str, dict[str, Any]] = {
            "follow_matches": {"type": "match_list", "matches": MATCHES},
            "search_matches": {"type": "match_list", "matches": ENDED},
            "get_leaderboard": LEADERBOARD,
            "get_player_statistics": STATISTICS,
            **(answers or {}),
        }
        self.requests: list[dict[str, Any]] = []

    async def attach(self, page: Page) -> None:
        await page.route_web_socket("**/ws", self._serve)

    def _serve(self, route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def from_page(raw: str | bytes) -> None:
            message = json.loads(raw)
            self.requests.append(message)
            answer = self._answer_to(message)
            if answer is None:
                server.send(raw)
            else:
                route.send(json.dumps({**answer, "id": message["id"]}))

        def from_server(raw: str | bytes) -> None:
            message = json.loads(raw)
            if message["type"] == "welcome" and self._is_canned_player:
                message |= {"player": OWN_PLAYER, "server_time_ms": START_MS}
            route.send(json.dumps(message))

        route.on_message(from_page)
        server.on_message(from_server)

    def _answer_to(self, message: dict[str, Any]) -> dict[str, Any] | None:
        if message["type"] == "get_players":
            known = [player for player in message["players"] if player in NAMES]
            return {"type": "player_list", "players": [player_summary(player) for player in known]}
        return self.answers.get(message["type"])
