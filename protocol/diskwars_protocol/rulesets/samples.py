"""The registry of samples: the ruleset that the documents show.

Kept apart from the registry of vocabularies, because a client that plays needs no samples.
"""

from diskwars_protocol.rulesets.diskwars.examples import DISKWARS_SAMPLES

SHOWN = DISKWARS_SAMPLES
"""The match of the example conversation."""
