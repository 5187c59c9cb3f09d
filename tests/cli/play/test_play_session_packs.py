"""`play --url … --pack` opens a match with these packs of the server; on an own server `--pack` loads them."""

import pytest

from diskwars_cli.play.play_session import PlayOptions, _chosen_packs
from diskwars_cli.plugs.data_options import DataOptions

URL = "wss://disks.example.org/ws"


@pytest.mark.parametrize(
    ("url", "words", "packs"),
    [
        (URL, (), None),
        (URL, ("expansion",), ("diskwars/expansion",)),
        (URL, ("diskwars/expansion", "mine"), ("diskwars/expansion", "diskwars/mine")),
        (URL, ("none",), ()),
        (None, ("expansion",), None),
        (None, (), None),
    ],
)
def test_packs_are_chosen_on_servers_of_others(
    url: str | None, words: tuple[str, ...], packs: tuple[str, ...] | None
) -> None:
    assert _chosen_packs(PlayOptions(data=DataOptions(packs=words), url=url)) == packs
