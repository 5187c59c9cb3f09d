"""The vocabulary of regiments: units of ranked models on a grid, whose melee is fought in steps of initiative."""
