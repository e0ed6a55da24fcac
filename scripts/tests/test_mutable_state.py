"""Limits the mutable state of each type, because such types are hard to change safely.

See "State" in docs/Architecture.md. `python3 scripts/tests/test_mutable_state.py` prints the types
with the most mutable stored properties.
"""

import pathlib
import re
import unittest

SOURCES = pathlib.Path(__file__).resolve().parents[2] / "Packages/MoyaTransportCurl/Sources/MoyaTransportCurl"
LIMIT = 12
# Values that callers configure do not count.
CONFIGURATION = "Configuration/"

TYPE = re.compile(r"\b(?:class|struct|enum|actor|extension)\s+([A-Z][\w.]*)")
VARIABLE = re.compile(r"^\s*(?:@\S+\s+)*(?:(?:public|private|fileprivate|internal|package|unowned|weak|final|lazy)"
                      r"(?:\([^)]*\))?\s+)*var\s+(.*)")


def without_text(source):
    """Returns the source without comments and without the contents of string literals."""
    source = re.sub(r'"""(?:.|\n)*?"""', '""', source)
    source = re.sub(r'"(?:\\.|[^"\\\n])*"', '""', source)
    return re.sub(r"//[^\n]*", "", source)


def stored(declaration):
    """Returns the number of stored properties in the text after `var`."""
    if declaration.startswith("("):
        return declaration.split(")")[0].count(",") + 1
    # A body without an observer means a computed property.
    head, brace, body = declaration.partition("{")
    return 1 if not brace or "=" in head or "didSet" in body or "willSet" in body else 0


def mutable_properties(source):
    """Returns type names with their numbers of mutable stored properties."""
    counts = {}
    scopes = []
    lines = without_text(source).splitlines()
    for number, line in enumerate(lines):
        kind = TYPE.search(line)
        variable = VARIABLE.match(line)
        if scopes and scopes[-1] and variable:
            declaration = variable.group(1)
            if declaration.rstrip().endswith("{"):
                declaration += "".join(lines[number + 1:number + 2])
            counts[scopes[-1]] = counts.get(scopes[-1], 0) + stored(declaration)
        for character in line:
            if character == "{":
                outer = next((scope for scope in reversed(scopes) if scope), "")
                scopes.append((outer + "." if outer else "") + kind.group(1) if kind else None)
                kind = None
            elif character == "}" and scopes:
                scopes.pop()
    return counts


def all_counts():
    counts = {}
    for file in sorted(SOURCES.rglob("*.swift")):
        if str(file.relative_to(SOURCES)).startswith(CONFIGURATION):
            continue
        for name, count in mutable_properties(file.read_text()).items():
            counts[name] = counts.get(name, 0) + count
    return sorted(counts.items(), key=lambda item: -item[1])


class MutableStateTests(unittest.TestCase):
    def test_no_type_of_the_curl_transport_has_more_than_twelve_mutable_properties(self):
        self.assertEqual([item for item in all_counts() if item[1] > LIMIT], [])

    def test_stored_properties_alone_are_counted(self):
        source = """
            final class Box {
                let constant = 1
                static var shared = 1 { didSet {} }
                @exclusivity(unchecked) private(set) var a = 1
                unowned(unsafe) var b: (any P)?
                private(set) var (c, d) = (1, 2)
                var e: Int? {
                    didSet { print(e) }
                }
                var f: Int { 1 }
                var g: [Int] {
                    [1]
                }
                func work() { var local = 1 }
                enum Inner {
                    struct State {
                        var x = "var y {"
                    }
                }
            }
            """
        self.assertEqual(mutable_properties(source), {"Box": 5, "Box.Inner.State": 1})


if __name__ == "__main__":
    for name, count in all_counts()[:20]:
        print(f"{count:3} {name}")
