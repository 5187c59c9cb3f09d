"""The languages of the page, and its texts as their catalogues have them."""

import json
from functools import cache
from pathlib import Path

MESSAGES = Path(__file__).resolve().parents[2] / "clients" / "web" / "src" / "messages"
LANGUAGES = sorted(folder.name for folder in MESSAGES.iterdir() if folder.is_dir())
OTHER_LANGUAGES = [language for language in LANGUAGES if language != "en"]
"""The languages that are loaded when they are chosen."""


@cache
def common_texts(language: str) -> dict[str, str]:
    """Return the texts that the whole page shares, by their keys, as ICU messages."""
    files = sorted((MESSAGES / language).glob("*.json"))
    return {key: text for file in files for key, text in json.loads(file.read_text("utf-8")).items()}
