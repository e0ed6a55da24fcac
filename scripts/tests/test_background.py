"""Runs the functions of scripts/test that start and end processes, without its steps."""
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

SOURCE = (Path(__file__).resolve().parent.parent / "test").read_text()
NAMES = ("stop", "watched", "end_without_events", "end_late", "is_built", "build_tests", "step", "conclude", "start_aside", "run_aside", "end_aside", "report_asides", "check_loaded")
FUNCTIONS = "".join(re.search(rf"^{name}\(\) \{{.*?^\}}\n", SOURCE, re.S | re.M).group() for name in NAMES)
# Ends tests that write no event for five seconds, not five minutes.
IMPATIENT = FUNCTIONS.replace('"$events" 300', '"$events" 5')
SHORT = "".join(re.search(rf"^{name}\(\) \{{.*\n", SOURCE, re.M).group() for name in ("aside", "aside_next", "hash_of"))
START = 'programs=() aside_titles=() aside_commands=() aside_processes=() aside_count=0 last_aside=""\nfinish() { exit 1; }\n'
# A program that starts another one in a process group of its own, as swift test does, writes to a file of events, and waits.
NESTED = ("python3", "-c", "import subprocess, sys; print(subprocess.Popen(['sleep', '600'], start_new_session=True).pid, "
          "flush=True); open(sys.argv[1], 'w').write('{}'); sys.stdin.close(); import time; time.sleep(600)")


def is_running(process):
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


class Background(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.report = Path(folder.name)

    @property
    def until_first_ends(self):
        """A command that returns when the first step in the background has ended."""
        return f'sh -c "until [ -e {self.report}/aside-0.seconds ]; do sleep 0.05; done; sleep 0.2"'

    def run_script(self, text, functions=FUNCTIONS):
        script = f'set -uo pipefail\nreport="{self.report}" log="{self.report}/step.log"\n{START}{functions}{SHORT}{text}'
        return subprocess.run(["bash", "-c", script, "bash", *NESTED], capture_output=True, text=True, timeout=60)

    def assert_ended(self, process):
        for _ in range(100):
            if not is_running(process):
                return
            time.sleep(0.05)
        os.kill(int(process), signal.SIGKILL)
        self.fail("the process in another group is still running")

    def test_tests_that_write_no_event_are_ended_with_their_processes(self):
        events = self.report / "events"
        events.touch()
        result = self.run_script(f'watched "{events}" "$@" "{events}" || echo "status $?"', IMPATIENT)
        first, *rest = result.stdout.splitlines()
        self.assertEqual(rest[-1], "status 137")
        self.assertIn("no test began or ended", rest[0])
        self.assert_ended(first)

    def test_tests_that_end_keep_their_status(self):
        result = self.run_script(f'watched "{self.report}/events" sh -c "exit 3" || echo "status $?"')
        self.assertEqual(result.stdout, "status 3\n")

    def test_the_results_of_xctest_are_kept_for_the_report(self):
        lines = "Test Case 'A.b' started at 1\\nTest Case 'A.b' passed (0.1 seconds)\\n"
        self.run_script(f'step tests watched "{self.report}/root.events" printf "Other\\n{lines}"')
        self.assertEqual((self.report / "root.xctest").read_text(), lines.replace("\\n", "\n"))

    @unittest.skipUnless(sys.platform == "linux", "on a Mac, the first event may take six times as long")
    def test_tests_without_any_event_are_ended(self):
        (self.report / "events").touch()
        result = self.run_script(f'watched "{self.report}/events" sleep 600 || echo failed', IMPATIENT)
        self.assertEqual(result.stdout, "error: no test began or ended for 5 s, so all were ended\nfailed\n")

    def test_a_background_step_that_does_not_end_is_stopped_and_fails(self):
        functions = FUNCTIONS.replace("SECONDS + 600", "SECONDS + 1")
        events = self.report / "events"
        result = self.run_script(f'aside endless "$@" "{events}"; until [ -s "{events}" ]; do sleep 0.05; done; end_aside', functions)
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stdout, r"\Aendless +FAILED\n")
        self.assertIn("error: did not end, so it was stopped", result.stdout)
        self.assert_ended(re.search(r"^\d+$", result.stdout, re.M)[0])

    def test_tests_are_rebuilt_if_the_source_or_the_program_has_changed(self):
        (self.report / ".build").mkdir()
        (self.report / "built").write_text("1")
        self.run_script(f'cd "{self.report}"; hash_of built >.build/passed-programs')
        for is_unchanged, name, text, is_built in [
                ("yes", "built", "1", False), ("", "built", "1", True), ("yes", "missing", "1", True), ("yes", "built", "2", True)]:
            (self.report / "built").write_text(text)
            result = self.run_script(f'cd "{self.report}"; is_unchanged="{is_unchanged}"; build_tests build {name} false')
            self.assertEqual("FAILED" in result.stdout, is_built, result.stdout)
            self.assertEqual("built before" in result.stdout, not is_built)

    def test_background_steps_run_one_after_the_other_and_fail_at_the_end(self):
        result = self.run_script(
            'aside_next one sh -c "sleep 0.3; echo a: b is left out: c"; aside_next two sh -c "echo second; exit 4"; end_aside')
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stdout, r"one +ok +\d+s\na: b is left out: c\ntwo +FAILED\n")
        self.assertIn("second", result.stdout)
        ends = [(self.report / f"aside-{number}.seconds").stat().st_mtime for number in (0, 1)]
        self.assertLess(ends[0], ends[1])
        self.assertEqual((self.report / "left-out").read_text(), "a: b\tc\n")

    def test_a_background_step_is_reported_after_the_step_during_which_it_ends(self):
        result = self.run_script(
            f'aside early false; aside late sh -c "sleep 1"; step first {self.until_first_ends}; echo not reached')
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stdout, r"\Afirst +ok +\d+s\nearly +FAILED\n")
        self.assertNotIn("not reached", result.stdout)

    def test_a_background_step_is_reported_once(self):
        result = self.run_script(
            f'aside early true; aside late sh -c "sleep 1"; step first {self.until_first_ends}; end_aside; end_aside')
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"\Afirst +ok.*\nearly +ok.*\nlate +ok.*\n\Z")

    def test_tests_that_load_the_same_libcurl_with_and_without_a_command_are_an_error(self):
        program = shutil.which("curl")
        result = self.run_script(f'check_loaded env "{program}"')
        self.assertEqual(result.returncode, 1, result.stdout)
        self.assertIn("error: with env, the tests load no other libcurl", result.stdout)

    def test_tests_that_load_another_libcurl_with_a_command_pass(self):
        program = shutil.which("curl")
        library = re.search(r"libcurl\.so\S* => (\S+)", subprocess.run(["ldd", program], capture_output=True, text=True).stdout)[1]
        shutil.copy(library, self.report)
        command = self.report / "with"
        command.write_text(f'#!/bin/sh\nLD_LIBRARY_PATH="{self.report}" exec "$@"\n')
        command.chmod(0o755)
        result = self.run_script(f'check_loaded "{command}" "{program}"')
        self.assertEqual(result.returncode, 0, result.stdout)


if __name__ == "__main__":
    unittest.main()
