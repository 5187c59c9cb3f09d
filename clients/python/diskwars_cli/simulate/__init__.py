"""Many matches in memory: `simulate` and `league`.

- `league`: the `league` verb: a round robin between bots in processes, without server, sockets or store
- `league_charts`: charts of a league as SVG: a row for each bot, with its 95 % interval
- `league_deeds`: deeds in the report of a league: the rule behind each kind of action, and why some are chosen by no
  bot
- `league_match`: one match of a league, played in a process of its own: a fault of a bot loses the match and says what
  it was
- `league_options`: options of a league, complete with defaults and with what the file of a stopped one says
- `league_plan`: plan of a league: its matches in order, and the conditions that its results depend on
- `league_report`: report on a league in Markdown, with its charts as SVG files beside it
- `league_results`: file of a league's results: JSON lines, one for each match as it ends, so that a league that was
  stopped goes on
- `league_standings`: standings of a league: what each bot and each pair got, computed from results in the order of
  the plan
- `league_table`: tables of a league in Markdown, which also read well as plain text
- `league_processes`: processes of a league: each plays one match at a time, and is replaced if a bot hangs or
  ends it
- `simulate`: the `simulate` verb: bots play many matches in memory, without server, sockets, store or clock
- `strength`: strength of bots: Elo ratings fitted to the results of many pairs, and a sequential test between two
  bots
"""
