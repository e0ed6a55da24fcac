"""Rules that the compiler does not check, for the text of the library's sources."""
import plistlib
import re
import sys
import unittest
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/lib"))

import swift_text

SOURCES = {path.relative_to(ROOT / "Packages"): path.read_text() for path in sorted(ROOT.glob("Packages/*/Sources/*/**/*.swift"))}
CODE = {path: swift_text.masked(text) for path, text in SOURCES.items()}
CURL = Path("MoyaTransportCurl/Sources/MoyaTransportCurl")


def places(pattern, sources=CODE):
    """Returns the file, and the found text, of each match of a pattern."""
    return [(str(path), match[match.lastindex or 0]) for path, text in sources.items() for match in re.finditer(pattern, text, re.M)]


class Calls(unittest.TestCase):
    def test_each_hook_of_plugins_is_called_in_one_place_so_that_the_steps_of_a_request_have_one_order(self):
        hooks = Counter(hook for _, hook in places(r"\.\s*(prepare|willSend|didReceive|process)\s*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\btarget\s*:"))
        self.assertEqual(hooks, {"prepare": 1, "willSend": 1, "didReceive": 1, "process": 1})

    def test_no_source_creates_an_identifier_with_foundation_because_on_linux_they_are_equal_without_a_free_descriptor(self):
        found = places(r"\b(?:NS)?UUID\(\)|\bUUID\.init\b(?!\()|\bUUID\.init\(\)|\bCFUUIDCreate\b|\bgloballyUniqueString\b|\buuid_generate", SOURCES)
        # Documentation included, because readers copy it. The file has the reason.
        self.assertEqual({path for path, _ in found}, {"MoyaCore/Sources/MoyaInternals/RandomID.swift"})


class Interfaces(unittest.TestCase):
    def test_modules_share_at_most_twelve_declarations_that_users_do_not_see(self):
        found = places(r"@_spi\(\w+\)\s+(?!(?:@testable )?import)(.*)", SOURCES)
        self.assertLessEqual(len(found), 12, found)

    def test_a_transport_can_be_written_with_the_public_interface_alone(self):
        for folder in ["Packages/MoyaTransportNIO/Sources", "Examples/Sources/SocketTransport"]:
            paths = list((ROOT / folder).rglob("*.swift"))
            self.assertTrue(paths)
            for path in paths:
                self.assertNotRegex(path.read_text(), "@_spi|MoyaInternals|@testable", path)


class Platforms(unittest.TestCase):
    def test_each_file_with_a_platform_condition_is_in_the_table_of_the_architecture_and_each_file_of_the_table_has_one(self):
        rows = []
        for row in re.findall(r"^\| (`.*?) \|", (ROOT / "docs/Architecture.md").read_text().split("## Platforms", 1)[1], re.M):
            # The module is in parentheses behind its files and folders.
            for names, module in re.findall(r"([^()]*)\((\w+)\)", row):
                rows += [(module, name.rstrip("/")) for name in re.findall(r"`([^`]+)`", names)]
            rows += [(module, name.rstrip("/")) for name in re.findall(r"`([^`]+)`", row.rpartition(")")[2]) if ")" in row]
        system = r"os\(|targetEnvironment\(|canImport\((?:Darwin|Glibc|Musl|Network|Security|CryptoKit|XCTest|Testing)\)"
        used = set()
        for path, code in CODE.items():
            condition = system + (r"|canImport\((?:UIKit|AppKit)\)" if path.name == "Image.swift" else "")
            if re.search(rf"^ *#(?:if|elseif) .*\b(?:{condition})", code, re.M):
                own = {row for row in rows if row in ((path.parts[2], path.parts[3]), (path.parts[2], path.name))}
                self.assertTrue(own, f"{path} is not in the table")
                used |= own
        self.assertEqual(set(rows) - used, set(), "have no condition of a platform")


CATEGORY = "NSPrivacyAccessedAPICategory"
USES = {
    "FileTimestamp": r"\b(?:[fl]?stat|fstatat|f?getattrlist(?:at|bulk)?)\(|\.(?:creation|modification)Date\b|\b(?:contentModification|creation)Date(?:Key)?\b",
    "SystemBootTime": r"\b(?:systemUptime|mach_absolute_time)\b", "DiskSpace": r"\bvolume\w*Capacity|\bsystem(?:Free)?Size\b|\bf?stat(?:v?fs)\b",
    "UserDefaults": r"\bUserDefaults\b", "ActiveKeyboards": r"\bactiveInputModes\b"}
# Not part of apps for the App Store: MoyaTransportCurl is empty for iOS, and the other modules are for tests.
NOT_IN_APPS = {"MoyaTransportCurl", "MoyaTesting", "MoyaMockServer", "MoyaTransportConformance"}
# The reasons of Apple that apply to this library.
REASONS = {"FileTimestamp": {"C617.1", "3B52.1"}, "SystemBootTime": {"35F9.1"}}


class PrivacyManifests(unittest.TestCase):
    def test_each_module_declares_the_categories_that_it_uses_and_no_others(self):
        for folder in [folder for folder in sorted(ROOT.glob("Packages/*/Sources/[A-Z]*")) if folder.name not in NOT_IN_APPS]:
            code = "".join(text for path, text in CODE.items() if path.parts[2] == folder.name)
            manifest, declared = folder / "PrivacyInfo.xcprivacy", {}
            if manifest.exists():
                declared = {entry["NSPrivacyAccessedAPIType"].removeprefix(CATEGORY): set(entry["NSPrivacyAccessedAPITypeReasons"])
                            for entry in plistlib.loads(manifest.read_bytes())["NSPrivacyAccessedAPITypes"]}
            self.assertEqual({name for name, use in USES.items() if re.search(use, code)}, set(declared), folder.name)
            self.assertTrue(all(reasons and reasons <= REASONS[name] for name, reasons in declared.items()), declared)


VARIABLE = re.compile(r"^\s*(?:(?:@[\w.]+|public|private|fileprivate|internal|unowned|weak|final|lazy|override|nonisolated)(?:\([^()]*\))?\s+)*var\s+(.*)")
# Behind `{`, a computed property has neither an initial value nor an observer.
COMPUTED = re.compile(r"[^={]*\{(?!.*\b(?:didSet|willSet)\b)")


def mutable_properties(code):
    """Returns type names with their numbers of mutable stored properties. A property of several names is one for each."""
    counts, scopes = Counter(), []
    lines = code.splitlines()
    for line, following in zip(lines, [*lines[1:], ""]):
        kind, variable = re.search(r"\b(?:class|struct|enum|actor|extension)\s+([A-Z][\w.]*)", line), VARIABLE.match(line)
        if variable and scopes and scopes[-1] and not COMPUTED.match(variable[1] + following * variable[1].endswith("{")):
            names = variable[1] if variable[1].startswith("(") else re.sub(r"[(\[<].*?[)\]>]", "", variable[1].split("=")[0])
            counts[scopes[-1]] += 1 + names.split(")")[0].count(",")
        for character in line:
            if character == "{":
                outer = next((f"{scope}." for scope in reversed(scopes) if scope), "")
                scopes.append(outer + kind[1] if kind else None)
                kind = None
            elif character == "}" and scopes:
                scopes.pop()
    return counts


class MutableState(unittest.TestCase):
    def test_no_type_of_the_curl_transport_has_more_than_twelve_mutable_properties(self):
        counts = Counter()
        for path, code in CODE.items():
            # Values that callers configure do not count.
            if path.is_relative_to(CURL) and not path.is_relative_to(CURL / "Configuration"):
                counts += mutable_properties(code)
        self.assertGreater(len(counts), 20)
        self.assertEqual({name: count for name, count in counts.items() if count > 12}, {})

    def test_stored_properties_alone_are_counted(self):
        source = ("class Box {\n    let a = 1\n    static var b = 1 { didSet {} }\n    @Atomic private(set) var c = 1\n    nonisolated(unsafe) var d = 2\n"
                  "    private var (e, f) = (1, 2)\n    var g: Int {\n        didSet { print(g) }\n    }\n    var h: Int { 1 }\n    var i: [Int] {\n        [1]\n"
                  "    }\n    func work() { var local = 1 }\n    enum Inner {\n        struct State {\n            var x: [Int: Int] = [1: 2]\n        }\n    }\n}\n")
        self.assertEqual(mutable_properties(source), {"Box": 5, "Box.Inner.State": 1})


if __name__ == "__main__":
    unittest.main()
