"""Runs scripts/test-report on event streams. The messages are those of Swift 6.3."""
import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
END = [("runEnded", None, "")]


def ran(name):
    return [("testStarted", name, ""), ("testEnded", name, "")]


def skipped(name, why="Requires nginx."):
    return [("testSkipped", name, f'Test {name} skipped: "{why}"')]


def stream(names, events):
    records = [{"kind": "test", "payload": {"kind": "function", "id": f"Suite/`{name}`()", "name": name,
                                            "isParameterized": name.startswith("each")}} for name in names]
    records += [{"kind": "event", "payload": {"kind": kind, "testID": f"Suite/`{name}`()", "messages": [{"text": text}], "issue": {}}}
                for kind, name, text in events]
    return "".join(json.dumps(record) + "\n" for record in records)


def report(*runs, require_all="0", **files):
    """Returns the status and the lines of the report on runs, each a pair of tests' names and events."""
    with tempfile.TemporaryDirectory() as folder:
        for number, run in enumerate(runs):
            Path(folder, f"{number}.events").write_text(run if isinstance(run, str) else stream(*run))
        for name, text in files.items():
            Path(folder, name.replace("_", "-")).write_text(text)
        result = subprocess.run([ROOT / "scripts/test-report", folder], capture_output=True, text=True,
                                env={**os.environ, "MOYA_REQUIRE_ALL": require_all})
    return result.returncode, result.stdout.splitlines()


class TestReport(unittest.TestCase):
    def counts(self, *runs, **options):
        status, lines = report(*runs, **options)
        return status, lines[-1]

    def test_a_line_separator_in_a_text_is_not_the_end_of_a_record(self):
        run = stream(["a"], [*ran("a"), *END]).replace('"text": ""', '"text": "a\u2028b"')
        code, lines = report(run)
        self.assertEqual((code, lines[-1]), (0, "1 passed, 0 failed, 0 skipped, 0 left out"))

    def test_a_skipped_test_is_counted_and_named_with_its_reason(self):
        status, lines = report(("ab", [*ran("a"), *skipped("b"), *END]))
        self.assertEqual((status, lines[-1]), (0, "1 passed, 0 failed, 1 skipped, 0 left out"))
        self.assertEqual(lines[:2], ["Skipped or left out: Requires nginx.", "    Suite: b"])

    def test_where_everything_is_required_a_skip_fails_unless_it_is_listed(self):
        runs = ("ab", [*ran("a"), *skipped("b"), *END])
        self.assertEqual(self.counts(runs, require_all="1"), (1, "1 passed, 1 failed, 1 skipped, 0 left out"))
        listed = ("ab", [*ran("a"), *skipped("b", "Only on Linux."), *END])
        self.assertEqual(self.counts(listed, require_all="1")[0], 0)
        self.assertEqual(self.counts(("a", [*ran("a"), *END]), require_all="1", left_out="fuzzing\tGo is missing\n")[0], 1)

    def test_a_test_that_another_run_covers_is_not_skipped(self):
        runs = ("a", [*skipped("a"), *END]), ("a", [*ran("a"), *END])
        self.assertEqual(self.counts(*runs, require_all="1"), (0, "1 passed, 0 failed, 0 skipped, 0 left out"))

    def test_what_did_not_run_to_its_end_fails(self):
        for names, events in [("a", ran("a")), ("a", END), ("ab", [*ran("a"), *END]), ("ab", [*ran("a"), ("testStarted", "b", ""), *END]),
                              (["each"], [*ran("each"), *END]), ("a", [*ran("a"), ("issueRecorded", "a", "it is 2"), *END]),
                              ("a", [*ran("a"), ("issueRecorded", None, "in no test"), *END])]:
            self.assertEqual(self.counts((names, events))[0], 1, (names, events))
        self.assertEqual(self.counts(stream("a", ran("a") + END)[:-20])[0], 1)
        self.assertEqual(self.counts()[0], 1)

    def test_a_failed_step_fails_and_its_skips_are_not_failures(self):
        status, last = self.counts(("ab", [*ran("a"), *skipped("b"), *END]), require_all="1", failed="root: build\n")
        self.assertEqual((status, last), (1, "1 passed, 1 failed, 1 skipped, 0 left out"))


if __name__ == "__main__":
    unittest.main()
