"""List of components, provenance and checksums of the files of a release."""

import json
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tools.release.artifacts import run

CYCLONEDX = "cyclonedx-bom==7.5.0"
"""Lists the packages of Python. npm lists those of the page by itself."""
STATEMENT_TYPE, PREDICATE_TYPE = "https://in-toto.io/Statement/v1", "https://slsa.dev/provenance/v1"
BUILD_TYPE, BUILDER = "urn:diskwars:release:1", "urn:diskwars:release:unsigned"
CHECKSUMS, PROVENANCE = "SHA256SUMS", "provenance.json"


def list_components(sources: Path, environment: Path, seconds: int, folder: Path) -> None:
    """Write the packages that a server is installed with, and those that the page is built with (CycloneDX)."""
    run(sys.executable, "-m", "venv", environment, cwd=sources)
    run(environment / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", CYCLONEDX, cwd=sources)
    python = run(
        environment / "bin" / "cyclonedx-py",
        *("requirements", "--output-reproducible", "--of", "JSON", "deploy/requirements.txt"),
        cwd=sources,
    )
    page = run("npm", "sbom", "--package-lock-only", "--sbom-format", "cyclonedx", cwd=sources / "clients" / "web")
    for name, text in (("server", python), ("page", page)):
        listed = without_moment(json.loads(text), seconds)
        (folder / f"components-{name}.cdx.json").write_text(json.dumps(listed, indent=1, sort_keys=True) + "\n")


def without_moment(listed: dict[str, Any], seconds: int) -> dict[str, Any]:
    """Return a list of components as it is at every run: with the time of the commit, and no number of its own."""
    moment = datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    metadata = {**listed.get("metadata", {}), "timestamp": moment}
    return {key: value for key, value in listed.items() if key != "serialNumber"} | {"metadata": metadata}


def state_provenance(digests: Mapping[str, str], version: str, commit: str, *, is_trial: bool) -> dict[str, Any]:
    """Return what was built from what, as an in-toto statement. Nobody has signed it, as its builder says."""
    return {
        "_type": STATEMENT_TYPE,
        "subject": [{"name": name, "digest": {"sha256": digest}} for name, digest in sorted(digests.items())],
        "predicateType": PREDICATE_TYPE,
        "predicate": {
            "buildDefinition": {
                "buildType": BUILD_TYPE,
                "externalParameters": {"version": version, "trial": is_trial},
                "resolvedDependencies": [{"name": "sources", "digest": {"gitCommit": commit}}],
            },
            "runDetails": {"builder": {"id": BUILDER}},
        },
    }


def write_provenance(folder: Path, statement: Mapping[str, Any]) -> None:
    (folder / PROVENANCE).write_text(json.dumps(statement, indent=1) + "\n")


def write_checksums(folder: Path, digests: Mapping[str, str]) -> None:
    """Write the list that `sha256sum --check` reads."""
    lines = [f"{digest}  {name}\n" for name, digest in sorted(digests.items()) if name != CHECKSUMS]
    (folder / CHECKSUMS).write_text("".join(lines))
