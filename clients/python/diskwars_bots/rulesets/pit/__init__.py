"""Bots of the pit."""
