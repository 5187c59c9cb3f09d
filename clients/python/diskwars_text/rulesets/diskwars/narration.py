"""Narration of a match: events as lines of text, with names instead of numbers, dice faces and rule ids.

`narrate` takes the match before a record and the record, and returns lines. It names every event type, so that a new
one does not type-check until its text is written.
"""

from collections.abc import Iterable, Sequence
from typing import Any, assert_never

from diskwars_protocol.match.decisions import Reason, Result
from diskwars_protocol.match.events import (
    BranchBegan,
    ChainReplaced,
    MatchEnded,
    MatchEvent,
    MatchOpened,
    OfferAnswered,
    OfferMade,
    PlayPaused,
    PlayResumed,
    PositionSet,
    SeatNonceOpened,
    SeatReady,
    SeatResigned,
    SeatTaken,
    SeatTakenBack,
    SeatTakenOver,
    SeatVacated,
    StepBegan,
    TakebackMade,
)
from diskwars_protocol.match.ids import Seat, seat_letter
from diskwars_protocol.records.fairness import Draw
from diskwars_protocol.records.sealed import Sealed
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars import keywords
from diskwars_protocol.rulesets.diskwars import setup_events as se
from diskwars_protocol.rulesets.diskwars.board import BATTLEFIELD, RESERVE, Board, DiskwarsMatch
from diskwars_protocol.rulesets.diskwars.effect_text import amount_text, effect_text
from diskwars_protocol.rulesets.diskwars.vocabulary import DISKWARS, DiskwarsBody
from diskwars_text.agreement_text import agreement_lines, substitution_text, vacancy_text
from diskwars_text.narration import closing_text
from diskwars_text.opening_text import opening_lines, position_text
from diskwars_text.phrases import counted, joined
from diskwars_text.rulesets.diskwars.lexer import counted_list, revealed_card_name
from diskwars_text.rulesets.diskwars.phrases import (
    card_text,
    degrees,
    direction_text,
    disk_names,
    end_reason_text,
    length_text,
    loadout_title,
    point_text,
    seat_name,
)
from diskwars_text.rulesets.diskwars.setup_text import scored_text, setup_event_text

INDENT_TEXT = "  "
HEADING_WIDTH = 72


def _symbols_text(board: Board, draw: Draw) -> str:
    return " ".join(board.battle_die[face - 1] for face in draw.results)


def _rolled_text(draw: Draw | None) -> str:
    return f", rolled {'+'.join(map(str, draw.results))}" if draw else ""


# ---------------------------------------------------------------- lines


class _NarrationLine:
    """A line that can still grow: the consequences of a shot are appended to it."""

    def __init__(self, indent: int, text: str, reasons: Iterable[Reason] = ()) -> None:
        self.indent, self.text = indent, text
        self.rules = [reason.rule for reason in reasons]

    def append_text(self, text: str, reasons: Iterable[Reason] = ()) -> None:
        self.text += text
        self.rules += [reason.rule for reason in reasons]

    def __str__(self) -> str:
        rules = f"  [{' '.join(dict.fromkeys(self.rules))}]" if self.rules else ""
        first, *more_lines = self.text.splitlines() or [""]
        return "\n".join([f"{INDENT_TEXT * self.indent}{first}{rules}".rstrip(), *more_lines])


def narrate(before: DiskwarsMatch | None, body: DiskwarsBody) -> list[str]:
    """Return the lines about a record; `before` is the state before it."""
    narrator = _Narrator(before)
    narrator.begin(body)
    for event in body.events:
        if not isinstance(event, Sealed):
            narrator.narrate_event(event)
    narrator.close_move()
    narrator.close_missed_shot()
    narrator.end(body)
    return "\n".join(map(str, narrator.lines)).split("\n") if narrator.lines else []


class _Narrator:
    """A narrator that folds along, so that every event is described from the position in which it happened."""

    def __init__(self, match: DiskwarsMatch | None) -> None:
        self.match = match
        self.lines: list[_NarrationLine] = []
        self._cause_line: _NarrationLine | None = None
        self._cause_target: int | None = None
        self._lines_by_disk: dict[int, _NarrationLine] = {}
        self._pending_flips: list[e.DiskFlipped] = []
        self._board_before_flips: Board | None = None
        self._idle_disk: int | None = None
        self._pending_shot: _NarrationLine | None = None
        self._is_card_unused = False

    # ------------------------------------------------------------ records and events

    def begin(self, body: DiskwarsBody) -> None:
        """Narrate the action itself; most of it is left to the events that follow."""
        if body.taken_back_to:
            self._add_line(0, f"The match was taken back to record {body.taken_back_to}")
        if body.actor is not None and body.seat is not None:
            self._add_house_line(body.seat)
        elif body.result is not None and body.result.end_reason == "stopped":
            self._add_line(0, "The server stopped the match")
        elif body.actor is not None and body.result is not None:
            self._add_line(0, closing_text(body.actor, body.action))
        board = self.match.board if self.match else None
        if isinstance(body.action, a.EndCard) and board is not None and body.seat is not None:
            self._add_line(1, f"{self._seat_text(body.seat)} left {self._unused_text(board, body.seat)} unused")

    def _unused_text(self, board: Board, seat: Seat) -> str:
        """Return what is left of the card that a seat ends: activations, or only its battle ability."""
        card = revealed_card_name(board, seat)
        decisions = self.match.decisions if self.match else ()
        questions = [decision.question for decision in decisions if decision.seat == seat]
        is_spent = any(
            isinstance(question, a.ActivationQuestion) and not question.activations_left for question in questions
        )
        return f"the battle ability of {card}" if is_spent else f"the rest of {card}"

    def _add_house_line(self, seat: Seat) -> None:
        # A substitute need not wait for the time to be up.
        is_substitute = self.match is not None and self.match.seats[seat].substitute
        who = self._seat_text(seat)
        if self.match is not None and self.match.match_options.clock is None and not is_substitute:
            days = self.match.match_options.abandoned_after_days
            self._add_line(0, f"{who} has not answered for {days} days: the house leaves the match")
            return
        self._add_line(
            0, f"The house answers for {who}" if is_substitute else f"{who} ran out of time: the house answers"
        )

    def end(self, body: DiskwarsBody) -> None:
        if body.result is not None:
            board = self.match.board if self.match else None
            if not body.result.scores and board is not None and board.round:
                self._add_line(0, self._disks_left_text(board))  # points are not counted, so this shows how it stood
            self._add_line(0, "")
            self._add_line(0, self._ending_text(body.result), body.result.reasons)

    def narrate_event(self, event: e.Event) -> None:
        before = self.match
        self.match = DISKWARS.fold_event(before, event)

        if isinstance(event, e.DiskFlipped):
            self._collect_flip(before, event)
            return
        self.close_move()
        if not isinstance(event, e.DamageDealt | e.ActivationTokenChanged):
            self.close_missed_shot()
        if not isinstance(event, e.CardEvent):
            self._is_card_unused = False
        if isinstance(event, e.BoardEvent):
            self._narrate_board_event(event)
        else:
            self._narrate_match_event(event)

    def close_move(self) -> None:
        """Narrate the move that the collected flips make up."""
        flips, self._pending_flips = self._pending_flips, []
        if flips and self._board_before_flips is not None:
            self._narrate_flips(self._board_before_flips, flips)

    def close_missed_shot(self) -> None:
        """Report that the last shot had no effect, if no damage followed it."""
        if self._pending_shot:
            self._pending_shot.append_text(" -> no damage")
        self._pending_shot = None

    def _narrate_match_event(self, event: MatchEvent[a.DiskwarsSettings, a.Loadout, Any]) -> None:
        match event:
            case MatchOpened():
                for line in opening_lines(event):
                    self._add_line(0, line)
            case SeatTaken():
                who = loadout_title(event.loadout) or "A player"
                self._add_line(0, f"{who} took seat {seat_letter(event.seat)}")
            case SeatReady():
                self._add_line(0, f"{self._seat_text(event.seat)}: ready")
            case StepBegan():
                self._narrate_step(event)
            case ChainReplaced():
                text = f"{self._seat_text(event.seat)} has a new chain for the dice from step {event.from_step} on"
                self._add_line(0, text)
            case SeatResigned():
                self._add_line(0, f"{self._seat_text(event.seat)} resigned")
            case SeatVacated():
                self._add_line(0, vacancy_text(event, lambda seat: f"seat {seat_letter(seat)}"))
            case SeatTakenOver() | SeatTakenBack():
                self._add_line(0, substitution_text(event, self._seat_text))
            case OfferMade() | OfferAnswered() | TakebackMade() | PlayPaused() | PlayResumed():
                for line in agreement_lines(event, self._seat_text):
                    self._add_line(0, line)
            case PositionSet():
                self._add_line(0, position_text(event))
            case SeatNonceOpened() | BranchBegan() | MatchEnded():
                pass  # nothing for players: nonces belong to the step, the end is in the record's result
            case _:
                assert_never(event)

    def _narrate_step(self, event: StepBegan) -> None:
        """Report the seats that withheld a nonce; seats that are out of the game contribute none anyway."""
        board = self.match.board if self.match else None
        for seat in event.missing:
            if board is None or not board.sides[seat].eliminated:
                self._add_line(0, f"{self._seat_text(seat)} contributed nothing to the dice of step {event.step}")

    def _narrate_board_event(self, event: e.BoardEvent) -> None:
        match event:
            case e.MatchStarted():
                self._narrate_start(event)
            case e.HandTaken() | e.InitiativeRolled() | e.OrderSet() | e.DisksDeployed():
                self._narrate_setup(event)
            case (
                se.EdgesDrawn()
                | se.DeploymentCardsDealt()
                | se.DeploymentCardLaid()
                | se.SetupCardDiscarded()
                | se.TerrainCardsDealt()
                | se.TerrainPlaced()
                | se.ScenariosDrawn()
                | se.ScenarioChosen()
                | se.ObjectiveDealt()
                | se.ObjectivesRevealed()
            ):
                self._add_line(0, setup_event_text(self._board, self._seat_text, event), event.reasons)
            case e.CardLocked() | e.CardsRevealed() | e.CardBegan() | e.CardsDiscarded() | e.CardsReturned():
                self._narrate_card(event)
            case e.RoundBegan() | e.PhaseBegan() | e.ActivationBegan() | e.ActivationEnded() | e.TokensCleared():
                self._narrate_course(event)
            case e.SeatEliminated() | e.DisksWithdrawn() | e.ReservesLost() | e.Scored():
                self._narrate_course(event)
            case e.ShotFired() | e.ShotScattered() | e.AbilityUsed() | e.ImpactRolled() | e.TriggerResolved():
                self._narrate_roll(event)
            case e.GuardRolled() | e.Rampaged() | e.DangerRolled() | e.MoveStopped():
                self._narrate_roll(event)
            case (
                e.DiskFlipped()
                | e.DiskReinforced()
                | e.DamageDealt()
                | e.DiskHealed()
                | e.DiskPoisoned()
                | e.DiskWounded()
                | e.DisksRemoved()
                | e.ActivationTokenChanged()
                | e.DiskEmpowered()
                | e.DiskWeakened()
            ):
                self._narrate_disk(event)
            case e.EngagementsFrozen() | e.EngagementBegan() | e.BlowsStruck() | e.EngagementEnded():
                self._narrate_melee(event)
            case _:
                assert_never(event)

    # ------------------------------------------------------------ lines and names

    def _add_line(self, indent: int, text: str, reasons: Iterable[Reason] = ()) -> _NarrationLine:
        line = _NarrationLine(indent, text, reasons)
        self.lines.append(line)
        return line

    def _add_cause_line(self, text: str, reasons: Iterable[Reason], target: int | None = None) -> None:
        """Begin a line. Consequences for `target` are appended to it; those for other disks get lines below it."""
        self._cause_line, self._cause_target, self._lines_by_disk = self._add_line(1, text, reasons), target, {}
        self._idle_disk = None

    @property
    def _board(self) -> Board:
        if self.match is None or self.match.board is None:
            raise ValueError("an event of the board before the board")
        return self.match.board

    def _seat_text(self, seat: Seat) -> str:
        return f"seat {seat_letter(seat)}" if self.match is None else seat_name(self.match, seat)

    def _disk_text(self, disk: int) -> str:
        return disk_names(self._board)[disk]

    def _disks_text(self, disks: Iterable[int]) -> str:
        names = disk_names(self._board)
        return counted_list([names[disk] for disk in disks])

    def _piece_text(self, number: int) -> str:
        """Return the printed name of a terrain piece, with its number if another piece has the same name."""
        names = [piece.terrain.name for piece in self._board.terrain]
        return f"{names[number]} #{number + 1}" if names.count(names[number]) > 1 else names[number]

    def _pieces_text(self, numbers: Iterable[int]) -> str:
        return counted_list([self._piece_text(number) for number in numbers])

    def _ending_text(self, result: Result) -> str:
        if not result.winners:
            return f"Nobody won: {end_reason_text(result.end_reason)}"
        first, *others = sorted(result.scores, reverse=True) or [0]
        scores = f", {first} to {joined(map(str, others))}" if others else ""
        winners = counted_list([self._seat_text(seat) for seat in result.winners])
        return f"{winners} won: {end_reason_text(result.end_reason)}{scores}"

    def _disks_left_text(self, board: Board) -> str:
        """Return how many disks each seat still has on the field and in reserve."""
        texts = []
        for seat in range(len(board.sides)):
            own = [disk for disk in board.disks if disk.seat == seat]
            left = sum(disk.place in (BATTLEFIELD, RESERVE) for disk in own)
            texts.append(f"{self._seat_text(seat)} {left or 'none'} of {len(own)}")
        return f"Disks left: {', '.join(texts)}"

    # ------------------------------------------------------------ setup and course

    def _narrate_start(self, event: e.MatchStarted) -> None:
        self._add_line(0, f"{event.rounds} rounds, {event.settings.pins} pins")
        for seat in range(len(event.armies)):
            own = [disk.id for disk in self._board.disks if disk.seat == seat]
            self._add_line(1, f"{seat_letter(seat)} {self._seat_text(seat)}: {self._disks_text(own)}")

    def _narrate_setup(self, event: e.SetupEvent) -> None:
        match event:
            case e.HandTaken():
                cards = (
                    "" if isinstance(event.cards, Sealed) else f": {', '.join(map(self._board.card_name, event.cards))}"
                )
                self._add_line(1, f"{self._seat_text(event.seat)} holds {event.count} command cards{cards}")
            case e.InitiativeRolled():
                rolls = [
                    f"{self._seat_text(roll.seat)} {roll.face} + {roll.unspent} = {roll.face + roll.unspent}"
                    for roll in event.rolls
                ]
                again = ": a tie for the highest; those players roll again" if len(event.highest) > 1 else ""
                self._add_line(0, f"Initiative: {', '.join(rolls)}{again}", event.reasons)
            case e.OrderSet():
                order = " before ".join(self._seat_text(seat) for seat in event.order)
                self._add_line(0, f"Initiative order: {order}", event.reasons)
            case e.DisksDeployed():
                laid = ", ".join(
                    f"{self._disk_text(placement.disk)} {point_text(placement.x, placement.y)}"
                    for placement in event.disks
                )
                self._add_line(0, f"{self._seat_text(event.seat)} deployed {laid}")
            case _:
                assert_never(event)

    def _narrate_course(self, event: e.CourseEvent) -> None:
        match event:
            case e.RoundBegan():
                heading = f"== Round {event.round} of {self._board.rounds} "
                self._add_line(0, "")
                self._add_line(0, heading.ljust(HEADING_WIDTH, "="))
            case e.PhaseBegan():
                self._narrate_phase(event.phase)
            case e.ActivationBegan():
                self._idle_disk = event.disk
            case e.ActivationEnded():
                if self._idle_disk == event.disk:
                    self._add_line(1, f"{self._disk_text(event.disk)} passed")
                self._idle_disk = None
            case e.TokensCleared():
                self._add_line(1, f"{counted(len(event.disks), 'disk')} lost all tokens except wounds", event.reasons)
            case e.SeatEliminated():
                self._add_line(0, f"{self._seat_text(event.seat)} is out of the game", event.reasons)
            case e.DisksWithdrawn():
                self._add_line(1, f"left the game: {self._disks_text(event.disks)}", event.reasons)
            case e.ReservesLost():
                self._add_line(1, f"lost in reserve: {self._disks_text(event.disks)}", event.reasons)
            case e.Scored():
                self._add_line(0, scored_text(self._seat_text, event), event.reasons)
            case _:
                assert_never(event)

    def _narrate_phase(self, phase: e.Phase) -> None:
        match phase:
            case "melee" | "end":
                self._add_line(0, "")
                self._add_line(0, f"-- {phase.capitalize()} phase")
            case "over":
                self._add_line(0, "")
                self._add_line(0, f"== After {self._board.rounds} rounds ".ljust(HEADING_WIDTH, "="))
            case "setup" | "activation":
                pass  # the cards or disks that follow show that the phase has begun
            case _:
                assert_never(phase)

    def _narrate_card(self, event: e.CardEvent) -> None:
        if self._is_card_unused and isinstance(event, e.CardBegan | e.CardsDiscarded):
            self._add_line(1, "no disk can act")
        self._is_card_unused = isinstance(event, e.CardBegan)
        match event:
            case e.CardLocked():
                if sum(side.has_locked for side in self._board.sides) == 1:
                    self._add_line(0, "")
                card = "a card" if isinstance(event.card, Sealed) else self._board.card_name(event.card)
                self._add_line(0, f"{self._seat_text(event.seat)} locked {card}")
            case e.CardsRevealed():
                shown = [
                    f"{self._seat_text(revealed.seat)} {card.name} ({card.strategy})"
                    for revealed in event.cards
                    for card in (self._board.card(revealed.card),)
                ]
                self._add_line(0, f"Cards revealed: {', then '.join(shown)}", event.reasons)
            case e.CardBegan():
                card_shown = card_text(self._board.card(event.card), ("passive",))
                self._add_line(0, "")
                self._add_line(0, f"-- {self._seat_text(event.seat)} plays {card_shown}")
            case e.CardsDiscarded():
                pass  # happens every time before the next cards or the melee
            case e.CardsReturned():
                self._add_line(1, "players took their command cards back into hand")
            case _:
                assert_never(event)

    # ------------------------------------------------------------ moves and disks

    def _collect_flip(self, before: DiskwarsMatch | None, event: e.DiskFlipped) -> None:
        """Add a flip to the current move; the move is narrated as a whole when it is over."""
        if self._pending_flips and self._pending_flips[-1].disk != event.disk:
            self.close_move()
        if not self._pending_flips:
            self._board_before_flips = before.board if before else None
        self._pending_flips.append(event)
        self._idle_disk = None

    def _narrate_flips(self, before: Board, flips: list[e.DiskFlipped]) -> None:
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
        directions = ", ".join((f"{count} x " if count > 1 else "") + direction_text(angle) for angle, count in runs)
        diameter = 2 * before.profile(disk).radius
        verb = "flipped" if before.round else "scouted:"  # nothing else moves before the first round (R3.7)
        text = f"{self._disk_text(disk)} {verb} {directions}, {length_text(len(flips) * diameter)}"
        self._cause_line, self._lines_by_disk = None, {}
        entered = [number for number in self._board.disks[disk].terrain if number not in before.disks[disk].terrain]
        gained = flips[-1].pins_gained
        self._add_line(1, text + self._landing_text(before, disk, gained, entered))
        self._narrate_pins_of_others(disk, gained)

    def _landing_text(self, before: Board, disk: int, gained: Sequence[e.Pin], entered: Sequence[int]) -> str:
        under = [bottom for top, bottom in gained if top == disk]
        left = [bottom for top, bottom in before.pins if top == disk and bottom not in under]
        text = f", off {self._disks_text(left)}" if left else ""
        text += f", onto {self._disks_text(under)}" if under else ""
        text += f", into {self._pieces_text(entered)}" if entered else ""
        return text

    def _narrate_pins_of_others(self, disk: int, gained: Sequence[e.Pin]) -> None:
        """Report each pin of another disk in a sentence of its own."""
        for top, bottom in gained:
            if top != disk:
                self._add_line(2, f"{self._disk_text(top)} now lies on {self._disk_text(bottom)}")

    def _narrate_disk(self, event: e.DiskEvent) -> None:
        match event:
            case e.DiskFlipped():
                pass  # narrated with its move
            case e.DiskReinforced():
                landing = self._landing_text(self._board, event.disk, event.pins_gained, event.terrain_entered)
                self._add_line(
                    1, f"{self._disk_text(event.disk)} came from the reserve to {point_text(event.x, event.y)}{landing}"
                )
                self._narrate_pins_of_others(event.disk, event.pins_gained)
                self._idle_disk = None
            case e.DamageDealt():
                self._narrate_damage(event)
            case e.DiskHealed():
                self._line_for_disk(event.disk).append_text(f", healed to {event.tokens} damage", event.reasons)
            case e.DiskPoisoned():
                word = "poisoned" if event.poisoned else "no longer poisoned"
                self._line_for_disk(event.disk).append_text(f", {word}", event.reasons)
            case e.DiskWounded():
                stamina = self._board.profile(event.disk).stamina
                self._line_for_disk(event.disk).append_text(
                    f", wound {event.wounds} (stamina {stamina})", event.reasons
                )
            case e.DisksRemoved():
                for disk in event.disks:
                    self._line_for_disk(disk).append_text(", destroyed", event.reasons)
                for top, bottom in event.pins_gained:
                    self._add_line(2, f"{self._disk_text(top)} now lies on {self._disk_text(bottom)}")
            case e.ActivationTokenChanged():
                self._pending_shot = None
                word = ", got an activation token" if event.activated else ", lost its activation token"
                self._line_for_disk(event.disk).append_text(word, event.reasons)
            case e.DiskEmpowered():
                word = "empowered" if event.empowered else "no longer empowered"
                self._line_for_disk(event.disk).append_text(f", {word}", event.reasons)
            case e.DiskWeakened():
                self._line_for_disk(event.disk).append_text(f", toughness -{event.reduction} this round", event.reasons)
            case _:
                assert_never(event)

    def _line_for_disk(self, disk: int) -> _NarrationLine:
        """Return the line for consequences to a disk: the cause line if it is the target, otherwise one below it."""
        if disk not in self._lines_by_disk:
            is_target = self._cause_line is not None and disk == self._cause_target
            self._lines_by_disk[disk] = (
                self._cause_line if self._cause_line and is_target else self._add_line(2, self._disk_text(disk))
            )
        return self._lines_by_disk[disk]

    def _narrate_damage(self, event: e.DamageDealt) -> None:
        self._pending_shot = None
        is_new = event.disk not in self._lines_by_disk
        if is_new and not event.dealt and self._cause_line and self._cause_target not in (None, event.disk):
            return  # no damage to a disk that was not the target: not worth a line
        line = self._line_for_disk(event.disk)
        kind = "" if event.damage_type == "physical" else f"{event.damage_type} "
        counted = f", {event.taken} counted" if event.taken != event.dealt else ""
        link = (" ->" if line is self._cause_line else " took") if is_new else ","
        line.append_text(
            f"{link} {event.dealt} {kind}damage{counted} ({event.tokens} of {event.toughness})", event.reasons
        )

    # ------------------------------------------------------------ dice and abilities

    def _narrate_roll(self, event: e.RollEvent) -> None:
        match event:
            case e.ShotFired():
                attack = event.attack
                strength = f"strength {attack.strength}{_rolled_text(event.strength_dice)}"
                shot = (
                    f"{self._disk_text(attack.shooter)} shot {self._disk_text(attack.target)} at {attack.reach} range"
                )
                text = f"{shot}, {strength}: {_symbols_text(self._board, event.dice)}"
                self._add_cause_line(text, event.reasons, attack.target)
                self._pending_shot = None if "scatter" in _symbols_text(self._board, event.dice) else self._cause_line
            case e.ShotScattered():
                self._narrate_scatter(event)
            case e.AbilityUsed():
                self._narrate_ability(event)
            case e.ImpactRolled():
                impact = f"Impact {event.amount}{_rolled_text(event.dice)}"
                text = f"{self._disk_text(event.disk)}: {impact} on {self._disks_text(event.targets)}"
                self._add_cause_line(text, event.reasons, event.targets[0] if len(event.targets) == 1 else None)
            case e.GuardRolled():
                guard = f"Guard {event.amount}{_rolled_text(event.dice)}"
                text = f"{self._disk_text(event.disk)}: {guard} on {self._disk_text(event.enemy)}"
                self._add_cause_line(text, event.reasons, event.enemy)
            case e.DangerRolled():
                rolled = (
                    f"{self._disk_text(event.disk)} landed on {self._piece_text(event.piece)}{_rolled_text(event.dice)}"
                )
                self._add_cause_line(rolled, event.reasons, event.disk)
            case e.MoveStopped():
                text = f"{self._piece_text(event.piece)} ended the move of {self._disk_text(event.disk)}"
                self._add_cause_line(text, event.reasons)
            case e.Rampaged():
                way = f"has to flip {'onto' if event.must_overlap else 'toward'} {self._disks_text(event.targets)}"
                text = way if event.targets else "has no way to flip"
                self._add_cause_line(f"{self._disk_text(event.disk)}: chaos, it {text}", event.reasons)
            case e.TriggerResolved():
                trigger = event.trigger
                does = effect_text(self._board.profile(trigger.disk).abilities[trigger.ability].effect)
                met = f"{self._disk_text(trigger.disk)} engaged {self._disk_text(trigger.enemy)}"
                target = trigger.enemy if event.target is None else event.target
                at = "" if event.target is None else f", on {self._disk_text(event.target)}"
                self._add_cause_line(f"{met}: {does}{at}{_rolled_text(event.dice)}", event.reasons, target)
            case _:
                assert_never(event)

    def _narrate_scatter(self, event: e.ShotScattered) -> None:
        """Narrate scatter dice, which belong to the shot before; effects on its target get lines below as well."""
        if event.disk is None or event.dice is None:
            self._pending_shot = self._add_line(2, "no disk was near enough for the scatter dice", event.reasons)
            return
        shown = _symbols_text(self._board, event.dice)
        self._pending_shot = self._add_line(
            2, f"scattered against {self._disk_text(event.disk)}: {shown}", event.reasons
        )
        self._cause_line = None

    def _narrate_ability(self, event: e.AbilityUsed) -> None:
        ability = self._board.card_name(event.card) if event.card else self._focus_text(event.disk, event.ability)
        used = f"{self._disk_text(event.disk)} used {ability}"
        at = "" if event.target is None else f" on {self._disk_text(event.target)}"
        dice = ["+".join(map(str, event.dice.results))] if event.dice else []
        dice += [_symbols_text(self._board, event.unstable_dice)] if event.unstable_dice else []
        rolled = f", rolled {', '.join(dice)}" if dice else ""
        self._add_cause_line(used + at + rolled, event.reasons, event.target)

    def _focus_text(self, disk: int, number: int | None) -> str:
        """Name a focus ability; Magic X comes before the printed ones (`Focus.ability`)."""
        magic = keywords.magic_amount(self._board.profile(disk))
        return f"Magic {amount_text(magic)}" if magic is not None and number == 0 else "its focus ability"

    # ------------------------------------------------------------ melee

    def _narrate_melee(self, event: e.MeleeEvent) -> None:
        match event:
            case e.EngagementsFrozen():
                count = len(event.engagements)
                text = "no engagements" if not count else f"{count} engagement{'s' * (count > 1)}"
                self._add_line(1, text, event.reasons)
            case e.EngagementBegan():
                fight = self._board.engagements[event.engagement]
                text = f"{self._disks_text(fight.attackers)} against {self._disks_text(fight.defenders)}"
                self._add_line(0, f"-- {text}", event.reasons)
            case e.BlowsStruck():
                self._narrate_blows(event)
            case e.EngagementEnded():
                if event.dropped:
                    fight = self._board.engagements[event.engagement]
                    text = f"{self._disks_text(fight.attackers)} against {self._disks_text(fight.defenders)}"
                    self._add_line(1, f"{text}: nobody left to fight")
            case _:
                assert_never(event)

    def _narrate_blows(self, event: e.BlowsStruck) -> None:
        speed = "" if event.speed == "normal" else f"{event.speed}: "
        texts = [
            f"{self._disk_text(struck.disk)} struck {self._disk_text(struck.target)} for {struck.strength}"
            for struck in event.blows
        ]
        targets = {blow.target for blow in event.blows}
        self._add_cause_line(speed + "; ".join(texts), event.reasons, targets.pop() if len(targets) == 1 else None)
