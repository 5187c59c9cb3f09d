"""Regiments as text and pictures."""
