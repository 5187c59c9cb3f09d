"""Settings of small matches: armies of one regiment, which are over soon."""

from diskwars_protocol.rulesets.diskwars.actions import DiskwarsSettings

PATROLS = DiskwarsSettings(regiments=1)
