"""Simulation of Diskwars, with its statistics and report; armies, pictures, and the figures of its rules."""
