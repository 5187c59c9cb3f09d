#!/usr/bin/env bash
# Whether two `Dict` spaces of Gymnasium that are equal flatten one observation to one vector.
#
# expected: yes: `spaces.Dict(hand=..., board=...)` and `spaces.Dict({"hand": ..., "board": ...})` are two ways to write
# the same space, and `==` says so.
#
# seen: with gymnasium 1.4.0: no. Keywords keep their order, a dict literal is sorted by key, and `flatten` follows the
# order of the space, while `==` does not look at it. A policy that was trained on vectors of one gets the columns of the
# other in another order, and nothing notices. What helps: an order of one's own in the code that joins the arrays.
#
# Exits with 0 if that is still so, with 1 if the behaviour has changed. Needs Python 3.11 or newer and the network.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check gymnasium==1.4.0 numpy==2.4.6
cat >"$folder/try.py" <<'PYTHON'
import sys

import numpy as np
from gymnasium import spaces
from gymnasium.spaces.utils import flatten

hand, board = spaces.Box(0, 9, (1,)), spaces.Box(0, 9, (2,))
by_keyword = spaces.Dict(hand=hand, board=board)
by_literal = spaces.Dict({"hand": hand, "board": board})
seen = {"hand": np.array([1], np.float32), "board": np.array([2, 3], np.float32)}
vectors = [flatten(space, seen).tolist() for space in (by_keyword, by_literal)]
print(f"equal: {by_keyword == by_literal}; one observation as vectors: {vectors[0]} and {vectors[1]}")
is_as_found = by_keyword == by_literal and vectors == [[1, 2, 3], [2, 3, 1]]
print("as found" if is_as_found else "CHANGED")
sys.exit(not is_as_found)
PYTHON
"$folder/venv/bin/python" "$folder/try.py"
