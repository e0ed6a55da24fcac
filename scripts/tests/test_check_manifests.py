"""Breaks manifests in a copy of them and looks at what scripts/check-manifests says: each difference, and no more."""
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent

# What is appended to a manifest, and the lines it has to be reported with.
BREAKS = [
    ("Packages/MoyaCore/Package.swift",
     'package.targets[0].dependencies.append("Stray")',
     ["check-manifests: target MoyaInternals, dependencies:", "    root:     []",
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
]


def check(folder):
    result = subprocess.run([folder / "scripts/check-manifests"], capture_output=True, text=True)
    return result.returncode, (result.stdout + result.stderr).splitlines()


class CheckManifests(unittest.TestCase):
    def test_broken_manifests_are_reported_and_nothing_else(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            manifests = ["Package.swift", "Workspace.swift", "scripts/check-manifests", "Tests/Support/Package.swift"]
            manifests += [str(path.relative_to(ROOT)) for path in ROOT.glob("Packages/*/Package.swift")]
            for manifest in manifests:
                (folder / manifest).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / manifest, folder / manifest)
            for manifest, line, _ in BREAKS:
                with (folder / manifest).open("a") as file:
                    file.write(f"\n{line}\n")
            status, lines = check(folder)

        # The line about the root depends on the root's manifest: None stands for it.
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
