"""The language that client and server speak. Knows nothing of rules, sockets or storage."""
