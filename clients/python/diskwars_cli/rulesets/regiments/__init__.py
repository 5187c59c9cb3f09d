"""The command's own of regiments."""
