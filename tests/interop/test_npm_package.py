"""The npm package of the SDK: packed, installed in a fresh project, and its README done there on a real server."""

import asyncio
import json
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from tests.client.local_server import running_server
from tests.e2e.servers import ServerProcess
from tests.interop.node_program import node
from tools.release.artifacts import pack_npm

ROOT = Path(__file__).resolve().parents[2]
WEB = ROOT / "clients" / "web"
MODULES = WEB / "node_modules"
README = ROOT / "clients" / "typescript" / "README.md"
BLOCK = re.compile(r"^```js\n// (\w+\.mjs)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
STEP_SECONDS = 120
PLAYED = re.compile(r"match (\w+), (\d+) records: (\w+), winners: ")
CONSUMER = """
import { connect, DiskwarsError, offered, playBot, type Choice, type pit } from "diskwars-client";

const choose = ({ options }: Choice) => {
  const [first] = offered(options);
  if (!first) throw new DiskwarsError("nothing", "to do");
  return first;
};
export async function play(url: string): Promise<ReadonlyArray<number>> {
  const match = await (await connect(url)).openMatch({ ruleset: "pit" });
  for await (const { seq, body } of match.records(3)) if (seq === body.draw_index) break;
  const settings: pit.Settings | undefined = undefined;
  return settings ?? (await playBot(match, choose)).winners ?? [];
}
"""
"""A program in TypeScript that uses most types."""
IN_BROWSER = """
import { connect } from "diskwars-client";
const player = await connect(globalThis.serverUrl);
globalThis.shown = player.rulesets.map((ruleset) => ruleset.id).sort().join();
player.close();
"""
LIKE_A_BROWSER = """
import { WebSocket } from "ws";
Object.assign(globalThis, { WebSocket, serverUrl: process.argv[2] });
await import("./bundle.mjs");
console.log(globalThis.shown);
"""
"""Gives the bundle what a browser has; it holds nothing of Node."""
MAX_BROWSER_BYTES = 120_000
"""Of the bundle of a program that imports the whole package, minified."""

pytestmark = pytest.mark.timeout(300)  # the types alone take some ten seconds on a busy machine


def run(*words: str | Path, cwd: Path) -> str:
    done = subprocess.run(
        [str(word) for word in words], cwd=cwd, capture_output=True, text=True, timeout=STEP_SECONDS, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Provide a fresh project in which the packed package is installed, without a registry."""
    npm = shutil.which("npm")
    if npm is None or not (MODULES / "rolldown").is_dir():
        pytest.skip("needs npm and the packages of the page: npm ci in clients/web")
    folder = tmp_path_factory.mktemp("npm")
    project = folder / "project"
    project.mkdir()
    packed = pack_npm(WEB, folder)
    (project / "package.json").write_text('{"name": "fresh", "private": true, "type": "module"}')
    options = ("--offline", "--no-audit", "--no-fund", "--install-links")
    run(npm, "install", *options, packed, MODULES / "ws", cwd=project)
    for name, program in BLOCK.findall(README.read_text("utf-8")):
        (project / name).write_text(program)
    return project


async def run_program(project: Path, name: str, *words: str) -> str:
    process = await asyncio.create_subprocess_exec(
        node(),
        name,
        *words,
        cwd=project,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(STEP_SECONDS):
            out, said = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
    assert process.returncode == 0, said.decode()
    return out.decode()


def test_package_has_the_same_bytes_each_time(project: Path, tmp_path: Path) -> None:
    (first,) = project.parent.glob("diskwars-client-*.tgz")
    assert pack_npm(WEB, tmp_path).read_bytes() == first.read_bytes()


def test_package_has_the_version_of_the_project_and_needs_no_other(project: Path) -> None:
    installed = json.loads((project / "node_modules" / "diskwars-client" / "package.json").read_text())
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert installed["version"] == version
    assert "dependencies" not in installed
    files = {file.name for file in (project / "node_modules" / "diskwars-client").iterdir()}
    assert files == {"LICENSE", "README.md", "dist", "package.json"}


async def test_readme_plays_reads_and_handles_an_error_on_a_real_server(project: Path, open_folder: Path) -> None:
    async with ServerProcess("--port", "0", "--data", str(open_folder / "npm")) as server:
        played = PLAYED.match(await run_program(project, "bot.mjs", server.url))
        assert played is not None
        read = (await run_program(project, "records.mjs", server.url, played[1])).splitlines()
        assert [int(line.split()[0]) for line in read] == list(range(1, int(played[2]) + 1))
        assert read[-1].endswith("match_ended")
        assert (await run_program(project, "errors.mjs", server.url)).split() == ["unknown_match", "$.match"]


async def test_bundle_for_browsers_is_small_and_connects(project: Path) -> None:
    (project / "page.mjs").write_text(IN_BROWSER)
    (project / "like_a_browser.mjs").write_text(LIKE_A_BROWSER)
    rolldown = (node(), MODULES / ".bin" / "rolldown")
    run(*rolldown, "page.mjs", "--file", "bundle.mjs", "--platform", "browser", "--minify", cwd=project)
    bundled = (project / "bundle.mjs").read_bytes()
    assert b"node:" not in bundled
    assert len(bundled) < MAX_BROWSER_BYTES
    async with running_server() as url:
        shown = await run_program(project, "like_a_browser.mjs", url)
        assert shown.strip() == "close_quarters,diskwars,pit,regiments"


def test_types_serve_programs_that_follow_the_rules_of_node(project: Path) -> None:
    (project / "consumer.ts").write_text(CONSUMER)
    options = ("--noEmit", "--strict", "--target", "es2022", "--module", "nodenext")
    run(node(), MODULES / "typescript" / "bin" / "tsc", *options, "--lib", "es2024,dom", "consumer.ts", cwd=project)
    assert (project / "consumer.ts").exists()
