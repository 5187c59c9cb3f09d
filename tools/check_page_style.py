"""Check the format of the page, its texts, its layers and its unused code, by the scripts of its package.json.

Style rules of two components are found without them.

Where Node is missing there is nothing to run them with, and that is no fault of the page. Packages are installed as the
build of the page installs them: under its lock and with its stamp, so that either finds what the other installed.
"""

import fcntl
import hashlib
import re
import shutil
import subprocess
import sys
from pathlib import Path

WEB = Path(__file__).resolve().parents[1] / "clients" / "web"
OLDEST_NODE = (20, 19)
SCRIPTS = ("format:check", "catalogues", "lint")
INSTALL_SECONDS = 300
SCRIPT_SECONDS = 300
REPEATED_DECLARATIONS = 5
"""A rule of as many declarations is written once: shorter ones are alike by chance."""
STYLE = re.compile(r"<style>(.*)</style>", re.DOTALL)
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")


def has_node() -> bool:
    """Return whether there are npm and a Node that runs the linter."""
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        return False
    version = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=30, check=False).stdout
    parts = version.strip().removeprefix("v").split(".")[:2]
    return all(part.isdigit() for part in parts) and tuple(map(int, parts)) >= OLDEST_NODE


def install() -> int:
    """Install the packages of the lock file unless they are there; return the exit code of npm."""
    installed = WEB / "node_modules" / ".installed"
    with (WEB / ".build.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        packages = hashlib.sha256((WEB / "package-lock.json").read_bytes()).hexdigest()
        if installed.exists() and installed.read_text() == packages:
            return 0
        options = ["--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1"]
        code = subprocess.run(["npm", "install", *options], cwd=WEB, timeout=INSTALL_SECONDS, check=False).returncode
        if code == 0:
            installed.write_text(packages)
        return code


def repeated_rules(sources: Path) -> list[str]:
    """Return the style rules of several components of a folder, each as its places."""
    places: dict[tuple[str, ...], dict[str, str]] = {}
    for path in sorted(sources.rglob("*.svelte")):
        for style in STYLE.findall(path.read_text("utf-8")):
            for selector, body in RULE.findall(COMMENT.sub("", style)):
                rule = tuple(sorted(part.strip() for part in body.split(";") if part.strip()))
                if len(rule) >= REPEATED_DECLARATIONS:
                    places.setdefault(rule, {}).setdefault(path.name, " ".join(selector.split()))
    return [
        " = ".join(f"{name} {selector}" for name, selector in found.items())
        for found in places.values()
        if len(found) > 1
    ]


def main() -> int:
    if repeated := repeated_rules(WEB / "src"):
        print("\n".join(("clients/web: style rules of several components:", *repeated)), file=sys.stderr)
        return 1
    if not has_node():
        print(f"skipped: no Node ({'.'.join(map(str, OLDEST_NODE))} or newer, with npm)")
        return 0
    if install() != 0:
        print("clients/web: npm could not install the packages of the page", file=sys.stderr)
        return 1
    failed = [name for name in SCRIPTS if run_script(name) != 0]
    if "format:check" in failed:
        print("clients/web: `npm run format` there fixes the format", file=sys.stderr)
    return 1 if failed else 0


def run_script(name: str) -> int:
    command = ["npm", "run", "--silent", name]
    return subprocess.run(command, cwd=WEB, timeout=SCRIPT_SECONDS, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
