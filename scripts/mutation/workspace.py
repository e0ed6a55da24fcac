"""A copy of the repository in which mutants are built. The repository itself is only read.

All packages share the copy and its build folder. The mutants of a package's last run stay in the
copy while another package is built: they are switched off, and removing them would rebuild every
package that depends on it.
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
    """Notes of earlier runs: mutants that do not compile, and seed and count of each package."""

    def __init__(self):
        self.file = FOLDER / "notes.json"
        notes = json.loads(self.file.read_text()) if self.file.exists() else {}
        self.refused = set(notes.get("refused", []))
        self.drawn = notes.get("drawn", {})

    def save(self):
        FOLDER.mkdir(parents=True, exist_ok=True)
        self.file.write_text(json.dumps({"refused": sorted(self.refused), "drawn": self.drawn}, indent=1))


def draw(package, seed, count, refused):
    """Draws numbered mutants by a seed: at most one per line, and none that does not compile."""
    generator = random.Random(seed)
    drawn = []
    for path in tracked():
        weight = package.weight(path)
        found = list(mutation.find(path, (ROOT / path).read_text())) if weight else []
        for mutant in found:
            # Weighted sampling without replacement (Efraimidis-Spirakis). A file's weight grows
            # with the square root of its candidates, so that large files do not dominate.
            drawn.append((generator.random() ** (len(found) ** 0.5 / weight), mutant))
    drawn.sort(key=lambda pair: pair[0], reverse=True)
    chosen, lines = [], set()
    for _, mutant in drawn:
        if (mutant.path, mutant.line) not in lines and mutant.key not in refused:
            lines.add((mutant.path, mutant.line))
            chosen.append(mutant)
    return list(enumerate(chosen[:count], 1))


def build(package, seed, count):
    """Builds the tests with the mutants of a seed and returns the mutants.

    Mutants that do not compile are replaced by others.
    """
    notes = Notes()
    # Draw more than requested, because some do not compile.
    notes.drawn[package.name] = [seed, count + count // 4]
    while True:
        drawn = {name: draw(PACKAGES[name], *choice, notes.refused) for name, choice in sorted(notes.drawn.items())}
        owners = write(drawn)
        notes.save()
        result = subprocess.run(
            # Without caching, because the plan in the shared build folder may be that of another package.
            ["swift", "build", "--build-tests", "-debug-info-format", "none", "--disable-build-manifest-caching",
             *place(package)], capture_output=True, text=True)
        if result.returncode == 0:
            return drawn[package.name][:count]
        refused = blamed(result.stdout + result.stderr, owners)
        if not refused:
            raise BuildFailed(result.stdout + result.stderr)
        notes.refused |= refused


def write(drawn):
    """Updates the copy from the repository, with mutants. Unchanged files keep their times.

    Returns the key of the mutant by file and line.
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
    """Returns the keys of the mutants at the locations of compiler errors."""
    keys = set()
    for match in re.finditer(r"^(/\S+\.swift):(\d+):\d+: error:", output, re.MULTILINE):
        path = pathlib.Path(match[1])
        if TREE in path.parents:
            path, line = str(path.relative_to(TREE)), int(match[2])
            # The mutant on this line, or the last one before it: the error may be at the end of the
            # function.
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
    """Returns every file of the repository, including files that are not committed yet."""
    output = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True,
        check=True).stdout
    return sorted(path for path in output.split("\0") if path and (ROOT / path).is_file())
