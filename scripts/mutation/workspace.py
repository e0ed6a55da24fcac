"""A copy of the repository in which mutants are written and built. The repository itself is only read.

All packages share the copy and its build folder. A package keeps the mutants of its last run while another one is
built: without their switch they change nothing, and to take them out would build everything above it again.
"""

import json
import pathlib
import random
import re
import subprocess

import mutants as mutation
import schemata
from packages import PACKAGES

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / ".build/mutate"
TREE = FOLDER / "tree"
SCRATCH = FOLDER / "build"


class BuildFailed(Exception):
    pass


class Notes:
    """What runs remember: the mutants the compiler refused, and what each package was drawn with."""

    def __init__(self):
        self.file = FOLDER / "notes.json"
        notes = json.loads(self.file.read_text()) if self.file.exists() else {}
        self.refused = set(notes.get("refused", []))
        self.drawn = notes.get("drawn", {})

    def save(self):
        FOLDER.mkdir(parents=True, exist_ok=True)
        self.file.write_text(json.dumps({"refused": sorted(self.refused), "drawn": self.drawn}, indent=1))


def draw(package, seed, count, refused):
    """The mutants by a seed, by number: at most one for each line, and none that the compiler refused."""
    generator = random.Random(seed)
    drawn = []
    for path in tracked():
        weight = package.weight(path)
        found = list(mutation.find(path, (ROOT / path).read_text())) if weight else []
        for mutant in found:
            # Weighted sampling without replacement (Efraimidis-Spirakis). A file's weight grows with the square root of its
            # candidates, so that large files do not dominate.
            drawn.append((generator.random() ** (len(found) ** 0.5 / weight), mutant))
    drawn.sort(key=lambda pair: pair[0], reverse=True)
    chosen, lines = [], set()
    for _, mutant in drawn:
        if (mutant.path, mutant.line) not in lines and mutant.key not in refused:
            lines.add((mutant.path, mutant.line))
            chosen.append(mutant)
    return list(enumerate(chosen[:count], 1))


def build(package, seed, count):
    """Builds the tests with the mutants of a seed, and returns these. Those that do not compile are replaced by others."""
    notes = Notes()
    # Some more than asked for: each build shows which of them do not compile.
    notes.drawn[package.name] = [seed, count + count // 4]
    while True:
        drawn = {name: draw(PACKAGES[name], *choice, notes.refused) for name, choice in sorted(notes.drawn.items())}
        owners = write(drawn)
        notes.save()
        result = subprocess.run(
            ["swift", "build", "--build-tests", "-debug-info-format", "none", *place(package)], capture_output=True, text=True)
        if result.returncode == 0:
            return drawn[package.name][:count]
        refused = blamed(result.stdout + result.stderr, owners)
        if not refused:
            raise BuildFailed(result.stdout + result.stderr)
        notes.refused |= refused


def write(drawn):
    """Makes the copy what the repository is, with mutants. Files that stay as they are keep their dates.

    Returns the key of the mutant on each line that has one.
    """
    contents = {path: None for path in tracked()}
    owners = {}
    for name, numbered in drawn.items():
        package, by_path = PACKAGES[name], {}
        for id, mutant in numbered:
            by_path.setdefault(mutant.path, []).append((id, mutant))
            owners[mutant.path, mutant.line] = mutant.key
        for path, own in by_path.items():
            contents[path] = schemata.written((ROOT / path).read_text(), own)
        support = f"{package.sources}/MoyaMutant.swift"
        contents[support], lines = schemata.support(name, numbered)
        owners |= {(support, line): mutant.key for line, mutant in lines.items()}
    for path, text in contents.items():
        content = (ROOT / path).read_bytes() if text is None else text.encode()
        target = TREE / path
        if not target.exists() or target.read_bytes() != content:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        if (ROOT / path).exists():
            target.chmod((ROOT / path).stat().st_mode)
    for target in list(TREE.rglob("*")):
        if target.is_file() and target.name != "Package.resolved" and str(target.relative_to(TREE)) not in contents:
            target.unlink()
    return owners


def blamed(output, owners):
    """The keys of the mutants that the compiler's errors point at."""
    keys = set()
    for match in re.finditer(r"^(/\S+\.swift):(\d+):\d+: error:", output, re.MULTILINE):
        path = pathlib.Path(match[1])
        if TREE in path.parents:
            path, line = str(path.relative_to(TREE)), int(match[2])
            # On this line, or the last one before it in the file: the end of a function may be what is wrong.
            near = [(other > line, abs(line - other), other) for owner, other in owners if owner == path]
            if near:
                keys.add(owners[path, min(near)[2]])
    return keys


def place(package):
    return ["--package-path", str(TREE / "Packages" / package.folder), "--scratch-path", str(SCRATCH)]


def test_binary(package):
    result = subprocess.run(
        ["swift", "build", "--show-bin-path", *place(package)], capture_output=True, text=True, check=True)
    return pathlib.Path(result.stdout.strip()) / f"{package.folder}PackageTests.xctest"


def tracked():
    """Every file of the repository, with those that are not committed yet."""
    output = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True,
        check=True).stdout
    return sorted(path for path in output.split("\0") if path and (ROOT / path).is_file())
