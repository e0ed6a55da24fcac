"""Limits the interface that modules of this repository share with each other but not with users."""
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIMIT = 10


class InternalsTests(unittest.TestCase):
    def test_sources_have_at_most_ten_declarations_of_system_programming_interface(self):
        found = []
        for path in sorted(ROOT.glob("Packages/*/Sources/**/*.swift")):
            text = path.read_text()
            found += [
                f"{path.relative_to(ROOT)}: {match.group(1).strip()}"
                for match in re.finditer(r"@_spi\(\w+\)\s+(?!(?:@testable )?import)(.*)", text)]
        self.assertLessEqual(len(found), LIMIT, "\n" + "\n".join(found))

    def test_a_transport_can_be_written_with_the_public_interface_alone(self):
        paths = [ROOT / "Packages/MoyaTransportNIO/Package.swift"]
        for folder in ["Packages/MoyaTransportNIO/Sources", "Examples/Sources/SocketTransport"]:
            sources = sorted((ROOT / folder).rglob("*.swift"))
            self.assertTrue(sources, folder)
            paths += sources
        for path in paths:
            for name in ["@_spi", "MoyaInternals", "@testable"]:
                self.assertNotIn(name, path.read_text(), path.relative_to(ROOT))


if __name__ == "__main__":
    unittest.main()
