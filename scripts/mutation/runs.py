"""Runs a package's tests with a mutant until the first failure."""

import concurrent.futures
import dataclasses
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time

# Limits of the first batch of tests for a mutant: number of suites, and total time in seconds.
FIRST_SUITES, FIRST_SECONDS = 8, 20


@dataclasses.dataclass
class Outcome:
    # `passed`, `failed`, `crashed` or `hung`.
    kind: str
    tests: list
    seconds: float
    # The suites of the run, and a byte for each mutant: 1 if its code was executed.
    suites: set = dataclasses.field(default_factory=set)
    reached: bytes = b""


class BaselineFailed(Exception):
    pass


class Suites:
    def __init__(self, package, binary, folder):
        self.package, self.binary, self.folder = package, binary, folder
        self.limit = 600
        # Tests that have failed without a mutant. Their failures do not count.
        self.flaky = set()
        # Outcomes of suites that ran alone, without a mutant.
        self.alone = {}
        self.together = None

    def baseline(self, jobs):
        """Runs the tests twice without a mutant: together, and suite by suite.

        The second run shows which mutants' code each suite executes.
        """
        self.together = self.finished(stop=False)
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            names = sorted(self.together.suites)
            self.alone = dict(zip(names, pool.map(lambda name: self.finished(only=[name], stop=False), names)))
        for outcome in (self.together, *self.alone.values()):
            self.flaky.update(outcome.tests)
        self.limit = 30 + 3 * self.together.seconds

    def finished(self, **options):
        outcome = self.run(**options)
        if outcome.kind in ("crashed", "hung"):
            raise BaselineFailed(f"without a mutant the tests {outcome.kind}: {', '.join(outcome.tests)}")
        return outcome

    def run(self, mutant=0, only=(), stop=True):
        """Runs all tests, or the suites and tests in `only`."""
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            folder = pathlib.Path(folder)
            events, reached = folder / "events", folder / "reached"
            # A byte for each mutant: there may be a quarter more than were asked for.
            reached.write_bytes(bytes(1 << 16))
            environment = dict(os.environ, SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH="8")
            environment.setdefault("MOYA_SEED", "1")
            environment[f"MOYA_MUTANT_{self.package}"] = str(mutant)
            environment[f"MOYA_REACHED_{self.package}"] = str(reached)
            command = [str(self.binary), "--testing-library", "swift-testing", "--event-stream-output-path", str(events)]
            for name in only:
                command += ["--filter", "^" + re.sub(r"([^\w\s/`'\",])", r"\\\1", name) + "(/|$)"]
            start = time.monotonic()
            with open(self.folder / f"{self.package}-{mutant}.txt", "w") as output:
                # A new process group, so that servers started by tests are killed, too.
                process = subprocess.Popen(
                    command, cwd=self.folder / "tree", env=environment, stdin=subprocess.DEVNULL, stdout=output,
                    stderr=subprocess.STDOUT, start_new_session=True)
            reader = Events(events)
            limit, hung = self.bound(only), False
            while process.poll() is None:
                time.sleep(0.05)
                reader.read()
                hung = time.monotonic() - start > limit
                if hung or stop and reader.failed - self.flaky:
                    break
            self.end(process)
            reader.read()
            outcome = Outcome("passed", [], time.monotonic() - start, reader.suites, reached.read_bytes())
        if reader.failed - self.flaky:
            outcome.kind, outcome.tests = "failed", sorted(reader.failed - self.flaky)
        elif hung:
            outcome.kind, outcome.tests = "hung", sorted(reader.running)
        elif process.returncode < 0 or not reader.ended:
            outcome.kind, outcome.tests = "crashed", sorted(reader.running)
        return outcome

    def bound(self, only):
        """Returns the time in seconds after which a run counts as hung."""
        if not only or not all(name in self.alone for name in only):
            return self.limit
        return min(self.limit, 30 + 3 * sum(self.alone[name].seconds for name in only))

    def end(self, process):
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()

    def kill(self, mutant):
        """Returns the outcome of the tests with the mutant. `None` if no test executes its code."""
        outcome = None
        for names in self.order(mutant):
            outcome = self.attempt(mutant, names)
            if outcome.kind != "passed":
                break
        return outcome

    def order(self, mutant):
        """Returns the suites that execute a mutant's code, in two batches.

        The first batch has a few quick suites that execute little other code.
        """
        names = [name for name, outcome in self.alone.items() if outcome.reached[mutant]]
        if not names:
            return [list(self.alone)] if self.together.reached[mutant] else []
        names.sort(key=lambda name: (sum(self.alone[name].reached), self.alone[name].seconds))
        first, seconds = [], FIRST_SECONDS
        for name in names:
            if len(first) < FIRST_SUITES and self.alone[name].seconds < seconds:
                first.append(name)
                seconds -= self.alone[name].seconds
        return [part for part in (first, [name for name in names if name not in first]) if part]

    def attempt(self, mutant, names):
        """Runs suites with a mutant.

        Tests may fail, crash or hang by chance, so a second run must confirm the outcome. It runs
        only the test that failed, if one did.
        """
        for _ in range(3):
            outcome = self.run(mutant, names)
            if outcome.kind == "passed":
                return outcome
            again = self.run(mutant, outcome.tests[:1] if outcome.kind == "failed" else names)
            if again.kind != "passed":
                return outcome
        return again


class Events:
    """The events that swift-testing writes during a run."""

    def __init__(self, path):
        self.path, self.offset = path, 0
        self.suites, self.failed, self.running, self.ended = set(), set(), set(), False

    def read(self):
        if not self.path.exists():
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
            elif record["kind"] == "test" and record["payload"]["kind"] == "function":
                self.suites.add(record["payload"]["id"].split("/")[0])

    def take(self, event):
        kind, test = event["kind"], event.get("testID", "")
        # Remove the source location at the end of the identifier.
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
