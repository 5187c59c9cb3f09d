"""Everything that watchers of a match are sent, and the queues in which it waits.

- `command_traffic`: counts the commands that matches work on now, so that what is less urgent can wait for a gap
  between them
- `delayed_spectators`: spectators of one match who see it a round later: each is sent the records of a round once
  it is over
- `encoded_options`: encoded options of the open decisions of one match, kept until its next record
- `event_streams`: streams of events that are no matches: read and folded, appended, and announced to every node
- `exports`: match files of one match, as viewers may have them now
- `feed`: feed of one match: its subscribers and what they are sent
- `frame_cache`: cache of encoded history, shared by the matches of a server, so that later spectators cost a copy
- `history`: history of one match: its records as frames, from memory while they are recent and from the log
  otherwise
- `outbox`: bounded send queue of one connection: many producers, one writer
- `snapshots`: snapshots of one match: its state as viewers may know it, as JSON
- `watch_rights`: rights of viewers in one match: what of it each may see, as whom, and up to which record
"""
