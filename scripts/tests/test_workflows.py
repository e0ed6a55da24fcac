"""Checks the files of .github that hosted runners and the site of the repository read."""
import importlib.util
import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Installed by scripts/bootstrap --tests.
PACKAGES = ROOT / ".build/python"
sys.path.append(str(PACKAGES))

SCHEMAS = {
    ".github/workflows/*.yml": "github-workflows", ".github/dependabot.yml": "dependabot",
    ".github/ISSUE_TEMPLATE/config.yml": "github-issue-config", ".github/ISSUE_TEMPLATE/[!c]*.yml": "github-issue-forms",
}


def scripts():
    """Returns the commands of each step of the workflows."""
    from ruamel.yaml import YAML
    return [step["run"] for path in ROOT.glob(".github/workflows/*.yml")
            for job in YAML(typ="safe").load(path)["jobs"].values() for step in job.get("steps", []) if "run" in step]


@unittest.skipUnless(importlib.util.find_spec("check_jsonschema"), "check-jsonschema is missing: scripts/bootstrap --tests installs it")
class Workflows(unittest.TestCase):
    def test_each_file_follows_its_schema(self):
        for pattern, schema in SCHEMAS.items():
            paths = list(ROOT.glob(pattern))
            self.assertTrue(paths, pattern)
            result = subprocess.run(
                [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}", *paths], capture_output=True, text=True,
                env={**os.environ, "PYTHONPATH": f"{PACKAGES}:{os.environ.get('PYTHONPATH', '')}"})
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_each_step_is_valid_bash_and_names_scripts_that_exist(self):
        self.assertTrue(scripts())
        for script in scripts():
            # An expression of the workflow is a word of the command.
            command = re.sub(r"\$\{\{.*?\}\}", "word", script)
            result = subprocess.run(["bash", "-n"], input=command, capture_output=True, text=True)
            self.assertEqual((result.returncode, result.stderr), (0, ""), script)
            for name in re.findall(r"(?:^|\s)(scripts/[\w-]+)", command):
                self.assertTrue(os.access(ROOT / name, os.X_OK), name)

    def test_the_oldest_swift_is_the_version_of_the_manifest_and_the_traits_exist(self):
        manifest, workflow = (ROOT / "Package.swift").read_text(), (ROOT / ".github/workflows/test.yml").read_text()
        oldest = re.search(r"swift-tools-version: ([\d.]+)", manifest)[1]
        self.assertEqual(re.search(r'swift: \["([\d.]+)"', workflow)[1], oldest)
        known = set(re.findall(r'\.trait\(\s*name: "(\w+)"', manifest))
        # Apple's platforms have Combine and CryptoKit.
        self.assertEqual(set(re.search(r"--traits ([\w,]+)", workflow)[1].split(",")), known - {"Crypto", "OpenCombine"})


if __name__ == "__main__":
    unittest.main()
