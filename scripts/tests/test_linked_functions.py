"""Compares the tables of functions in linked.h of CMoyaCurl with the functions that CurlTransport calls."""
import re
import unittest
from pathlib import Path

SOURCES = Path(__file__).resolve().parent.parent.parent / "Packages/MoyaTransportCurl/Sources"


class LinkedFunctions(unittest.TestCase):
    def test_each_function_of_a_table_is_called_and_each_function_that_is_called_is_in_a_table(self):
        text = "".join(path.read_text() for path in sorted(SOURCES.rglob("*.swift")))
        called = set(re.findall(r"\bcall\.(\w+)\(", text))
        self.assertGreater(len(called), 30)
        self.assertEqual(called, set(re.findall(r"use\([^,]+, (\w+),", (SOURCES / "CMoyaCurl/linked.h").read_text())))


if __name__ == "__main__":
    unittest.main()
