"""Makes releases of a small repository with scripts/release."""
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VERSION = Path("Packages/MoyaCore/Sources/MoyaCore/Moya.swift")


class Releases(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        # Of the user's configuration, a hook or a signature would take part in the test.
        self.environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
        (self.folder / "scripts").mkdir()
        shutil.copy(ROOT / "scripts/release", self.folder / "scripts")
        self.git("init", "--quiet", "--initial-branch", "main")
        self.git("config", "user.name", "A")
        self.git("config", "user.email", "a@test.test")
        self.commit("1.0.0", "- Everything.", ["func a()"])

    def git(self, *arguments):
        return subprocess.run(["git", *arguments], cwd=self.folder, env=self.environment, capture_output=True, text=True, check=True).stdout

    def commit(self, version, notes, interface):
        log = self.folder / "CHANGELOG.md"
        older = log.read_text().partition("\n")[2] if log.exists() else ""
        self.write("CHANGELOG.md", f"# Changes\n\n## {version}, not released yet\n\n{notes}\n{older}")
        self.write(VERSION, f'static let version = "{version}"\n')
        self.write("api/Moya.txt", "".join(f"{line}\n" for line in interface))
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "Change")

    def write(self, path, text):
        (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / path).write_text(text)

    def release(self, *arguments):
        return subprocess.run([self.folder / "scripts/release", *arguments], env=self.environment, capture_output=True, text=True)

    def test_a_release_dates_the_changes_and_tags_the_commit_with_them(self):
        result = self.release("1.0.0")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertRegex((self.folder / "CHANGELOG.md").read_text(), r"(?m)^## 1\.0\.0, \d{4}-\d\d-\d\d$")
        self.assertEqual(self.git("for-each-ref", "--format=%(contents)", "refs/tags/1.0.0"), "1.0.0\n\n- Everything.\n\n")
        self.assertEqual(self.git("rev-parse", "1.0.0^{commit}"), self.git("rev-parse", "HEAD"))
        self.assertEqual(self.git("status", "--porcelain"), "")

    def test_a_check_prints_the_notes_and_the_difference_of_the_interface_and_changes_nothing(self):
        self.release("1.0.0")
        self.commit("1.1.0", "- A function b.", ["func a()", "func b()"])
        head = self.git("rev-parse", "HEAD")
        result = self.release("1.1.0", "--check")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn("- A function b.", result.stdout)
        self.assertIn("+func b()", result.stdout)
        self.assertEqual(self.git("rev-parse", "HEAD"), head)

    def test_a_deprecation_removes_nothing(self):
        self.release("1.0.0")
        self.commit("1.1.0", "- Use b.", ["@available(*, deprecated) func a()", "func b()"])
        self.assertEqual(self.release("1.1.0", "--check").stderr, "")

    def test_what_is_missing_is_named_and_nothing_is_tagged(self):
        for version, message in [("1.0.1", "no section"), ("1.0.1", "another version")]:
            self.assertIn(message, self.release(version).stderr)
        self.write("new", "")
        self.assertIn("uncommitted", self.release("1.0.0").stderr)
        self.git("checkout", "--quiet", "-b", "other")
        self.assertIn("not main", self.release("1.0.0").stderr)
        self.assertEqual(self.git("tag"), "")

    def test_a_declaration_that_is_gone_needs_a_major_version_and_a_new_one_a_minor_version(self):
        self.release("1.0.0")
        self.commit("1.0.1", "- A function b.", ["func a()", "func b()"])
        self.assertIn("last number of the version is 0", self.release("1.0.1").stderr)
        self.commit("1.1.0", "- Another a.", ["func a(b: Int)"])
        self.assertIn("the next version is 2.0.0: func a()", self.release("1.1.0").stderr)
        self.commit("2.0.0", "- Another a.", ["func a(b: Int)"])
        self.assertEqual(self.release("2.0.0").stderr, "")

    def test_a_version_follows_the_last_one(self):
        self.release("1.0.0")
        self.commit("0.9.0", "- Older.", ["func a()"])
        self.assertIn("does not follow 1.0.0", self.release("0.9.0").stderr)


if __name__ == "__main__":
    unittest.main()
