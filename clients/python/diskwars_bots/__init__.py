"""Programs that choose an answer to a decision."""
