"""The modules of the last debug builds: the compiler's arguments, what they re-export, and their symbol graphs."""
import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(sys.argv[0]).name
EXPORT = re.compile(r"^ *@_exported (?:public )?import (\w+)", re.M)


def commands(scratch):
    """Yields the words of each command of the build in the folder `scratch`."""
    plan = scratch / "debug.yaml"
    if not plan.exists():
        sys.exit(f"{PROGRAM}: {plan} is missing: build the root first, as scripts/test does")
    for line in re.findall(r"^ *args: (\[.*\])$", plan.read_text(), re.M):
        yield json.loads(line)


def built(scratch):
    """Returns the compiler's arguments for each module of the build in the folder `scratch`."""
    return {words[words.index("-module-name") + 1]: words for words in commands(scratch)
            if "-module-name" in words and "-emit-module-path" in words}


class Package:
    """The products of the root, with their modules as they were built. MoyaMacros is built with the examples, MoyaXML by itself."""

    def __init__(self, root=ROOT / ".build/root", macros=ROOT / ".build/examples", xml=ROOT / ".build/xml"):
        self.built = built(root)
        for scratch, module in ((macros, "MoyaMacros"), (xml, "MoyaXML")):
            if (scratch / "debug.yaml").exists():
                self.built |= {name: words for name, words in built(scratch).items() if name == module}
        command = ["swift", "package", "dump-package", "--package-path", ROOT]
        manifest = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        self.targets = {target["name"]: target for target in manifest["targets"]}
        self.products = {product["name"]: product["targets"] for product in manifest["products"]}
        self.left_out = set()
        for product, modules in list(self.products.items()):
            if missing := sorted({trait for name in modules for trait in self._traits(name) if f"-D{trait}" not in self.built.get(name, [])}):
                self.left_out.add(product)
                print(f"{PROGRAM}: {product} is left out: it was built without {', '.join(missing)}")

    def _traits(self, module):
        for name, *fields in (fields for dependency in self.targets[module]["dependencies"] for fields in dependency.values()):
            yield from (fields[-1] or {}).get("traits") or []
            # A module that declares macros needs what their plugin needs.
            if self.targets.get(name, {}).get("type") == "macro":
                yield from self._traits(name)

    def modules(self):
        """The modules of all products but those that are left out."""
        return sorted({name for product, names in self.products.items() if product not in self.left_out for name in names})

    def exports(self, module):
        """The modules that a module re-exports, which symbol graphs leave out."""
        return sorted({name for path in (ROOT / self.targets[module]["path"]).rglob("*.swift") for name in EXPORT.findall(path.read_text())})

    def graphs(self, *options):
        """Returns the symbol graphs of each module: first its own, then those of the modules that it extends."""
        with ThreadPoolExecutor(os.cpu_count()) as threads:
            return dict(zip(self.modules(), threads.map(lambda name: self._graphs(name, options), self.modules())))

    def _graphs(self, module, options):
        words = self.built.get(module) or sys.exit(f"{PROGRAM}: {module} is not built. Build the root first, as scripts/test does.")
        paths = [word for pair in zip(words, [*words[1:], ""]) if pair[0] in ("-I", "-F", "-Xcc", "-target", "-sdk", "-module-cache-path")
                 for word in pair] + [word for word in words if re.match(r"-[IF]/", word)]
        with tempfile.TemporaryDirectory() as output:
            result = subprocess.run(
                ["swift-symbolgraph-extract", "-module-name", module, *paths, "-output-dir", output, "-minimum-access-level", "public",
                 "-skip-synthesized-members", "-skip-inherited-docs", *options], capture_output=True, text=True)
            if result.returncode != 0:
                sys.exit(f"{PROGRAM}: {module} cannot be read:\n{result.stderr}")
            # The names of extension graphs contain "@".
            paths = sorted(Path(output).glob("*.symbols.json"), key=lambda path: ("@" in path.name, path.name))
            return {path.name: json.loads(path.read_text()) for path in paths}
