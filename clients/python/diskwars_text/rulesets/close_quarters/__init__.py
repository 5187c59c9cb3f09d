"""Close quarters as text and pictures."""
