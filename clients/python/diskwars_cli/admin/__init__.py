"""The `admin` verb: what operators do about players, chat, matches and reports.

- `admin`: the acts of the `admin` verb on players and chat, and the lists of acts and bans
- `admin_commands`: the acts of the `admin` verb with their options and help texts
- `admin_content`: the acts of the `admin` verb on clubs and tournaments: ending one, and erasing its texts
- `admin_matches`: the acts of the `admin` verb on matches: listing them, and looking into one
- `admin_notices`: the act of the `admin` verb that lists notices which were given up
- `admin_reports`: the acts of the `admin` verb on reports of players
"""
