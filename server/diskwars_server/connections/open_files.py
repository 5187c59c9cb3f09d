"""How many files a server may have open: every connection is one."""

import resource

OPEN_FILES = 65_536
"""As the systemd units have it. A shell usually allows 1,024, which the usual number of connections uses up."""


def raise_open_file_limit() -> None:
    """Allow this process and those that it starts `OPEN_FILES` open files, or as many as the account may have."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = OPEN_FILES if hard == resource.RLIM_INFINITY else min(OPEN_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
