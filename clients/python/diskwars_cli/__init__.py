"""The `diskwars` command."""
