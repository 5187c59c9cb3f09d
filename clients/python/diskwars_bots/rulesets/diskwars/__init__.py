"""Bots of Diskwars."""
