"""How does a match read? Events as lines of text for people: names instead of numbers, dice as they show, rule ids.

`tell` takes the match before and the events of an append (or any run of events) and gives lines. It names every event
type, so that a new one does not type-check until somebody has decided how it reads. Must not know sockets, terminals or
rules: what an event does not say is not told.
"""

from collections.abc import Iterable, Sequence
from typing import assert_never

from diskwars_protocol import match as m
from diskwars_protocol.fairness import Draw
from diskwars_protocol.match import Reason, Result, Seat, seat_letter
from diskwars_protocol.rulesets import registry
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars.board import Board, DiskwarsMatch
from diskwars_protocol.sealed import Sealed
from diskwars_text.lexer import listed
from diskwars_text.phrases import amount, card_text, degrees, direction, disk_names, effect, length, place, seat_name
from diskwars_text.setup_text import around

INDENT = "  "
RULE_WIDTH = 72


def _symbols(board: Board, draw: Draw) -> str:
    return " ".join(board.battle_die[face - 1] for face in draw.faces)


def _rolled(draw: Draw | None) -> str:
    return f", rolled {'+'.join(map(str, draw.faces))}" if draw else ""


# ---------------------------------------------------------------- lines


class _Line:
    """A line that still grows: the consequences of a shot stand behind it."""

    def __init__(self, indent: int, text: str, because: Iterable[Reason] = ()) -> None:
        self.indent, self.text = indent, text
        self.rules = [one.rule for one in because]

    def add(self, text: str, because: Iterable[Reason] = ()) -> None:
        self.text += text
        self.rules += [one.rule for one in because]

    def __str__(self) -> str:
        rules = f"  [{' '.join(dict.fromkeys(self.rules))}]" if self.rules else ""
        first, *list_of = self.text.splitlines() or [""]
        return "\n".join([f"{INDENT * self.indent}{first}{rules}".rstrip(), *list_of])


def tell(before: DiskwarsMatch | None, events: Sequence[e.Event | None]) -> list[str]:
    """The lines of some events that follow on the match `before`; None stands for one that the viewer may not see."""
    teller = _Teller(before)
    for event in events:
        if event is not None:
            teller.hear(event)
    teller.close()
    teller.miss()
    return "\n".join(map(str, teller.lines)).split("\n") if teller.lines else []


class _Teller:
    """Folds along, so that every event is told from the position in which it happened."""

    def __init__(self, match: DiskwarsMatch | None) -> None:
        self.match = match
        self.lines: list[_Line] = []
        self._cause: _Line | None = None
        self._target: int | None = None
        self._told: dict[int, _Line] = {}
        self._flips: list[e.DiskFlipped] = []
        self._flown_from: Board | None = None
        self._idle: int | None = None
        self._used: a.Action | None = None
        self._shot: _Line | None = None
        self._is_fresh = False

    # ------------------------------------------------------------ hearing

    def hear(self, event: e.Event) -> None:
        before = self.match
        try:
            self.match = registry.DISKWARS.fold(before, event)
        except m.RefoldRequired:
            self._say(0, f"The match was taken back to record {event.to}" if isinstance(event, m.TakenBack) else "")
            return
        if isinstance(event, e.DiskFlipped):
            self._flip(before, event)
            return
        if not isinstance(event, e.WorkSet):
            self.close()
        if not isinstance(event, e.DamageDealt | e.DiskMarked | e.WorkSet):
            self.miss()
        if not isinstance(event, e.CardEvent):
            self._is_fresh = False
        if isinstance(event, e.BoardEvent):
            self._hear_board(event)
        else:
            self._hear_match(event)

    def close(self) -> None:
        """Nothing more belongs to the flips that were told last."""
        flips, self._flips = self._flips, []
        if flips and self._flown_from is not None:
            self._tell_flips(self._flown_from, flips)

    def miss(self) -> None:
        """The shot that was told last came to nothing."""
        if self._shot:
            self._shot.add(" -> no damage")
        self._shot = None

    def _hear_match(self, event: m.MatchEvent[a.Settings, a.Action, a.Entry, a.Question]) -> None:
        match event:
            case m.MatchOpened():
                self._say(0, f"Match {event.match} of {event.ruleset} for {event.seats} players")
                if event.repeatable:
                    self._say(0, "It is made from a seed: whoever knows the seed knows every die")
            case m.Acted():
                self._acted(event)
            case m.SeatTaken():
                who = event.loadout.army if isinstance(event.loadout.army, str) else "Somebody"
                self._say(0, f"{who} came to seat {seat_letter(event.seat)}")
            case m.SeatReady():
                self._say(0, f"{self._seat(event.seat)}: ready")
            case m.StepBegan():
                self._step(event)
            case m.ChainReplaced():
                text = f"{self._seat(event.seat)} has a new chain for the dice from step {event.from_step} on"
                self._say(0, text)
            case m.SeatResigned():
                self._say(0, f"{self._seat(event.seat)} resigned")
            case m.MatchEnded():
                self._say(0, "")
                self._say(0, self._ending(event.result), event.result.reasons)
            case m.SeatNonceOpened() | m.Awaiting() | m.TakenBack():
                pass  # nothing a player would be told: the links stand in the step, the questions in the prompt
            case _:
                assert_never(event)

    def _step(self, event: m.StepBegan) -> None:
        """Who gave nothing to the dice and could have: whoever is out of the game is not asked for a link any more."""
        board = self.match.board if self.match else None
        for seat in event.missing:
            if board is None or not board.sides[seat].out:
                self._say(0, f"{self._seat(seat)} gave nothing to the dice of step {event.step}")

    def _hear_board(self, event: e.BoardEvent) -> None:
        match event:
            case e.MatchStarted():
                self._started(event)
            case e.HandTaken() | e.InitiativeRolled() | e.OrderSet() | e.DisksDeployed():
                self._setup(event)
            case (
                e.EdgesDrawn()
                | e.DeploymentsDealt()
                | e.DeploymentLaid()
                | e.CardLeft()
                | e.TerrainDealt()
                | e.TerrainPlaced()
                | e.ScenariosDrawn()
                | e.ScenarioChosen()
                | e.ObjectiveDealt()
                | e.ObjectivesRevealed()
            ):
                self._say(0, around(self._board, self._seat, event), event.because)
            case e.CardLocked() | e.CardsRevealed() | e.CardBegan() | e.CardsDiscarded() | e.CardsReturned():
                self._card(event)
            case e.RoundBegan() | e.PhaseBegan() | e.ActivationBegan() | e.ActivationEnded() | e.TokensCleared():
                self._course(event)
            case e.SeatEliminated() | e.DisksWithdrawn() | e.ReservesLost() | e.Scored() | e.WorkSet():
                self._course(event)
            case e.ShotFired() | e.ShotScattered() | e.AbilityUsed() | e.ImpactRolled() | e.TriggerResolved():
                self._roll(event)
            case e.GuardRolled() | e.Rampaged() | e.DangerRolled() | e.MoveStopped():
                self._roll(event)
            case (
                e.DiskFlipped()
                | e.DiskReinforced()
                | e.DamageDealt()
                | e.DiskHealed()
                | e.DiskPoisoned()
                | e.DiskWounded()
                | e.DisksRemoved()
                | e.DiskMarked()
                | e.DiskEmpowered()
                | e.DiskWeakened()
            ):
                self._disk(event)
            case e.EngagementsFrozen() | e.EngagementBegan() | e.BlowsStruck() | e.EngagementEnded():
                self._melee(event)
            case _:
                assert_never(event)

    # ------------------------------------------------------------ saying

    def _say(self, indent: int, text: str, because: Iterable[Reason] = ()) -> _Line:
        line = _Line(indent, text, because)
        self.lines.append(line)
        return line

    def _say_cause(self, text: str, because: Iterable[Reason], target: int | None = None) -> None:
        """A line behind which its consequences for `target` stand; those for others stand below it."""
        self._cause, self._target, self._told = self._say(1, text, because), target, {}
        self._idle = None

    @property
    def _board(self) -> Board:
        if self.match is None or self.match.board is None:
            raise ValueError("an event of the board before the board")
        return self.match.board

    def _seat(self, seat: Seat) -> str:
        return f"seat {seat_letter(seat)}" if self.match is None else seat_name(self.match, seat)

    def _name(self, disk: int) -> str:
        return disk_names(self._board)[disk]

    def _names(self, disks: Iterable[int]) -> str:
        names = disk_names(self._board)
        return listed([names[disk] for disk in disks])

    def _piece(self, number: int) -> str:
        """A piece of terrain by its printed name; with its number if another bears the same one."""
        names = [piece.terrain.name for piece in self._board.terrain]
        return f"{names[number]} #{number + 1}" if names.count(names[number]) > 1 else names[number]

    def _pieces(self, numbers: Iterable[int]) -> str:
        return listed([self._piece(number) for number in numbers])

    def _ending(self, result: Result) -> str:
        if result.winner is None:
            return f"Nobody won: {result.end_reason}"
        scores = f", {' to '.join(map(str, sorted(result.scores, reverse=True)))}" if result.scores else ""
        return f"{self._seat(result.winner)} won: {result.end_reason}{scores}"

    # ------------------------------------------------------------ set-up and course

    def _acted(self, event: m.Acted[a.Action]) -> None:
        self._used = event.action
        board = self.match.board if self.match else None
        match event.action:
            case a.EndCard() if board is not None:
                card = board.sides[event.seat].revealed
                self._say(1, f"{self._seat(event.seat)} left the rest of {card} unused")
            case _:
                pass  # the facts that follow tell it

    def _started(self, event: e.MatchStarted) -> None:
        packs = ", ".join(f"{pack.name} {pack.version} ({pack.hash[:12]})" for pack in event.packs)
        self._say(0, f"{event.rounds} rounds with the disks of {packs}, pins {event.settings.pins}")
        for seat in range(event.seats):
            own = [disk.id for disk in self._board.disks if disk.seat == seat]
            self._say(1, f"{seat_letter(seat)} {self._seat(seat)}: {self._names(own)}")

    def _setup(self, event: e.SetupEvent) -> None:
        match event:
            case e.HandTaken():
                cards = "" if isinstance(event.cards, Sealed) else f": {', '.join(event.cards)}"
                self._say(1, f"{self._seat(event.seat)} holds {event.count} command cards{cards}")
            case e.InitiativeRolled():
                rolls = [
                    f"{self._seat(seat)} {face} + {bonus} = {face + bonus}"
                    for seat, bonus, face in zip(event.seats, event.unspent, event.dice.faces, strict=True)
                ]
                again = ": a tie, which is rolled again" if len(event.highest) > 1 else ""
                self._say(0, f"Initiative: {', '.join(rolls)}{again}", event.because)
            case e.OrderSet():
                order = " before ".join(self._seat(seat) for seat in event.order)
                self._say(0, f"Initiative order: {order}", event.because)
            case e.DisksDeployed():
                laid = ", ".join(f"{self._name(one.disk)} {place(one.x, one.y)}" for one in event.disks)
                self._say(0, f"{self._seat(event.seat)} deployed {laid}")
            case _:
                assert_never(event)

    def _course(self, event: e.CourseEvent) -> None:
        match event:
            case e.RoundBegan():
                heading = f"== Round {event.round} of {self._board.rounds} "
                self._say(0, "")
                self._say(0, heading.ljust(RULE_WIDTH, "="))
            case e.PhaseBegan():
                self._phase(event.phase)
            case e.ActivationBegan():
                self._idle = event.disk
            case e.ActivationEnded():
                if self._idle == event.disk:
                    self._say(1, f"{self._name(event.disk)} passed")
                self._idle = None
            case e.TokensCleared():
                self._say(1, f"all tokens but wounds left {len(event.disks)} disks", event.because)
            case e.SeatEliminated():
                self._say(0, f"{self._seat(event.seat)} is out of the game", event.because)
            case e.DisksWithdrawn():
                self._say(1, f"left the game: {self._names(event.disks)}", event.because)
            case e.ReservesLost():
                self._say(1, f"lost in reserve: {self._names(event.disks)}", event.because)
            case e.Scored():
                scores = ", ".join(f"{self._seat(seat)} {points}" for seat, points in enumerate(event.points))
                self._say(0, f"Victory points: {scores}", event.because)
            case e.WorkSet():
                pass  # the engine's own cursor
            case _:
                assert_never(event)

    def _phase(self, phase: e.Phase) -> None:
        match phase:
            case "melee" | "end":
                self._say(0, "")
                self._say(0, f"-- {phase.capitalize()} phase")
            case "over":
                self._say(0, "")
                self._say(0, f"== After {self._board.rounds} rounds ".ljust(RULE_WIDTH, "="))
            case "setup" | "activation":
                pass  # their cards or disks tell that they have begun
            case _:
                assert_never(phase)

    def _card(self, event: e.CardEvent) -> None:
        if self._is_fresh and isinstance(event, e.CardBegan | e.CardsDiscarded):
            self._say(1, "no disk can act")
        self._is_fresh = isinstance(event, e.CardBegan)
        match event:
            case e.CardLocked():
                if sum(side.has_locked for side in self._board.sides) == 1:
                    self._say(0, "")
                card = "a card" if isinstance(event.card, Sealed) else event.card
                self._say(0, f"{self._seat(event.seat)} locked {card}")
            case e.CardsRevealed():
                shown = [
                    f"{self._seat(one.seat)} {one.card} ({self._board.card(one.card).strategy})" for one in event.cards
                ]
                self._say(0, f"Cards revealed: {', then '.join(shown)}", event.because)
            case e.CardBegan():
                card_shown = card_text(self._board.card(event.card), ("passive",))
                self._say(0, "")
                self._say(0, f"-- {self._seat(event.seat)} plays {card_shown}")
            case e.CardsDiscarded():
                pass  # always so, and always before the next cards or the melee
            case e.CardsReturned():
                self._say(1, "command cards went back to the hands")
            case _:
                assert_never(event)

    # ------------------------------------------------------------ disks on their way

    def _flip(self, before: DiskwarsMatch | None, event: e.DiskFlipped) -> None:
        """One more flip of a move; a move is told as a whole when something else happens."""
        if self._flips and self._flips[-1].disk != event.disk:
            self.close()
        if not self._flips:
            self._flown_from = before.board if before else None
        self._flips.append(event)
        self._idle = None

    def _tell_flips(self, before: Board, flips: list[e.DiskFlipped]) -> None:
        disk = flips[0].disk
        x, y = before.disks[disk].x, before.disks[disk].y
        runs: list[list[int]] = []
        for flip in flips:
            angle = degrees(flip.x - x, flip.y - y)
            if runs and abs((angle - runs[-1][0] + 180) % 360 - 180) <= 1:
                runs[-1][1] += 1
            else:
                runs.append([angle, 1])
            x, y = flip.x, flip.y
        way = ", ".join((f"{count} x " if count > 1 else "") + direction(angle) for angle, count in runs)
        diameter = 2 * before.profile(disk).radius
        text = f"{self._name(disk)} flipped {way}, {length(len(flips) * diameter)}"
        self._cause, self._told = None, {}
        came = [number for number in self._board.disks[disk].ground if number not in before.disks[disk].ground]
        self._say(1, text + self._landing(before, disk, flips[-1].gained, came))

    def _landing(self, before: Board, disk: int, gained: Sequence[e.Pin], came: Sequence[int]) -> str:
        under = [bottom for top, bottom in gained if top == disk]
        left = [bottom for top, bottom in before.pins if top == disk and bottom not in under]
        others = [pin for pin in gained if pin[0] != disk]
        text = f", off {self._names(left)}" if left else ""
        text += f", onto {self._names(under)}" if under else ""
        text += f", into {self._pieces(came)}" if came else ""
        return text + "".join(f"; {self._name(top)} now lies on {self._name(bottom)}" for top, bottom in others)

    def _disk(self, event: e.DiskEvent) -> None:
        match event:
            case e.DiskFlipped():
                pass  # told with the move that it belongs to
            case e.DiskReinforced():
                landing = self._landing(self._board, event.disk, event.gained, event.entered)
                self._say(1, f"{self._name(event.disk)} came from the reserve to {place(event.x, event.y)}{landing}")
                self._idle = None
            case e.DamageDealt():
                self._damage(event)
            case e.DiskHealed():
                self._of(event.disk).add(f", healed to {event.tokens} damage", event.because)
            case e.DiskPoisoned():
                word = "poisoned" if event.poisoned else "not poisoned any more"
                self._of(event.disk).add(f", {word}", event.because)
            case e.DiskWounded():
                stamina = self._board.profile(event.disk).stamina
                self._of(event.disk).add(f", wound {event.wounds} (stamina {stamina})", event.because)
            case e.DisksRemoved():
                for disk in event.disks:
                    self._of(disk).add(", destroyed", event.because)
                for top, bottom in event.gained:
                    self._say(2, f"{self._name(top)} now lies on {self._name(bottom)}")
            case e.DiskMarked():
                self._shot = None
                word = ", got an activation token" if event.activated else ", lost its activation token"
                self._of(event.disk).add(word, event.because)
            case e.DiskEmpowered():
                word = "empowered" if event.empowered else "not empowered any more"
                self._of(event.disk).add(f", {word}", event.because)
            case e.DiskWeakened():
                self._of(event.disk).add(f", toughness -{event.toughness} this round", event.because)
            case _:
                assert_never(event)

    def _of(self, disk: int) -> _Line:
        """The line that tells what becomes of a disk now: its own below the cause, or the cause if it is the target."""
        if disk not in self._told:
            is_target = self._cause is not None and disk == self._target
            self._told[disk] = self._cause if self._cause and is_target else self._say(2, self._name(disk))
        return self._told[disk]

    def _damage(self, event: e.DamageDealt) -> None:
        self._shot = None
        is_new = event.disk not in self._told
        if is_new and not event.dealt and self._cause and self._target not in (None, event.disk):
            return  # the line of the cause says how little it was
        line = self._of(event.disk)
        kind = "" if event.damage == "physical" else f"{event.damage} "
        less = f", {event.taken} counted" if event.taken != event.dealt else ""
        link = (" ->" if line is self._cause else " took") if is_new else ","
        line.add(f"{link} {event.dealt} {kind}damage{less} ({event.tokens} of {event.toughness})", event.because)

    # ------------------------------------------------------------ dice and abilities

    def _roll(self, event: e.RollEvent) -> None:
        match event:
            case e.ShotFired():
                attack = event.attack
                strength = f"strength {attack.strength}{_rolled(event.strength_dice)}"
                shot = f"{self._name(attack.shooter)} shot {self._name(attack.target)} at {attack.reach} range"
                text = f"{shot}, {strength}: {_symbols(self._board, event.dice)}"
                self._say_cause(text, event.because, attack.target)
                self._shot = None if "scatter" in _symbols(self._board, event.dice) else self._cause
            case e.ShotScattered():
                self._scattered(event)
            case e.AbilityUsed():
                self._ability(event)
            case e.ImpactRolled():
                on = f"{self._name(event.disk)}: Impact {event.amount}{_rolled(event.dice)} on {self._names(event.on)}"
                self._say_cause(on, event.because, event.on[0] if len(event.on) == 1 else None)
            case e.GuardRolled():
                on = f"{self._name(event.disk)}: Guard {event.amount}{_rolled(event.dice)} on {self._name(event.enemy)}"
                self._say_cause(on, event.because, event.enemy)
            case e.DangerRolled():
                rolled = f"{self._name(event.disk)} landed on {self._piece(event.piece)}{_rolled(event.dice)}"
                self._say_cause(rolled, event.because, event.disk)
            case e.MoveStopped():
                text = f"{self._piece(event.piece)} ended the move of {self._name(event.disk)}"
                self._say_cause(text, event.because)
            case e.Rampaged():
                way = f"has to flip {'onto' if event.overlap else 'toward'} {self._names(event.toward)}"
                text = way if event.toward else "has no way to flip"
                self._say_cause(f"{self._name(event.disk)}: chaos, it {text}", event.because)
            case e.TriggerResolved():
                trigger = event.trigger
                does = effect(self._board.profile(trigger.disk).abilities[trigger.ability].effect)
                met = f"{self._name(trigger.disk)} engaged {self._name(trigger.enemy)}"
                target = trigger.enemy if event.target is None else event.target
                at = "" if event.target is None else f", on {self._name(event.target)}"
                self._say_cause(f"{met}: {does}{at}{_rolled(event.dice)}", event.because, target)
            case _:
                assert_never(event)

    def _scattered(self, event: e.ShotScattered) -> None:
        """Scatter dice belong to the shot before; what it does to its target stands below as well."""
        if event.disk is None or event.dice is None:
            self._shot = self._say(2, "the scatter dice found nobody near", event.because)
            return
        shown = _symbols(self._board, event.dice)
        self._shot = self._say(2, f"scattered against {self._name(event.disk)}: {shown}", event.because)
        self._cause = None

    def _ability(self, event: e.AbilityUsed) -> None:
        used = f"{self._name(event.disk)} used {event.card or self._focus(event.disk)}"
        at = "" if event.target is None else f" on {self._name(event.target)}"
        dice = []
        for draw in event.dice:
            dice.append(_symbols(self._board, draw) if draw.kind == "battle" else "+".join(map(str, draw.faces)))
        rolled = f", rolled {', '.join(dice)}" if dice else ""
        self._say_cause(used + at + rolled, event.because, event.target)

    def _focus(self, disk: int) -> str:
        """Magic X comes before the printed focus abilities (`Focus.ability`)."""
        magic = [keyword for keyword in self._board.profile(disk).keywords if keyword.name == "Magic"]
        number = self._used.ability if isinstance(self._used, a.Focus) else 0
        return f"Magic {amount(magic[0].amount)}" if magic and number == 0 else "its focus ability"

    # ------------------------------------------------------------ melee

    def _melee(self, event: e.MeleeEvent) -> None:
        match event:
            case e.EngagementsFrozen():
                count = len(event.engagements)
                text = "no engagements" if not count else f"{count} engagement{'s' * (count > 1)}"
                self._say(1, text, event.because)
            case e.EngagementBegan():
                fight = self._board.engagements[event.engagement]
                text = f"{self._names(fight.attackers)} against {self._names(fight.defenders)}"
                self._say(0, f"-- {text}", event.because)
            case e.BlowsStruck():
                self._blows(event)
            case e.EngagementEnded():
                if event.dropped:
                    fight = self._board.engagements[event.engagement]
                    text = f"{self._names(fight.attackers)} against {self._names(fight.defenders)}"
                    self._say(1, f"{text}: nobody left to fight")
            case _:
                assert_never(event)

    def _blows(self, event: e.BlowsStruck) -> None:
        speed = "" if event.speed == "normal" else f"{event.speed}: "
        texts = [f"{self._name(one.disk)} struck {self._name(one.target)} for {one.strength}" for one in event.blows]
        targets = {blow.target for blow in event.blows}
        self._say_cause(speed + "; ".join(texts), event.because, targets.pop() if len(targets) == 1 else None)
