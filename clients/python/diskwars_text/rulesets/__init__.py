"""Texts and pictures of each ruleset."""
