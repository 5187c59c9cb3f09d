"""What the command knows of Diskwars: simulation with its statistics and report."""
