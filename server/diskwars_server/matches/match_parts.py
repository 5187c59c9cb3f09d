"""The parts of a server that handle matches, and how they are made of each other."""

from collections.abc import Mapping

from msgspec import Struct

from diskwars_engine.ruleset import AnyRuleset
from diskwars_server.matches.openings import MAX_OPEN_MATCHES_PER_PLAYER, Openings
from diskwars_server.matches.pack_choices import NO_VARIANTS, Variants
from diskwars_server.matches.repository import MAX_LIVE_MATCHES, EntropyByPurpose, MatchRepository
from diskwars_server.matches.rules_on_offer import NO_BOTS, RulesOnOffer
from diskwars_server.matches.services import Services
from diskwars_server.store.match_index import MatchIndex


class MatchParts(Struct, frozen=True):
    """The rules that a server offers, its matches, and how they are opened."""

    rules: RulesOnOffer
    matches: MatchRepository
    openings: Openings


def make_match_parts(
    rulesets: Mapping[str, AnyRuleset],
    services: Services,
    index: MatchIndex,
    entropy: EntropyByPurpose,
    *,
    repeatable: bool = False,
    max_live_matches: int = MAX_LIVE_MATCHES,
    max_open_matches_per_player: int = MAX_OPEN_MATCHES_PER_PLAYER,
    bots: Mapping[str, tuple[str, ...]] = NO_BOTS,
    variants: Variants = NO_VARIANTS,
) -> MatchParts:
    """Return the parts for all matches of a database. Called inside a running event loop.

    `bots` are those that the server can seat, by ruleset; `variants` are rulesets with fewer packs.
    """
    rules = RulesOnOffer(rulesets, bots, variants)
    matches = MatchRepository(rules, services, index, entropy, max_live_matches)
    openings = Openings(
        rules,
        matches,
        services,
        index,
        entropy,
        repeatable=repeatable,
        max_open_matches_per_player=max_open_matches_per_player,
    )
    return MatchParts(rules, matches, openings)
