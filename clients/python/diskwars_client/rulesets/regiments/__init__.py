"""Regiments in the client."""
