"""Rules of clubs: rights of the roles, and what follows from each act."""

import pytest
from msgspec.structs import replace

from diskwars_engine.ruleset import Illegal
from diskwars_protocol.clubs.events import ClubEvent, ClubOpened, ClubRecord, SeasonRow
from diskwars_protocol.clubs.fold import fold_club
from diskwars_protocol.clubs.options import MAX_INVITATIONS, MAX_MEMBERS, MAX_OFFICERS, MAX_SEASONS, ClubOptions
from diskwars_protocol.clubs.state import Club, ClubMember, RemovedMember, Season
from diskwars_protocol.match.ids import PlayerId
from diskwars_server.clubs import rules

OPEN = ClubOptions(entry="open")
LEA, OLI, OVE, MIA, MAX = (PlayerId(name) for name in ("lea", "oli", "ove", "mia", "max"))
HASH = "00" * 32


def club(options: ClubOptions = OPEN) -> Club:
    """Return a club of a leader, two officers and two members; each came, and was promoted, after the one before."""
    state = fold_club("c", [ClubRecord(1, 10, LEA, (ClubOpened("Thursday Club", options, LEA),))])
    roles = {OLI: "officer", OVE: "officer", MIA: "member", MAX: "member"}
    others = [ClubMember(player, at, role, at) for at, (player, role) in enumerate(roles.items(), 20)]  # type: ignore[arg-type]
    return replace(state, members=(*state.members, *others))


def after(state: Club, events: list[ClubEvent], at_ms: int = 100) -> Club:
    return fold_club(state.club, [ClubRecord(state.seq + 1, at_ms, LEA, tuple(events))], state)


def leader_of(state: Club) -> str:
    assert state.leader is not None
    return state.leader.player


def refused(code: str) -> pytest.RaisesExc[Illegal]:
    return pytest.raises(Illegal, match=f"^{code}:")


def test_longest_serving_officer_leads_after_the_leader_has_left() -> None:
    assert leader_of(after(club(), rules.leave(club(), LEA))) == OLI


def test_officer_of_longest_standing_leads_and_not_the_one_who_joined_first() -> None:
    state = club()
    state = after(state, rules.give_role(state, LEA, OLI, "member"), 200)
    state = after(state, rules.give_role(state, LEA, OLI, "officer"), 300)

    assert leader_of(after(state, rules.leave(state, LEA), 400)) == OVE


def test_without_officers_the_member_of_longest_standing_leads() -> None:
    state = club()
    state = replace(state, members=tuple(member for member in state.members if member.role != "officer"))

    assert leader_of(after(state, rules.leave(state, LEA))) == MIA


def test_club_closes_after_its_last_member() -> None:
    state = fold_club("c", [ClubRecord(1, 10, LEA, (ClubOpened("Thursday Club", OPEN, LEA),))])

    state = after(state, rules.leave(state, LEA))

    assert (state.status, state.members, state.leader) == ("closed", (), None)


def test_leader_and_all_officers_gone_at_once_leave_the_lead_to_a_member() -> None:
    events = rules.end_memberships(club(), [LEA, OLI, OVE], "account_deleted")
    assert leader_of(after(club(), events)) == MIA


@pytest.mark.parametrize(("by", "player"), [(OLI, MIA), (LEA, OLI), (LEA, MIA)])
def test_higher_rank_removes_a_lower_one(by: PlayerId, player: PlayerId) -> None:
    state = after(club(), rules.remove(club(), by, player))
    assert state.member(player) is None
    assert state.removed == (RemovedMember(player, 100),)


@pytest.mark.parametrize(
    ("by", "player", "code"),
    [(OLI, OVE, "not_leader"), (OLI, LEA, "not_leader"), (MIA, MAX, "not_officer"), (LEA, LEA, "not_leader")],
)
def test_equal_or_higher_rank_is_not_removed(by: PlayerId, player: PlayerId, code: str) -> None:
    with refused(code):
        rules.remove(club(), by, player)


def test_removed_member_comes_again_by_a_later_invitation_only() -> None:
    state = after(club(), rules.invite(club(), LEA, "old", HASH, None, 90), 100)
    state = after(state, rules.remove(state, LEA, MIA), 100)
    with refused("invitation_needed"):
        rules.join(state, MIA)
    with refused("invitation_needed"):
        rules.accept(state, MIA, state.invitations[0])
    assert rules.accept(state, PlayerId("new"), state.invitations[0])
    state = after(state, rules.invite(state, LEA, "i", HASH, None, 101), 101)

    state = after(state, rules.accept(state, MIA, state.invitations[1]))

    assert state.member(MIA) is not None
    assert state.removed == ()


def test_member_who_left_may_join_an_open_club_again() -> None:
    state = after(club(), rules.leave(club(), MIA))
    assert after(state, rules.join(state, MIA)).member(MIA) is not None


def test_club_by_invitation_lets_nobody_join() -> None:
    with refused("invitation_needed"):
        rules.join(club(ClubOptions()), PlayerId("new"))


def test_full_club_lets_nobody_in() -> None:
    state = club()
    members = tuple(ClubMember(PlayerId(f"p{number}"), number) for number in range(MAX_MEMBERS))
    with refused("club_full"):
        rules.join(replace(state, members=members), PlayerId("new"))


def test_lead_is_handed_over_and_the_former_leader_stays_as_an_officer() -> None:
    state = after(club(), rules.give_role(club(), LEA, MIA, "leader"))

    assert leader_of(state) == MIA
    assert [member.player for member in state.members if member.role == "leader"] == [MIA]
    assert rules.give_role(state, LEA, MIA, "leader") == [], "asked again it is done already"


@pytest.mark.parametrize(("by", "role"), [(OLI, "officer"), (MIA, "officer"), (OLI, "leader")])
def test_only_the_leader_gives_roles(by: PlayerId, role: str) -> None:
    with refused("not_leader"):
        rules.give_role(club(), by, MAX, role)  # type: ignore[arg-type]


def test_leader_does_not_step_down_without_another() -> None:
    with refused("not_leader"):
        rules.give_role(club(), LEA, LEA, "member")
    with refused("unknown_member"):
        rules.give_role(club(), LEA, PlayerId("nobody"), "leader")


def test_officers_have_a_limit() -> None:
    state = club()
    officers = tuple(ClubMember(PlayerId(f"p{number}"), number, "officer") for number in range(MAX_OFFICERS))
    with refused("too_many_officers"):
        rules.give_role(replace(state, members=(state.members[0], *officers, state.members[3])), LEA, MIA, "officer")


def test_handing_the_lead_over_needs_a_place_among_the_officers() -> None:
    state = club()
    officers = tuple(ClubMember(PlayerId(f"p{number}"), number, "officer") for number in range(MAX_OFFICERS))
    state = replace(state, members=(state.members[0], *officers, state.members[3]))
    with refused("too_many_officers"):
        rules.give_role(state, LEA, MIA, "leader")

    state = after(state, rules.give_role(state, LEA, PlayerId("p0"), "leader"))

    assert sum(member.role == "officer" for member in state.members) == MAX_OFFICERS


def test_season_under_way_ends_with_the_club() -> None:
    rows = (SeasonRow(MIA, 1_200, wins=2),)
    state = after(club(), rules.begin_season(club(), OLI, "Autumn", None, 100))
    alone = replace(state, members=state.members[:1])

    closed = [rules.close(state, LEA, rows), rules.leave(alone, LEA, rows)]

    for ended in (after(before, events, 300) for before, events in zip((state, alone), closed, strict=True)):
        assert (ended.status, ended.season) == ("closed", None)
        assert ended.seasons == (Season(1, "Autumn", 100, None, 300, rows, "diskwars"),)


def test_invitations_have_a_limit_that_old_ones_do_not_count_for() -> None:
    state = club()
    for number in range(MAX_INVITATIONS):
        state = after(state, rules.invite(state, OLI, f"i{number}", HASH, 500, 100))
    with refused("too_many_invitations"):
        rules.invite(state, OLI, "more", HASH, None, 499)

    state = after(state, rules.invite(state, OLI, "more", HASH, None, 500))

    assert [known.invitation for known in state.invitations] == ["more"]
    assert rules.invite(state, OLI, "more", HASH, None, 500) == []
    assert not after(state, rules.revoke(state, LEA, "more")).invitations
    with refused("unknown_invitation"):
        rules.revoke(state, LEA, "i0")


def test_one_season_is_under_way_and_keeps_its_standings() -> None:
    rows = (SeasonRow(MIA, 1_200, wins=2),)
    with refused("no_season"):
        rules.end_season(club(), rows)
    state = after(club(), rules.begin_season(club(), OLI, "Autumn", 900, 100))
    with refused("season_under_way"):
        rules.begin_season(state, OLI, "Winter", None, 200)

    state = after(state, rules.end_season(state, rows), 300)

    assert state.season is None
    assert state.seasons == (Season(1, "Autumn", 100, 900, 300, rows, "diskwars"),)


def test_season_has_an_end_to_come_and_a_club_a_number_of_them() -> None:
    with refused("bad_club"):
        rules.begin_season(club(), LEA, "Autumn", 100, 100)
    many = tuple(Season(number, "x", 1, ended_ms=2) for number in range(1, MAX_SEASONS + 1))
    with refused("too_many_seasons"):
        rules.begin_season(replace(club(), seasons=many), LEA, "Autumn", None, 100)


@pytest.mark.parametrize("player", [MIA, PlayerId("stranger")])
def test_members_and_strangers_run_nothing(player: PlayerId) -> None:
    state = club()
    for attempt in (
        lambda: rules.edit(state, player, "Other", OPEN),
        lambda: rules.invite(state, player, "i", HASH, None, 1),
        lambda: rules.revoke(state, player, "i"),
        lambda: rules.begin_season(state, player, "Autumn", None, 1),
        lambda: rules.require_officer(state, player),
    ):
        with refused("not_officer"):
            attempt()
    with refused("not_leader"):
        rules.close(state, player)


def test_same_name_and_options_change_nothing() -> None:
    assert rules.edit(club(), OLI, "Thursday Club", OPEN) == []
    assert after(club(), rules.edit(club(), OLI, "Friday Club", OPEN)).name == "Friday Club"
