"""Checks that linked.h of CMoyaCurl lists every function of OpenSSL that CurlTransport looks up."""
import re
import unittest
from pathlib import Path

SOURCES = Path(__file__).resolve().parent.parent.parent / "Packages/MoyaTransportCurl/Sources"


class LinkedFunctions(unittest.TestCase):
    def test_each_function_that_is_looked_up_is_listed(self):
        text = "".join((SOURCES / "MoyaTransportCurl" / name).read_text() for name in ("Engine/Handle/OpenSSL.swift", "Library/CurlLibrary.swift"))
        wanted = set(re.findall(r'(?:find|symbols)\(\s*"(\w+)"\)', text))
        self.assertGreater(len(wanted), 10)
        self.assertEqual(wanted, set(re.findall(r"use\((\w+)\)", (SOURCES / "CMoyaCurl/linked.h").read_text())))


if __name__ == "__main__":
    unittest.main()
