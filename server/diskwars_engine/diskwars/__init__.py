"""The ruleset of Warhammer: Diskwars."""
