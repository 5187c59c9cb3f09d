"""Bots of close quarters."""
