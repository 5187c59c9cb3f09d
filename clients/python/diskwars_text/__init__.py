"""Positions as text and SVG, and the narration of matches."""
