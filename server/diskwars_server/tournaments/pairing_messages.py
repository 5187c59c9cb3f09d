"""Messages to entrants about the matches for which they were paired, on whichever nodes they are connected."""

from collections.abc import Sequence

from diskwars_protocol.messages.tournaments import TournamentChanged
from diskwars_protocol.tournaments.state import Tournament, TournamentBoard
from diskwars_server.players.pushed_messages import PushedMessages


class PairingMessages:
    """Sends each entrant the match and the seat. A message may get lost; the tournament says the same."""

    def __init__(self, pushed_messages: PushedMessages) -> None:
        self._pushed_messages = pushed_messages

    def send_round(self, state: Tournament, boards: Sequence[TournamentBoard]) -> None:
        """Send the matches of boards that are not decided. Never waits."""
        for board in boards:
            if board.result is None:
                for seat, number in enumerate(board.entrants):
                    player = state.entrant(number).player
                    if player is not None:
                        changed = TournamentChanged(state.tournament, state.seq, board.match, seat)
                        self._pushed_messages.send(player, changed)
