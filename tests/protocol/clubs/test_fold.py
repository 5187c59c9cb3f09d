"""The fold of a club's records: what each event changes, and records that are those of no club."""

import pytest

from diskwars_protocol.clubs.events import (
    ClubClosed,
    ClubEdited,
    ClubEvent,
    ClubOpened,
    ClubRecord,
    InvitationMade,
    InvitationRevoked,
    MemberJoined,
    MemberLeft,
    RoleGiven,
    SeasonBegan,
    SeasonEnded,
    SeasonRow,
)
from diskwars_protocol.clubs.fold import ClubFoldError, fold_club
from diskwars_protocol.clubs.options import MAX_REMOVED, ClubOptions
from diskwars_protocol.clubs.state import Club, ClubMember, RemovedMember, Season
from diskwars_protocol.match.ids import PlayerId

ANN, BEN = PlayerId("ann"), PlayerId("ben")
OPENED = ClubOpened("Thursday Club", ClubOptions(), ANN)


def folded(*events: ClubEvent) -> Club:
    """Return a club after these events, each in a record of its own, at 10, 20, 30 ..."""
    records = [ClubRecord(seq, 10 * seq, ANN, (event,)) for seq, event in enumerate((OPENED, *events), 1)]
    return fold_club("c", records)


def test_who_opens_a_club_leads_it() -> None:
    state = folded()
    assert (state.name, state.created_ms, state.seq) == ("Thursday Club", 10, 1)
    assert state.members == (ClubMember(ANN, 10, "leader", 10),)
    assert state.leader == state.member(ANN)


def test_role_is_given_at_a_time_and_joining_keeps_its_own() -> None:
    state = folded(MemberJoined(BEN), RoleGiven(BEN, "officer"))
    assert state.member(BEN) == ClubMember(BEN, 20, "officer", 30)


def test_removed_player_is_remembered_until_they_come_again() -> None:
    left = folded(MemberJoined(BEN), MemberLeft(BEN))
    removed = folded(MemberJoined(BEN), MemberLeft(BEN, "removed"))
    again = folded(MemberJoined(BEN), MemberLeft(BEN, "removed"), MemberJoined(BEN, "i"))

    assert (left.removed, removed.removed, again.removed) == ((), (RemovedMember(BEN, 30),), ())
    assert (removed.removed_ms(BEN), removed.removed_ms(ANN), again.removed_ms(BEN)) == (30, None, None)


def test_removed_players_are_bounded() -> None:
    players = [PlayerId(f"p{number}") for number in range(MAX_REMOVED + 5)]
    events = [event for player in players for event in (MemberJoined(player), MemberLeft(player, "removed"))]
    assert [removed.player for removed in folded(*events).removed] == players[5:]


def test_invitation_is_there_until_it_is_revoked_or_the_club_closed() -> None:
    made = InvitationMade("i", "00" * 32, ANN, 500)
    assert [known.expires_ms for known in folded(made).invitations] == [500]
    assert folded(made, InvitationRevoked("i")).invitations == ()
    assert folded(made, ClubClosed()).invitations == ()


def test_standings_of_a_season_stay_with_it() -> None:
    rows = (SeasonRow(ANN, 1_000, wins=1),)
    state = folded(SeasonBegan(1, "Summer", 90), SeasonEnded(1, rows), SeasonBegan(2, "Autumn"))
    assert state.seasons == (
        Season(1, "Summer", 20, 90, 30, rows, "diskwars"),
        Season(2, "Autumn", 40, ruleset="diskwars"),
    )
    assert state.season == state.seasons[1]


def test_season_keeps_its_game_whatever_the_options_become() -> None:
    edited = ClubEdited("Thursday Club", ClubOptions(ruleset="pit"))
    unnamed = folded(SeasonBegan(1, "Summer"), edited)
    named = folded(SeasonBegan(1, "Summer", ruleset="regiments"), edited)

    assert [state.seasons[0].ruleset for state in (unnamed, named)] == ["diskwars", "regiments"]


def test_club_that_an_operator_has_closed_keeps_no_text() -> None:
    edited = ClubEdited("Rude Club", ClubOptions(house_rules="Rude rules", ruleset="pit"))
    state = folded(edited, SeasonBegan(1, "Rude season"), ClubClosed(erases_texts=True))
    assert (state.status, state.name, state.options) == ("closed", "Club c", ClubOptions(ruleset="pit"))
    assert [season.name for season in state.seasons] == ["1"]
    assert folded(edited, ClubClosed()).name == "Rude Club"


def test_records_are_folded_onto_a_state_as_from_the_first() -> None:
    records = [ClubRecord(1, 10, ANN, (OPENED,)), ClubRecord(2, 20, BEN, (MemberJoined(BEN),))]
    assert fold_club("c", records[1:], fold_club("c", records[:1])) == fold_club("c", records)


@pytest.mark.parametrize(
    "records",
    [
        [],
        [ClubRecord(2, 1, ANN, (OPENED,))],
        [ClubRecord(1, 1, ANN, ())],
        [ClubRecord(1, 1, ANN, (MemberJoined(BEN),))],
        [ClubRecord(1, 1, ANN, (OPENED, OPENED))],
        [ClubRecord(1, 1, ANN, (OPENED, SeasonBegan(2, "Autumn")))],
    ],
    ids=["none", "gap", "empty", "not opened", "opened twice", "season left out"],
)
def test_records_of_no_club_are_refused(records: list[ClubRecord]) -> None:
    with pytest.raises(ClubFoldError):
        fold_club("c", records)
