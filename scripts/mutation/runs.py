"""Runs a package's tests with a mutant, and stops at the first failure."""

import dataclasses
import json
import os
import re
import signal
import subprocess
import tempfile
import time


@dataclasses.dataclass
class Outcome:
    # `passed`, `failed`, `crashed` or `hung`.
    kind: str
    tests: list
    seconds: float


class Suites:
    def __init__(self, package, binary, folder):
        self.package, self.binary, self.folder = package, binary, folder
        self.limit = 600
        # Tests that fail without a mutant, now and then: no mutant is killed by one.
        self.flaky = set()

    def run(self, mutant=None, only=None, reached=None, stop=True):
        """Runs all tests, or one."""
        environment = dict(os.environ, SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH="8")
        environment.setdefault("MOYA_SEED", "1")
        environment[f"MOYA_MUTANT_{self.package}"] = str(mutant or 0)
        if reached:
            environment[f"MOYA_REACHED_{self.package}"] = str(reached)
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            events = os.path.join(folder, "events")
            command = [str(self.binary), "--testing-library", "swift-testing", "--event-stream-output-path", events]
            if only:
                command += ["--filter", "^" + re.sub(r"([^\w\s/`'\",])", r"\\\1", only)]
            start = time.monotonic()
            # A group of its own, so that the servers that tests start end with it.
            process = subprocess.Popen(
                command, cwd=self.folder / "tree", env=environment, stdin=subprocess.DEVNULL,
                stdout=open(os.path.join(self.folder, f"{self.package}-{mutant or 0}.txt"), "w"), stderr=subprocess.STDOUT,
                start_new_session=True)
            reader = Events(events)
            hung = False
            while process.poll() is None:
                time.sleep(0.05)
                reader.read()
                hung = time.monotonic() - start > self.limit
                if hung or stop and reader.failed - self.flaky:
                    break
            self.end(process)
            reader.read()
        failed = sorted(reader.failed - self.flaky)
        seconds = time.monotonic() - start
        if failed:
            return Outcome("failed", failed, seconds)
        if hung:
            return Outcome("hung", sorted(reader.running), seconds)
        if process.returncode < 0 or not reader.ended:
            return Outcome("crashed", sorted(reader.running), seconds)
        return Outcome("passed", [], seconds)

    def end(self, process):
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()

    def kill(self, mutant):
        """Returns the outcome of the tests with the mutant on.

        Tests can fail, crash and hang by chance, so a second run has to end badly as well. A test that failed then runs alone.
        """
        passed = None
        for _ in range(3):
            outcome = self.run(mutant)
            if outcome.kind == "passed":
                return outcome
            if outcome.kind != "failed":
                again = self.run(mutant)
                if again.kind != "passed":
                    return again
                passed = again
                continue
            again = self.run(mutant, only=outcome.tests[0])
            if again.kind != "passed":
                return outcome
            passed = Outcome("passed", [], outcome.seconds)
        return passed


class Events:
    """What swift-testing writes of a run while it goes on."""

    def __init__(self, path):
        self.path, self.offset = path, 0
        self.failed, self.running, self.ended = set(), set(), False

    def read(self):
        if not os.path.exists(self.path):
            return
        with open(self.path, "rb") as file:
            file.seek(self.offset)
            text = file.read()
        whole = text.rfind(b"\n") + 1
        self.offset += whole
        for line in text[:whole].splitlines():
            record = json.loads(line)
            if record["kind"] == "event":
                self.take(record["payload"])

    def take(self, event):
        kind, test = event["kind"], event.get("testID", "")
        # The identifier ends with the test's place in its file.
        test = re.sub(r"/[^/]*\.swift:\d+:\d+$", "", test)
        if kind == "issueRecorded":
            issue = event["issue"]
            if not issue.get("isKnown") and issue.get("isFailure", True):
                self.failed.add(test)
        elif kind == "testStarted" and test.endswith(")"):
            self.running.add(test)
        elif kind == "testEnded":
            self.running.discard(test)
        elif kind == "runEnded":
            self.ended = True
