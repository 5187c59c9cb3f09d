"""Coverage of the registers of rules: those cited by code and by tests, as a table at the end of a run."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from diskwars_content import rule_citations
from diskwars_content.rule_citations import Citation
from diskwars_content.rule_register import load_register


@dataclass(frozen=True)
class RuleCoverage:
    """`rules` is how many rules and rulings there are; the others name those that are not cited."""

    rules: int
    without_code: tuple[str, ...]
    without_test: tuple[str, ...]

    def table(self) -> str:
        missing = len({*self.without_code, *self.without_test})
        numbers = (self.rules, self.rules - len(self.without_code), self.rules - len(self.without_test), missing)
        lines = ["  rules   cited  tested missing", "".join(f"{number:>8}" for number in numbers)]
        lines += [f"no code: {', '.join(self.without_code)}"] * bool(self.without_code)
        lines += [f"no test: {', '.join(self.without_test)}"] * bool(self.without_test)
        return "\n".join(lines)


@cache
def measure_checkout() -> RuleCoverage:
    return compare_citations(rule_citations.citations_in_code(), rule_citations.citations_in_tests())


def compare_citations(code: Iterable[Citation], tests: Iterable[Citation]) -> RuleCoverage:
    """Return what of the register these cite. Worked examples need a test only."""
    obeyed, shown = {one.id for one in code}, {citation.id for citation in tests}
    every = load_register().rules
    rules = [id for id in every if not id.startswith("F")]
    return RuleCoverage(
        len(rules), tuple(id for id in rules if id not in obeyed), tuple(id for id in every if id not in shown)
    )
