"""Writer and parser of profiles and command cards on one line of text.

    disk Bloodcrushers: unit of Chaos (Destruction), large, M3 S5 C3 T7, cost 9; Relentless, Impact d6
    disk Tyrion: hero of High Elves (Order), M5 S5 C4 T5 St1, points 33, command 2, unique; Swift (strength)
    disk Hellcannon: large, shot 3 dice strength 2 physical to long beyond short, passive rampage
    card Comet: slow 2, Order, battle deal_damage d6+1 arcane long short by Caster unstable

Commas and semicolons are equivalent. Every part is optional; `default_profile` has the defaults. An effect is its name
and its figures in the order of the fields of its struct in stats.py.
"""

import re
from collections.abc import Mapping
from typing import TypeVar, get_args

import msgspec
from msgspec import Struct
from msgspec.structs import FieldInfo, fields, replace

from diskwars_protocol.identifiers import id_title, make_id
from diskwars_protocol.rulesets.diskwars.keyword_forms import KEYWORDS, KeywordId
from diskwars_protocol.rulesets.diskwars.setup_cards import TerrainKeyword, TerrainKeywordId
from diskwars_protocol.rulesets.diskwars.stats import (
    REACHES,
    Ability,
    AbilityTiming,
    Amount,
    CommandCard,
    DamageType,
    Effect,
    Faction,
    Keyword,
    Profile,
    Shot,
    Size,
)
from diskwars_protocol.rulesets.diskwars.terrain import TERRAIN_KEYWORDS
from diskwars_protocol.schema_types import AtLeastOne, AtLeastZero
from diskwars_protocol.suggestions import json_quote
from diskwars_text.rulesets.diskwars.lexer import LexerToken, LineParser, inches_text, quoted_name

RADIUS_BY_SIZE: Mapping[Size, int] = {"small": 22225, "medium": 28575, "large": 38100}
"""The radius in micrometres of a disk whose line gives none (R-01)."""
MOVEMENT_BY_SIZE: Mapping[Size, int] = {"small": 5, "medium": 4, "large": 3}
FIELD_BY_STAT: Mapping[str, str] = {
    "M": "movement",
    "S": "strength",
    "C": "counter_strength",
    "T": "toughness",
    "St": "stamina",
}
SIZES: tuple[Size, ...] = get_args(Size)
ABILITY_TIMES: tuple[AbilityTiming, ...] = get_args(AbilityTiming)
DAMAGE_TYPES: tuple[DamageType, ...] = get_args(DamageType)
FACTIONS: Mapping[str, Faction] = {"Order": "order", "Destruction": "destruction"}
STRATEGIES = ("bold", "steady", "devious", "slow")
EFFECT_TYPES: Mapping[str, type[Struct]] = {str(kind.__struct_config__.tag): kind for kind in get_args(Effect)}

_KEYWORD_IDS: Mapping[str, KeywordId] = {id_title(id): id for id in KEYWORDS}
_TERRAIN_KEYWORD_IDS: Mapping[str, TerrainKeywordId] = {id_title(id): id for id in TERRAIN_KEYWORDS}

WordT = TypeVar("WordT", bound=str)

_STAT_PATTERN = re.compile(r"(M|St|S|C|T)(\d+)")
_AMOUNT_PATTERN = re.compile(r"(?P<dice>\d*)d6(?P<plus>[+-]\d+)?|(?P<flat>-?\d+)")
_DISK_WORDS = (
    "hero",
    "unit",
    "cost",
    "points",
    "command",
    "radius",
    "unique",
    "elite",
    "trait",
    "shot",
    "id",
    "short",
    *SIZES,
    *ABILITY_TIMES,
)
"""Words that begin a part of a disk line; any other word begins a keyword."""


def default_profile(name: str) -> Profile:
    """Return a small unit with the usual figures, which hold where a disk line gives none."""
    return Profile(
        make_id(name),
        name,
        "unit",
        "order",
        "small",
        RADIUS_BY_SIZE["small"],
        5,
        strength=4,
        counter_strength=3,
        toughness=4,
    )


# ---------------------------------------------------------------- writing


def _race_title(race: str) -> str:
    """Return the race as it is printed, or its id where no id would be made of that again."""
    return id_title(race) if make_id(id_title(race)) == race else race


def format_disk(profile: Profile) -> str:
    """Format a profile as a complete `disk` line."""
    stats = [f"{letter}{getattr(profile, field)}" for letter, field in FIELD_BY_STAT.items()]
    head = [
        profile.kind
        + (f" of {quoted_name(_race_title(profile.race))}" if profile.race else "")
        + f" ({profile.faction.capitalize()})",
        profile.size,
        " ".join(stats if profile.stamina else stats[:-1]),
    ]
    if profile.radius != RADIUS_BY_SIZE[profile.size]:
        head.append(f"radius {inches_text(profile.radius)}")
    head += [f"{word} {value}" for word, value in _cost_text(profile) if value]
    head += [word for word, is_set in (("unique", profile.unique), ("elite", profile.elite)) if is_set]
    head += _identity_words(profile)
    head += [f"trait {quoted_name(trait)}" for trait in profile.traits]
    rest = [keyword_text(keyword) for keyword in profile.keywords]
    rest += [_shot_text(shot) for shot in profile.shots]
    rest += [_ability_text(ability) for ability in profile.abilities]
    return f"disk {quoted_name(profile.name)}: {'; '.join(', '.join(part) for part in (head, rest) if part)}"


def format_card(card: CommandCard) -> str:
    """Format a command card as a complete `card` line."""
    parts = [f"{card.strategy} {card.activations}", *([card.faction.capitalize()] if card.faction else [])]
    parts += _identity_words(card)
    parts += [_ability_text(ability) for ability in card.abilities]
    return f"card {quoted_name(card.name)}: {', '.join(parts)}"


def _cost_text(profile: Profile) -> tuple[tuple[str, int], ...]:
    return ("cost", profile.cost), ("points", profile.points), ("command", profile.command)


def amount_text(amount: Amount) -> str:
    """Format an amount: `2`, `d6`, `2d6+1`."""
    if not amount.d6:
        return str(amount.flat)
    dice = f"{amount.d6 if amount.d6 > 1 else ''}d6"
    return f"{dice}{amount.flat:+d}" if amount.flat else dice


def keyword_text(keyword: Keyword) -> str:
    """Format a keyword as it is printed: `Impact d6`, `Swift (strength)`."""
    value = f" {amount_text(keyword.amount)}" if keyword.amount is not None else ""
    return id_title(keyword.id) + value + (f" ({keyword.kind})" if keyword.kind else "")


def terrain_keyword_text(keyword: TerrainKeyword) -> str:
    """Format a keyword of terrain as it is printed: `Dangerous (arcane)`."""
    return id_title(keyword.id) + (f" ({keyword.damage_type})" if keyword.damage_type else "")


def _shot_text(shot: Shot) -> str:
    least = f" beyond {shot.beyond}" if shot.beyond else ""
    return f"shot {shot.dice} dice strength {amount_text(shot.strength)} {shot.damage_type} to {shot.reach}{least}"


def _ability_text(ability: Ability) -> str:
    written: list[str] = []
    pending: list[str] = []  # default figures are left out unless another figure follows
    for field in fields(type(ability.effect)):
        value = getattr(ability.effect, field.name)
        pending.append(_value_text(value))
        if field.required or value != field.default:
            written, pending = written + pending, []
    user = f" by {quoted_name(ability.user)}" if ability.user else ""
    words = [ability.timing, str(ability.effect.__struct_config__.tag), *written]
    return " ".join(words) + user + " unstable" * ability.unstable + " may" * ability.optional


def _value_text(value: object) -> str:
    if isinstance(value, Amount):
        return amount_text(value)
    if value is None:
        return '""'
    if isinstance(value, str) and " " not in value:
        return quoted_name(value)
    return json_quote(value) if isinstance(value, str) else str(value)


# ---------------------------------------------------------------- reading


def parse_disk(line: LineParser) -> Profile:
    """Parse a `disk` line after the word `disk`. Raises NotationError."""
    profile = default_profile(line.name("the name of a disk"))
    line.expect(":")
    given: set[str] = set()
    while not line.is_at_end:
        profile = _parse_part(line, profile, given)
        if not (line.take(",") or line.take(";")):
            line.expect_end()
    return _with_size_defaults(profile, given)


def parse_card(line: LineParser) -> CommandCard:
    """Parse a `card` line after the word `card`. Raises NotationError."""
    name = line.name("the name of a command card")
    line.expect(":")
    fields_of_card: dict[str, object] = {
        "id": make_id(name),
        "name": name,
        "strategy": line.word("strategy", STRATEGIES),
        "activations": line.parse_number("activations"),
    }
    abilities: list[Ability] = []
    while line.take(",") or line.take(";"):
        if line.is_next(*FACTIONS):
            fields_of_card["faction"] = FACTIONS[line.next_token().text]
        elif line.is_next("id", "short"):
            fields_of_card |= _parse_identity(line)
        else:
            abilities.append(_parse_ability(line))
    line.expect_end()
    return replace(msgspec.convert(fields_of_card, CommandCard), abilities=tuple(abilities))


def _identity_words(entry: Profile | CommandCard) -> list[str]:
    """Return the id if it does not follow from the name, and the short name if there is one."""
    words = [] if entry.id == make_id(entry.name) else [f"id {entry.id}"]
    return [*words, f"short {quoted_name(entry.short_name)}"] if entry.short_name else words


def _parse_identity(line: LineParser) -> dict[str, object]:
    if line.take("short"):
        return {"short_name": line.name("a short name")}
    line.next_token()
    return {"id": line.next_token().text}


def _with_size_defaults(profile: Profile, given: set[str]) -> Profile:
    """Derive radius and movement from the size if the line does not give them."""
    if "radius" not in given:
        profile = replace(profile, radius=RADIUS_BY_SIZE[profile.size])
    return profile if "movement" in given else replace(profile, movement=MOVEMENT_BY_SIZE[profile.size])


def _parse_part(line: LineParser, profile: Profile, given: set[str]) -> Profile:
    """Parse the next part of a disk line; return the changed profile. Names of figures are added to `given`."""
    token = line.token
    if token.kind != "word":
        return _parse_keyword_part(line, profile)
    match token.text:
        case "hero" | "unit":
            return _parse_kind(line, profile)
        case "cost" | "points" | "command":
            return replace(profile, **{line.next_token().text: line.parse_number(token.text)})
        case "radius":
            given.add(line.next_token().text)
            return replace(profile, radius=line.length("radius"))
        case "unique" | "elite":
            return replace(profile, **{line.next_token().text: True})
        case "trait":
            line.next_token()
            return replace(profile, traits=(*profile.traits, make_id(line.name("a trait"))))
        case "id" | "short":
            return replace(profile, **_parse_identity(line))
        case "shot":
            return replace(profile, shots=(*profile.shots, _parse_shot(line)))
        case text if text in SIZES or _STAT_PATTERN.fullmatch(text):
            return _parse_stats(line, profile, given)
        case text if text in ABILITY_TIMES:
            return replace(profile, abilities=(*profile.abilities, _parse_ability(line)))
        case _:
            return _parse_keyword_part(line, profile)


def _parse_kind(line: LineParser, profile: Profile) -> Profile:
    changes = {"kind": line.next_token().text}
    if line.take("of"):
        changes["race"] = make_id(line.name("a race"))
    if line.take("("):
        changes["faction"] = FACTIONS[line.word("faction", FACTIONS)]
        line.expect(")")
    return replace(profile, **changes)


def _parse_stats(line: LineParser, profile: Profile, given: set[str]) -> Profile:
    """Parse `small M5 S4 C3 T4 St1`: the size and the figures, in any order."""
    changes: dict[str, object] = {}
    while line.token.kind == "word":
        token = line.next_token()
        stat = _STAT_PATTERN.fullmatch(token.text)
        if stat is not None:
            changes[FIELD_BY_STAT[stat[1]]] = int(stat[2])
        elif token.text in SIZES:
            changes["size"] = token.text
        else:
            raise line.error(
                f"{json_quote(token.text)} is no figure of a disk (a keyword follows a comma)", SIZES, token
            )
    given.update(changes)
    return replace(profile, **changes)


def _parse_keyword_part(line: LineParser, profile: Profile) -> Profile:
    start = line.token
    if start.kind == "word" and not start.text[:1].isupper():
        raise line.error(
            f"{json_quote(start.text)} is neither a word of a disk line nor, with a capital, a keyword",
            _DISK_WORDS,
            start,
        )
    return replace(profile, keywords=(*profile.keywords, parse_keyword(line)))


def parse_keyword(line: LineParser) -> Keyword:
    """Parse a keyword of a disk in the form of `keyword_text`. Raises NotationError."""
    start = line.token
    name, amount = line.name("a keyword"), None
    head, _, last = name.rpartition(" ")
    if head and _AMOUNT_PATTERN.fullmatch(last):
        name, amount = head, _amount_from_word(last)
    id = _find_keyword(line, name, _KEYWORD_IDS, start)
    form = KEYWORDS[id]
    if form.has_amount != (amount is not None):
        raise line.error(f"{name} is printed {'with' if form.has_amount else 'without'} an amount", at=start)
    return Keyword(id, amount, _parse_kind_in_brackets(line, name, form.kinds))


def parse_terrain_keyword(line: LineParser) -> TerrainKeyword:
    """Parse a keyword of terrain in the form of `terrain_keyword_text`. Raises NotationError."""
    start = line.token
    name = line.name("a keyword of terrain")
    id = _find_keyword(line, name, _TERRAIN_KEYWORD_IDS, start)
    return TerrainKeyword(id, _parse_kind_in_brackets(line, name, TERRAIN_KEYWORDS[id].damage_types))


def _find_keyword(line: LineParser, name: str, ids: Mapping[str, WordT], start: LexerToken) -> WordT:
    if name not in ids:
        raise line.error(f"{json_quote(name)} is no keyword", tuple(ids), start)
    return ids[name]


def _parse_kind_in_brackets(line: LineParser, name: str, kinds: tuple[WordT, ...]) -> WordT | None:
    """Parse what is printed in brackets after a keyword, if it is one that is printed with something there."""
    if not kinds:
        return None
    if not line.take("("):
        raise line.error(f"{name} is printed with one of {' '.join(f'({kind})' for kind in kinds)}")
    kind = line.choose(f"kind of {name}", kinds)
    line.expect(")")
    return kind


def _amount_from_word(word: str) -> Amount:
    match = _AMOUNT_PATTERN.fullmatch(word)
    if match is None:
        raise ValueError(f"no amount: {word}")
    if match["flat"]:
        return Amount(int(match["flat"]))
    return Amount(int(match["plus"] or 0), int(match["dice"] or 1))


def _parse_amount(line: LineParser) -> Amount:
    if line.token.kind != "word" or _AMOUNT_PATTERN.fullmatch(line.token.text) is None:
        raise line.error("expected an amount like 2, d6 or 2d6+1")
    return _amount_from_word(line.next_token().text)


def _parse_shot(line: LineParser) -> Shot:
    start = line.next_token()
    shot: dict[str, object] = {"dice": line.parse_number("how many dice")}
    line.expect("dice")
    line.expect("strength")
    shot["strength"] = msgspec.to_builtins(_parse_amount(line))
    shot["damage_type"] = line.word("damage", DAMAGE_TYPES)
    line.expect("to")
    shot["reach"] = line.word("reach", REACHES)
    if line.take("beyond"):
        shot["beyond"] = line.word("reach", REACHES)
    return _convert(line, shot, Shot, start)


def _parse_ability(line: LineParser) -> Ability:
    if not line.is_next(*ABILITY_TIMES):
        raise line.error("expected an ability", ABILITY_TIMES)
    start = line.next_token()
    tag = line.word("effect", tuple(EFFECT_TYPES))
    effect: dict[str, object] = {"type": tag}
    for field in fields(EFFECT_TYPES[tag]):
        if field.required or not (line.is_at_end or line.is_next("by", "unstable", "may", ",", ";")):
            effect[field.name] = _parse_value(line, field)
    ability: dict[str, object] = {"timing": start.text, "effect": effect}
    if line.take("by"):
        ability["user"] = make_id(line.name("the trait of its user"))
    ability["unstable"] = line.take("unstable")
    ability["optional"] = line.take("may")
    return _convert(line, ability, Ability, start)


_NUMBER_TYPES = (int, AtLeastZero, AtLeastOne)


def _parse_value(line: LineParser, field: FieldInfo) -> object:
    if field.type is Amount:
        return msgspec.to_builtins(_parse_amount(line))
    if field.type in _NUMBER_TYPES:
        return line.parse_number(field.name)
    if line.token.kind not in ("word", "quoted"):
        raise line.error(f"expected the {field.name} of the effect")
    text = line.next_token().text
    if not text and field.default is None:
        return None  # `""` keeps the place of a figure that is left out
    return make_id(text) if field.name in ("selector", "id_word") else text


StructT = TypeVar("StructT")


def _convert(line: LineParser, fields_by_name: dict[str, object], kind: type[StructT], start: LexerToken) -> StructT:
    """Convert parsed words to a struct, whose types list the allowed words."""
    try:
        return msgspec.convert(fields_by_name, kind)
    except msgspec.ValidationError as error:
        raise line.error(str(error).lower().replace("`", ""), at=start) from None
