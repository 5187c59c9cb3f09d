"""The command's own of close quarters."""
