"""Simulation of Diskwars, with its statistics and report."""
