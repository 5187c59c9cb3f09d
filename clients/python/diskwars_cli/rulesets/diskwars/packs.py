"""Packs of Diskwars in the `packs` verb: listed, checked, and begun as an override file."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from diskwars_cli.console.command import EXIT_FAULTS, CommandError, program_name
from diskwars_cli.plugs.pack_tools import PackTools, count_line, pack_line
from diskwars_content.packs import PackError
from diskwars_content.rulesets.diskwars import check_pack as faults_of
from diskwars_content.rulesets.diskwars import core_pack, expansion_pack, load_packs, override_template
from diskwars_content.rulesets.diskwars.override_loader import OverriddenPacks, format_toml_path
from diskwars_engine.rulesets.diskwars.catalogue import Catalogue


class DiskwarsPacks(PackTools):
    """The core set, the expansion, folders of the user's own, and files that override figures."""

    def pack_lines(self, packs: tuple[str, ...]) -> list[str]:
        loaded = _load_packs(packs)
        lines = [f"{self.ruleset}, always played:", *_catalogue_lines(core_pack())]
        lines += [f"{self.ruleset}, played with `--pack expansion`:", *_catalogue_lines(expansion_pack())]
        named_packs = [pack for pack in loaded.catalogue.other_packs if pack != expansion_pack().pack]
        return [*lines, *(["named here:"] if named_packs else []), *map(pack_line, named_packs)]

    def check(self, path: Path, packs: tuple[str, ...]) -> int:
        return check_pack(path, packs)

    def write_template(self, path: Path, packs: tuple[str, ...], values: Mapping[str, Any]) -> int:
        return write_template(path, packs, bool(values.get("all_figures")))


def _load_packs(packs: tuple[str | Path, ...]) -> OverriddenPacks:
    try:
        return load_packs(*packs)
    except PackError as fault:
        raise CommandError(str(fault)) from None


def _catalogue_lines(catalogue: Catalogue) -> list[str]:
    counts: dict[str, Mapping[str, object]] = {
        "disks": catalogue.disks,
        "command cards": catalogue.cards,
        "scenarios": catalogue.scenarios,
        "deployment cards": catalogue.deployments,
        "pieces of terrain": catalogue.terrain,
        "starter armies": catalogue.armies,
    }
    return [pack_line(catalogue.pack), count_line({noun: len(entries) for noun, entries in counts.items()})]


# ---------------------------------------------------------------- check


def check_pack(path: Path, packs: tuple[str, ...]) -> int:
    """Print every fault of a pack, or what a valid file changes; return the exit code."""
    if not path.exists():
        raise CommandError(f"there is no {path}")
    if path.is_dir() and not (path / "pack.toml").exists():
        raise CommandError(f"{path.absolute()} is not a pack: it has no pack.toml")
    base_packs = [pack for pack in packs if Path(pack) != path]
    try:
        faults = faults_of(path, base_packs)
    except PackError as fault:
        raise CommandError(str(fault)) from None
    if faults:
        print("\n".join([*faults, f"{path}: {len(faults)} fault{'s' if len(faults) > 1 else ''}"]))
        return EXIT_FAULTS
    lines = [] if path.is_dir() else _pack_changes(_load_packs((*base_packs, path)))
    print("\n".join([*lines, f"{path}: valid"]))
    return 0


def _pack_changes(overridden: OverriddenPacks) -> list[str]:
    """Return the keys that a file overrides, and the starter armies that it makes illegal."""
    lines = [
        f"{format_toml_path(place).removeprefix('$.')}: {', '.join(given)}"
        for place, given in overridden.written_keys.items()
    ]
    return lines + [f"starter army {name} is left out: {why}" for name, why in overridden.dropped_armies.items()]


# ---------------------------------------------------------------- new


def write_template(path: Path, packs: tuple[str, ...], all_figures: bool) -> int:
    """Write a template of an override file; never overwrite a file."""
    path = path if path.suffix == ".toml" else path.with_name(path.name + ".toml")
    text = (
        override_template.write_full_override(path.stem, _load_packs(packs).tables)
        if all_figures
        else override_template.write_example_override(path.stem)
    )
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise CommandError(f"{path} already exists") from None
    except OSError as fault:
        raise CommandError(f"{path} cannot be written: {fault.strerror}") from None
    print(f"wrote {path}; check it with `{program_name()} packs check {path}`")
    return 0
