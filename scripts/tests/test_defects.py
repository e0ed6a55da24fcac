"""Each guard against libcurl's defects and against servers has a test of its name, and docs/LibcurlDefects.md points at files that exist."""

import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "Packages/MoyaTransportCurl"
DOCUMENT = (ROOT / "docs/LibcurlDefects.md").read_text()


class Defects(unittest.TestCase):
    def test_each_guard_has_a_test_of_its_name(self):
        guards = sorted(PACKAGE.glob("Sources/**/Defects/*.swift"))
        self.assertTrue(guards)
        tests = {path.name for path in PACKAGE.glob("Tests/**/Defects/*Tests.swift")}
        missing = [f"{path.stem}Tests.swift" for path in guards if f"{path.stem}Tests.swift" not in tests]
        self.assertEqual(missing, [])

    def test_each_guard_is_in_the_document(self):
        guards = sorted(PACKAGE.glob("Sources/**/Defects/*.swift"))
        self.assertEqual([path.name for path in guards if f"Engine/Defects/{path.name}" not in DOCUMENT], [])

    def test_each_file_in_the_document_exists(self):
        sources = {str(path.relative_to(PACKAGE / "Sources/MoyaTransportCurl")) for path in PACKAGE.glob("Sources/**/*.swift")}
        names = {Path(path).name for path in sources}
        files = re.findall(r"`([\w+/]+\.swift)`", DOCUMENT)
        self.assertGreater(len(files), 20)
        self.assertEqual([file for file in files if file not in (sources if "/" in file else names)], [])

    def test_each_test_in_the_document_exists(self):
        suites = {path.stem for path in ROOT.glob("Packages/*/Tests/**/*Tests.swift")}
        tests = re.findall(r"`(\w+Tests)`", DOCUMENT)
        self.assertGreater(len(tests), 20)
        self.assertEqual([test for test in tests if test not in suites], [])


if __name__ == "__main__":
    unittest.main()
