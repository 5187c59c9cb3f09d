"""Challenges in the terminal: sent, listed, answered, taken back; and what is typed wrongly."""

from pathlib import Path

import pytest

from tests.cli.account.test_account import Machine
from tests.cli.command_runner import CommandRunner
from tests.client.local_server import running_server


async def test_challenge_is_sent_listed_and_answered(
    tmp_path: Path, diskwars: CommandRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, ben = (Machine(tmp_path / name, diskwars, monkeypatch) for name in ("ann", "ben"))
    async with running_server(seed=None) as url:
        there = ("--url", url)
        await ann.run("account", "register", "Ann of Nuln", *there)
        await ben.run("account", "register", "Ben of Ulm", *there)
        assert (await ann.run("challenge", "list", *there)).lines == ["no challenges"]

        sent = await ann.run(
            "challenge", "send", "Ben of Ulm", "--ruleset", "pit", "--decision-seconds", "86400", "--seat", "b", *there
        )
        first = sent.lines[0].split()[1]
        assert "to Ben of Ulm, open until" in sent.lines[0]
        listed = await ben.run("challenge", "list", *there)
        assert [word in listed.out for word in (first, "Ann of Nuln", "Ben of Ulm", "pit", "B", "open")] == [True] * 6
        declined = await ben.run("challenge", "decline", first, "--reason", "too_slow", *there)
        assert declined.lines == ["declined: too slow"]
        late = await ben.run("challenge", "accept", first, *there)
        assert (late.code, "was answered" in late.err) == (2, True)

        second = (await ann.run("challenge", "send", "Ben of Ulm", "--ruleset", "pit", *there)).lines[0].split()[1]
        accepted = await ben.run("challenge", "accept", second, *there)
        match = accepted.lines[0].split()[-1]
        assert accepted.lines[1].endswith(f"play --match {match} --url {url}")
        assert f"match {match}" in (await ann.run("challenge", "list", *there)).out

        third = (await ann.run("challenge", "send", "Ben of Ulm", "--ruleset", "pit", *there)).lines[0].split()[1]
        assert (await ann.run("challenge", "withdraw", third, *there)).lines == ["withdrawn"]
        assert (await ben.run("challenge", "allow", "--nobody", *there)).lines == ["you take no challenges"]
        assert "you take no challenges" in (await ben.run("challenge", "list", *there)).lines[0]
        refused = await ann.run("challenge", "send", "Ben of Ulm", "--ruleset", "pit", *there)
        assert (refused.code, "takes no challenges" in refused.err) == (2, True)
        assert (await ben.run("challenge", "allow", *there)).lines == ["you take challenges"]


async def test_settings_that_are_no_json_are_refused(
    tmp_path: Path, diskwars: CommandRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = Machine(tmp_path / "ann", diskwars, monkeypatch)
    refused = await machine.run("challenge", "send", "Ben", "--settings", "regiments", "--url", "ws://127.0.0.1:9/ws")
    assert (refused.code, "object in JSON" in refused.err) == (2, True)
