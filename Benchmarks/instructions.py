"""Counts the instructions that a request needs in user space, and its system calls.

Times depend on other work of the machine, and differ by several percent from run to run. These counts
differ by a few tenths of a percent. They do not contain the work of the kernel.
"""

import argparse
import os
import pathlib
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile

from compare import BEFORE, LIMIT, OURS, PROGRAMS
from server import Nginx

HERE = pathlib.Path(__file__).parent
BUDGET = HERE / "instructions-budget.txt"
# The rows of the budget: client, requests in flight, whether over HTTP/2 and TLS.
AWAIT, CALLBACK, STREAM = "MoyaProvider, async", "MoyaProvider, callback", "MoyaProvider, stream"
ROWS = [(AWAIT, 1, False), (AWAIT, 64, False), (AWAIT, 64, True), (CALLBACK, 64, False), (STREAM, 64, False), (STREAM, 64, True)]
TOLERANCE = 0.02
# Counts of 1,500 requests of one build differ by up to 3 % on a busy machine.
BUDGET_ROUNDS, BUDGET_REQUESTS = 3, 4000
EMULATOR = f"qemu-{platform.machine()}"


class Counter:
    def __init__(self, folder):
        self.plugin, self.output = f"{folder}/instructions.so", f"{folder}/instructions"
        subprocess.run(
            ["cc", "-O2", "-shared", "-fPIC", "-o", self.plugin, HERE / "instructions.c"], check=True)

    def count(self, command):
        """Returns the numbers of instructions and system calls of a program."""
        run = subprocess.run(
            [EMULATOR, "-plugin", self.plugin, *map(str, command)], capture_output=True, text=True,
            env={**os.environ, "INSTRUCTIONS": self.output})
        if run.returncode != 0:
            print(f"{' '.join(map(str, command))} failed: {run.stderr.strip()[-300:]}", file=sys.stderr)
            run.check_returncode()
        return [int(number) for number in pathlib.Path(self.output).read_text().split()]

    def each(self, program, in_flight, rounds, *options, more=1500):
        """Returns the medians for one request: the difference of two runs, so that the start of the program does not count."""
        few = max(200, 2 * in_flight)

        def run(requests):
            return self.count([*program, *options, "--requests", requests, "--in-flight", in_flight])

        pairs = [zip(run(few + more), run(few)) for _ in range(rounds)]
        counts = [[(long - short) / more for long, short in pair] for pair in pairs]
        return [statistics.median(column) for column in zip(*counts)]


def environment():
    """Returns what the numbers depend on besides the sources."""
    curl = subprocess.run(["curl-config", "--version"], capture_output=True, text=True, check=True).stdout.strip()
    swift = subprocess.run(["swift", "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]
    return f"{platform.machine()}, {curl}, {swift}"


def check_budget(count, sets):
    """Compares the rows with the budget, or writes them as the budget. Returns the exit status."""
    lines = [] if sets else BUDGET.read_text().splitlines()
    if lines and lines[0] != environment():
        print(f"The budget is for {lines[0]}. This machine has {environment()}.", file=sys.stderr)
        return 2
    budget = dict(line.rsplit(": ", 1) for line in lines[1:])
    counts, status = {}, 0
    for name, in_flight, secure in ROWS:
        row = f"{name}, HTTP/{2 if secure else 1.1}, {in_flight} in flight"
        counts[row] = count(name, in_flight, secure)
        ratio = counts[row] / int(budget.get(row, counts[row]))
        status = max(status, ratio > 1 + TOLERANCE)
        print(f"{row}: {counts[row]:.0f}, {ratio:.3f} of the budget", flush=True)
    if sets:
        BUDGET.write_text("\n".join([environment(), *(f"{row}: {number:.0f}" for row, number in counts.items()), ""]))
    return status


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", required=True)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--before")
    parser.add_argument("--budget", action="store_true", help="fail if a row of instructions-budget.txt needs 2 %% more")
    parser.add_argument("--set-budget", action="store_true", help="write the rows of this build to that file")
    options = parser.parse_args()
    if not shutil.which(EMULATOR):
        sys.exit(f"scripts/bench: {EMULATOR} is missing. Install qemu-user.")

    def program(name, url):
        folder = options.before if name.endswith(BEFORE) else options.programs
        name = name.removesuffix(BEFORE)
        return [f"{folder}/bench-limit", url] if name == LIMIT else [f"{folder}/bench-client", PROGRAMS[name], url]

    with tempfile.TemporaryDirectory() as folder, Nginx(0, 0) as nginx:
        counter = Counter(folder)

        def count(name, in_flight, secure, rounds=options.rounds, **more):
            url = nginx.url("small.json", secure=secure)
            return counter.each(program(name, url), in_flight, rounds, *(["--ca", nginx.ca] if secure else []), **more)

        if options.budget or options.set_budget:
            rounds = max(options.rounds, BUDGET_ROUNDS)
            return check_budget(lambda *row: count(*row, rounds, more=BUDGET_REQUESTS)[0], options.set_budget)
        for in_flight, secure in ((1, False), (64, False), (64, True)):
            version = "2 and TLS" if secure else "1.1"
            print(f"### 1 KB of JSON over HTTP/{version}, {in_flight} in flight\n")
            print("| | instructions each | of the build before | system calls each | before |\n|---|---:|---:|---:|---:|")
            for name in [LIMIT, *OURS]:
                new = count(name, in_flight, secure)
                ratio = calls = ""
                if options.before and name != LIMIT:
                    try:
                        old = count(name + BEFORE, in_flight, secure)
                        ratio, calls = f"{new[0] / old[0]:.3f}", f"{old[1]:.2f}"
                    except subprocess.CalledProcessError:
                        # The build before does not have this client.
                        pass
                print(f"| {name} | {new[0]:,.0f} | {ratio} | {new[1]:.2f} | {calls} |", flush=True)
            print()


sys.exit(main())
