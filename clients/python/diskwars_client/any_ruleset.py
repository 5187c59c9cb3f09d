"""Types of decisions, options and actions where the ruleset of the match is not known."""

from typing import Any, TypeAlias

from msgspec import Struct

from diskwars_protocol.match.decisions import Decision, Options

AnyDecision: TypeAlias = Decision[Any]
AnyOptions: TypeAlias = Options[Any, Any, Any]
AnyAction: TypeAlias = Struct
"""Action of every match or of any ruleset: each is a struct of its vocabulary."""
