"""Arrays and deeds of Diskwars."""
