#!/usr/bin/env bash
# What `timeout` of aiosmtplib's `send(...)` bounds: the sending of a mail, or each step of it.
#
# expected: the call ends within `timeout` seconds, with the mail handed over or with an error, so that a lease of a
# queue that is a little longer than it covers every attempt.
#
# seen: with aiosmtplib 5.1.3: the limit is one for each command. A server that takes 0.6 s for each answer, with a
# `timeout` of 1 s, is no error: the call takes several times its limit and succeeds. In a queue with claims another
# worker then claims the mail and sends it as well. What helps: a limit of one's own around the call, shorter than the
# lease.
#
# Exits with 0 if that is still so, with 1 if the behaviour has changed. Needs Python 3.11 or newer and the network.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check aiosmtplib==5.1.3 aiosmtpd==1.4.6
cat >"$folder/try.py" <<'PYTHON'
import asyncio
import sys
import time
from email.message import EmailMessage

import aiosmtplib
from aiosmtpd.smtp import SMTP

LIMIT, DELAY = 1.0, 0.6


class Slow:
    """A mail server that takes its time for each answer, and takes the mail in the end."""

    async def handle_EHLO(self, server, session, envelope, hostname, responses):
        session.host_name = hostname
        await asyncio.sleep(DELAY)
        return responses

    async def handle_MAIL(self, server, session, envelope, address, options):
        envelope.mail_from = address
        await asyncio.sleep(DELAY)
        return "250 OK"

    async def handle_RCPT(self, server, session, envelope, address, options):
        envelope.rcpt_tos.append(address)
        await asyncio.sleep(DELAY)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        await asyncio.sleep(DELAY)
        return "250 OK"


async def main():
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: SMTP(Slow(), hostname="mail.example", loop=loop), "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "a@example.org", "b@example.org", "a turn"
    mail.set_content("yours")
    began = time.monotonic()
    try:
        await aiosmtplib.send(mail, hostname="127.0.0.1", port=port, timeout=LIMIT, start_tls=False)
        outcome = "sent"
    except (aiosmtplib.SMTPException, TimeoutError) as error:
        outcome = type(error).__name__
    seconds = time.monotonic() - began
    print(f"timeout={LIMIT:g}: {outcome} after {seconds:.1f} s")
    is_as_found = outcome == "sent" and seconds > 2 * LIMIT
    print("as found" if is_as_found else "CHANGED")
    return not is_as_found


sys.exit(asyncio.run(main()))
PYTHON
"$folder/venv/bin/python" "$folder/try.py"
