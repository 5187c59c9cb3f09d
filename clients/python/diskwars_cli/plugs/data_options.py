"""Options that say where matches and packs are kept, for every verb but `serve`."""

import os
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from diskwars_server.settings import ServerSettings, load_settings


class DataOptions(Struct, frozen=True):
    """Data of the user on this machine; the own server of `play` listens on `port`.

    `folder` holds the embedded database and is None for the default one; it counts without a `database_url` only.
    """

    folder: Path | None = None
    database_url: str = ""
    packs: tuple[str, ...] = ()
    port: int = ServerSettings().port

    def server_settings(self) -> ServerSettings:
        """Return the settings of a server with these data; environment and file decide all others."""
        settings = load_settings({}, os.environ)
        return replace(settings, data=self.folder, database_url=self.database_url, pack=self.packs, port=self.port)
