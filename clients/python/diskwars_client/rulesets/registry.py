"""The registry of what the client has of its own for each ruleset.

The vocabularies themselves are registered in `diskwars_protocol.rulesets.registry`.
"""

FILE_CHECKS: dict[str, str] = {
    "diskwars": "diskwars_client.rulesets.diskwars.file_checks:DiskwarsFileChecks",
}
"""By ruleset: the class that checks its match files, derived from `diskwars_client.file_checks.FileChecks`.

It is named and not imported, because a client that verifies nothing has to work without the engine.
"""
