"""The `diskwars` command; nobody imports it."""
