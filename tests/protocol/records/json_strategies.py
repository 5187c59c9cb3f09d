"""Hypothesis strategies for the values that a record may contain."""

from hypothesis import strategies as st

from diskwars_protocol.records.canonical import MAX_SAFE_INTEGER, Json

TEXTS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=12)
KEYS = TEXTS.filter(lambda name: not name.lstrip("-").isdecimal())
SCALARS = st.none() | st.booleans() | st.integers(-MAX_SAFE_INTEGER, MAX_SAFE_INTEGER) | TEXTS
VALUES: st.SearchStrategy[Json] = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4), max_leaves=12
)
