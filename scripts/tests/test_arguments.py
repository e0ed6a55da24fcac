"""Runs every script with --help and with wrong arguments. Programs in PATH only record calls."""
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SCRIPTS = sorted(path for path in (ROOT / "scripts").iterdir() if path.is_file() and os.access(path, os.X_OK))
# Programs that would build, format or install.
WORKERS = ["swift", "swiftc", "apt-get", "sudo", "go", "git"]
# Required arguments of scripts.
REQUIRED = {"coverage-report": ["."], "relink": ["."], "test-report": ["."]}
# Arguments that end in a wrong value, and the valid values that the message must name.
WRONG_VALUES = [
    (["bench", "smal"], ["small", "queue", "build"]),
    (["bench", "small", "h3"], ["small", "h2"]),
    (["bench", "--rounds", "many"], ["number"]),
    (["bench", "--rounds"], ["number"]),
    (["bench", "--before", "nowhere"], ["folder"]),
    (["bench", "build", "alamofire"], ["core", "urlsession"]),
    (["bench", "build", "--before"], ["--runs", "urlsession"]),
    (["bootstrap", "tests"], ["--tests"]),
    (["check-consumers", "neighbors"], ["neighbours", "static", "epoll", "traits"]),
    (["demo", "https://swift.org"], ["--base-url"]),
    (["demo", "--base-url"], ["URL"]),
    (["demo", "--base-url", "ftp://127.0.0.1"], ["http", "https"]),
    (["mutate", "MoyaCor"], ["MoyaCore"]),
    (["soak", "mix"], ["mixed", "fuzz"]),
    (["test", "MoyaCor"], ["MoyaCore", "--coverage"]),
]


def run(script, *arguments):
    """Runs a script. Returns the finished process, and the workers that it called."""
    with tempfile.TemporaryDirectory() as folder:
        for name in WORKERS:
            worker = Path(folder, name)
            worker.write_text(f'#!/bin/sh\necho {name} >>"{folder}/called"\nexit 1\n')
            worker.chmod(0o755)
        environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}
        # The timeout ends a script that wrongly starts its work.
        result = subprocess.run(
            [ROOT / "scripts" / script, *arguments], env=environment, capture_output=True, text=True, timeout=60)
        called = Path(folder, "called")
        return result, called.read_text().split() if called.exists() else []


def options(text):
    """Returns the options in a text, except those of other programs, which are in backquotes."""
    return set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", re.sub("`[^`]*`", "", text)))


class Arguments(unittest.TestCase):
    def test_every_script_answers_help_on_stdout_and_does_nothing_else(self):
        self.assertGreater(len(SCRIPTS), 10)
        for script in SCRIPTS:
            for option in ("--help", "-h"):
                with self.subTest(f"{script.name} {option}"):
                    result, called = run(script.name, option)
                    self.assertEqual((result.returncode, result.stderr, called), (0, "", []), result.stdout)
                    self.assertIn(script.name, result.stdout)
                    self.assertGreaterEqual(len(result.stdout.splitlines()), 2)

    def test_an_unknown_option_is_named_with_the_options_that_exist(self):
        for script in SCRIPTS:
            with self.subTest(script.name):
                known = options(run(script.name, "--help")[0].stdout) - {"--help"}
                result, called = run(script.name, *REQUIRED.get(script.name, []), "--no-such-option")
                self.assertEqual((result.returncode, result.stdout, called), (2, "", []), result.stderr)
                self.assertIn("--no-such-option", result.stderr)
                self.assertLessEqual(known, options(result.stderr))

    def test_a_wrong_value_is_named_with_the_values_that_exist(self):
        for (script, *arguments), choices in WRONG_VALUES:
            with self.subTest(" ".join([script, *arguments])):
                result, called = run(script, *arguments)
                self.assertEqual((result.returncode, result.stdout, called), (2, "", []), result.stderr)
                for word in [arguments[-1], *choices]:
                    self.assertIn(word, result.stderr)


if __name__ == "__main__":
    unittest.main()
