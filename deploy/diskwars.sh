#!/bin/sh
# `diskwars` as the account of the service and with its settings; docs/operating.md says how to install it.
# Passwords are typed or come by standard input: everybody on the machine can read the environment of a unit (D-Bus).
if [ -t 0 ] && [ -t 1 ]; then terminal=--pty; else terminal=--pipe; fi
exec systemd-run --quiet --wait --collect "$terminal" --uid=diskwars --gid=diskwars \
    --working-directory=/var/lib/diskwars --property=UMask=0077 \
    --property=EnvironmentFile=-/etc/diskwars/environment \
    --setenv=DISKWARS_CONFIG=/etc/diskwars/server.toml --setenv=DISKWARS_DATA=/var/lib/diskwars \
    --setenv=DISKWARS_OPERATOR --setenv=TERM \
    /opt/diskwars/bin/diskwars "$@"
