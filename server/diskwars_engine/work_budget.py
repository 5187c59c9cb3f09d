"""The budget of one decision, in steps and not in time: the same decision exceeds it on every machine, or on none."""

MAX_STEPS = 10_000
"""Events, tasks, turns of a loop and dice of one decision. In random play of all rulesets the most is 45 events."""


class WorkExceeded(Exception):
    """A decision takes more steps than any decision of a real match: the match cannot go on."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"the decision takes more than {limit} steps")
        self.limit = limit


class WorkBudget:
    """The steps that one decision has left."""

    __slots__ = ("_left", "_limit")

    def __init__(self, limit: int = MAX_STEPS) -> None:
        self._limit = self._left = limit

    def spend(self, steps: int = 1) -> None:
        """Take steps off the budget, before they are carried out. Raises `WorkExceeded`."""
        self._left -= steps
        if self._left < 0:
            raise WorkExceeded(self._limit)
