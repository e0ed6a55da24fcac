"""Runs scripts/check-folders on small packages and checks its output."""
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def check(files, readme=None, options=()):
    """Returns status and output for a package `Shop` whose module `Shop` has these files."""
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder) / "Packages/Shop"
        for name, text in files.items():
            path = package / "Sources" / ("" if name.startswith("/") else "Shop") / name.lstrip("/")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        if readme:
            (package / "README.md").write_text(readme)
        result = subprocess.run(
            [ROOT / "scripts/check-folders", "--root", folder, *options], capture_output=True, text=True)
        return result.returncode, (result.stdout + result.stderr).splitlines()


ONE_WAY = {
    "Goods/Book.swift": "public struct Book {}\n",
    "Orders/Order.swift": "struct Order { var book: Book }\n",
    "Shop.swift": "struct Shop { var orders: [Order] }\n",
}


class Circles(unittest.TestCase):
    def test_folders_that_use_each_other_one_way_pass_and_are_printed_in_order(self):
        self.assertEqual(check(ONE_WAY), (0, ["Shop: Goods, Orders, Shop"]))

    def test_a_planted_circle_fails_with_the_line_of_each_use(self):
        files = dict(ONE_WAY)
        files["Goods/Deep/Shelf.swift"] = "import Foundation\n\nlet last: Order? = nil\nfunc sort(_ order: Order) {}\n"
        self.assertEqual(check(files), (1, [
            "check-folders: Shop: Goods → Orders → Goods",
            "  Goods → Orders, 2 uses:",
            "    Goods/Deep/Shelf.swift:3 uses Order (declared in Orders/Order.swift)",
            "    Goods/Deep/Shelf.swift:4 uses Order (declared in Orders/Order.swift)",
            "  Orders → Goods, 1 use:",
            "    Orders/Order.swift:1 uses Book (declared in Goods/Book.swift)",
        ]))

    def test_a_circle_of_three_folders_is_printed_once(self):
        status, lines = check({
            "A/A.swift": "struct A { var b: B }", "B/B.swift": "struct B { var c: C }", "C/C.swift": "struct C { var a: A? }"})
        self.assertEqual(status, 1)
        self.assertEqual([line for line in lines if line.startswith("check-folders")],
                         ["check-folders: Shop: A → B → C → A"])

    def test_the_examples_of_an_edge_in_two_circles_are_printed_once(self):
        lines = check({
            "A/A.swift": "struct A { var b: B }", "B/B.swift": "struct B { var a: A?; var c: C }",
            "C/C.swift": "struct C { var a: A? }"})[1]
        self.assertEqual([line for line in lines if "A → B" in line],
                         ["check-folders: Shop: A → B → A", "  A → B, 1 use:",
                          "check-folders: Shop: A → B → C → A", "  A → B, 1 use, see above"])

    def test_files_beside_the_folders_make_a_circle_with_a_folder_that_uses_them(self):
        files = dict(ONE_WAY)
        files["Goods/Book.swift"] = "public struct Book { var shop: Shop.Book? }\n"
        status, lines = check(files)
        self.assertEqual((status, lines[0]), (1, "check-folders: Shop: Goods → Shop → Orders → Goods"))

    def test_at_most_three_examples_are_printed_for_an_edge(self):
        files = dict(ONE_WAY)
        files["Goods/Shelf.swift"] = "let a: Order\nlet b: Order\nlet c: Order\nlet d: Order\n"
        lines = check(files)[1]
        self.assertIn("  Goods → Orders, 4 uses:", lines)
        self.assertEqual(sum("Goods/Shelf.swift" in line for line in lines), 3)

    def test_an_extension_member_used_behind_its_type_or_on_a_value_makes_an_edge(self):
        for use in ["let a = Book.free", "func f(_ book: Book) -> Int { book.free }", "extension Book { var b: Int { free } }"]:
            with self.subTest(use):
                files = dict(ONE_WAY)
                files["Orders/Order.swift"] = "struct Order { var book: Book }\nextension Book { static let free = 0 }\n"
                files["Goods/Shelf.swift"] = use + "\n"
                self.assertIn("    Goods/Shelf.swift:1 uses free (declared in Orders/Order.swift)", check(files)[1])

    def test_a_name_in_an_interpolation_makes_an_edge(self):
        files = dict(ONE_WAY)
        files["Goods/Shelf.swift"] = 'let a = """\n  \\(Order("x").name)\n  """\n'
        self.assertIn("    Goods/Shelf.swift:2 uses Order (declared in Orders/Order.swift)", check(files)[1])


class NoUses(unittest.TestCase):
    """Code in `Goods` that does not count as a use of `Orders`, which itself uses `Goods`."""

    def assert_no_use(self, text, **more):
        files = {**ONE_WAY, "Goods/Shelf.swift": text}
        files.update({name.replace("_", "/") + ".swift": content for name, content in more.items()})
        self.assertEqual(check(files), (0, ["Shop: Goods, Orders, Shop"]))

    def test_a_name_in_a_comment(self):
        self.assert_no_use("// Order\n/* Order /* Order */ Order */\n/// ``Order``\nlet a = 1 // Order\n")

    def test_a_name_in_a_string(self):
        self.assert_no_use('let a = "Order \\" Order"\nlet b = #"Order \\(Order) " Order"#\nlet c = """\nOrder "Order"\n"""\n')

    def test_a_name_in_a_condition_of_compilation_or_an_import(self):
        self.assert_no_use("#if Order\nimport struct Other.Order\n@preconcurrency import Order\n#endif\n")

    def test_the_same_private_name_in_two_folders(self):
        self.assert_no_use("private struct State {}\nlet a = State()\n", Orders_State="private struct State {}\nlet b = State()\n")

    def test_a_private_name_of_another_folder(self):
        self.assert_no_use("let a: URL? = nil\n", Orders_URL="fileprivate typealias URL = String\n")

    def test_a_nested_type_that_has_the_name_of_another_folders_type(self):
        self.assert_no_use("struct Shelf {\n  enum Order {}\n  var order: Order\n}\nextension Shelf { func f(_ o: Order) {} }\n"
                           "func f(_ order: Shelf.Order) {}\n")

    def test_a_parameter_or_local_variable_that_has_the_name_of_another_folders_function(self):
        self.assert_no_use("func f(count: Int) -> Int { count }\nfunc g() { let total = 1; print(total) }\n",
                           Orders_Count="func count() {}\nfunc total() {}\n")

    def test_a_member_of_the_same_name(self):
        self.assert_no_use("let a = other.Order\n")

    def test_a_type_in_which_an_extension_nests_another(self):
        self.assert_no_use("extension Shop { struct Options {} }\nfunc f(_ options: Shop.Options) {}\n")


class Readmes(unittest.TestCase):
    def test_a_readme_that_lists_each_folder_after_those_it_uses_passes(self):
        readme = "# Shop\n\n## Folders\n\n- `Goods/`: what is sold.\n- `Orders/`: who buys.\n\n## More\n\n- `Other/`: no folder.\n"
        self.assertEqual(check(ONE_WAY, readme)[0], 0)

    def test_a_readme_without_the_section_passes(self):
        self.assertEqual(check(ONE_WAY, "# Shop\n")[0], 0)

    def test_a_readme_with_a_folder_before_one_that_it_uses_fails(self):
        self.assertEqual(check(ONE_WAY, "## Folders\n- `Orders/`: who buys.\n- `Goods/`: what is sold.\n"), (1, [
            "Shop: Goods, Orders, Shop",
            "check-folders: Shop/README.md lists Orders/ before Goods/, which it uses: "
            "Orders/Order.swift:1 uses Book (declared in Goods/Book.swift)",
        ]))

    def test_a_missing_an_unknown_and_a_repeated_folder_fail(self):
        self.assertEqual(check(ONE_WAY, "## Folders\n- `Goods/`: a.\n- `Goods/`: b.\n- `Carts/`: c.\n"), (1, [
            "Shop: Goods, Orders, Shop",
            "check-folders: Shop/README.md does not list Orders/",
            "check-folders: Shop/README.md lists Carts/, which does not exist",
            "check-folders: Shop/README.md lists Goods/ twice",
        ]))

    def test_folders_of_several_modules_are_listed_behind_their_module(self):
        files = {**ONE_WAY, "/Stock/Boxes/Box.swift": "struct Box {}\n"}
        self.assertEqual(check(files, "## Folders\n- `Shop/Goods/`: a.\n- `Stock/Boxes/`: b.\n- `Shop/Orders/`: c.\n")[0], 0)
        self.assertEqual(check(files, "## Folders\n- `Goods/`: a.\n- `Orders/`: b.\n- `Boxes/`: c.\n")[0], 1)

    def test_the_option_order_prints_the_lines_of_a_readme(self):
        self.assertEqual(check(ONE_WAY, options=["--order"]), (0, ["Shop", "- `Goods/`: ", "- `Orders/`: ", ""]))


if __name__ == "__main__":
    unittest.main()
