"""Runs every script with --help and with wrong arguments. Programs in PATH only record that they were called."""
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SCRIPTS = sorted(path for path in (ROOT / "scripts").iterdir() if path.is_file() and os.access(path, os.X_OK))
# Programs that would build, format or install.
WORKERS = ["swift", "swiftc", "apt-get", "sudo", "go", "git"]
# Arguments that end in a wrong value, and the values that the message must name.
WRONG_VALUES = [
    ("bench smal", ["small", "queue", "build"]), ("bench --rounds many", ["number"]), ("bench --before nowhere", ["folder"]),
    ("bench build alamofire", ["core", "urlsession"]), ("bootstrap tests", ["--tests"]), ("check-consumers neighbors", ["neighbours", "traits"]),
    ("demo https://swift.org", ["--base-url"]), ("demo --base-url ftp://127.0.0.1", ["http", "https"]), ("mutate MoyaCor", ["MoyaCore"]),
    ("soak mix", ["mixed", "fuzz"]), ("test MoyaCor", ["MoyaCore", "--coverage"]),
]


def run(*arguments):
    """Returns the result of a script, and the workers that it called."""
    with tempfile.TemporaryDirectory() as folder:
        for name in WORKERS:
            Path(folder, name).write_text(f'#!/bin/sh\necho {name} >>"{folder}/called"\nexit 1\n')
            Path(folder, name).chmod(0o755)
        environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}
        # The timeout ends a script that wrongly starts its work.
        result = subprocess.run([ROOT / "scripts" / arguments[0], *arguments[1:]], env=environment, capture_output=True, text=True, timeout=60)
        return result, Path(folder, "called").exists()


class Arguments(unittest.TestCase):
    def test_every_script_answers_help_on_stdout_and_does_nothing_else(self):
        for script in SCRIPTS:
            with self.subTest(script.name):
                result, is_called = run(script.name, "--help")
                self.assertEqual((result.returncode, result.stderr, is_called), (0, "", False), result.stdout)
                self.assertIn(script.name, result.stdout)

    def test_wrong_arguments_are_named_with_those_that_exist(self):
        for line, choices in [(f"{script.name} --no-such-option", []) for script in SCRIPTS] + WRONG_VALUES:
            with self.subTest(line):
                result, is_called = run(*line.split())
                self.assertEqual((result.returncode, result.stdout, is_called), (2, "", False), result.stderr)
                for word in [line.split()[-1], *choices] if choices else ["usage:" if "usage:" in result.stderr else "--no-such-option"]:
                    self.assertIn(word, result.stderr)


if __name__ == "__main__":
    unittest.main()
