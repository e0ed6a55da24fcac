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
# In parentheses, with one more pair inside.
ARGUMENTS = r"\((?:[^()]|\([^()]*\))*\)"
# Attributes and modifiers come in any order. `static` is not among them.
VARIABLE = re.compile(
    rf"^\s*(?:(?:@[\w.]+|public|private|fileprivate|internal|package|open|unowned|weak|final|lazy|override|dynamic"
    rf"|nonisolated)(?:{ARGUMENTS})?\s+)*var\s+(.*)")


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
    return names(declaration) if not brace or "=" in head or "didSet" in body or "willSet" in body else 0


def names(declaration):
    """Returns the number of names in `a = 0, b = f(1, 2)`: one more than its commas outside of brackets."""
    count, depth, before = 1, 0, ""
    for character in declaration:
        # An angle bracket behind a name begins generic arguments. "->" is no bracket.
        if character in "([{" or character == "<" and before.isalnum():
            depth += 1
        elif character in ")]}" or character == ">" and before != "-" and depth:
            depth -= 1
        elif character == "," and not depth:
            count += 1
        before = character
    return count


def mutable_properties(source):
    """Returns type names with their numbers of mutable stored properties."""
    counts = {}
    scopes = []
    lines = without_text(source).splitlines()
    for number, line in enumerate(lines):
        kind = TYPE.search(line)
        variable = VARIABLE.match(line)
        if scopes and scopes[-1] and variable:
            declaration, next_line = variable.group(1), number + 1
            while declaration.rstrip().endswith(",") and next_line < len(lines):
                declaration += lines[next_line]
                next_line += 1
            if declaration.rstrip().endswith("{"):
                declaration += "".join(lines[next_line:next_line + 1])
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

    def count(self, *lines):
        """Returns the number of mutable stored properties of a type with these lines."""
        return mutable_properties("struct Box {\n" + "\n".join(lines) + "\n}\n").get("Box", 0)

    def test_properties_outside_of_isolation_are_counted(self):
        self.assertEqual(self.count("nonisolated(unsafe) var a = 0"), 1)
        self.assertEqual(self.count("private nonisolated(unsafe) var a = 0", "nonisolated var b = 0"), 2)
        self.assertEqual(self.count("nonisolated(unsafe) static var a = 0"), 0)

    def test_properties_with_attributes_are_counted(self):
        self.assertEqual(self.count("@Atomic var a = 0"), 1)
        self.assertEqual(self.count("private @Atomic var a = 0"), 1)
        self.assertEqual(self.count("@Clamped(1, to: f(2)) private(set) var a = 0"), 1)
        self.assertEqual(self.count("@Atomic", "var a = 0"), 1)
        self.assertEqual(self.count("@Support.Atomic @objc public var a = 0"), 1)

    def test_each_name_of_a_declaration_is_counted(self):
        self.assertEqual(self.count("var a = 0, b = 0"), 2)
        self.assertEqual(self.count("private var a: Int, b: Int,", "    c = f(1, 2)"), 3)
        self.assertEqual(self.count("var a: [Int: (Int, Int)] = [1: (2, 3), 4: (5, 6)]"), 1)
        self.assertEqual(self.count("var a: Dictionary<Int, Int> = [:], b: (Int, Int) -> Void"), 2)
        self.assertEqual(self.count("var a = { (x, y) in x > y }"), 1)


if __name__ == "__main__":
    for name, count in all_counts()[:20]:
        print(f"{count:3} {name}")
