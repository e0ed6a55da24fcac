"""The products of the root package, their modules, and what those re-export."""

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.append(str(ROOT / "scripts/swift"))

import swift_text

EXPORT = re.compile(r"^ *@_exported (?:public )?import (\w+)", re.M)


class Package:
    def __init__(self):
        command = ["swift", "package", "dump-package", "--package-path", str(ROOT)]
        manifest = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        self.products = {product["name"]: product["targets"] for product in manifest["products"]}
        self.targets = {target["name"]: target for target in manifest["targets"]}

    def modules(self):
        """The modules of all products."""
        return sorted({name for names in self.products.values() for name in names})

    def folder(self, module):
        return ROOT / (self.targets[module]["path"] or f"Sources/{module}")

    def missing_traits(self, module, words):
        """The traits that a module's dependencies need and that it was compiled without, where `words` are the compiler's arguments."""
        return {trait for trait in self._traits(module) if f"-D{trait}" not in words}

    def _traits(self, module):
        for dependency in self.targets[module]["dependencies"]:
            for name, *fields in dependency.values():
                yield from (fields[-1] or {}).get("traits") or []
                # A module that declares macros needs what their plugin needs.
                if self.targets.get(name, {}).get("type") == "macro":
                    yield from self._traits(name)

    def exports(self, module):
        """The modules that a module re-exports, which symbol graphs leave out."""
        sources = (path.read_text() for path in self.folder(module).rglob("*.swift"))
        return sorted({name for text in sources if "@_exported" in text for name in EXPORT.findall(swift_text.masked(text))})

    def all_exports(self, modules):
        """The modules and all of this package that an import of them brings, each once."""
        found = []
        for module in modules:
            brought = self.all_exports(name for name in self.exports(module) if name in self.targets)
            found += [name for name in [module, *brought] if name not in found]
        return found
