"""Each guard against hostile servers has a test of its name."""

import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "Packages/MoyaTransportCurl"


class Guards(unittest.TestCase):
    def test_each_guard_has_a_test_of_its_name(self):
        guards = sorted(PACKAGE.glob("Sources/**/Defects/*.swift"))
        self.assertTrue(guards)
        tests = {path.name for path in PACKAGE.glob("Tests/**/Defects/*Tests.swift")}
        missing = [f"{path.stem}Tests.swift" for path in guards if f"{path.stem}Tests.swift" not in tests]
        self.assertEqual(missing, [])


if __name__ == "__main__":
    unittest.main()
