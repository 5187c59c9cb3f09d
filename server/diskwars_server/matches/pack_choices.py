"""The rules of a ruleset by the content packs that a match is played with: all of the server's, or some of them."""

from collections.abc import Iterator, Mapping, Sequence

from diskwars_engine.match import AnyRules, MatchRules
from diskwars_engine.ruleset import AnyRuleset
from diskwars_protocol.match.decisions import Pack
from diskwars_protocol.match.state import AnyMatch
from diskwars_protocol.suggestions import json_quote, suggest
from diskwars_server.refusals import Refusal

Variants = Mapping[str, Sequence[AnyRuleset]]
"""By name of a ruleset: the same with fewer packs. Without an entry there are none."""
NO_VARIANTS: Variants = {}


class PackChoices:
    """The rulesets of a server, each with all of its packs first, then with fewer.

    Packs count until a match begins: armies are made from them. From then on a match has its figures itself, so any of
    these rules goes on with it.
    """

    def __init__(self, rulesets: Mapping[str, AnyRuleset], variants: Variants = NO_VARIANTS) -> None:
        self._choices: dict[str, tuple[AnyRules, ...]] = {
            name: tuple(MatchRules(variant) for variant in (ruleset, *variants.get(name, ())))
            for name, ruleset in rulesets.items()
        }

    def __contains__(self, ruleset: str) -> bool:
        return ruleset in self._choices

    def __iter__(self) -> Iterator[str]:
        return iter(self._choices)

    def find(self, ruleset: str) -> AnyRules | None:
        """Return the rules with all packs of this server; None for a ruleset that it does not have."""
        choices = self._choices.get(ruleset)
        return None if choices is None else choices[0]

    def packs_of(self, ruleset: str) -> tuple[str, ...]:
        """Return the packs of a ruleset beside its own; none for a ruleset that this server does not have."""
        full = self.find(ruleset)
        return () if full is None else _beside(full)

    def optional_packs(self, ruleset: str) -> tuple[str, ...]:
        """Return the packs that a match may be opened with or without."""
        full, *fewer = self._choices[ruleset]
        left_out = {id for id in _beside(full) for rules in fewer if id not in _beside(rules)}
        return tuple(id for id in _beside(full) if id in left_out)

    def pack_names(self, ruleset: str) -> dict[str, str]:
        """Return what players call the packs of this server, by id; those without a name are missing."""
        return dict(self._choices[ruleset][0].ruleset.pack_names)

    def choose(self, ruleset: str, packs: Sequence[str] | None) -> AnyRules:
        """Return the rules with just these packs beside the ruleset's own; None: with all. Raises Refusal."""
        full = self._choices[ruleset][0]
        if packs is None:
            return full
        known = _beside(full)
        for place, id in enumerate(packs):
            if id not in known:
                problem = f"there is no content pack {json_quote(id)} of {ruleset} here{suggest(id, known)}"
                raise Refusal("unknown_pack", problem, f"$.packs[{place}]")
        for rules in self._choices[ruleset]:
            if set(_beside(rules)) == set(packs):
                return rules
        raise Refusal("unknown_pack", "this server does not play these content packs without others", "$.packs")

    def find_opened(self, ruleset: str, packs: Sequence[Pack]) -> AnyRules | None:
        """Return the rules with the packs of a match, by their hashes; where none has them, those with all packs."""
        wanted = [pack.hash for pack in packs]
        for rules in self._choices.get(ruleset, ()):
            if [pack.hash for pack in rules.ruleset.packs] == wanted:
                return rules
        return self.find(ruleset)

    def packs_again(self, state: AnyMatch) -> tuple[str, ...] | None:
        """Return the packs for a match like this one; None, which is all, where this server does not have them."""
        ids = tuple(pack.id for pack in state.packs[1:])
        has_them = any(set(_beside(rules)) == set(ids) for rules in self._choices.get(state.ruleset, ()))
        return ids if has_them and state.packs else None


def _beside(rules: AnyRules) -> tuple[str, ...]:
    """Return the packs beside the first, which is the ruleset's own."""
    return tuple(pack.id for pack in rules.ruleset.packs[1:])
