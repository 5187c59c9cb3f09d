"""Alert rules are read and tested by promtool; every query of dashboard and alerts is one that the trial asks."""

import math
import re
import shutil
import subprocess

import pytest
import yaml

from tests.code_sizes import ROOT
from tests.docs.test_deployment_files import expressions
from tools import try_monitoring

FOLDER = ROOT / "deploy" / "prometheus"


def run_promtool(*words: str) -> str:
    program = shutil.which("promtool")
    if program is None:
        pytest.skip("needs promtool, which Debian's package prometheus brings")
    done = subprocess.run([program, *words], cwd=FOLDER, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_rules_are_those_that_prometheus_reads() -> None:
    rules = [rule for group in yaml.safe_load((FOLDER / "alerts.yml").read_text())["groups"] for rule in group["rules"]]
    assert f"SUCCESS: {len(rules)} rules found" in run_promtool("check", "rules", "alerts.yml")


def test_rules_fire_when_they_should_and_otherwise_do_not() -> None:
    assert "SUCCESS" in run_promtool("test", "rules", "alerts_test.yml")


def test_every_rule_has_a_case_in_which_it_fires() -> None:
    rules = set(re.findall(r"alert: (\w+)", (FOLDER / "alerts.yml").read_text()))
    cases = yaml.safe_load((FOLDER / "alerts_test.yml").read_text())["tests"]
    fired = {found["alertname"] for case in cases for found in case["alert_rule_test"] if found["exp_alerts"]}
    assert fired == rules


def test_trial_asks_every_query_of_the_dashboard_and_the_series_of_every_alert() -> None:
    asked = try_monitoring.queries()
    for expression in expressions():
        assert any(expression == query or expression.startswith(f"{query} ") for query in asked), expression
    assert not [query for query in asked if " > " in query or " == " in query]


def test_query_without_series_or_without_a_number_is_empty() -> None:
    assert [try_monitoring.is_seen(values) for values in ([], [math.nan], [0.0], [math.nan, 1.0])] == [
        False,
        False,
        True,
        True,
    ]
