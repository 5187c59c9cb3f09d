"""The registry of vocabularies that a client can read.

`RULESETS` is the one place where a ruleset is made known to the client.
"""

from diskwars_protocol.match.vocabulary import AnyVocabulary
from diskwars_protocol.rulesets.close_quarters.vocabulary import CLOSE_QUARTERS
from diskwars_protocol.rulesets.diskwars.vocabulary import DISKWARS
from diskwars_protocol.rulesets.pit.vocabulary import PIT
from diskwars_protocol.rulesets.regiments.vocabulary import REGIMENTS

RULESETS: dict[str, AnyVocabulary] = {known.name: known for known in (DISKWARS, PIT, CLOSE_QUARTERS, REGIMENTS)}
"""Every ruleset that a client can read, by the name that a match gives."""
