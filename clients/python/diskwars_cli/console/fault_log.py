"""The log of a server that runs inside a verb: kept in a file, and its first error told in one line."""

import logging
import tempfile

SERVER_LOGGER = "diskwars_server"


class FaultLog(logging.Handler):
    """Writes errors to a file of its own, which is made for the first one. Nothing goes to the terminal."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.path = ""
        self._first = ""

    def emit(self, record: logging.LogRecord) -> None:
        if not self.path:
            with tempfile.NamedTemporaryFile("w", prefix="diskwars-", suffix=".log", delete=False) as file:
                self.path = file.name
        fields = {name: getattr(record, name) for name in ("match", "seat", "command", "why") if hasattr(record, name)}
        line = " ".join([record.getMessage(), *(f"{name}={value}" for name, value in fields.items())])
        self._first = self._first or line
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(f"{line}\n{getattr(record, 'where', '')}\n")

    def describe(self, fault: str) -> str:
        """Return what stopped a client, or the error of the server that did; the log has the place in the code."""
        if not self._first:
            return fault
        cause = "the server failed" if fault.startswith("fault:") else fault
        return f"{cause}: {self._first}; the log is {self.path}"


def install_fault_log() -> FaultLog:
    """Send errors of the server to a new log instead of the terminal."""
    handler, logger = FaultLog(), logging.getLogger(SERVER_LOGGER)
    logger.setLevel(logging.ERROR)
    logger.handlers[:], logger.propagate = [handler], False
    return handler
