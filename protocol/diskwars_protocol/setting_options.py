"""Options of a ruleset's settings: their defaults, ranges and closed sets, read off the settings struct itself."""

import re
from functools import lru_cache
from typing import Annotated, Literal, TypeAlias, get_args, get_origin

from msgspec import Meta, Struct
from msgspec.structs import FieldInfo, fields, replace

from diskwars_protocol.schema_types import FieldName, RuleId, WholeNumber

_RULE = re.compile(r"\(([A-Z]+-?\d[\d.]*)\)$")


SettingText: TypeAlias = Annotated[str, Meta(extra_json_schema={"pattern": "^[a-z0-9_-]{1,64}$"})]


class SettingOption(Struct, frozen=True, omit_defaults=True):
    """One field of the settings. It is one of `values`, or a whole number from `least` to `most`."""

    name: FieldName
    default: bool | WholeNumber | SettingText
    values: tuple[bool | WholeNumber | SettingText, ...] = ()
    least: WholeNumber | None = None
    most: WholeNumber | None = None
    text: str | None = None
    rule: RuleId | None = None


@lru_cache(64)
def setting_options(settings: type[Struct]) -> tuple[SettingOption, ...]:
    """Every option of a settings struct, in the order of its fields.

    `Meta(description=...)` of a field is its text; a rule id in parentheses at the end of it is the option's rule.
    """
    return tuple(map(_option, fields(settings)))


def _option(field: FieldInfo) -> SettingOption:
    kind, limits = field.type, Meta()
    if get_origin(kind) is Annotated:
        kind, limits = get_args(kind)
    text = limits.description or ""
    found = _RULE.search(text)
    option = SettingOption(
        name=field.encode_name,
        default=field.default,
        text=_RULE.sub("", text).strip() or None,
        rule=found[1] if found else None,
    )
    if kind is bool:
        return replace(option, values=(False, True))
    if get_origin(kind) is Literal:
        return replace(option, values=get_args(kind))
    return replace(option, least=_whole(limits.ge), most=_whole(limits.le))


def _whole(limit: float | None) -> int | None:
    return None if limit is None else int(limit)
