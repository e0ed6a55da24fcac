"""Looks at the programs that scripts/documents/program.py makes of documents."""
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "documents"))

from program import items, program


def document(*blocks):
    return "".join(f"Text.\n\n```{block}```\n" for block in blocks)


class Items(unittest.TestCase):
    def test_an_item_has_its_comments_its_attributes_and_its_indented_lines(self):
        block = ("// A test.\n@Test(arguments: [\n    1,\n])\nfunc a(\n    b: Int\n) {\n    b\n}\n\n"
                 "let c = d {\n    e\n}\nswitch f {\ncase g: h()\n}\n")
        self.assertEqual([item.split("\n")[0] for item in items(block)], ["// A test.", "let c = d {", "switch f {"])


class Programs(unittest.TestCase):
    def test_declarations_are_at_file_scope_and_statements_in_nested_scopes(self):
        declarations, statements = program(document(
            "swift\nimport A\nlet a = 1\n", "swift\nlet a = a + 1\nstruct B {\n    let c = 1\n}\n@Test func d() {}\n"))
        self.assertEqual(declarations, "import A\nstruct B {\n    let c = 1\n}\n@Test func d() {}\n")
        self.assertEqual(statements, "func statements() async throws {\ndo {\nlet a = 1\n_ = a\ndo {\nlet a = a + 1\n_ = a\n}\n}\n}\n")

    def test_the_compiler_names_the_line_of_the_document(self):
        _, statements = program(document("swift\nimport A\n", "swift\n\na()\n"), "docs/A.md")
        self.assertIn('#sourceLocation(file: "docs/A.md", line: 9)\n\na()\n', statements)

    def test_fragments_and_other_languages_are_left_out(self):
        self.assertEqual(program(document("swift fragment\nlet a =\n", "sh\nls\n")), ("", ""))

    def test_a_module_that_is_tested_is_not_imported_by_its_own_program(self):
        declarations, _ = program(document("swift\n@testable import A\nimport B\n", "swift\nimport A\nstruct C {}\n"))
        self.assertEqual(declarations.split("\n"), ["", "import B", "", "struct C {}", ""])


if __name__ == "__main__":
    unittest.main()
