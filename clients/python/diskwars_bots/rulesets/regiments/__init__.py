"""Bots of regiments."""
