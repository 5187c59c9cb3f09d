"""Arrays and deeds of regiments."""
