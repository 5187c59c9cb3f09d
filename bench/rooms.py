"""Where does the time of one action go, room by room? Stub."""


def listen() -> None:
    pass


def told() -> str:
    return ""
