"""The command of the project, whose claims of notices end after `LEASE_MS` milliseconds (of the environment)."""

import os
import sys

from diskwars_cli.__main__ import main
from diskwars_server.notices import deliverer, dispatcher

LEASE_MS = "LEASE_MS"

if __name__ == "__main__":
    deliverer.LEASE_MS = dispatcher.LEASE_MS = int(os.environ[LEASE_MS])
    sys.exit(main())
