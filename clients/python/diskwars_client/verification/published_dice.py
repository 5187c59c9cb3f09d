"""The dice that a match file has published: steps, links, keys."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from diskwars_protocol.match.events import MatchEnded, StepBegan
from diskwars_protocol.records import fairness
from diskwars_protocol.records.fairness import ChainExhausted, ServerChain


class DiceStep(Struct, frozen=True):
    """A step of the dice: what the seats gave, and the server's link once it is published."""

    nonces: tuple[str, ...]
    link: str = ""


def dice_steps(events: Sequence[Any]) -> list[DiceStep]:
    """Return the steps in order; the link of each is published at the beginning of the next, or at the end of the
    match.
    """
    steps: list[DiceStep] = []
    for event in events:
        if isinstance(event, StepBegan | MatchEnded) and steps:
            steps[-1] = DiceStep(steps[-1].nonces, event.server_link)
        if isinstance(event, StepBegan):
            steps.append(DiceStep(event.seat_nonces))
    return steps


def dice_keys(anchor: str, steps: Sequence[DiceStep]) -> dict[int, bytes]:
    """Return the key of each step whose link is published and follows from the one before."""
    keys: dict[int, bytes] = {}
    links, slots = [step.link for step in steps if step.link], [step.nonces for step in steps]
    for count in range(1, len(links) + 1):
        try:
            keys[count] = fairness.replay_keys(anchor, links[:count], slots[:count])[-1]
        except fairness.FairnessError:
            break
    return keys


class PublishedChain(ServerChain):
    """The links that a match has published, in place of a chain with its far end."""

    def __init__(self, links: Sequence[str]) -> None:
        self._links = [bytes.fromhex(link) for link in links]

    @property
    def anchor(self) -> bytes:
        return self._links[0]

    def link(self, k: int) -> bytes:
        if not 0 <= k < len(self._links):
            raise ChainExhausted(f"link {k} of the server's chain was never published")
        return self._links[k]
