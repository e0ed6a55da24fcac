"""Runs the functions of scripts/steps.sh in a small checkout."""
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
REPORT = '#!/bin/sh\ncat "$1/left-out" "$1/failed" 2>/dev/null\nexit 0\n'


class Steps(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "scripts").mkdir()
        (self.folder / "scripts/test-report").write_text(REPORT)
        (self.folder / "scripts/test-report").chmod(0o755)
        (self.folder / ".gitignore").write_text(".build\n")
        subprocess.run(["git", "init", "-q", folder.name], check=True)

    def run_steps(self, script):
        text = f'set -uo pipefail\nwrong() {{ exit 2; }}\n. "{ROOT}/scripts/steps.sh"\nstate="$(state_of_checks)"\n{script}\n'
        environment = {name: value for name, value in os.environ.items() if not name.startswith("MOYA_")}
        result = subprocess.run(["bash", "-c", text], cwd=self.folder, env=environment, capture_output=True, text=True, timeout=60)
        return result.returncode, result.stdout

    def test_a_failed_step_prints_its_output_and_ends_the_run(self):
        status, output = self.run_steps('step "a" true; step "b: c" sh -c "echo why; exit 3"; step "d" true')
        self.assertEqual(status, 1)
        self.assertIn("FAILED", output)
        self.assertIn("\nwhy\n", output)
        self.assertTrue(output.endswith("\nb: c\n"), output)

    def test_a_check_that_has_passed_runs_again_only_after_a_change(self):
        once = 'once "a" sh -c "echo x >>.build/count"; wc -l <.build/count'
        (self.folder / ".build").mkdir()
        self.assertEqual([self.run_steps(once)[1].split()[-1] for _ in range(2)], ["1", "1"])
        (self.folder / "file").write_text("a")
        self.assertEqual(self.run_steps(once)[1].split()[-1], "2")
        self.assertEqual(self.run_steps(f"MOYA_SEED=2; {once}")[1].split()[-1], "2")
        (self.folder / "file").write_text("b")
        self.run_steps('once "a" false')
        self.assertEqual(self.run_steps(once)[1].split()[-1], "3")

    def test_what_a_check_leaves_out_is_reported_in_each_run(self):
        for _ in range(2):
            self.assertIn("\nthe page\tno docc\n", self.run_steps('once "docs" echo "docs: the page is left out: no docc"')[1])

    def test_checks_beside_others_are_printed_when_they_are_joined_and_their_failure_ends_the_run(self):
        self.assertRegex(self.run_steps('first() { step "a" true; }; beside first; step "b" true; join')[1], "(?s)b .*ok.*a .*ok")
        status, output = self.run_steps('first() { step "a" false; step "c" true; }; beside first; join; step "b" true')
        self.assertEqual((status, output.endswith("\na\n")), (1, True), output)

    def test_a_failure_ends_the_checks_beside_it(self):
        status, _ = self.run_steps('first() { step "a" sleep 50; }; beside first; sleep 0.2; step "b" false')
        self.assertEqual(status, 1)
        self.assertEqual(subprocess.run(["pgrep", "-f", "^sleep 50$"], capture_output=True, text=True).stdout, "")


if __name__ == "__main__":
    unittest.main()
