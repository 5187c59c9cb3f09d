"""Results of the trials, as lines for the terminal and as the page docs/mutants.md."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from diskwars_content.rule_register import load_register
from tools.rule_mutants.attribution import Mutant
from tools.rule_mutants.kernel import KERNEL
from tools.rule_mutants.results import NOT_TRIED, Trial

FOLDER = Path(__file__).parent
EQUIVALENT = FOLDER / "equivalent.toml"
INTRODUCTION = FOLDER / "introduction.md"
MAX_SHOWN_LENGTH = 70
Tried = tuple[Mutant, Trial]


def line(mutant: Mutant) -> str:
    mutation = mutant.mutation
    change = f"{shorten(mutation.original)}  ->  {shorten(mutation.replacement)}"
    place = f"{mutation.path}:{mutation.line} {mutation.name}"
    return f"{mutation.id} {place} [{' '.join(sorted(mutant.rules))}] {mutation.kind}: {change}"


def shorten(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= MAX_SHOWN_LENGTH else flat[: MAX_SHOWN_LENGTH - 3].rpartition(" ")[0] + " ..."


def load_reasons() -> dict[str, str]:
    """Return why mutants change nothing that a player could notice, by the id of the mutant."""
    entries = tomllib.loads(EQUIVALENT.read_text("utf-8")).get("mutant", [])
    return {entry["id"]: entry["reason"] for entry in entries}


def unexplained(tried: Iterable[Tried]) -> list[Tried]:
    reasons = load_reasons()
    return [(mutant, trial) for mutant, trial in tried if not trial.is_killed and mutant.mutation.id not in reasons]


def summary(tried: list[Tried]) -> str:
    left = unexplained(tried)
    lines = [f"{trial.outcome:9} {line(mutant)}" for mutant, trial in left]
    killed = sum(trial.is_killed for _, trial in tried)
    counts = {"killed": killed, "equivalent": len(tried) - killed - len(left)}
    counts |= Counter(trial.outcome for _, trial in left)
    return "\n".join([*lines, ", ".join([f"{len(tried)} mutants", *(f"{n} {what}" for what, n in counts.items())])])


# --- the page


def page(tried: list[Tried], day: str) -> str:
    """Return the page; `day` is when the mutants were tried."""
    reasons = load_reasons()
    equivalent = [trial for trial in tried if not trial[1].is_killed and trial[0].mutation.id in reasons]
    of_rules = [trial for trial in tried if not trial[0].rules & set(KERNEL)]
    of_kernel = [trial for trial in tried if trial[0].rules & set(KERNEL)]
    parts = [
        INTRODUCTION.read_text("utf-8").rstrip(),
        f"## Rules\n\nTried on {day}.\n\n" + "\n".join(rule_table(of_rules, reasons)),
        "## Kernel\n\n" + "\n".join(kernel_table(of_kernel, reasons)),
        "## Survivors\n\n" + "\n".join(survivors([trial for trial in unexplained(tried) if trial[1] != NOT_TRIED])),
        "## Equivalent mutants\n\n" + "\n".join(explained(equivalent, reasons)),
    ]
    return "\n\n".join(parts) + "\n"


HEAD = "mutants | killed | equivalent | survived | not tried |"


def rule_table(tried: list[Tried], reasons: dict[str, str]) -> list[str]:
    """Return a row for each rule that has mutants, and name the others. A mutant counts for each of its rules."""
    rows = [f"| rule | {HEAD}", "|---|--:|--:|--:|--:|--:|"]
    without = []
    for rule in [id for id in load_register().rules if not id.startswith("F")]:
        own = [trial for trial in tried if rule in trial[0].rules]
        if own:
            rows.append(_row(rule, own, reasons))
        else:
            without.append(rule)
    rows.append(f"| each mutant once | {' | '.join(f'{count:,}' for count in counts(tried, reasons))} |")
    note = [
        "",
        "Rules without mutants, because they are obeyed by data, by types, or by code of which nothing is mutated:",
    ]
    return [*rows, *note, *wrapped(without)]


def kernel_table(tried: list[Tried], reasons: dict[str, str]) -> list[str]:
    """Return a row for each part of the kernel."""
    rows = [
        "The kernel of a match cites no rule of a game. Each of its files counts as a rule of its own; its tests are",
        "named in `tools/rule_mutants/kernel.py`.",
        "",
        f"| part | file | what it decides | {HEAD}",
        "|---|---|---|--:|--:|--:|--:|--:|",
    ]
    for part, (path, subject, _) in KERNEL.items():
        own = [trial for trial in tried if part in trial[0].rules]
        rows.append(_row(f"{part} | `{path.rpartition('/')[2]}` | {subject}", own, reasons))
    rows.append(f"| all | | | {' | '.join(f'{count:,}' for count in counts(tried, reasons))} |")
    return rows


def _row(head: str, own: list[Tried], reasons: dict[str, str]) -> str:
    return f"| {head} | {' | '.join(str(count or '') for count in counts(own, reasons))} |"


def counts(tried: list[Tried], reasons: dict[str, str]) -> list[int]:
    """Return how many mutants there are, killed, equivalent, survived and not tried since something changed."""
    killed = sum(trial.is_killed for _, trial in tried)
    equal = sum(not trial.is_killed and mutant.mutation.id in reasons for mutant, trial in tried)
    waiting = sum(trial == NOT_TRIED and mutant.mutation.id not in reasons for mutant, trial in tried)
    return [len(tried), killed, equal, len(tried) - killed - equal - waiting, waiting]


def wrapped(ids: list[str]) -> list[str]:
    return [", ".join(ids[n : n + 15]) + ("," if n + 15 < len(ids) else ".") for n in range(0, len(ids), 15)]


def survivors(left: list[Tried]) -> list[str]:
    if not left:
        return ["None."]
    head = ["| mutant | rules | place | change | outcome |", "|---|---|---|---|---|"]
    return head + [f"| {_cells(mutant)} | {trial.outcome} |" for mutant, trial in left]


def explained(equivalent: list[Tried], reasons: dict[str, str]) -> list[str]:
    if not equivalent:
        return ["None."]
    head = ["| mutant | rules | place | change | why no test can fail |", "|---|---|---|---|---|"]
    return head + [f"| {_cells(mutant)} | {reasons[mutant.mutation.id]} |" for mutant, _ in equivalent]


def _cells(mutant: Mutant) -> str:
    mutation = mutant.mutation
    change = f"{mutation.kind}: {code(mutation.original)} became {code(mutation.replacement)}"
    place = f"`{mutation.path.rpartition('/')[2]}`:{mutation.line} `{mutation.name}`"
    return f"`{mutation.id}` | {', '.join(sorted(mutant.rules))} | {place} | {change}"


def code(text: str) -> str:
    """Return a piece of code for a cell of a table, in which a bar would end the cell."""
    return "`" + shorten(text).replace("|", "\\|").replace("`", "'") + "`"
