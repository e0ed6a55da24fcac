"""Each guard against libcurl's defects and against servers begins with three facts, and docs/LibcurlDefects.md names files, types and functions that exist."""

import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "Packages/MoyaTransportCurl"
SOURCES = PACKAGE / "Sources/MoyaTransportCurl"
GUARDS = sorted(SOURCES.glob("Engine/Defects/*.swift"))
DOCUMENT = (ROOT / "docs/LibcurlDefects.md").read_text()
SUITES = {path.stem for path in ROOT.glob("Packages/*/Tests/**/*Tests.swift")}
WORDS = {word for path in (*PACKAGE.glob("Sources/**/*.swift"), *PACKAGE.glob("Sources/**/*.h"), *ROOT.glob("Packages/MoyaCore/Sources/**/*.swift"))
         for word in re.findall(r"\w+", path.read_text())}
FACTS = re.compile(r"\A#if CURL\n// Versions: (.+?)\.\n// Test: (.+?)\.\n// Without them: (.+?)\.\n(?!//)", re.S)
# Names of curl's own sources and of C, an attribute of cookies, and a public suffix.
FOREIGN = {"Curl_retry_request", "Secure", "UK", "http2_connisalive", "http2_connisdead", "longjmp", "prevhead", "retrycount", "should_close_session"}


def facts(path):
    """Returns the versions, the tests and what goes with the defect."""
    match = FACTS.match(path.read_text())
    return [" ".join(part.replace("//", " ").split()) for part in match.groups()] if match else ["", "", ""]


class Defects(unittest.TestCase):
    def test_each_guard_begins_with_three_facts(self):
        self.assertGreater(len(GUARDS), 20)
        self.assertEqual([path.name for path in GUARDS if not facts(path)[0]], [])

    def test_versions_are_all_or_numbers(self):
        wrong = [path.name for path in GUARDS if not re.match(r"all$|.*\b\d+\.\d+\.\d+\b", facts(path)[0])]
        self.assertEqual(wrong, [])

    def test_each_guard_is_seen_by_tests_that_exist(self):
        for path in GUARDS:
            with self.subTest(path.name):
                tests = facts(path)[1].split(", ")
                self.assertEqual([test for test in tests if test not in SUITES], [])

    def test_what_goes_with_a_defect_exists_and_a_defect_of_all_versions_stays(self):
        for path in GUARDS:
            with self.subTest(path.name):
                versions, _, without = facts(path)
                if versions == "all" or versions.endswith("and later"):
                    self.assertEqual(without, "nothing")
                else:
                    self.assertTrue(without.startswith("this file"), without)
                names = re.findall(r"\w+", " ".join(re.findall(r"`([^`]+)`", without)))
                self.assertEqual([name for name in names if name not in WORDS], [])

    def test_other_files_do_not_compare_versions(self):
        # Configuration+Validation.swift refuses settings that a libcurl does not have.
        others = {path.name for path in PACKAGE.glob("Sources/**/*.swift") if path not in GUARDS and "CurlLibrary.version" in path.read_text()}
        self.assertEqual(others, {"Configuration+Validation.swift"})

    def test_each_guard_is_in_the_document_with_a_test_of_its_facts(self):
        rows = [line for line in DOCUMENT.splitlines() if line.startswith("|")]
        for path in GUARDS:
            with self.subTest(path.name):
                named = [row for row in rows if f"`Engine/Defects/{path.name}`" in row]
                self.assertTrue(named, "is in no row")
                tests = facts(path)[1].split(", ")
                self.assertTrue(any(f"`{test}`" in row for row in named for test in tests), "no row names one of its tests")

    def test_each_file_in_the_document_exists(self):
        sources = {str(path.relative_to(SOURCES)) for path in PACKAGE.glob("Sources/**/*.swift")}
        names = {Path(path).name for path in sources}
        files = re.findall(r"`([\w+/]+\.swift)`", DOCUMENT)
        self.assertGreater(len(files), 20)
        self.assertEqual([file for file in files if file not in (sources if "/" in file else names)], [])

    def test_each_folder_in_the_document_exists(self):
        folders = re.findall(r"`((?:\w+/)+)`", DOCUMENT)
        self.assertEqual([folder for folder in folders if not (SOURCES / folder).is_dir()], [])

    def test_each_test_in_the_document_exists(self):
        tests = re.findall(r"`(\w+Tests)`", DOCUMENT)
        self.assertGreater(len(tests), 20)
        self.assertEqual([test for test in tests if test not in SUITES], [])

    def test_each_type_and_function_in_the_document_exists(self):
        missing = set()
        for text in re.findall(r"`([^`\n]+)`", DOCUMENT):
            # Files have a test of their own. Names of curl and of OpenSSL are not all used.
            if "/" in text or text.endswith(("Tests", ".swift")) or not re.fullmatch(r"\.?[\w.]+(?:\([\w:]*\))?", text):
                continue
            missing |= {word for word in re.findall(r"[A-Za-z_]\w*", text)
                        if word not in WORDS and word not in FOREIGN and not re.match(r"(?:CURL|curl_)", word)}
        self.assertEqual(sorted(missing), [])

    def test_each_declaration_is_in_the_file_that_the_document_names(self):
        named = re.findall(r"((?:`\w+(?:\([\w:]*\))?`(?:, )?)+) in\s+`([\w+/.]+\.(?:swift|h))`", DOCUMENT)
        self.assertGreater(len(named), 15)
        for names, file in named:
            text = (SOURCES / file).read_text()
            for name in re.findall(r"`(\w+)", names):
                with self.subTest(f"{name} in {file}"):
                    self.assertRegex(text, rf"\b(?:func|var|let|struct|enum|class|case) {name}\b|\b{name}\(void\)")


if __name__ == "__main__":
    unittest.main()
