"""The vocabulary of the pit: a skirmish of a few fighters a side on a grid, fought with d20 checks."""
