"""Runs scripts/docs on two small modules, one of which re-exports the other, and reads the site."""
import json
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent

MANIFEST = """\
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "sample",
    products: [
        .library(name: "Core", targets: ["Core"]),
        .library(name: "Kit", targets: ["Kit"]),
        .library(name: "OldKit", targets: ["OldKit"]),
    ],
    targets: [
        .target(name: "Core", path: "Packages/Core"),
        .target(name: "Kit", dependencies: ["Core"], path: "Packages/Kit"),
        .target(name: "OldKit", dependencies: ["Kit"], path: "Packages/OldKit"),
    ]
)
"""

SOURCES = {
    "Core": """\
/// A figure.
public struct Shape: CustomStringConvertible {
    /// Area, in points.
    public var area = 1.0

    /// A point.
    public init() {}

    // Documented by the protocol.
    public var description: String { "shape" }
}

/// Declares figures.
@resultBuilder public enum Figures {
    public static func buildBlock(_ shapes: Shape...) -> [Shape] { shapes }
}
""",
    "Kit": """\
@_exported import Core

/// A color.
public struct Color {
    /// Black.
    public init() {}
}

extension Shape {
    /// Paints the ``area`` of a `Shape` with a ``Color``. See ``Color/init()``.
    public func paint(_ color: Color) {}
}
""",
    "OldKit": "@_exported import Kit\n",
}

CATALOGUE = """\
# ``Kit``

Paints figures.

## Overview

Make a `Shape`, and a ``Color``.

## Topics

- ``Color``
"""


class Docs(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name).resolve()
        (self.root / "scripts").mkdir()
        for name in ["docs", "api", "swift"]:
            source = ROOT / "scripts" / name
            (shutil.copytree if source.is_dir() else shutil.copy)(source, self.root / "scripts" / name)
        (self.root / "Package.swift").write_text(MANIFEST)
        self.catalogue = self.root / "Packages/Kit/Kit.docc/Kit.md"
        self.catalogue.parent.mkdir(parents=True)
        self.catalogue.write_text(CATALOGUE)
        self.build(SOURCES)

    def build(self, sources):
        """Does what the root's build leaves behind: the modules, and the compiler's arguments."""
        scratch = self.root / ".build/root"
        (scratch / "debug/Modules").mkdir(parents=True, exist_ok=True)
        target = json.loads(subprocess.check_output(["swiftc", "-print-target-info"]))["target"]["unversionedTriple"]
        commands = []
        for module, text in sources.items():
            file = self.root / "Packages" / module / f"{module}.swift"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
            path = scratch / f"debug/Modules/{module}.swiftmodule"
            command = ["swiftc", "-module-name", module, "-emit-module", "-emit-module-path", str(path),
                       "-parse-as-library", "-swift-version", "6", "-I", str(path.parent), "-target", target, str(file)]
            subprocess.run(command, check=True, cwd=self.root)
            commands.append(command)
        (scratch / "debug.yaml").write_text("".join(f"  args: {json.dumps(command)}\n" for command in commands))

    def run_script(self, *arguments):
        """The status, and the lines behind the table."""
        result = subprocess.run([self.root / "scripts/docs", *arguments], capture_output=True, text=True)
        lines = (result.stdout + result.stderr).splitlines()
        return result.returncode, [line for line in lines if line.startswith("docs: ")]

    def page(self, path):
        return json.loads((self.root / ".build/docs" / f"{path}.json").read_text())

    def test_a_product_that_re_exports_another_one_has_both_modules_with_links_between_them(self):
        self.assertEqual(self.run_script(), (0, [f"docs: {self.root}/.build/docs"]))
        method = self.page("Kit/data/documentation/core/shape/paint(_:)")
        self.assertLessEqual({"/documentation/kit/color", "/documentation/kit/color/init()", "/documentation/core/shape/area"},
                             {reference.get("url") for reference in method["references"].values()})
        overview = self.page("Kit/data/documentation/kit")["references"].values()
        self.assertIn("/documentation/core/shape", {reference.get("url") for reference in overview})
        sidebar = self.page("Kit/index/index")["interfaceLanguages"]["swift"][0]["children"]
        kit = next(child for child in sidebar if child["title"] == "Kit")
        self.assertIn("Core", [child["title"] for child in kit["children"]])

    def test_the_index_lists_each_product_with_its_summary_but_not_one_that_only_renames(self):
        self.run_script("--hosting-base-path", "/sample")
        index = (self.root / ".build/docs/index.html").read_text()
        self.assertIn('<a href="Kit/documentation/kit/">Kit</a><p>Paints figures.</p>', index)
        self.assertIn('<a href="Core/documentation/core/">Core</a>', index)
        self.assertNotIn("OldKit", index)
        for page in ("Core/documentation/core/shape", "Kit/documentation/core/shape"):
            html = (self.root / ".build/docs" / page / "index.html").read_text()
            self.assertIn(f'baseUrl = "/sample/{page[:page.index("/")]}/"', html)

    def test_a_planted_wrong_link_and_an_undocumented_symbol_fail_with_their_places(self):
        self.catalogue.write_text(CATALOGUE + "- ``Colour``\n")
        self.build(SOURCES | {"Core": SOURCES["Core"].replace("    /// Area, in points.\n", "").replace("A figure.", "A ``Figure``.")})
        status, lines = self.run_script("Kit")
        self.assertEqual((status, sorted(lines)), (1, sorted([
            "docs: Packages/Core/Core.swift:1: 'Figure' doesn't exist at '/Core/Shape'",
            "docs: Packages/Kit/Kit.docc/Kit.md:12: 'Colour' doesn't exist at '/Kit'",
            "docs: Packages/Core/Core.swift:3: Core.Shape.area has no documentation",
            f"docs: {self.root}/.build/docs",
        ])))

    def test_an_unknown_product_is_an_error_that_names_the_products(self):
        result = subprocess.run([self.root / "scripts/docs", "Kid"], capture_output=True, text=True)
        self.assertEqual(result.returncode, 2)
        self.assertIn("no such product: Kid. The products are Core, Kit, OldKit.", result.stderr)


if __name__ == "__main__":
    unittest.main()
