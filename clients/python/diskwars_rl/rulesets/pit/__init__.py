"""Arrays and deeds of the pit."""
