"""Breaks copies of the manifests and checks that scripts/check-manifests reports it."""
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent



def on_a_mac(library, package):
    """Returns code that makes a manifest use a library from pkg-config on a Mac."""
    return f"""\
#if os(macOS)
    package.targets = package.targets.map {{
        $0.name != "{library}" ? $0
            : .systemLibrary(name: $0.name, path: $0.path, pkgConfig: "{package}", providers: $0.providers)
    }}
#endif"""


# Code that is appended to a manifest, and the expected lines of output.
BREAKS = [
    ("Packages/MoyaCore/Package.swift",
     'package.targets.first { $0.name == "MoyaCore" }?.dependencies = ["Stray"]',
     ["check-manifests: target MoyaCore, dependencies:", "    root:     [('MoyaInternals', None)]",
      "    Packages/MoyaCore: [('Stray', None)]"]),
    ("Packages/MoyaPlugins/Package.swift",
     'package.products.append(.library(name: "Stray", targets: ["MoyaPlugins"]))',
     ["check-manifests: product Stray is in Packages/MoyaPlugins/Package.swift alone"]),
    ("Packages/MoyaTesting/Package.swift",
     "package.platforms = [.macOS(.v14)]",
     ["check-manifests: platforms:", None,
      "    Packages/MoyaTesting: [{'options': [], 'platformName': 'macos', 'version': '14.0'}]"]),
    ("Tests/Support/Package.swift",
     'package.targets.append(.target(name: "Stray"))',
     ["check-manifests: target Stray is in Tests/Support/Package.swift alone"]),
    ("Packages/MoyaMultipart/Package.swift",
     'package.name = "Other"',
     ["check-manifests: Packages/MoyaMultipart: the package is called Other"]),
    ("Packages/MoyaTransportCurl/Package.swift",
     on_a_mac("CMoyaCurl", "libcurl"),
     ["check-manifests: target CMoyaCurl, pkgConfig:", "    root:     None", "    Packages/MoyaTransportCurl: libcurl"]),
    ("Package.swift",
     on_a_mac("CMoyaZlib", "zlib"),
     ["check-manifests: target CMoyaZlib, pkgConfig:", "    root:     zlib", "    Packages/MoyaCore: None"]),
    ("Package.swift",
     "",
     ["check-manifests: target CMoyaZlib: on a Mac pkg-config would bring a library for macOS into programs for iOS"]),
    ("Packages/MoyaStreaming/Sources/MoyaStreaming/PrivacyInfo.xcprivacy",
     "",
     ["check-manifests: target MoyaStreaming: PrivacyInfo.xcprivacy is no resource"]),
    ("Packages/MoyaStreaming/Sources/MoyaStreaming/Stray.swift",
     '    @testable public import struct MoyaMultipart.MultipartFormData\nimport Foundation; import `Atomics`\n/*\nimport MoyaLayers\n*/\n'
     'let text = """\nimport MoyaPlugins\n"""\n/* first */ import /* second */ Logging',
     ["check-manifests: target MoyaStreaming does not declare the dependency Atomics, which "
      "Packages/MoyaStreaming/Sources/MoyaStreaming/Stray.swift imports",
      "check-manifests: target MoyaStreaming does not declare the dependency Logging, which "
      "Packages/MoyaStreaming/Sources/MoyaStreaming/Stray.swift imports",
      "check-manifests: target MoyaStreaming does not declare the dependency MoyaMultipart, which "
      "Packages/MoyaStreaming/Sources/MoyaStreaming/Stray.swift imports"]),
    ("Project.swift",
     '// .local(path: "Packages/Stray")',
     ["check-manifests: Packages/Stray is known to Project.swift alone"]),
    (".spi.yml",
     "        - Stray",
     ["check-manifests: documentation target Stray is in .spi.yml alone"]),
]


def check(folder):
    result = subprocess.run([folder / "scripts/check-manifests"], capture_output=True, text=True)
    return result.returncode, (result.stdout + result.stderr).splitlines()


class CheckManifests(unittest.TestCase):
    def test_broken_manifests_are_reported_and_nothing_else(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            manifests = ["Package.swift", "Project.swift", ".spi.yml", "scripts/check-manifests", "scripts/swift/swift_text.py"]
            manifests += ["Tests/Support/Package.swift"]
            manifests += [str(path.relative_to(ROOT)) for path in ROOT.glob("Packages/*/Package.swift")]
            manifests += [str(path.relative_to(ROOT)) for path in ROOT.glob("Packages/*/Sources/*/*.xcprivacy")]
            for manifest in manifests:
                (folder / manifest).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / manifest, folder / manifest)
            for manifest, line, _ in BREAKS:
                (folder / manifest).parent.mkdir(parents=True, exist_ok=True)
                with (folder / manifest).open("a") as file:
                    file.write(f"\n{line}\n")
            status, lines = check(folder)

        # None stands for the line about the root, whose text depends on the root's manifest.
        left = list(lines)
        for manifest, _, report in BREAKS:
            with self.subTest(manifest):
                self.assertIn(report[0], left)
                start = left.index(report[0])
                found = left[start:start + len(report)]
                self.assertEqual([None if want is None else line for want, line in zip(report, found)], report)
                del left[start:start + len(report)]
        self.assertEqual((status, left), (1, []))


if __name__ == "__main__":
    unittest.main()
