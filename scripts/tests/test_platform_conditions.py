"""Compares the files with platform conditions with the table in docs/Architecture.md."""
import re
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts/lib"))

import swift_text

CONDITION = re.compile(
    r"^ *#(?:if|elseif) .*\b(?:os\(|targetEnvironment\(|canImport\((?:Darwin|Glibc|Musl|Network|Security|CryptoKit|XCTest|Testing)\))", re.M)
# MoyaCore's image type is declared with these conditions.
IMAGE = re.compile(r"^ *#(?:if|elseif) .*\bcanImport\((?:UIKit|AppKit)\)", re.M)
# Generated files, with the conditions of the types that they name.
DERIVED = "Moya+Names.swift"


def table():
    """Returns the files and folders in the table. Their module is in parentheses after them."""
    text = (ROOT / "docs/Architecture.md").read_text().split("## Platforms", 1)[1]
    for row in re.findall(r"^\| (`.*?) \|", text, re.M):
        for names, module in re.findall(r"([^()]*)\((\w+)\)", row):
            for name in re.findall(r"`([^`]+)`", names):
                yield module, name
        # After the last module: more of its files.
        *_, rest = row.rpartition(")")
        for name in re.findall(r"`([^`]+)`", rest) if ")" in row else []:
            yield module, name


def is_named(path, folder, rows):
    parts = path.relative_to(folder).parts
    return any(module == folder.name and (name == parts[-1] or name.rstrip("/") == parts[0]) for module, name in rows)


class PlatformConditions(unittest.TestCase):
    def test_each_file_with_a_platform_condition_is_in_the_table_and_each_file_of_the_table_has_one(self):
        rows = list(table())
        self.assertIn(("MoyaCore", "Image.swift"), rows)
        used = set()
        for folder in sorted(ROOT.glob("Packages/*/Sources/*")):
            for path in sorted(folder.rglob("*.swift")):
                code = swift_text.masked(path.read_text())
                if path.name == DERIVED or not (CONDITION.search(code) or path.name == "Image.swift" and IMAGE.search(code)):
                    continue
                with self.subTest(str(path.relative_to(ROOT))):
                    self.assertTrue(is_named(path, folder, rows), "is not in the table of docs/Architecture.md")
                used |= {row for row in rows if is_named(path, folder, [row])}
        self.assertEqual(set(rows) - used, set(), "have no condition of a platform")


if __name__ == "__main__":
    unittest.main()
