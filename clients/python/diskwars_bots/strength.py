"""Words for the bots where one is chosen: how each plays, and how often it beat the next weaker one."""

from collections.abc import Mapping

from msgspec import Struct


class MeasuredStrength(Struct, frozen=True):
    """Matches of a bot against a weaker one: a tie counts half."""

    over: str
    won: float
    matches: int

    @property
    def percent(self) -> int:
        return round(100 * self.won / self.matches)


BOT_WORDS: Mapping[str, str] = {
    "random": "any legal answer",
    "mild": "for a first match: it means well, and misjudges",
    "greedy": "answers at once, by exact chances",
    "fair": "plays its best answers on for 0.3 s before it decides",
    "search": "plays its best answers on for half a second before it decides",
    "hard": "plays its best answers on for two seconds before it decides",
}
"""By the name of a bot, in every game that has it."""
STRENGTHS: Mapping[str, Mapping[str, MeasuredStrength]] = {
    "diskwars": {
        "mild": MeasuredStrength("random", 54, 60),
        "greedy": MeasuredStrength("mild", 44, 60),
        "search": MeasuredStrength("greedy", 35, 40),
    },
    "pit": {
        "mild": MeasuredStrength("random", 85, 100),
        "greedy": MeasuredStrength("mild", 55, 100),
        "search": MeasuredStrength("greedy", 31, 60),
    },
    "close_quarters": {
        "mild": MeasuredStrength("random", 50.5, 60),
        "greedy": MeasuredStrength("mild", 45, 60),
        "search": MeasuredStrength("greedy", 5, 12),
    },
    "regiments": {
        "mild": MeasuredStrength("random", 46, 60),
        "greedy": MeasuredStrength("mild", 58, 60),
        "search": MeasuredStrength("greedy", 25, 40),
    },
}
"""By ruleset and bot: the rows of the ladder in docs/league.md."""


def describe_bot(ruleset: str, name: str) -> str:
    """Return how a bot plays and how strong it was measured to be; empty for one that is not known."""
    measured = STRENGTHS.get(ruleset, {}).get(name)
    rate = f"won {measured.percent} % against {measured.over}" if measured else ""
    return "; ".join(text for text in (BOT_WORDS.get(name, ""), rate) if text)
