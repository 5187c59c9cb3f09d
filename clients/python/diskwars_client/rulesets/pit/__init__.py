"""The pit in the client."""
