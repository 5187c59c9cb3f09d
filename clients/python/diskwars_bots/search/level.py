"""The effort of a searching bot."""

from msgspec import Struct

from diskwars_bots.search.game import SearchGame, Width


class SearchLevel(Struct, frozen=True):
    """The effort of a bot: simulations and milliseconds for each decision, each 0 for no limit, both 0 for no search.

    `noise` is added at random to the values of answers before the best of them are picked, up to as much in the unit
    of the game's values: without a search it makes a bot that overlooks things.
    """

    simulations: int = 0
    milliseconds: int = 0
    noise: int = 0

    def width(self, game: SearchGame) -> Width:
        """Return how many answers of a game are compared."""
        budget = max(self.milliseconds, self.simulations * game.simulation_ms)
        if not budget:
            return game.unsearched
        return next((width for width in game.widths if budget <= width.up_to_ms), game.widths[-1])
