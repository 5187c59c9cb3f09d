"""Close quarters in the client."""
