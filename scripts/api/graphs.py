"""The modules of the root's last build in debug mode, and their symbol graphs."""

import json
import re
import subprocess
import sys
from pathlib import Path

PROGRAM = Path(sys.argv[0]).name


def arguments(scratch):
    """The compiler's arguments for each module of the build in the folder `scratch`."""
    plan = scratch / "debug.yaml"
    if not plan.exists():
        sys.exit(f"{PROGRAM}: {plan} is missing: build the root first, as scripts/test does")
    found = {}
    for line in re.findall(r"^ *args: (\[.*\])$", plan.read_text(), re.M):
        words = json.loads(line)
        if "-module-name" in words and "-emit-module-path" in words:
            found[words[words.index("-module-name") + 1]] = words
    return found


def search_paths(words):
    """What swift-symbolgraph-extract needs of a compiler's arguments to find imported modules."""
    for word, value in zip(words, [*words[1:], ""]):
        if word in ("-I", "-F", "-Xcc", "-target", "-sdk", "-module-cache-path"):
            yield from (word, value)
        elif re.match(r"-[IF]/", word):
            yield word


def extract(module, words, output):
    """Writes the symbol graphs of a module into the folder `output`. Returns their files, the module's own first."""
    command = ["swift-symbolgraph-extract", "-module-name", module, *search_paths(words), "-output-dir", output]
    command += ["-minimum-access-level", "public", "-skip-synthesized-members", "-skip-inherited-docs"]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        raise SystemExit(f"{PROGRAM}: {module} cannot be read:\n{result.stderr}")
    # Behind it those of the modules that it extends.
    return sorted(Path(output).glob("*.symbols.json"), key=lambda path: ("@" in path.name, path.name))
