#!/usr/bin/env bash
# Whether options of obstore's client add to those of the environment.
#
# expected: they do, as options of a store do: AWS_REGION of the environment counts beside a `config` without a region.
# So AWS_ALLOW_HTTP=true, which allows an endpoint without TLS, counts beside a timeout that the program sets.
#
# seen: with obstore 0.12.1: without `client_options` it does. With any of them, also only a timeout, all client options of
# the environment are dropped: the first request fails with "builder error", which names neither HTTP nor the option. So
# an operator's own storage on plain HTTP works until the program gets a timeout. What helps: pass `allow_http` beside it.
#
# Exits with 0 if that is still so, with 1 if the behaviour has changed. Needs Python 3.11 or newer and the network.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check obstore==0.12.1
cat >"$folder/try.py" <<'PYTHON'
import http.server
import os
import sys
import threading
from datetime import timedelta

seen = []


class Bucket(http.server.BaseHTTPRequestHandler):
    def answer(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        seen.append(f"{self.command} {self.path}")
        body = b"<DeleteResult><Deleted><Key>a/b</Key></Deleted></DeleteResult>"
        self.send_response(200)
        self.send_header("ETag", '"1"')
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_PUT = do_POST = do_DELETE = answer

    def log_message(self, *ignored):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Bucket)
threading.Thread(target=server.serve_forever, daemon=True).start()
os.environ.update(
    AWS_ENDPOINT_URL=f"http://127.0.0.1:{server.server_port}",
    AWS_ALLOW_HTTP="true",
    AWS_ACCESS_KEY_ID="key",
    AWS_SECRET_ACCESS_KEY="secret",
    AWS_REGION="eu-central-1",
)
import obstore
from obstore.store import from_url


def put(**options):
    """Write one object; return what the bucket saw, or the error."""
    seen.clear()
    try:
        obstore.put(from_url("s3://bucket", **options), "a/b", b"body")
    except Exception as error:
        return "builder error" if "builder error" in str(error) else repr(error)
    return seen[-1]


timeout = {"timeout": timedelta(seconds=5)}
found = [put(), put(client_options=timeout), put(client_options={**timeout, "allow_http": True})]
print(*found, sep="\n")
is_as_found = found == ["PUT /bucket/a/b", "builder error", "PUT /bucket/a/b"]
print("as found" if is_as_found else "CHANGED")
sys.exit(not is_as_found)
PYTHON
"$folder/venv/bin/python" "$folder/try.py"
