"""Checks that every test named in docs/UpstreamTests.md exists."""
import re
import subprocess
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


class UpstreamTests(unittest.TestCase):
    def test_every_named_test_exists(self):
        known = {}
        files = subprocess.run(["git", "-C", ROOT, "ls-files", "*Tests.swift", "*Cases.swift"],
                               capture_output=True, text=True, check=True).stdout.split()
        for path in files:
            text = (ROOT / path).read_text()
            names = set(re.findall(r"func\s+`([^`]+)`", text))
            for suite in re.findall(r"(?:struct|class|actor|extension)\s+(\w+)", text):
                known.setdefault(suite, set()).update(names)
        cases = set()
        for path in ROOT.glob("Packages/MoyaTesting/Sources/MoyaTransportConformance/**/*.swift"):
            cases.update(re.findall(r'"([^"\n]+)"', path.read_text()))
        known["conformance"] = cases
        # "conformance/…" in the introduction is a pattern.
        named = re.findall(r"`(\w+Tests|conformance)/([^`…]+)`", (ROOT / "docs/UpstreamTests.md").read_text())
        missing = sorted(f"{suite}/{name}" for suite, name in set(named) if name not in known.get(suite, ()))
        self.assertGreater(len(named), 200)
        self.assertEqual(missing, [])


if __name__ == "__main__":
    unittest.main()
