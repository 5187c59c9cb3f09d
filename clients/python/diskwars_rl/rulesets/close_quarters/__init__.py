"""Arrays and deeds of close quarters."""
