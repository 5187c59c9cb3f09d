"""Samples of Diskwars for the documents: loadouts, options, a catalogue, and one sample of each action and question.

The moves in them are not checked for legality.
"""

from diskwars_protocol.match.decisions import Pack
from diskwars_protocol.match.ruleset_settings import ruleset_settings
from diskwars_protocol.messages.catalogues import LoadoutFault
from diskwars_protocol.records.fairness import seeded_entropy
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import catalogue as c
from diskwars_protocol.rulesets.diskwars.options import Area, DiskwarsOption, DiskwarsOptions, DiskwarsUnavailable
from diskwars_protocol.rulesets.diskwars.stats import Ability, CommandCard, Empower, Field
from diskwars_protocol.rulesets.diskwars.vocabulary import DISKWARS
from diskwars_protocol.rulesets.ruleset_samples import RulesetSamples, SeatSample

PACK = Pack("diskwars/core", "1", "5d" * 32)

_bytes = seeded_entropy(1, "diskwars samples")

_EMPIRE = a.Loadout(
    "empire-patrol",
    (
        a.Regiment(
            "karl-franz",
            (
                "hochland-pistoliers",
                "marienburg-swordsmen",
                "marienburg-swordsmen",
                "reikland-crossbowmen",
                "bright-wizard",
            ),
        ),
    ),
    ("aimed-volley", "all-together"),
)
_GREENSKINS = a.Loadout(
    "greenskin-patrol",
    (a.Regiment("grimgor-ironhide", ("wolf-riders", "orc-boyz", "arrer-boyz", "night-goblins", "stone-fangz-shaman")),),
    ("get-stuck-in", "fists-of-mork"),
)
_OPTIONS: DiskwarsOptions = DiskwarsOptions(
    (a.PassDisk(3), a.EndCard()),
    (DiskwarsOption(a.MoveDisk(3, ((57150, 0),)), disk=3, flips=4, length=57150, areas=(Area(0, 0, 914400, 914400),)),),
    (DiskwarsUnavailable("disk_pinned", "disk 5 is pinned by disk 12", "R6.3", disk=5, numbers={"by": 12}),),
)
_CATALOGUE = c.DiskwarsCatalogue(
    packs=(PACK,),
    races=(c.CatalogueWord("empire", "Empire"),),
    traits=(c.CatalogueWord("caster", "Caster"),),
    field=Field(914400, 914400, 76200, 152400, 304800),
    battle_die=("hit", "critical", "scatter", "chaos", "miss", "miss"),
    disks=(),
    cards=(
        c.CatalogueCard(
            CommandCard("hold-fast", "Hold Fast", "steady", 3, abilities=(Ability("battle", Empower("medium")),)),
            "diskwars/core",
            ("battle: empowers an own disk within medium range",),
        ),
    ),
    armies=(),
    scenarios=(),
    deployments=(),
    terrain=(),
    settings=ruleset_settings(a.DiskwarsSettings)[:3],
)
_FAULTY_LOADOUT = a.Loadout("", (a.Regiment("karl-franz", ("steam-tank", "steam-tank")),), ("feint",))
_LOADOUT_FAULT = LoadoutFault(
    "too_many_copies",
    '2 copies of "Steam Tank", at most 1 of a large disk in one regiment',
    "R2.4",
    "$.regiments[0].units[1]",
    "leave out 1",
    {"found": 2, "most": 1},
)

_ACTIONS: tuple[a.Action, ...] = (
    a.ChooseFirstPlayer(1),
    a.SetOrder((2, 0, 1)),
    a.ChooseScenario("forced-march"),
    a.LayDeploymentCard("rendezvous", 1, 355600),
    a.PlaceTerrain("cave-dark-wood", 0, 457200, 457200, 9),
    a.EndScouting(),
    a.Deploy((a.Placement(0, 457200, 76200), a.Placement(1, 558800, 76200))),
    a.LockCard("press-on", _bytes(16).hex(), _bytes(16).hex()),
    a.MoveDisk(1, ((0, 57150), (34290, 45720)), end_activation=False),
    a.Shoot(4, 9, shot=0),
    a.Focus(5, target=9, ability=0),
    a.PassDisk(2),
    a.Reinforce(3, 457200, 28575),
    a.UseAbility(0, target=8),
    a.EndCard(),
    a.ChooseScatter(8),
    a.OrderTriggers((1, 0)),
    a.UseEngageAbility(2),
    a.ChooseEngagement(2),
    a.ChooseTargets((a.MeleeTarget(1, 8), a.MeleeTarget(2, 8))),
)
_QUESTIONS: tuple[a.Question, ...] = (
    a.FirstPlayerQuestion(),
    a.InitiativeOrderQuestion(),
    a.ScenarioQuestion(),
    a.DeploymentCardQuestion(("rendezvous", "scout"), (a.EdgeSpan(0, 355600), a.EdgeSpan(444500, 914400))),
    a.TerrainQuestion(("cave-dark-wood",)),
    a.DeploymentQuestion((a.ZoneLimit(0, 3), a.ZoneLimit(1, 2)), 5),
    a.ScoutQuestion((1, 3)),
    a.CommandCardQuestion(),
    a.ActivationQuestion("press-on", 3, ability_available=False),
    a.ContinuationQuestion(1, 2, ("move", "shoot")),
    a.ScatterQuestion(4, (8, 10)),
    a.TriggerOrderQuestion((a.Trigger(1, 8, 0), a.Trigger(2, 8, 0))),
    a.EngageAbilityQuestion(a.Trigger(1, 8, 0), (1, 2), optional=True),
    a.ReinforcementQuestion(0, "short", (5, 6)),
    a.RampageQuestion(4, (8,), must_overlap=True),
    a.EngagementQuestion((0, 2)),
    a.MeleeTargetsQuestion(2, "normal", "attacker", (a.StrikerChoice(1, (8,)), a.StrikerChoice(2, (8, 9)))),
)

DISKWARS_SAMPLES = RulesetSamples(
    vocabulary=DISKWARS,
    packs=(PACK,),
    seats=(
        SeatSample(a.Loadout("empire-patrol"), _EMPIRE),
        SeatSample(a.Loadout("greenskin-patrol"), _GREENSKINS),
    ),
    hidden_fields=("army", "regiments", "hand"),
    match_settings=b'{"pins":"strict","regiments":1}',
    check_settings=b'{"regiments":1}',
    options=_OPTIONS,
    catalogue=_CATALOGUE,
    faulty_loadout=_FAULTY_LOADOUT,
    loadout_fault=_LOADOUT_FAULT,
    actions=_ACTIONS,
    questions=_QUESTIONS,
)
