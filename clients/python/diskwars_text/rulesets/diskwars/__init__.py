"""Positions of Diskwars as text and SVG, and the narration of its matches."""
