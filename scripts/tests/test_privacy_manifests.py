"""Compares each module's privacy manifest with its use of APIs that Apple requires a reason for."""
import plistlib
import re
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts/lib"))

import swift_text

CATEGORY = "NSPrivacyAccessedAPICategory"
USES = {
    f"{CATEGORY}FileTimestamp": re.compile(
        r"\b(?:[fl]?stat|fstatat|f?getattrlist(?:at|bulk)?)\(|\.(?:creation|modification)Date\b"
        r"|\b(?:contentModification|creation)Date(?:Key)?\b"),
    f"{CATEGORY}SystemBootTime": re.compile(r"\b(?:systemUptime|mach_absolute_time)\b"),
    f"{CATEGORY}DiskSpace": re.compile(r"\bvolume\w*Capacity|\bsystem(?:Free)?Size\b|\bf?stat(?:v?fs)\b"),
    f"{CATEGORY}UserDefaults": re.compile(r"\bUserDefaults\b"),
    f"{CATEGORY}ActiveKeyboards": re.compile(r"\bactiveInputModes\b"),
}
# Not part of App Store apps: MoyaTransportCurl is not compiled for iOS, tvOS, watchOS and visionOS,
# and the other modules are for tests.
LEFT_OUT = {"MoyaTransportCurl", "MoyaTesting", "MoyaMockServer", "MoyaTransportConformance"}
# The reasons allowed by Apple that apply to this library.
REASONS = {f"{CATEGORY}FileTimestamp": {"C617.1", "3B52.1"}, f"{CATEGORY}SystemBootTime": {"35F9.1"}}


def categories(text):
    code = swift_text.masked(text)
    return {category for category, use in USES.items() if use.search(code)}


def declared(manifest):
    """Returns the categories of a privacy manifest with their reasons."""
    if not manifest.exists():
        return {}
    with manifest.open("rb") as file:
        entries = plistlib.load(file)["NSPrivacyAccessedAPITypes"]
    return {entry["NSPrivacyAccessedAPIType"]: set(entry["NSPrivacyAccessedAPITypeReasons"]) for entry in entries}


class PrivacyManifests(unittest.TestCase):
    def test_each_module_declares_the_categories_that_it_uses_and_no_others(self):
        modules = [folder for folder in sorted(ROOT.glob("Packages/*/Sources/*")) if folder.name not in LEFT_OUT]
        self.assertIn("MoyaCore", [folder.name for folder in modules])
        for folder in modules:
            with self.subTest(folder.name):
                used = set().union(*(categories(path.read_text()) for path in folder.rglob("*.swift")))
                found = declared(folder / "PrivacyInfo.xcprivacy")
                self.assertEqual(used, set(found))
                for category, reasons in found.items():
                    self.assertTrue(reasons and reasons <= REASONS[category], f"{category}: {reasons}")

    def test_uses_are_found_in_code_and_not_in_comments(self):
        self.assertEqual(categories("let time = ProcessInfo.processInfo.systemUptime  // not stat("),
                         {f"{CATEGORY}SystemBootTime"})
        self.assertEqual(categories("guard lstat(path, &status) == 0 else { return }"), {f"{CATEGORY}FileTimestamp"})
        self.assertEqual(categories('let text = "UserDefaults"'), set())


if __name__ == "__main__":
    unittest.main()
