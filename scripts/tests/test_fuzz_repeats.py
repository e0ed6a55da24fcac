"""Tests how the fuzzer repeats the case of a finding."""

import argparse
import contextlib
import io
import pathlib
import sys
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "Fuzzing" / "driver"))

import clients
import fuzz
from cases import Case
from report import Finding
from turns import Turns


class ScriptedWorker:
    """A worker whose runs have the findings of a script."""

    def __init__(self, kinds):
        self.kinds = list(kinds)

    def start_child(self):
        pass

    def run(self, case):
        kind = self.kinds.pop(0)
        return [Finding(case, 0, kind, "")] if kind else [], []


class FuzzRepeatTests(unittest.TestCase):
    def tell(self, *kinds, case=None):
        """Returns number of findings and output. `kinds` are those of the first and later runs."""
        options = argparse.Namespace(case=case, seconds=0, transport="curl", seed=1, show=5, command="fuzz")
        run, worker = fuzz.Run(options), ScriptedWorker(kinds)
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            for finding in worker.run(Case(1, 0))[0]:
                run.tell(worker, finding)
            return run.summary(), output.getvalue()

    def test_a_hang_counts_where_both_repeats_hang(self):
        count, output = self.tell("hang", "hang", "hang")
        self.assertEqual(count, 1)
        self.assertIn("FINDING: hang", output)
        self.assertIn("seen again when run alone", output)

    def test_a_hang_does_not_count_where_a_repeat_does_not_hang(self):
        for case in (None, 0):
            for kinds in (("hang", None), ("hang", "hang", None), ("hang", "a valid answer fails")):
                count, output = self.tell(*kinds, case=case)
                self.assertEqual(count, 0)
                self.assertNotIn("FINDING", output)
                self.assertIn("not seen again when run alone", output)

    def test_a_crash_counts_where_the_repeat_does_not_crash(self):
        self.assertEqual(self.tell("crash", None)[0], 1)

    def test_a_finding_of_a_named_case_counts_without_repeats(self):
        self.assertEqual(self.tell("a valid answer fails", case=0)[0], 1)


class LateClient(clients.Child):
    """A client that answers after 0.5 s, waiting for a processor if `has_waited` is set."""

    def __init__(self, has_waited):
        self.has_waited = has_waited
        super().__init__(["sh", "-c", "read line; sleep 0.5; echo 1"])

    def waited_for_processor(self):
        return time.monotonic() if self.has_waited else 0


class HangTests(unittest.TestCase):
    def test_a_client_hangs_when_its_time_is_over_in_which_it_waited_for_no_processor(self):
        for has_waited in (False, True):
            client = LateClient(has_waited)
            if has_waited:
                self.assertEqual(client.ask("", 0.1), 1)
            else:
                self.assertRaises(clients.Hung, client.ask, "", 0.1)
            client.stop()


class TurnsTests(unittest.TestCase):
    def order(self, first, second, until):
        """Returns which of two cases ends first, where the second one begins during the first one."""
        order = []

        def other():
            with second():
                order.append("second")

        thread = threading.Thread(target=other)
        with first():
            thread.start()
            until(thread)
            order.append("first")
        thread.join()
        return order

    def test_a_case_that_runs_alone_and_cases_that_run_beside_others_wait_for_each_other(self):
        turns = Turns()

        def until_reserved(thread):
            while not turns.is_reserved:
                thread.join(0.001)

        self.assertEqual(self.order(turns.shared, turns.alone, until_reserved), ["first", "second"])
        self.assertEqual(self.order(turns.alone, turns.shared, lambda thread: thread.join(0.05)), ["first", "second"])


if __name__ == "__main__":
    unittest.main()
