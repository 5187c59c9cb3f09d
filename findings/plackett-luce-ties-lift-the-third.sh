#!/usr/bin/env bash
# How openskill's models rate a game of four in which two share the first place.
#
# expected: from equal ratings, the third gains less than the two winners, whatever the model. And a favourite who
# shares the first place with somebody weaker loses a little, at most down to that other's new rating.
#
# seen: with openskill 6.2.0: PlackettLuce, the model of its examples, gives the third the mean of the winners
# (25.932 each) and less uncertainty, so that the third's ordinal() is above theirs (1.425 and 1.141): on a leaderboard
# the loser stands first. ThurstoneMostellerFull lets a favourite of 35 who shares the first place with a 25, before a
# third, end below that 25 (33.049 and 33.231). The two models by Bradley and Terry do neither.
# What helps: another model where games end in ties, or a check of all patterns of ties before one is chosen.
#
# Exits with 0 if that is still so, with 1 if the behaviour has changed. Needs Python 3.11 or newer and the network.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check openskill==6.2.0
cat >"$folder/try.py" <<'PYTHON'
import sys

from openskill.models import BradleyTerryFull, BradleyTerryPart, PlackettLuce, ThurstoneMostellerFull


def rate(kind, ranks, means):
    model = kind()
    return [team[0] for team in model.rate([[model.rating(mu=mean)] for mean in means], ranks=ranks)]


def lifts_third(kind):
    winner, _, third, last = rate(kind, [1, 1, 3, 4], [25.0] * 4)
    for place, rating in (("winners", winner), ("third", third), ("last", last)):
        print(f"{kind.__name__}, {place}: mu {rating.mu:.3f}, ordinal {rating.ordinal():.3f}")
    return third.mu >= winner.mu - 1e-9 and third.ordinal() > winner.ordinal()


def drops_favourite(kind):
    favourite, other, _ = rate(kind, [1, 1, 3], [35.0, 25.0, 25.0])
    print(f"{kind.__name__}: a favourite of 35 ends at {favourite.mu:.3f}, the 25 beside them at {other.mu:.3f}")
    return favourite.mu < other.mu


seen = [
    lifts_third(PlackettLuce),
    drops_favourite(ThurstoneMostellerFull),
    *(not lifts_third(kind) and not drops_favourite(kind) for kind in (BradleyTerryFull, BradleyTerryPart)),
]
print("as found" if all(seen) else f"CHANGED: {seen}")
sys.exit(not all(seen))
PYTHON
"$folder/venv/bin/python" "$folder/try.py"
