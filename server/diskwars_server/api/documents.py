"""Operations that describe the interface itself: the OpenAPI document, and the reference page."""

import asyncio
from collections.abc import Callable, Sequence

import msgspec
from msgspec import Struct

from diskwars_server.api.answers import HTML_TYPE, JSON_TYPE, Answer, Body
from diskwars_server.api.openapi import make_openapi
from diskwars_server.api.operations import Call, Operation
from diskwars_server.api.reference_page import PAGE_POLICY, make_reference_page


class GetOpenapi(Struct, frozen=True, forbid_unknown_fields=True, tag="get_openapi"):
    """Request the OpenAPI document."""


class GetReference(Struct, frozen=True, forbid_unknown_fields=True, tag="get_reference"):
    """Request the reference page."""


def with_documents(operations: Sequence[Operation], version: str) -> tuple[Operation, ...]:
    """Return these operations and those that describe all of them."""
    documents = _Documents(version)
    documents.operations = (
        *operations,
        Operation(
            "GET",
            "/openapi.json",
            GetOpenapi,
            documents.get_openapi,
            topic="server",
            summary="This interface as an OpenAPI document",
            example="/openapi.json",
        ),
        Operation(
            "GET",
            "",
            GetReference,
            documents.get_reference,
            topic="server",
            summary="This interface as a page to read",
            content_types=(HTML_TYPE,),
        ),
    )
    return documents.operations


class _Documents:
    """The documents of one server, each made when it is first requested: one takes a second."""

    def __init__(self, version: str) -> None:
        self._version = version
        self.operations: tuple[Operation, ...] = ()
        self._made: dict[str, bytes] = {}
        self._lock = asyncio.Lock()

    async def get_openapi(self, call: Call, request: GetOpenapi) -> Answer:
        content = await self._find("openapi", lambda: msgspec.json.encode(make_openapi(self.operations, self._version)))
        return Body(content, JSON_TYPE, is_compressed=True)

    async def get_reference(self, call: Call, request: GetReference) -> Answer:
        content = await self._find("page", lambda: make_reference_page(self.operations, self._version))
        return Body(content, HTML_TYPE, policy=PAGE_POLICY, is_compressed=True)

    async def _find(self, name: str, make: Callable[[], bytes]) -> bytes:
        async with self._lock:
            if name not in self._made:
                # In a thread: it would otherwise stop every match for as long as it takes.
                self._made[name] = await asyncio.to_thread(make)
        return self._made[name]
