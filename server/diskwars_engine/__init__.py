"""The rules, pure: no I/O, no clock, no chance of its own."""
