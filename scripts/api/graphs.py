"""The modules of the last debug builds, and their symbol graphs."""

import json
import re
import subprocess
import sys
from pathlib import Path

PROGRAM = Path(sys.argv[0]).name
BUILD = Path(__file__).resolve().parent.parent.parent / ".build"


def arguments(root, macros):
    """Returns the compiler's arguments for each module.

    MoyaMacros comes from a build with the trait Macros, all other modules from that of the root.
    """
    found = built(root)
    if (macros / "debug.yaml").exists():
        found |= {name: words for name, words in built(macros).items() if name == "MoyaMacros"}
    return found


def commands(scratch):
    """Yields the words of each command of the build in the folder `scratch`."""
    plan = scratch / "debug.yaml"
    if not plan.exists():
        sys.exit(f"{PROGRAM}: {plan} is missing: build the root first, as scripts/test does")
    for line in re.findall(r"^ *args: (\[.*\])$", plan.read_text(), re.M):
        yield json.loads(line)


def built(scratch):
    """Returns the compiler's arguments for each module of the build in the folder `scratch`."""
    found = {}
    for words in commands(scratch):
        if "-module-name" in words and "-emit-module-path" in words:
            found[words[words.index("-module-name") + 1]] = words
    return found


def add_folders(parser):
    """Adds options for the folders of the builds."""
    parser.add_argument("--scratch-path", type=Path, default=BUILD / "root", help="the build of the root (default: .build/root)")
    parser.add_argument(
        "--macros-path", type=Path, default=BUILD / "examples", help="the build of MoyaMacros (default: .build/examples)")


def search_paths(words):
    """Yields the compiler's arguments that swift-symbolgraph-extract needs to find modules."""
    for word, value in zip(words, [*words[1:], ""]):
        if word in ("-I", "-F", "-Xcc", "-target", "-sdk", "-module-cache-path"):
            yield from (word, value)
        elif re.match(r"-[IF]/", word):
            yield word


def extract(module, words, output, *options):
    """Writes the symbol graphs of a module to the folder `output`.

    Returns the files: first that of the module, then those of the modules that it extends.
    """
    command = ["swift-symbolgraph-extract", "-module-name", module, *search_paths(words), "-output-dir", output]
    command += ["-minimum-access-level", "public", "-skip-synthesized-members", "-skip-inherited-docs", *options]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        raise SystemExit(f"{PROGRAM}: {module} cannot be read:\n{result.stderr}")
    # The names of extension graphs contain "@".
    return sorted(Path(output).glob("*.symbols.json"), key=lambda path: ("@" in path.name, path.name))
