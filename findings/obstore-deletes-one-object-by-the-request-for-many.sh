#!/usr/bin/env bash
# How obstore deletes one object of a bucket.
#
# expected: as it writes one: a request with the method DELETE and the key of the object.
#
# seen: with obstore 0.12.1: `delete` with one key sends the request for many, `POST /bucket?delete` with a list in
# XML (DeleteObjects), and reads the list of the answer. A storage that speaks S3 without that request takes every write
# and refuses every deletion, and a policy or a proxy that allows DELETE alone does so too. Keys that were not there have to
# be in the list of the answer: an empty list is an error.
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

store = from_url("s3://bucket")
obstore.put(store, "a/b", b"body")
obstore.delete(store, "a/b")
print(*seen, sep="\n")
is_as_found = seen == ["PUT /bucket/a/b", "POST /bucket?delete"]
print("as found" if is_as_found else "CHANGED")
sys.exit(not is_as_found)
PYTHON
"$folder/venv/bin/python" "$folder/try.py"
