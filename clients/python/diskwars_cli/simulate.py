"""How do bots play many matches fast? In memory, without server, sockets, store or clock.

The output holds nothing but what was played, so the same seed prints the same bytes. Must not know how a bot chooses.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct

from diskwars_cli import seeds
from diskwars_cli.choices import add_armies, add_bots, bot_names, sides
from diskwars_cli.verb import Complaint, Options, Verbs
from diskwars_client.bots import BOTS
from diskwars_client.phrases import outcome, seat_name
from diskwars_client.seat import SeatSecrets
from diskwars_client.verify import RULES
from diskwars_content import core
from diskwars_engine.diskwars import Diskwars
from diskwars_engine.match import Command, MatchRules, Opening, Secrets
from diskwars_protocol import match as m
from diskwars_protocol.diskwars import actions as a
from diskwars_protocol.diskwars.board import Board, DiskwarsMatch
from diskwars_protocol.diskwars.events import BoardEvent, Event
from diskwars_protocol.diskwars.words import seat_letter
from diskwars_protocol.match import Decision, MatchId, PlayerId

SECRET = 32


def add(verbs: Verbs) -> None:
    parser = verbs.add(
        "simulate", "Let bots play matches in memory. Match n is played from the seed SEED + n - 1.", run
    )
    parser.add_argument("--ruleset", choices=["diskwars"], default="diskwars", help="what is played (diskwars)")
    parser.add_argument("--matches", type=int, default=1, metavar="N", help="how many matches (1)")
    parser.add_argument("--seed", type=int, default=1, metavar="SEED", help="where all chance comes from (1)")
    add_bots(parser)
    add_armies(parser)


def run(options: Options) -> int:
    if options.matches < 1:
        raise Complaint("at least one match has to be played")
    bots, found = bot_names(options.bots), sides(options)
    tally = Tally()
    for seed in range(options.seed, options.seed + options.matches):
        armies = found.armies or [a.Entry(name) for name in seeds.two_armies(seed, found.names)]
        played = simulate(seed, bots, armies, found.settings)
        print(f"seed {seed}  {played.line()}", flush=True)
        tally.count(played)
    print("\n".join(tally.lines()))
    return 0


# ---------------------------------------------------------------- one match


class Played(Struct, frozen=True):
    """A match that has ended, with every secret, and the number of its events."""

    match: DiskwarsMatch
    events: int

    def line(self) -> str:
        result = self.match.result
        assert result is not None
        scores = " ".join(map(str, result.scores)) or "-"
        names = " against ".join(seat_name(self.match, seat) for seat in range(len(self.match.chairs)))
        return f"{names}  points {scores}  events {self.events}  winner {outcome(self.match, result)}"


PLAIN = a.Settings()


class MemoryMatch:
    """One match between choosers in this process. `appends` gives it append by append."""

    def __init__(self, seed: int, bots: Sequence[str], armies: Sequence[a.Entry], settings: a.Settings = PLAIN) -> None:
        self._rules: MatchRules[a.Settings, a.Entry, a.Action, a.Question, BoardEvent, Board] = MatchRules(
            Diskwars(core())
        )
        entropy = seeds.server_entropy(seed)
        self._secrets = Secrets(entropy(SECRET), entropy(SECRET))
        self._armies = armies
        self._choosers = [BOTS[name] for name in bots]
        self._chances = [seeds.bot_chance(seed, seat) for seat in range(len(bots))]
        self._seats = [SeatSecrets(MatchId(f"seed-{seed}"), seeds.seat_entropy(seed, n)) for n in range(len(bots))]
        self._opening = Opening(
            MatchId(f"seed-{seed}"), settings, len(bots), _player(0), 0, repeatable=True, rules=RULES
        )
        self.match: DiskwarsMatch | None = None
        self.head = 0

    def appends(self) -> Iterator[list[Event]]:
        """One append after another, until the match has ended."""
        yield self._fold(self._rules.open(self._opening, self._secrets))
        while self.match is not None and self.match.decisions:
            decision = self.match.decisions[0]
            command = Command(_player(decision.seat), decision.id, self._answer(self.match, decision), 0)
            yield self._fold(self._rules.decide(self.match, self.head, command, self._secrets))

    def _fold(self, events: list[Event]) -> list[Event]:
        for event in events:
            self.match = self._rules.apply(self.match, event)
        self.head += len(events)
        return events

    def _answer(self, match: DiskwarsMatch, decision: Decision[a.Question]) -> a.Action:
        """What a client of this seat would send."""
        seat, opened = decision.seat, match.chairs[decision.seat].chain.head
        match decision.ask:
            case m.AskSeat():
                return m.TakeSeat(self._seats[seat].head, self._armies[seat])
            case m.AskReady():
                return m.Ready(self._seats[seat].link(1, opened))
            case _:
                seen, options = self._rules.view(match, seat), self._rules.options(match, decision)
                action = self._choosers[seat](seen, decision, options, self._chances[seat])
        if isinstance(action, a.LockCard) and isinstance(decision.ask, a.AskCard):
            return self._seats[seat].lock(seat, match.step + 1, str(action.card), opened)
        return action


def _player(seat: int) -> PlayerId:
    return PlayerId(f"bot-{seat}")


def simulate(seed: int, bots: Sequence[str], armies: Sequence[a.Entry], settings: a.Settings = PLAIN) -> Played:
    """Plays one match to its end."""
    playing = MemoryMatch(seed, bots, armies, settings)
    for _ in playing.appends():
        pass
    assert playing.match is not None
    return Played(playing.match, playing.head)


# ---------------------------------------------------------------- all of them


class Tally:
    """What many matches come to."""

    def __init__(self) -> None:
        self._matches = self._events = 0
        self._reasons: Counter[str] = Counter()
        self._seats: Counter[str] = Counter()
        self._played: Counter[str] = Counter()
        self._won: Counter[str] = Counter()

    def count(self, played: Played) -> None:
        result = played.match.result
        assert result is not None
        self._matches += 1
        self._events += played.events
        self._reasons[result.why] += 1
        self._seats["nobody" if result.winner is None else f"seat {seat_letter(result.winner)}"] += 1
        assert played.match.board is not None
        for side in played.match.board.sides:
            self._played[side.army] += 1
            self._won[side.army] += side.seat == result.winner

    def lines(self) -> list[str]:
        """Shares of nothing are not asked for: at least one match was counted."""
        lines = [f"matches {self._matches}", f"events {self._events // self._matches} in each on average"]
        lines += [f"won by {who}: {count}" for who, count in sorted(self._seats.items())]
        lines += [f"ended by {why}: {count}" for why, count in sorted(self._reasons.items())]
        lines += [f"{army}: won {self._won[army]} of {count}" for army, count in sorted(self._played.items())]
        return lines
