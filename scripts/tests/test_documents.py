"""Checks that documents name what exists, and how scripts/check-consumers makes programs of their code."""
import re
import sys
import unittest
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/lib"))

from program import items, program

TESTS = {path: path.read_text() for path in ROOT.glob("Packages/*/Tests/**/*.swift")}


class UpstreamTests(unittest.TestCase):
    def test_every_named_test_exists(self):
        known = defaultdict(set)
        for text in TESTS.values():
            for suite in re.findall(r"(?:struct|class|actor|extension)\s+(\w+)", text):
                known[suite] |= set(re.findall(r"func\s+`([^`]+)`", text))
        for path in ROOT.glob("Packages/MoyaTesting/Sources/MoyaTransportConformance/**/*.swift"):
            known["conformance"] |= set(re.findall(r'"([^"\n]+)"', path.read_text()))
        # "conformance/…" in the introduction is a pattern.
        named = re.findall(r"`(\w+Tests|conformance)/([^`…]+)`", (ROOT / "docs/UpstreamTests.md").read_text())
        self.assertGreater(len(named), 200)
        self.assertEqual([f"{suite}/{name}" for suite, name in named if name not in known[suite]], [])


class ComparisonTests(unittest.TestCase):
    def test_every_cell_links_to_its_evidence(self):
        text = (ROOT / "docs/Comparison.md").read_text()
        evidence = dict(re.findall(r"^\[([\w-]+)\]: (\S+)$", text, re.M))
        rows = [line.strip("|").split("|") for line in text.splitlines() if re.match(r"\|.*\]\[", line)]
        self.assertGreater(len(rows), 40)
        for name, *cells in rows:
            self.assertEqual(len(cells), 5, name)
            for cell in cells:
                self.assertRegex(cell.strip(), r"^\[[^]]+\]\[[\w-]+\]$", name)
        used = set(re.findall(r"\]\[([\w-]+)\]", text))
        self.assertEqual(used, set(evidence))
        missing = [link for link in evidence.values() if not link.startswith("https://") and not (ROOT / "docs" / link.partition("#")[0]).exists()]
        self.assertEqual(missing, [])


def document(*blocks):
    return "".join(f"Text.\n\n```{block}```\n" for block in blocks)


class Programs(unittest.TestCase):
    def test_an_item_has_its_comments_its_attributes_and_its_indented_lines(self):
        block = "// A test.\n@Test(arguments: [\n    1,\n])\nfunc a(\n    b: Int\n) {\n    b\n}\n\nlet c = d {\n    e\n}\nswitch f {\ncase g: h()\n}\n"
        self.assertEqual([item.split("\n")[0] for item in items(block)], ["// A test.", "let c = d {", "switch f {"])

    def test_declarations_are_at_file_scope_and_statements_in_nested_scopes(self):
        declarations, statements = program(document(
            "swift\nimport A\nlet a = 1\n", "swift\nlet a = a + 1\nstruct B {\n    let c = 1\n}\n@Test func d() {}\n", "swift fragment\nlet a =\n"))
        self.assertEqual(declarations, "import A\nstruct B {\n    let c = 1\n}\n@Test func d() {}\n")
        self.assertEqual(statements, "func statements() async throws {\ndo {\nlet a = 1\n_ = a\ndo {\nlet a = a + 1\n_ = a\n}\n}\n}\n")

    def test_the_compiler_names_the_line_of_the_document(self):
        _, statements = program(document("swift\nimport A\n", "swift\n\na()\n"), "docs/A.md")
        self.assertIn('#sourceLocation(file: "docs/A.md", line: 9)\n\na()\n', statements)


if __name__ == "__main__":
    unittest.main()
