"""Checks what the root's manifest has in common with other files."""
import json
import re
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/lib"))

import swift_text

PACKAGES = sorted(path.parent for path in ROOT.glob("Packages/*/Package.swift"))
MANIFEST = json.loads(subprocess.run(["swift", "package", "dump-package", "--package-path", ROOT], capture_output=True, text=True, check=True).stdout)
SYSTEM = {"Android", "AppKit", "Combine", "CryptoKit", "Darwin", "Dispatch", "Foundation", "FoundationNetworking", "FoundationXML", "Glibc", "Musl",
          "Network", "Security", "Testing", "UIKit", "XCTest", "_Concurrency"}
IMPORT = re.compile(r"(?:^|;)[\w@() ]*\bimport\s+(?:(?:typealias|struct|class|enum|protocol|let|var|func)\s+)?`?(\w+)", re.M)


class Manifests(unittest.TestCase):
    def test_each_package_has_the_manifest_of_the_root(self):
        self.assertGreater(len(PACKAGES), 5)
        for folder in [*PACKAGES, ROOT / "Tests/Support"]:
            self.assertEqual((folder / "Package.swift").resolve(), ROOT / "Package.swift", folder)

    def test_the_workspace_and_the_package_index_list_what_the_manifest_has(self):
        listed = re.findall(r'\.local\(path: "([^"]+)"\)', (ROOT / "Project.swift").read_text())
        self.assertEqual(sorted(listed), [str(folder.relative_to(ROOT)) for folder in PACKAGES])
        # Products under Moya's names need no documentation.
        products = {product["name"] for product in MANIFEST["products"]} - {"CombineMoya", "ReactiveMoya", "RxMoya"}
        self.assertEqual(set(re.findall(r"^ +- (\w+)$", (ROOT / ".spi.yml").read_text(), re.M)), products)

    def test_each_privacy_manifest_is_a_resource_on_apple_platforms(self):
        listed = re.search(r"let modulesWithPrivacyManifest = \[(.*?)\]", (ROOT / "Package.swift").read_text(), re.S)[1]
        self.assertEqual(sorted(re.findall(r"\w+", listed)), sorted(path.parent.name for path in ROOT.glob("Packages/*/Sources/*/PrivacyInfo.xcprivacy")))

    def test_each_target_declares_the_modules_that_it_imports(self):
        # Another package may have built a module that no manifest names.
        found = []
        for target in MANIFEST["targets"]:
            allowed = SYSTEM | {target["name"]} | {fields[0] for dependency in target["dependencies"] for fields in dependency.values()}
            for path in (ROOT / target["path"]).rglob("*.swift"):
                found += [f"{path.relative_to(ROOT)}: {name}" for name in IMPORT.findall(swift_text.masked(path.read_text())) if name not in allowed]
        self.assertEqual(found, [])


if __name__ == "__main__":
    unittest.main()
