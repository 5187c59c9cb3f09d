"""The compose file as tests read it: its services, with variables put in."""

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from tests.code_sizes import ROOT

COMPOSE = ROOT / "docker-compose.yml"
CADDYFILE = ROOT / "deploy" / "Caddyfile"
_VARIABLE = re.compile(r"\$\{(\w+)(?::([-?])([^}]*))?\}")


class MissingVariable(Exception):
    """A variable that compose refuses to start without."""


class ComposeService(msgspec.Struct):
    """The part of a service that tests look at."""

    image: str
    command: list[str] = []
    environment: dict[str, str] = {}
    depends_on: dict[str, dict[str, str]] = {}
    ports: list[str] = []
    volumes: list[str] = []
    networks: list[str] | dict[str, dict[str, str]] = []
    healthcheck: dict[str, Any] = {}
    restart: str = ""
    read_only: bool = False
    cap_drop: list[str] = []
    security_opt: list[str] = []
    mem_limit: str = ""
    pids_limit: int = 0


class ComposeFile(msgspec.Struct):
    services: dict[str, ComposeService]
    volumes: dict[str, None]
    networks: dict[str, dict[str, Any]]


def read_compose(variables: Mapping[str, str]) -> ComposeFile:
    """Return the file as compose reads it with these variables. Raises MissingVariable."""

    def value(found: re.Match[str]) -> str:
        name, kind, text = found[1], found[2], found[3]
        if variables.get(name):
            return variables[name]
        if kind == "?":
            raise MissingVariable(f"{name}: {text}")
        return str(text or "")

    return msgspec.yaml.decode(_VARIABLE.sub(value, COMPOSE.read_text("utf-8")), type=ComposeFile, strict=True)
