"""Matches that are stored, here or on a server: list, replay, draw, export, import, verify, compare.

- `animation`: the animated replay of a match: a WebP with a frame for each scene
- `file_verifier`: a process that verifies one match file for a server: the file comes in by standard input, the
  verdict goes out
- `luck`: the `luck` verb: what each player rolled in a match, what was to be expected, and how lucky that was
- `match_import`: the `import` verb: gives a match file to a server
- `match_rows`: rows of lists of matches: who plays whom, and how it ended, short enough for a terminal of 80
  columns
- `picture_process`: a process that draws a board for a server: a match file comes in by standard input, its picture
  goes out
- `player_names`: names of the players of the own database, as everybody sees them
- `public_dump`: the `dump` verb: every ended public match of the own database in one stream, and a check of the
  hashes of a stream
- `ratings`: the `leaderboard` and `ratings` verbs: the highest ratings, and whether what is stored is what a
  rebuild makes
- `record_tables`: tables of a stream of matches as Parquet: matches, decisions and rolls
- `release_diff`: the `verify --all` verb: which stored matches this version of the rules would rule differently, by
  rule
- `remote_matches`: the verbs for matches of a server elsewhere: list them with the account of this machine, draw
  them as a guest
- `replay`: the `replay` verb: narrates a match, shows one moment of it, or lets somebody step through it
- `review`: the `review` verb: where the search would have done otherwise, and by how much
- `review_process`: a process that reviews an ended match for a server: its file comes in by standard input, the
  moments go out
- `replay_sources`: sources of the replays that the command shows: the own database, a server, or a match file
- `stored_matches`: matches in the own database: loading them, and the verbs that list, draw and export them
- `verify`: the `verify` verb: checks a match file
"""
