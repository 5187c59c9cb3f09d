"""The language that server and clients share: messages, records, dice and the connection. No I/O, no rules."""
