"""Files for operators and for the forge: manifests of Kubernetes, alerts, the dashboard, forms and the citation."""

import json
import re
import tomllib
from typing import Any

import pytest
import yaml

from tests.code_sizes import ROOT
from tests.optional_packages import import_or_skip

KUBERNETES = "1.31"
SERIES = re.compile(r"\b((?:diskwars|process)_[a-z_]+|up)\b(?!\")")
FROM_PROMETHEUS = {"up", "process_cpu_seconds_total", "process_resident_memory_bytes"}
"""Those of every target, and those of a process that the client library adds on Linux."""


def manifests() -> list[dict[str, Any]]:
    return list(yaml.safe_load_all((ROOT / "deploy" / "kubernetes" / "diskwars.yaml").read_text()))


def known_series() -> set[str]:
    text = (ROOT / "docs" / "operating.md").read_text("utf-8")
    return set(re.findall(r"`(diskwars_[a-z_]+)`", text)) | FROM_PROMETHEUS


def expressions() -> list[str]:
    rules = yaml.safe_load((ROOT / "deploy" / "prometheus" / "alerts.yml").read_text())
    board = json.loads((ROOT / "deploy" / "grafana" / "diskwars.json").read_text())
    return [
        *(rule["expr"] for group in rules["groups"] for rule in group["rules"]),
        *(target["expr"] for panel in board["panels"] for target in panel["targets"]),
    ]


@pytest.mark.parametrize("manifest", manifests(), ids=lambda one: f"{one['kind']} {one['metadata']['name']}")
def test_manifest_is_valid(manifest: dict[str, Any]) -> None:
    import_or_skip("kubernetes_validate").validate(manifest, KUBERNETES, strict=True)
    assert manifest["metadata"]["name"].startswith("diskwars")


def test_containers_run_without_rights_and_nodes_without_a_password_in_the_file() -> None:
    pods = [one["spec"]["template"]["spec"] for one in manifests() if one["kind"] == "Deployment"]
    assert len(pods) == 2
    for pod in pods:
        assert pod["securityContext"]["runAsNonRoot"]
        for container in pod["containers"]:
            assert container["securityContext"]["readOnlyRootFilesystem"]
            assert all("password" not in str(variable.get("value", "")) for variable in container.get("env", ()))


def test_nobody_but_the_nodes_reaches_nats() -> None:
    """It has no login, and who publishes there can make nodes read their database."""
    (policy,) = (one["spec"] for one in manifests() if one["kind"] == "NetworkPolicy")
    pods = {one["metadata"]["name"]: one["spec"]["template"] for one in manifests() if one["kind"] == "Deployment"}
    (port,) = pods["diskwars-nats"]["spec"]["containers"][0]["ports"]
    assert policy["podSelector"]["matchLabels"] == pods["diskwars-nats"]["metadata"]["labels"]
    (rule,) = policy["ingress"]
    assert rule["from"] == [{"podSelector": {"matchLabels": pods["diskwars"]["metadata"]["labels"]}}]
    assert rule["ports"] == [{"port": port["name"]}]


def test_alerts_and_dashboard_use_series_that_a_node_has() -> None:
    used = {
        re.sub(r"_(?:bucket|count|sum)$", "", name)
        for expression in expressions()
        for name in SERIES.findall(expression)
    }
    assert used - known_series() == set()
    assert len(used) > 12


def test_forms_and_dependency_updates_are_read() -> None:
    forms = sorted((ROOT / ".github").rglob("*.yml"))
    read = {str(form.relative_to(ROOT)): yaml.safe_load(form.read_text()) for form in forms}
    assert len(read) >= 5
    for name, form in read.items():
        assert isinstance(form, dict), name
        for field in form.get("body", ()):
            assert field["type"] in {"textarea", "input", "markdown", "dropdown", "checkboxes"}


def test_citation_has_the_version_of_the_project() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert (citation["version"], citation["cff-version"]) == (version, "1.2.0")


def test_links_of_security_and_conduct_lead_somewhere() -> None:
    for name in ("SECURITY.md", "CODE_OF_CONDUCT.md"):
        for page, anchor in re.findall(r"\]\((docs/[\w-]+\.md)(?:#([\w-]+))?\)", (ROOT / name).read_text()):
            text = (ROOT / page).read_text("utf-8")
            headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
            assert not anchor or anchor in [heading.lower().replace(" ", "-") for heading in headings]
