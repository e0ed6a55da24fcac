"""Runs `source_state` of scripts/test in a small checkout: its hash changes with the files, and with them alone."""
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
FUNCTION = re.search(r"^source_state\(\) \{\n.*?^\}\n", (ROOT / "scripts/test").read_text(), re.S | re.M).group()


class SourceState(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name).resolve()
        self.checkout, programs = self.folder / "checkout", self.folder / "programs"
        programs.mkdir()
        for name in ("swift", "dpkg-query"):
            (programs / name).write_text("#!/bin/sh\necho 1.0\n")
            (programs / name).chmod(0o755)
        self.environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"}
        self.checkout.mkdir()
        for command in (["init", "-q"], ["config", "user.email", "a@b.test"], ["config", "user.name", "a"]):
            self.git(*command)
        (self.checkout / ".gitignore").write_text("Package.resolved\nignored\n")
        (self.checkout / "Package.resolved").write_text("{}\n")
        (self.checkout / "file").write_text("a\n")
        self.git("add", "--all")
        self.git("commit", "-qm", "first")

    def git(self, *arguments):
        return subprocess.run(["git", *arguments], cwd=self.checkout, capture_output=True, text=True, check=True).stdout

    def state(self, traits="--traits A"):
        report = tempfile.mkdtemp(dir=self.folder)
        script = f'report="{report}"\ntraits=({traits}) MOYA_SEED=1\nmacros=\n{FUNCTION}\nsource_state'
        result = subprocess.run(["bash", "-uo", "pipefail", "-c", script], cwd=self.checkout, env=self.environment, capture_output=True, text=True)
        return result.stdout if result.returncode == 0 else None

    def test_the_hash_stays_until_a_file_or_a_version_changes(self):
        first = self.state()
        self.assertRegex(first or "", r"^[0-9a-f]{40}\n[0-9a-f]{40}\n$")
        self.assertEqual(self.state(), first)
        (self.checkout / "ignored").write_text("x")
        self.assertEqual(self.state(), first)
        others = [self.state("--traits B")]
        for name in ("file", "new", "Package.resolved"):
            (self.checkout / name).write_text(f"changed {name}\n")
            others.append(self.state())
        self.assertNotIn(None, others)
        self.assertEqual(len({first, *others}), 5)
        files = [state.splitlines()[0] for state in (first, *others)]
        self.assertEqual([files.count(each) for each in files], [2, 2, 1, 2, 2])

    def test_files_that_git_ignores_or_takes_for_unchanged_change_the_hash(self):
        (self.checkout / ".gitignore").write_text("Package.resolved\nDerived/\n.build/\n")
        (self.checkout / "Derived").mkdir()
        (self.checkout / ".build").mkdir()
        # A checkout of a dependency.
        subprocess.run(["git", "init", "-q", self.checkout / ".build/checkouts/b.swift"], check=True)
        (self.checkout / ".build/checkouts/b.swift/B.swift").write_text("1\n")
        states = [self.state()]
        (self.checkout / "Derived/A.swift").write_text("1\n")
        states.append(self.state())
        self.git("update-index", "--assume-unchanged", "file")
        (self.checkout / "file").write_text("changed\n")
        states.append(self.state())
        self.environment["CPATH"] = "/opt/include"
        states.append(self.state())
        self.assertNotIn(None, states)
        self.assertEqual(len(set(states)), 4)
        (self.checkout / ".build/B.swift").write_text("1\n")
        self.assertEqual(self.state(), states[-1])

    def test_the_checkout_stays_as_it_is(self):
        (self.checkout / "new").write_text("x\n")
        before = self.git("status", "--short"), self.git("count-objects")
        self.assertIsNotNone(self.state())
        self.assertEqual((self.git("status", "--short"), self.git("count-objects")), before)

    def test_there_is_no_hash_outside_of_a_checkout(self):
        self.checkout = self.checkout / "below"
        self.checkout.mkdir()
        self.assertIsNone(self.state())


if __name__ == "__main__":
    unittest.main()
