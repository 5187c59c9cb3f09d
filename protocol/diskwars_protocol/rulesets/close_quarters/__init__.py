"""The vocabulary of close quarters: squads on an open table that shoot and fight within six inches of each other."""
