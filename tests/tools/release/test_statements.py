"""The statements beside the files of a release: their parts, what they were built from, and their digests."""

import subprocess
from pathlib import Path

from tools.release import artifacts, statements


def test_list_of_components_is_the_same_at_every_run() -> None:
    listed = {"serialNumber": "urn:uuid:1", "metadata": {"timestamp": "now", "tools": []}, "components": [1]}
    kept = statements.without_moment(listed, 0)
    assert kept == {"metadata": {"timestamp": "1970-01-01T00:00:00Z", "tools": []}, "components": [1]}


def test_provenance_names_each_file_and_the_commit_and_that_nobody_signed() -> None:
    stated = statements.state_provenance({"b": "22", "a": "11"}, "1.0.0", "c0ffee", is_trial=True)
    assert [(file["name"], file["digest"]["sha256"]) for file in stated["subject"]] == [("a", "11"), ("b", "22")]
    definition = stated["predicate"]["buildDefinition"]
    assert definition["externalParameters"] == {"version": "1.0.0", "trial": True}
    assert definition["resolvedDependencies"][0]["digest"] == {"gitCommit": "c0ffee"}
    assert stated["predicate"]["runDetails"]["builder"]["id"].endswith("unsigned")


def test_checksums_are_those_that_sha256sum_reads(tmp_path: Path) -> None:
    (tmp_path / "one.whl").write_bytes(b"1")
    statements.write_provenance(tmp_path, {"subject": []})
    statements.write_checksums(tmp_path, artifacts.digests_of(tmp_path))
    checked = subprocess.run(
        ["sha256sum", "--check", "--strict", statements.CHECKSUMS], cwd=tmp_path, capture_output=True, text=True
    )
    assert checked.stdout == "one.whl: OK\nprovenance.json: OK\n"
    (tmp_path / "one.whl").write_bytes(b"2")
    changed = subprocess.run(["sha256sum", "--check", statements.CHECKSUMS], cwd=tmp_path, capture_output=True)
    assert changed.returncode == 1
