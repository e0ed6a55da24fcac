"""Runs scripts/soak with a fake `swift` that prints the output of a test run."""
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def soak(*arguments, test_output=None):
    """Returns exit code and output. `test_output` is the output of `swift test`."""
    with tempfile.TemporaryDirectory() as folder:
        swift = Path(folder, "swift")
        swift.write_text(f"#!/bin/sh\ncat <<'END'\n{test_output or ''}\nEND\n")
        swift.chmod(0o755)
        environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}
        result = subprocess.run(
            [ROOT / "scripts/soak", *arguments], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return result.returncode, result.stdout


class SoakTests(unittest.TestCase):
    def test_no_minutes_and_no_count_are_refused(self):
        for arguments in (["0"], ["0.0"], ["--only", "fuzz", "0"], ["--count", "0"], ["5", "--count", "00"]):
            code, output = soak(*arguments)
            self.assertEqual(code, 2, output)
            self.assertIn("scripts/soak: ", output)

    def test_a_seed_beyond_64_bits_is_refused(self):
        self.assertEqual(soak("--seed", "99999999999999999999")[0], 2)

    def test_a_part_in_which_nothing_has_run_fails(self):
        code, output = soak("survival", "--count", "7", test_output="✔ Test run with 0 tests in 0 suites passed after 0.001 seconds.")
        self.assertEqual(code, 1)
        self.assertRegex(output, "survival: 0 tests, [0-9]+ s, findings: 0; nothing has run")

    def test_a_failed_test_is_a_finding(self):
        code, output = soak("survival", test_output='✘ Test "a" failed after 1 seconds.\n✘ Test run with 1 test in 1 suite failed after 1 seconds.')
        self.assertEqual(code, 1)
        self.assertIn('FINDING: ✘ Test "a" failed', output)
        self.assertRegex(output, "findings: 1")

    def test_the_count_is_what_has_run(self):
        code, output = soak("survival", "--count", "7", test_output='✔ Test "a" passed after 1 seconds.')
        self.assertEqual(code, 0)
        self.assertRegex(output, "survival: 7 requests, [0-9]+ s, findings: 0\n")

    def test_explorations_run_the_suites_of_layers_and_of_transfers(self):
        code, output = soak("explorations", "--count", "7", test_output='✔ Test "a" passed after 1 seconds.')
        self.assertEqual(code, 0)
        self.assertRegex(output, "explorations of layers: 1 tests, [0-9]+ s, findings: 0\n")
        self.assertRegex(output, "explorations of transfers: 1 tests, [0-9]+ s, findings: 0\n")

    def test_a_finding_of_an_exploration_prints_the_command_that_repeats_it(self):
        code, output = soak("explorations", "--count", "7", "--seed", "3", test_output='✘ Test "a" failed after 1 seconds.')
        self.assertEqual(code, 1)
        self.assertIn("To repeat it: scripts/soak --only explorations --count 7 --seed 3\n", output)

    def test_the_reader_of_responses_runs_for_the_minutes(self):
        code, output = soak(
            "10", "--only", "reader", "--seed", "3", test_output='ResponseReader has read 4000 cases.\n✘ Test "a" failed after 1 seconds.')
        self.assertEqual(code, 1)
        self.assertIn("ResponseReader has read 4000 cases.\n", output)
        self.assertIn("To repeat it: scripts/soak --only reader 10 --seed 3\n", output)


if __name__ == "__main__":
    unittest.main()
