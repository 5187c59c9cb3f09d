"""The pit as text and pictures."""
