"""Actions of players beside the board: chat, reports, ratings; and acts of operators.

- `bot_accounts`: accounts of bots that players keep online: marked once, and listed while they are connected
- `chat`: the chat of matches: its channels, their readers and writers, and delivery to those who have joined it on
  this node
- `operators`: what operators do about players: checks of who may act and of what they name, and the acts themselves
- `ratings`: answers to requests about ratings and statistics
- `reported_content`: clubs and tournaments as reports name them: who answers for one, and up to which record
- `reports`: reports of players about players, clubs and tournaments: checks, limits, and storage
- `texts`: texts that people write: what a message may look like, so that it cannot pass for anything but one line
  of text
"""
