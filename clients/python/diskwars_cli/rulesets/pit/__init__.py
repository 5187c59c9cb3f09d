"""The command's own of the pit."""
