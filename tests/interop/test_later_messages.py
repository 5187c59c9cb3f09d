"""The client in Node passes over what a later server may send, and knows when to reconnect."""

import json
import subprocess
from typing import Any

from diskwars_protocol.connection.connection import encode
from diskwars_protocol.messages.closing import Closing
from diskwars_protocol.messages.handshake import Welcome
from diskwars_protocol.messages.lists import MatchList
from diskwars_protocol.schema import examples
from tests.interop.node_program import PROGRAM, Json, node

NODE_SCRIPT = """
import { pathToFileURL } from "node:url";
const { Client, Closed } = await import(pathToFileURL(process.argv[1]));
const client = new Client("", null);
const answer = client.request({ type: "list_matches" });
const closed = [];
for (const frame of JSON.parse(process.argv[2])) {
  try {
    client.receive(frame, () => {});
  } catch (fault) {
    if (!(fault instanceof Closed)) throw fault;
    closed.push(fault.mayReturn);
  }
}
console.log(JSON.stringify({ player: client.player, answer: await answer, closed }));
"""


def later(kind: type[Any], **fields: object) -> Json:
    return json.loads(encode(examples.find_example(kind))) | fields


def test_node_client_takes_what_a_later_server_sends() -> None:
    summary = later(MatchList)["matches"][0] | {"status": "paused", "match_options": {"watchers": "delayed"}}
    frames = [
        {"type": "notice", "text": "the server restarts at noon"},
        later(Welcome),
        {"type": "chat", "match": "m", "text": "hello"},
        later(MatchList, id="new-1", matches=[summary]),
        later(Closing, close_reason="moved", retry_after_ms=100),
        {"type": "closing", "code": 4100, "close_reason": "banned", "text": "go away"},
        later(Closing, close_reason="token_bad", retry_after_ms=100),
    ]
    module = PROGRAM.with_name("client.mjs")
    command = [node(), "--input-type=module", "--eval", NODE_SCRIPT, "--", str(module), json.dumps(frames)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=50, check=True)
    found = json.loads(run.stdout)
    assert (found["player"], found["answer"]["matches"]) == (frames[1]["player"], [summary])
    assert found["closed"] == [True, False, False]
