"""Runs scripts/test-report on constructed event streams and checks its output."""
import json
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def test(name, is_parameterized=False):
    return {"kind": "test", "payload": {"kind": "function", "id": f"Module.Suite/`{name}`()/File.swift:1:1", "name": name,
                                        "isParameterized": is_parameterized}}


def event(kind, name=None, text="", **more):
    payload = {"kind": kind, "messages": [{"text": text}] if text else [], **more}
    if name:
        payload["testID"] = test(name)["payload"]["id"]
    return {"kind": "event", "payload": payload}


def ran(name):
    return [event("testStarted", name), event("testEnded", name)]


# The messages are those of Swift 6.3.
def skipped(name, why):
    return [event("testSkipped", name, f'Test {name} skipped: "{why}"')]


def cancelled(name, end):
    return [event("testStarted", name, f"Test {name} started."), event("testCancelled", name), event("testCaseCancelled", name),
            event("testEnded", name, f"Test {name} was cancelled after 0.004 seconds{end}")]


ISSUE = {"isFailure": True, "sourceLocation": {"fileID": "Module/File.swift", "line": 7}}
END = [event("runEnded")]


class TestReport(unittest.TestCase):
    def report(self, *runs, xctest="", left_out="", passed_before="", options=()):
        with tempfile.TemporaryDirectory() as folder:
            for number, events in enumerate(runs):
                text = "\n".join(event if isinstance(event, str) else json.dumps(event) for event in events)
                (Path(folder) / f"{number}.events").write_text(text)
            if xctest:
                (Path(folder) / "0.xctest").write_text(xctest)
            if left_out:
                (Path(folder) / "left-out").write_text(left_out)
            if passed_before:
                (Path(folder) / "passed-before").write_text(passed_before)
            result = subprocess.run([ROOT / "scripts/test-report", folder, *options], capture_output=True, text=True)
        self.assertEqual(result.stderr, "")
        return result.returncode, result.stdout.splitlines()

    def test_passed_tests_are_counted(self):
        status, lines = self.report([test("a"), test("b"), *ran("a"), *ran("b"), *END])
        self.assertEqual((status, lines[-1]), (0, "2 passed, 0 failed, 0 skipped, 0 left out"))

    def test_tests_of_xctest_are_counted(self):
        printed = ("Test Case 'Some.test_a' started at 2026-01-01 00:00:00.000\nTest Case 'Some.test_a' passed (0.1 seconds)\n"
                   "Test Case '-[Module.Some test_b]' started.\nTest Case '-[Module.Some test_b]' skipped (0.1 seconds)\n")
        status, lines = self.report([test("a"), *ran("a"), *END], xctest=printed)
        self.assertEqual((status, lines[-1]), (0, "2 passed, 0 failed, 1 skipped, 0 left out"))

    def test_a_test_of_xctest_that_fails_or_does_not_end_is_failed(self):
        for ending in ["Test Case 'Some.test_a' failed (0.1 seconds)\n", ""]:
            status, lines = self.report(
                [test("a"), *ran("a"), *END], xctest="Test Case 'Some.test_a' started at 2026-01-01\n" + ending)
            self.assertEqual((status, lines[-1]), (1, "1 passed, 1 failed, 0 skipped, 0 left out"))
            self.assertIn("Failed: Some.test_a", lines)

    def test_a_skipped_test_is_not_passed_and_its_reason_is_printed(self):
        status, lines = self.report([test("a"), test("b"), *ran("a"), *skipped("b", "nginx is missing"), *END])
        self.assertEqual((status, lines[-1]), (0, "1 passed, 0 failed, 1 skipped, 0 left out"))
        self.assertEqual(lines[:2], ["Skipped: nginx is missing", "    Module.Suite: b"])

    def test_a_skipped_test_fails_where_everything_is_required(self):
        status, lines = self.report(
            [test("a"), test("b"), *ran("a"), *skipped("b", "nginx is missing"), *END], options=["--require-all"])
        self.assertEqual((status, lines[-1]), (1, "1 passed, 1 failed, 1 skipped, 0 left out"))

    def test_after_a_failed_step_a_skipped_test_is_no_further_failure(self):
        status, lines = self.report(
            [test("a"), test("b"), *ran("a"), *skipped("b", "libcurl has no HTTP/3"), *END],
            options=["--require-all", "--failed-step", "build"])
        self.assertEqual((status, lines[-1]), (1, "1 passed, 1 failed, 1 skipped, 1 left out"))

    def test_a_check_left_out_fails_where_everything_is_required(self):
        run = [test("a"), *ran("a"), *END]
        self.assertEqual(self.report(run, left_out="fuzzing: responses\tGo is missing\n")[0], 0)
        status, lines = self.report(run, left_out="fuzzing: responses\tGo is missing\n", options=["--require-all"])
        self.assertEqual((status, lines[-1]), (1, "1 passed, 1 failed, 0 skipped, 1 left out"))
        self.assertEqual(lines[1], "    fuzzing: responses")

    def test_checks_that_passed_before_are_counted(self):
        status, lines = self.report([test("a"), *ran("a"), *END], passed_before="format\ndocumentation\n")
        self.assertEqual(status, 0)
        self.assertIn("2 checks passed before with the same source", lines[-2])

    def test_what_a_machine_cannot_have_is_no_failure(self):
        known = [line.split("  ")[0] for line in (ROOT / "scripts/cannot-have").read_text().splitlines()
                 if line and not line.startswith("#")]
        for why in known:
            run = [test("a"), test("b"), *ran("a"), *skipped("b", why), *END]
            self.assertEqual(self.report(run, options=["--require-all"])[0], 0, why)

    def test_a_test_that_another_run_skips_counts_as_run(self):
        status, lines = self.report(
            [test("a"), *skipped("a", "libcurl has no HTTP/3"), *END], [test("a"), *ran("a"), *END],
            options=["--require-all"])
        self.assertEqual((status, lines[-1]), (0, "1 passed, 0 failed, 0 skipped, 0 left out"))
        self.assertEqual(lines[0], "Skipped in one run, passed in another: libcurl has no HTTP/3 (1)")

    def test_a_test_that_fails_in_one_of_two_runs_is_failed(self):
        status, lines = self.report(
            [test("a"), *ran("a"), *END],
            [test("a"), event("testStarted", "a"), event("issueRecorded", "a", "Expectation failed", issue=ISSUE),
             event("testEnded", "a"), *END])
        self.assertEqual((status, lines[-1]), (1, "0 passed, 1 failed, 0 skipped, 0 left out"))
        self.assertIn("    Module/File.swift:7: Expectation failed", lines)

    def test_a_known_issue_is_no_failure(self):
        known = event("issueRecorded", "a", "Issue recorded", issue={**ISSUE, "isFailure": False})
        status, _ = self.report(
            [test("a"), event("testStarted", "a"), known, event("testEnded", "a"), *END])
        self.assertEqual(status, 0)

    def test_an_issue_outside_of_tests_is_a_failure(self):
        status, _ = self.report([test("a"), *ran("a"), event("issueRecorded", text="An issue", issue=ISSUE), *END])
        self.assertEqual(status, 1)

    def test_a_run_whose_process_ends_names_the_tests_that_were_running(self):
        status, lines = self.report([test("a"), test("b"), *ran("a"), event("testStarted", "b"), '{"kind":"ev'])
        self.assertEqual(status, 1)
        self.assertIn("Failed: Module.Suite: b", lines)
        self.assertIn("Failed: 0: the run did not come to its end", lines)

    def test_a_test_that_never_began_is_a_failure(self):
        status, lines = self.report([test("a"), test("b"), *ran("a"), *END])
        self.assertEqual(status, 1)
        self.assertIn("Failed: Module.Suite: b\n    the run ended before it", "\n".join(lines))

    def test_a_test_with_an_empty_list_of_arguments_is_a_failure(self):
        status, lines = self.report(
            [test("a"), test("b", is_parameterized=True), *ran("a"), event("testStarted", "b"), event("testEnded", "b"), *END])
        self.assertEqual((status, lines[-1]), (1, "1 passed, 1 failed, 0 skipped, 0 left out"))

    def test_a_test_that_cancels_itself_is_skipped(self):
        status, lines = self.report(
            [test("a"), test("b"), *ran("a"), *cancelled("b", ': "no disk"'), *END])
        self.assertEqual((status, lines[0], lines[-1]), (0, "Skipped: no disk", "1 passed, 0 failed, 1 skipped, 0 left out"))

    def test_a_skip_with_an_empty_reason_or_none_is_counted(self):
        for events in [cancelled("b", ': ""'), cancelled("b", "."), skipped("b", ""), [event("testSkipped", "b", "Test b skipped.")]]:
            status, lines = self.report([test("a"), test("b"), *ran("a"), *events, *END])
            self.assertEqual((status, lines[0], lines[-1]),
                             (0, "Skipped: no reason is given", "1 passed, 0 failed, 1 skipped, 0 left out"))

    def test_a_test_with_cancelled_cases_has_not_passed(self):
        case = [event("testCaseStarted", "b"), event("testCaseEnded", "b")]
        cancelled_case = [case[0], event("testCaseCancelled", "b"), case[1]]
        for cases, text in [([cancelled_case, cancelled_case], "2 of 2"), ([case, cancelled_case, case], "1 of 3")]:
            run = [test("a"), test("b", True), *ran("a"), event("testStarted", "b"), *sum(cases, []),
                   event("testEnded", "b", f'Test b with {len(cases)} test cases passed after 0.004 seconds.'), *END]
            status, lines = self.report(run, options=["--require-all"])
            self.assertEqual((status, lines[-1]), (1, "1 passed, 1 failed, 1 skipped, 0 left out"))
            self.assertIn(f"{text} cases were cancelled", lines[0])

    def test_a_name_that_looks_like_a_reason_excuses_nothing(self):
        name = "a thing is skipped: No Apple SDK"
        run = [test("a"), test(name), *ran("a"), *skipped(name, "nginx is missing"), *END]
        status, lines = self.report(run, options=["--require-all"])
        self.assertEqual((status, lines[0]), (1, "Skipped (a failure, since everything is required): nginx is missing"))

    def test_arguments_without_a_case_are_a_failure(self):
        status, lines = self.report([test("a"), test("b", True), *ran("a"), *skipped("b", "No test cases found."), *END])
        self.assertEqual((status, lines[-1]), (1, "1 passed, 1 failed, 0 skipped, 0 left out"))

    def test_a_damaged_line_before_the_last_is_a_failure(self):
        for line in ['{"kind":"event","payload":{"kind":"issueRec', "null", "{}", '{"kind":"event","payload":{}}']:
            status, lines = self.report([test("a"), line, *ran("a"), *END])
            self.assertEqual(status, 1)
            self.assertIn("Failed: 0: line 2 of its events is damaged", lines)

    def test_a_second_record_of_a_test_keeps_its_failures(self):
        issue = event("issueRecorded", "a", "it is broken", issue=ISSUE)
        self.assertEqual(self.report([test("a"), issue, test("a"), *ran("a"), *END])[0], 1)

    def test_a_test_that_one_run_did_not_begin_is_a_failure(self):
        self.assertEqual(self.report([test("a"), test("b"), *ran("b"), *END], [test("a"), *ran("a"), *END])[0], 1)

    def test_a_run_without_events_is_a_failure(self):
        status, lines = self.report([test("a"), *ran("a"), *END], [])
        self.assertEqual(status, 1)
        self.assertIn("Failed: 1: the run did not come to its end", lines)

    def test_a_run_beside_others_in_which_no_test_ran_is_a_failure(self):
        status, lines = self.report([test("a"), *ran("a"), *END], [test("a"), *END])
        self.assertEqual(status, 1)
        self.assertIn("Failed: 1: no test ran", lines)

    def test_half_a_character_at_the_end_is_ignored(self):
        with tempfile.TemporaryDirectory() as folder:
            text = "\n".join(json.dumps(line) for line in [test("a"), *ran("a"), *END]) + '\n{"kind": "\u2026'
            (Path(folder) / "0.events").write_bytes(text.encode()[:-1])
            result = subprocess.run([ROOT / "scripts/test-report", folder], capture_output=True, text=True)
        self.assertEqual((result.returncode, result.stdout.splitlines()[-1:]), (0, ["1 passed, 0 failed, 0 skipped, 0 left out"]))

    def test_no_test_is_a_failure(self):
        self.assertEqual(self.report()[0], 1)

    def test_a_step_that_fails_is_a_failure(self):
        status, lines = self.report([test("a"), *ran("a"), *END], options=["--failed-step", "format"])
        self.assertEqual((status, lines[-1]), (1, "1 passed, 1 failed, 0 skipped, 1 left out"))
        self.assertIn("Left out: every step after the one that failed: format", lines)
        self.assertIn("Failed: step failed: format", lines)


if __name__ == "__main__":
    unittest.main()
