"""Actions of players beside the board: chat, reports, ratings; and acts of operators about players.

- `chat`: the chat of matches: its channels, their readers and writers, and delivery to those who have joined it on
  this node
- `operators`: what operators do about players: checks of who may act and of what they name, and the acts themselves
- `ratings`: answers to requests about ratings and statistics
- `reports`: reports of players about players: checks, limits, and storage
- `texts`: texts that people write: what a message may look like, so that it cannot pass for anything but one line
  of text
"""
