"""Compares what the scripts answer to wrong arguments with docs/CommandMessages.txt, so that a review sees each change.

With MOYA_UPDATE_ERRORS=1 in the environment, it writes the file.
"""
import os
import re
import unittest
from concurrent.futures import ThreadPoolExecutor
from unittest import mock

from test_arguments import REQUIRED, ROOT, SCRIPTS, WRONG_VALUES, run

FILE = ROOT / "docs/CommandMessages.txt"
HEAD = """\
The first line that the scripts print for wrong arguments. scripts/tests/test_command_messages.py compares this file
with the scripts, and writes it if MOYA_UPDATE_ERRORS is 1 in the environment.
"""
# The usage of argparse, and its list of choices: their form depends on the version of Python.
USAGE = re.compile(r"^usage: .*?(?=^\S+: error:)", re.M | re.S)
CHOICES = re.compile(r" \(choose from .*\)")


def answer(arguments):
    with mock.patch.dict(os.environ, {"COLUMNS": "200"}):
        result, _ = run(*arguments)
    line = USAGE.sub("", result.stdout + result.stderr).replace(f"{ROOT}/", "").partition("\n")[0]
    return f"$ scripts/{' '.join(arguments)}\n{CHOICES.sub('', line)}\n"


def messages():
    wrong = [[script.name, *REQUIRED.get(script.name, []), "--wrong"] for script in SCRIPTS]
    wrong += [arguments for arguments, _ in WRONG_VALUES]
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        return "\n".join([HEAD, *threads.map(answer, sorted(wrong))])


class CommandMessages(unittest.TestCase):
    maxDiff = None

    def test_the_answers_to_wrong_arguments_are_those_of_the_file(self):
        found = messages()
        if os.environ.get("MOYA_UPDATE_ERRORS") == "1":
            FILE.write_text(found)
        self.assertEqual(
            FILE.read_text(), found, "Where this is intended: MOYA_UPDATE_ERRORS=1 python3 -m unittest "
            "discover --start-directory scripts/tests --pattern test_command_messages.py")


if __name__ == "__main__":
    unittest.main()
