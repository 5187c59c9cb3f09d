"""Folds of the pit and of regiments on plain JSON, written from their pages alone: no import from the project.

Each function changes the board in place. Boards hold every field, with `None` for no value.
"""

from typing import Any, TypeAlias

Json: TypeAlias = Any  # what json.loads gives
ON_THE_FIELD = ("ok", "staggered", "dazed", "stunned")


def changed(board: Json, event: Json, *names: str) -> None:
    """Set fields of a unit, a fighter or the board to those of the event."""
    for name in names:
        board[name] = event[name]


# ---------------------------------------------------------------- the pit


def start_pit(event: Json) -> Json:
    board = {name: event[name] for name in ("width", "height", "rounds", "profiles", "weapons", "deck")}
    board["fighters"] = [
        new_fighter(place, entry, event["profiles"][entry["profile"]]) for place, entry in enumerate(event["fighters"])
    ]
    board["seats"] = [{"rout_losses": losses, "losses": 0, "withdrawn": False} for losses in event["rout_losses"]]
    return board | {
        "cards_left": [card["copies"] for card in event["deck"]],
        **{"order": [], "round": 0, "active_seat": None, "phase": "upkeep", "is_first_turn": True},
        **{"may_concede": False, "combats": [], "fought": [], "combat": None},
        **{"walls": event.get("walls", []), "task": event.get("task")},
    }


def new_fighter(place: int, entry: Json, profile: Json) -> Json:
    return {
        "id": place,
        **{name: entry[name] for name in ("seat", "profile", "x", "y")},
        **{name: profile[name] for name in ("wounds", "melee", "agility", "morale", "attacks")},
        "wound_limit": profile["wounds"],
        "injury": profile.get("injury", 0),
        "pierce": profile.get("pierce", 0),
        "defence": profile.get("defence"),
        **{"new_wounds": 0, "status": "ok", "promoted": False, "has_engaged": False, "has_acted": False},
    }


def fold_pit(board: Json, event: Json) -> None:
    fighter = board["fighters"][event["fighter"]] if "fighter" in event else {}
    match event["type"]:
        case "turn_order_set":
            changed(board, event, "order")
        case "round_began":
            changed(board, event, "round")
        case "turn_began":
            begin_turn(board, event["seat"])
        case "phase_began":
            board.update(phase=event["phase"], may_concede=False)
        case "morale_checked":
            board["may_concede"] = event["passed"]
        case "seat_withdrew":
            withdraw_from_pit(board, event["seat"])
        case "status_changed":
            changed(fighter, event, "status")
        case "fighter_engaged":
            changed(fighter, event, "x", "y")
            fighter.update(has_engaged=True, has_acted=True)
        case "fighter_moved":
            changed(fighter, event, "x", "y")
            fighter["has_acted"] = True
        case "combats_fixed":
            board.update(combats=event["combats"], fought=[])
        case "combat_began":
            board["combat"] = {"id": event["combat"], "waiting": event["order"], "fighter": None, "declared": []}
        case "wounds_lost":
            changed(fighter, event, "wounds")
        case "fighter_injured":
            if event["status"] == "incapacitated" and fighter["status"] != "incapacitated":
                board["seats"][fighter["seat"]]["losses"] += 1
            changed(fighter, event, "status")
        case "improvement_drawn":
            draw_card(board, event)
        case "fighter_improved":
            improve(fighter, event)
        case "wounds_gained":
            fighter.update(wounds=event["wounds"], new_wounds=0)
        case "combat_ended":
            board["combat"] = None
            board["fought"].append(event["combat"])
        case "slot_lost" | "slot_taken" | "attacks_declared" | "target_resolved":
            fold_combat(board["combat"], event)
        case _:
            pass  # changes nothing on the board


def fold_combat(combat: Json, event: Json) -> None:
    match event["type"]:
        case "slot_lost":
            combat["waiting"] = [id for id in combat["waiting"] if id != event["fighter"]]
            if combat["fighter"] == event["fighter"]:
                combat["fighter"] = None
        case "slot_taken":
            combat["waiting"] = [id for id in combat["waiting"] if id != event["fighter"]]
            combat["fighter"] = event["fighter"]
        case "attacks_declared":
            combat["declared"] = event["attacks"]
        case "target_resolved":
            combat["declared"] = [attack for attack in combat["declared"] if attack["target"] != event["target"]]
            if not combat["declared"]:
                combat["fighter"] = None
        case _:
            raise ValueError(event["type"])


def begin_turn(board: Json, seat: int) -> None:
    is_first = board["round"] == 1 and seat == board["order"][0]
    board.update(active_seat=seat, phase="upkeep", is_first_turn=is_first, may_concede=False)
    board.update(combats=[], fought=[], combat=None)
    for fighter in board["fighters"]:
        fighter.update(has_engaged=False, has_acted=False)


def withdraw_from_pit(board: Json, seat: int) -> None:
    for fighter in board["fighters"]:
        if fighter["seat"] == seat and fighter["status"] in ON_THE_FIELD:
            fighter["status"] = "withdrawn"
    board["seats"][seat]["withdrawn"] = True
    combat = board["combat"]
    if combat is None or combat["fighter"] is None:
        return
    standing = [fighter["status"] in ON_THE_FIELD for fighter in board["fighters"]]
    if not standing[combat["fighter"]]:
        combat.update(fighter=None, declared=[])
        return
    left = [attack for attack in combat["declared"] if standing[attack["target"]]]
    if combat["declared"] and not left:
        combat["fighter"] = None
    combat["declared"] = left


def draw_card(board: Json, event: Json) -> None:
    if event.get("reshuffled"):
        board["cards_left"] = [card["copies"] for card in board["deck"]]
    for place, card in enumerate(board["deck"]):
        if card["id"] == event["card"]:
            board["cards_left"][place] -= 1


def improve(fighter: Json, event: Json) -> None:
    match event.get("stat"):
        case None:
            fighter["promoted"] = fighter["promoted"] or event.get("promoted", False)
        case "wounds":
            fighter["new_wounds"] += event["value"] - fighter["wound_limit"]
            fighter["wound_limit"] = event["value"]
        case stat:
            fighter[stat] = event["value"]


# ---------------------------------------------------------------- regiments


def start_regiments(event: Json) -> Json:
    names = ("settings", "width", "height", "rounds", "profiles", "weapons", "sides")
    units = [
        {
            "id": place,
            **{name: entry[name] for name in ("seat", "profile", "x", "y", "facing", "files")},
            "models": [event["profiles"][entry["profile"]]["wounds"]] * entry["models"],
            "started": entry["models"],
            **{"status": "steady", "has_charged": False, "hit": False},
        }
        for place, entry in enumerate(event["units"])
    ]
    return {name: event[name] for name in names} | {
        "units": units,
        **{"contacts": [], "waiting": [], "round": 0, "phase": "orders"},
        **{"withdrawn": [], "locks": [], "revealed_salts": []},
        **{"obstacles": event.get("obstacles", []), "task": event.get("task")},
    }


def fold_regiments(board: Json, event: Json) -> None:
    unit = board["units"][event["unit"]] if "unit" in event else {}
    match event["type"]:
        case "round_began":
            changed(board, event, "round")
        case "phase_began":
            changed(board, event, "phase")
        case "turn_order_set":
            board["waiting"] = list(event["order"])
        case "orders_locked":
            hidden = {name: {"#": ""} if "#" in event[name] else event[name] for name in ("orders", "salt")}
            board["locks"].append({"seat": event["seat"], **hidden})
        case "orders_revealed":
            board["locks"] = []
            board["revealed_salts"] += [lock["salt"] for lock in event["locks"]]
        case "unit_acted":
            board["waiting"].remove(event["unit"])
        case "unit_marched" | "unit_pursued":
            changed(unit, event, "x", "y", "facing")
        case "unit_reformed":
            changed(unit, event, "files")
        case "unit_charged":
            changed(unit, event, "x", "y", "facing")
            unit["has_charged"] = True
            board["contacts"].append({"charger": event["unit"], "target": event["target"]})
        case "attacks_rolled" | "hacks_rolled":
            for id in event["units_hit"]:
                board["units"][id]["hit"] = True
        case "models_wounded":
            for model in event["models"]:
                unit["models"][model["model"]] = model["wounds"]
        case "contacts_ended":
            board["contacts"] = [contact for contact in board["contacts"] if contact not in event["contacts"]]
        case "flight_began":
            unit.update(status="fleeing", facing=event["facing"])
        case "unit_fled":
            changed(unit, event, "x", "y")
        case "unit_destroyed":
            unit["status"] = "destroyed"
        case "unit_routed":
            unit["status"] = "routed"
        case "unit_rallied":
            unit.update(status="steady", facing=event["facing"])
        case "unit_redressed":
            changed(unit, event, "models")
        case "round_ended":
            for each in board["units"]:
                each.update(has_charged=False, hit=False)
        case "seat_withdrew":
            for id in event["units"]:
                board["units"][id]["status"] = "withdrawn"
            board["withdrawn"].append(event["seat"])
        case _:
            pass  # changes nothing on the board


FOLDS = {"pit": (start_pit, fold_pit), "regiments": (start_regiments, fold_regiments)}
