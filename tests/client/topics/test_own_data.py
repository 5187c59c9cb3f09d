"""The own data, collected from the answers of a server: none of its lists ends after the first page."""

from pathlib import Path

import msgspec

from diskwars_client.requester import ResponseT
from diskwars_client.topics.own_data import collect_own_data
from diskwars_protocol.messages import Request
from diskwars_protocol.messages.ratings import GetRatingHistory

SAMPLES = Path(__file__).resolve().parents[2] / "protocol" / "samples"


class SampleServer:
    """Answers every request by the sample of its answer; only the history of a rating has a second page."""

    def __init__(self) -> None:
        self.pages = list[tuple[str, str | None]]()

    async def request(self, request: Request, kind: type[ResponseT]) -> ResponseT:
        answer = msgspec.json.decode((SAMPLES / f"{kind.__struct_config__.tag}.json").read_bytes())
        answer.pop("has_more", None)
        if isinstance(request, GetRatingHistory):
            self.pages.append((request.ruleset, request.page))
        if not isinstance(request, GetRatingHistory) or request.page is not None:
            answer.pop("next_page", None)
        return msgspec.json.decode(msgspec.json.encode(answer), type=kind)


async def test_ratings_are_in_the_own_data_with_their_whole_history() -> None:
    server = SampleServer()
    data = await collect_own_data(server)
    assert [rating["ruleset"] for rating in data["statistics"]["ratings"]] == ["diskwars"]
    assert server.pages == [("diskwars", None), ("diskwars", "1041")]
    assert [change["rating"] for change in data["rating_history"]["diskwars"]] == [18214, 18214]
