"""The language that server and clients share: words, records, dice and the conversation. No I/O, no rules."""
