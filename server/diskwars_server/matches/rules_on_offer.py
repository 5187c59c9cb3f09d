"""The rulesets that a server offers: their packs, settings, bots, catalogues, and checks of loadouts."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from msgspec import Raw

from diskwars_engine.match import AnyRules
from diskwars_engine.ruleset import AnyRuleset, Illegal
from diskwars_protocol.match.decisions import Pack
from diskwars_protocol.match.ruleset_settings import ruleset_settings
from diskwars_protocol.match.state import AnyMatch
from diskwars_protocol.messages.catalogues import ArmyChecked, CatalogueResponse, CheckArmy, GetCatalogue
from diskwars_protocol.messages.handshake import RulesetSummary
from diskwars_protocol.records.canonical import encode_canonical
from diskwars_protocol.suggestions import json_quote, suggest
from diskwars_server.matches.catalogues import CatalogueCache
from diskwars_server.matches.pack_choices import NO_VARIANTS, PackChoices, Variants
from diskwars_server.matches.ruleset_values import decode_or_refuse, json_decoder
from diskwars_server.refusals import Refusal

NO_BOTS: Mapping[str, tuple[str, ...]] = MappingProxyType({})


class RulesOnOffer:
    """The rulesets of a server, each with its packs and with the bots that can take a seat."""

    def __init__(
        self,
        rulesets: Mapping[str, AnyRuleset],
        bots: Mapping[str, tuple[str, ...]] = NO_BOTS,
        variants: Variants = NO_VARIANTS,
    ) -> None:
        """`bots` are those that the server can seat, by ruleset; `variants` are rulesets with fewer packs."""
        self._choices, self._bots = PackChoices(rulesets, variants), bots
        self._catalogues = CatalogueCache()

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names of the rulesets."""
        return iter(self._choices)

    @property
    def summaries(self) -> tuple[RulesetSummary, ...]:
        """The rulesets with their seats, bots and packs, for the first answer to a client."""
        return tuple(map(self._summary_of, self._choices))

    def _summary_of(self, ruleset: str) -> RulesetSummary:
        return RulesetSummary(
            ruleset,
            tuple(self.require(ruleset).ruleset.seat_counts),
            self._bots.get(ruleset, ()),
            self._choices.optional_packs(ruleset),
            self._choices.pack_names(ruleset),
        )

    def usual_bot(self, ruleset: str) -> str | None:
        """Return the bot that plays in the place of people; None where this server seats no bots."""
        return next(iter(self._bots.get(ruleset, ())), None)

    def require(self, ruleset: str) -> AnyRules:
        """Return the rules with all packs of this server. Raises Refusal for a ruleset that it does not have."""
        rules = self._choices.find(ruleset)
        if rules is None:
            problem = f"there is no ruleset {json_quote(ruleset)} here{suggest(ruleset, tuple(self._choices))}"
            raise Refusal("unknown_ruleset", problem, "$.ruleset")
        return rules

    def choose(self, ruleset: str, packs: Sequence[str] | None) -> AnyRules:
        """Return the rules with just these packs beside the ruleset's own; None: with all. Raises Refusal."""
        self.require(ruleset)
        return self._choices.choose(ruleset, packs)

    def packs_of(self, ruleset: str) -> tuple[str, ...]:
        """Return the packs of a ruleset beside its own; none for a ruleset that this server does not have."""
        return self._choices.packs_of(ruleset)

    def find_opened(self, ruleset: str, packs: Sequence[Pack]) -> AnyRules | None:
        """Return the rules for a stored match with these packs; None for a ruleset that this server does not have."""
        return self._choices.find_opened(ruleset, packs)

    def packs_again(self, state: AnyMatch) -> tuple[str, ...] | None:
        """Return the packs to open a match like this one with; None is all that the server has."""
        return self._choices.packs_again(state)

    def read_settings(self, rules: AnyRules, raw: Raw) -> Any:
        """Decode the settings of a match. Raises Refusal."""
        kind = rules.vocabulary.settings
        settings = decode_or_refuse(raw, json_decoder(kind), "bad_settings", "$.settings")
        for setting in ruleset_settings(kind):  # readers of records take ids that are not known here
            value = getattr(settings, setting.id)
            if setting.values and value not in setting.values:
                problem = (
                    f"'{value}' is not one of the values{suggest(str(value), [str(known) for known in setting.values])}"
                )
                raise Refusal("bad_settings", problem, f"$.settings.{setting.id}")
        return settings

    def catalogue(self, request: GetCatalogue) -> CatalogueResponse:
        """Return the catalogue of a ruleset, or that the client has it. Raises Refusal."""
        catalogue = self._catalogues.get(self.choose(request.ruleset, request.packs).ruleset)
        if catalogue.hash == request.hash:
            return CatalogueResponse(request.id, request.ruleset, catalogue.hash, unchanged=True)
        return CatalogueResponse(request.id, request.ruleset, catalogue.hash, content=Raw(catalogue.content))

    def check_army(self, request: CheckArmy) -> ArmyChecked:
        """Return every fault of a loadout. Raises Refusal for packs, settings or a loadout that cannot be read."""
        rules = self.choose(request.ruleset, request.packs)
        settings = self.read_settings(rules, request.settings)
        vocabulary = rules.vocabulary
        loadout = decode_or_refuse(request.loadout, json_decoder(vocabulary.loadout), "bad_action", "$.loadout")
        try:
            check = rules.ruleset.check_loadout(settings, loadout)
        except Illegal as illegal:
            raise Refusal.from_illegal(illegal) from None
        if check.loadout is None:
            # The default itself: msgspec leaves out a default of this type only if it is the same object.
            return ArmyChecked(request.id, request.ruleset, check.faults)
        return ArmyChecked(request.id, request.ruleset, check.faults, Raw(encode_canonical(check.loadout)))
