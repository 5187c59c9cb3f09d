"""Plugin for pytest that imports one module of the product with a mutation; see `trials.try_in_new_process`."""

import importlib.abc
import importlib.machinery
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from types import CodeType, ModuleType

from tools.rule_mutants.mutations import Mutation

ROOT = Path(__file__).resolve().parents[2]


class MutatedLoader(importlib.machinery.SourceFileLoader):
    """Loads the source with the mutation, past the cache of compiled files."""

    def __init__(self, fullname: str, mutation: Mutation) -> None:
        super().__init__(fullname, str(ROOT / mutation.path))
        self._mutation = mutation

    def get_code(self, fullname: str) -> CodeType:
        source = Path(self.path).read_text("utf-8")
        return compile(self._mutation.apply(source), self.path, "exec", dont_inherit=True)


class MutatedFinder(importlib.abc.MetaPathFinder):
    def __init__(self, mutation: Mutation) -> None:
        self._mutation = mutation

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is None or spec.origin != str(ROOT / self._mutation.path):
            return None
        spec.loader = MutatedLoader(fullname, self._mutation)
        return spec


if text := os.environ.get("DISKWARS_MUTANT"):
    sys.meta_path.insert(0, MutatedFinder(Mutation(*json.loads(text))))
