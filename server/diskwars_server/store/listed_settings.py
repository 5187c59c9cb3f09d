"""Settings of matches in lists: the store holds all of them, and players are shown those that are not usual."""

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from diskwars_protocol.match.ruleset_settings import SettingValue, ruleset_settings
from diskwars_protocol.match.vocabulary import AnyVocabulary

SettingValues: TypeAlias = Mapping[str, SettingValue]


def usual_settings(vocabularies: Iterable[AnyVocabulary]) -> dict[str, SettingValues]:
    """Return by ruleset the settings of a match that was opened without any."""
    return {
        vocabulary.name: {setting.id: setting.default for setting in ruleset_settings(vocabulary.settings)}
        for vocabulary in vocabularies
    }


def unusual_settings(settings: SettingValues, usual: SettingValues) -> dict[str, SettingValue]:
    """Return the settings that differ from the usual ones, or are not among them."""
    return {name: value for name, value in settings.items() if not _is_same(usual.get(name), value)}


def has_settings(settings: SettingValues, wanted: SettingValues) -> bool:
    """Return whether a match has all settings that are wanted."""
    return all(name in settings and _is_same(settings[name], value) for name, value in wanted.items())


def _is_same(value: SettingValue | None, other: SettingValue) -> bool:
    """Return whether two values are the same in JSON, where 1 is not true."""
    return type(value) is type(other) and value == other
