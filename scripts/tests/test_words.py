"""Writes small sources and checks what scripts/words reports about their words."""
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent

SOURCE = "Packages/Shop/Sources/Shop/Cart.swift"
PLAIN = "/// Number of articles in the cart.\nlet count: Int\n"


def words(files, *options):
    """The status and the lines of output for a repository with these files."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        result = subprocess.run([ROOT / "scripts/words", "--root", folder, *options], capture_output=True, text=True)
        return result.returncode, (result.stdout + result.stderr).splitlines()


def hits(text, name=SOURCE):
    """The line and the phrase of each hit."""
    found = [line.split(": ") for line in words({name: text}, "--list")[1] if line.startswith(f"{name}:")]
    return [(int(place.rpartition(":")[2]), phrase) for place, phrase, *_ in found]


class Words(unittest.TestCase):
    def test_plain_comments_pass(self):
        status, lines = words({SOURCE: PLAIN})
        self.assertEqual((status, lines[1].split()), (0, ["Shop", "1", "0", "0.00", "0"]))

    def test_a_planted_sentence_fails_and_is_listed_with_its_place(self):
        status, lines = words({SOURCE: f"{PLAIN}\n/// Somebody who waits for an answer.\n"}, "--list")
        self.assertEqual(status, 1)
        self.assertEqual(lines[0], f"{SOURCE}:4: nobody: Somebody who waits for an answer.")
        self.assertEqual(lines[-1], "words: 1 hits in 2 lines, more than one in 200: see scripts/words --list")

    def test_one_hit_in_200_lines_passes_and_two_fail(self):
        planted = "// Nobody waits.\n"
        self.assertEqual(words({SOURCE: planted + "// The caller waits.\n" * 199})[0], 0)
        self.assertEqual(words({SOURCE: planted * 2 + "// The caller waits.\n" * 198})[0], 1)

    def test_a_phrase_over_two_lines_is_found_in_the_line_where_it_begins(self):
        self.assertEqual(hits("let a = 1\n// Closes each connection but the one\n// that is in use.\n"), [(2, "one that")])

    def test_names_of_tests_are_read(self):
        self.assertEqual(hits("@Test func `what nobody asks for is not sent`() {}\n"), [(1, "nobody")])

    def test_code_strings_and_fenced_blocks_are_skipped(self):
        self.assertEqual(hits('let text = """\n    // nobody\n    """\n/// Calls `nobody`.\n/// ```\n/// nobody()\n/// ```\n'), [])

    def test_a_clause_as_the_subject_of_a_sentence_is_a_hit_and_a_question_is_not(self):
        self.assertEqual(hits("// What leaks grows each time.\n"), [(1, "What …")])
        self.assertEqual(hits("// What does libcurl do then? It waits.\n"), [])

    def test_markdown_is_read_in_docs_readmes_and_catalogues_alone(self):
        for name in ("docs/Guide.md", "docs/articles/Guide.md", "README.md", "Packages/Shop/README.md",
                     "Packages/Shop/Sources/Shop/Shop.docc/Shop.md"):
            self.assertEqual(hits("# Shop\n\n- First.\n- Sent in the clear.\n\n| a | b |\n|---|---|\n| x | Nobody. |\n", name),
                             [(4, "in the clear"), (8, "nobody")], name)
        for name in ("Notes.md", "docs/images/Notes.md"):
            self.assertEqual(words({SOURCE: PLAIN, name: "Nobody.\n"})[0], 0, name)

    def test_a_condition_without_a_noun_is_a_hit_unless_it_is_a_plain_there_is_none(self):
        self.assertEqual(hits("// The queue, or `nil` if there is none.\n"), [])
        self.assertEqual(hits("// In the table there is none.\n"), [(1, "none")])

    def test_a_comment_of_101_columns_fails(self):
        wide = f"    // {'word ' * 18}four\n"
        self.assertEqual(len(wide.rstrip()), 101)
        status, lines = words({SOURCE: PLAIN + wide}, "--list")
        self.assertEqual((status, lines[0]), (1, f"{SOURCE}:3: 101 columns"))
        self.assertEqual(words({SOURCE: PLAIN + wide.replace("four", "one")})[0], 0)

    def test_a_url_of_more_than_100_columns_cannot_be_wrapped(self):
        self.assertEqual(words({SOURCE: f"/// https://example.com/{'a' * 100}\n"})[0], 0)

    def test_each_phrase_has_a_reason(self):
        status, lines = words({}, "--patterns")
        self.assertEqual(status, 0)
        self.assertEqual([line for line in lines[::2] if not line.partition(": ")[2]], [])


if __name__ == "__main__":
    unittest.main()
