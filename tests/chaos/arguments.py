"""Command-line options that the chaos programs share."""

import argparse


def positive(text: str) -> int:
    """Parse a number of rounds or frames."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number} is less than 1")
    return number


def make_parser(module: str, description: str | None) -> argparse.ArgumentParser:
    """Return the parser of a program that is started by the name of its module."""
    return argparse.ArgumentParser(
        prog=f"python -m {module}", description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
