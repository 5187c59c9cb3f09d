"""The settings of a ruleset: their defaults, ranges and closed sets, read off the settings struct itself."""

import re
from functools import lru_cache
from typing import Annotated, Literal, TypeAlias, get_args, get_origin

from msgspec import NODEFAULT, Meta, Struct
from msgspec.structs import FieldInfo, fields, replace

from diskwars_protocol.schema_types import RULE_ID_PATTERN, FieldName, RuleId, WholeNumber

_RULE_AT_END = re.compile(rf"\(({RULE_ID_PATTERN})\)$")


SettingText: TypeAlias = Annotated[str, Meta(extra_json_schema={"pattern": "^[a-z0-9_-]{1,64}$"})]


SettingValue: TypeAlias = bool | WholeNumber | SettingText


class RulesetSetting(Struct, frozen=True, omit_defaults=True):
    """One field of a ruleset's settings. It is one of `values`, or a whole number from `least` to `most`."""

    id: FieldName
    default: SettingValue
    values: tuple[SettingValue, ...] = ()
    least: WholeNumber | None = None
    most: WholeNumber | None = None
    text: str | None = None
    rule: RuleId | None = None


@lru_cache(64)
def ruleset_settings(settings: type[Struct]) -> tuple[RulesetSetting, ...]:
    """Every setting of a settings struct, in the order of its fields.

    `Meta(description=...)` of a field is its text; a rule id in parentheses at the end of it is the setting's rule.
    """
    return tuple(map(_setting, fields(settings)))


def setting_values(settings: Struct) -> dict[str, SettingValue]:
    """Return every setting of a match by its id."""
    return {setting.id: getattr(settings, setting.id) for setting in ruleset_settings(type(settings))}


def _setting(field: FieldInfo) -> RulesetSetting:
    kind, limits = field.type, Meta()
    if get_origin(kind) is Annotated:
        kind, limits = get_args(kind)
    text = limits.description or ""
    rule = _RULE_AT_END.search(text)
    setting = RulesetSetting(
        id=field.encode_name,
        default=field.default_factory() if field.default is NODEFAULT else field.default,
        text=_RULE_AT_END.sub("", text).strip() or None,
        rule=rule[1] if rule else None,
    )
    if kind is bool:
        return replace(setting, values=(False, True))
    if get_origin(kind) is Literal:
        return replace(setting, values=get_args(kind))
    if kind is str:
        return replace(setting, values=tuple((limits.extra_json_schema or {})["enum"]))
    return replace(setting, least=_whole(limits.ge), most=_whole(limits.le))


def _whole(limit: float | None) -> int | None:
    return None if limit is None else int(limit)
