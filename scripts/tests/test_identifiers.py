"""Finds identifiers of Foundation in Sources: on Linux they are equal without a free file descriptor.

Use `RandomID` of MoyaInternals, and in MoyaTransportNIO, which uses public interfaces alone, `UInt64.random`.
"""

import pathlib
import re
import unittest

PACKAGES = pathlib.Path(__file__).resolve().parents[2] / "Packages"
IDENTIFIER = re.compile(r"\b(?:NS)?UUID\(\)|\bUUID\.init\b(?!\()|\bUUID\.init\(\)|\bCFUUIDCreate\b|\bgloballyUniqueString\b|\buuid_generate")


def uses(source):
    """Returns the lines that create an identifier, documentation included, because readers copy it."""
    return [line.strip() for line in source.splitlines() if IDENTIFIER.search(line)]


class IdentifierTests(unittest.TestCase):
    def test_no_source_creates_an_identifier_with_foundation(self):
        files = sorted(PACKAGES.glob("*/Sources/**/*.swift"))
        self.assertGreater(len(files), 500)
        found = {str(file.relative_to(PACKAGES)): uses(file.read_text()) for file in files}
        # The reason why not to use it.
        found.pop("MoyaCore/Sources/MoyaInternals/RandomID.swift")
        self.assertEqual({name: lines for name, lines in found.items() if lines}, {})

    def test_each_way_to_create_an_identifier_is_found(self):
        for line in [
            "let id = UUID()", "UUID.init()", "(0..<3).map { _ in UUID() }", "let make: () -> UUID = UUID.init",
            "ProcessInfo.processInfo.globallyUniqueString", "NSUUID().uuidString", "/// let id = UUID()",
        ]:
            self.assertEqual(uses(line), [line])
        for line in ["UUID(uuidString: text)", "UUID(uuid: bytes)", "let id: UUID", "RandomID.uuid()"]:
            self.assertEqual(uses(line), [])


if __name__ == "__main__":
    unittest.main()
