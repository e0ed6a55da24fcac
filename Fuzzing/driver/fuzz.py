#!/usr/bin/env python3
"""Sends mutated responses to a client and compares its results with those of other clients."""

import argparse
import collections
import random
import sys
import tempfile
import threading
import time

import foundation
import report
from authority import Authority
from cases import Case
from clients import Child, Died, EXCHANGE_TIMEOUT, Hung, References, ask_client
from judge import MAX_MEMORY, verdict
from server import Server
from turns import Turns

# Seconds to wait beyond the client's timeout, for slow machines. `patience` multiplies it with a
# sanitizer.
MARGIN = 4


class Worker:
    """Runs cases with its own server, client and reference clients."""

    def __init__(self, options, authority):
        self.options, self.authority = options, authority
        self.server = Server(authority)
        self.references = References({"go": options.go, "libcurl": options.reference}, authority)
        self.child = None

    def start_child(self):
        self.stop_child()
        environment = {"URLSessionCertificateAuthorityInfoFile": self.authority.certificate}
        self.child = Child([self.options.client, self.options.transport, self.authority.certificate], environment)

    def stop_child(self):
        if self.child:
            self.child.stop()
        self.child = None

    def run(self, case):
        """Runs a case. Returns its findings, and the reasons of its accepted differences."""
        if self.child is None:
            self.start_child()
        findings, reasons, self.has_failed = [], [], False
        self.baseline = self.child.memory("VmRSS")
        for number, exchange in enumerate(case.exchanges):
            finding = self.run_exchange(case, number, exchange)
            if finding is None:
                continue
            if finding[0] == "accepted":
                reasons.append(finding[1])
                continue
            findings.append(report.Finding(case, number, *finding))
            if finding[0] in ("crash", "hang"):
                self.stop_child()
                break
        return findings, reasons

    def run_exchange(self, case, number, exchange):
        play = self.server.play = exchange.play()
        play.follows_failure = self.has_failed
        self.child.reset_peak()
        try:
            result = ask_client(self.child, exchange, self.server, number == 0, MARGIN * self.options.patience)
        except Died as error:
            return "crash", str(error)
        except Hung:
            return "hang", f"no result after {EXCHANGE_TIMEOUT + MARGIN * self.options.patience} s"
        self.has_failed = self.has_failed or result.get("status") is None
        if self.options.verbose:
            shown = {**result, "body": len(result.get("body") or b"")}
            print(f"case {case.index}.{number} {exchange.method} {case.way} {exchange.labels}: {shown}, {play.taken} requests over "
                  f"{play.connections} new connections", flush=True)
        grown = self.child.memory() - self.baseline
        if grown > MAX_MEMORY and not self.options.sanitize:
            return "memory", f"{grown >> 20} MiB more than before the case"
        return verdict(exchange, play, result, self.references, self.server)

    def stop(self):
        self.stop_child()
        self.references.stop()


class Run:
    def __init__(self, options):
        self.options = options
        self.lock = threading.Lock()
        self.turns = Turns()
        self.next = options.case or 0
        self.end = time.monotonic() + options.seconds
        self.counts = collections.Counter()
        self.reasons = collections.Counter()
        self.kinds = collections.Counter()  # findings by kind
        self.passing = collections.Counter()  # findings that did not recur when the case ran alone
        self.signatures = set()
        self.started = time.monotonic()
        self.is_broken = False

    def take(self):
        with self.lock:
            if time.monotonic() > self.end or (self.options.case is not None and self.next > self.options.case):
                return None
            index, self.next = self.next, self.next + 1
            return Case(self.options.seed, index, only_clear=self.options.transport == "foundation")

    def work(self, authority):
        try:
            self.work_off(authority)
        except Exception:
            # Fail the whole run: otherwise it would go on with fewer threads and report success.
            with self.lock:
                self.is_broken = True
                self.end = 0
            raise

    def work_off(self, authority):
        worker = Worker(self.options, authority)
        while (case := self.take()) is not None:
            with self.turns.shared():
                findings, reasons = worker.run(case)
            with self.lock:
                self.counts["cases"] += 1
                self.counts["exchanges"] += len(case.exchanges)
                self.reasons.update(reasons)
            for finding in findings:
                self.tell(worker, finding)
        worker.stop()

    def tell(self, worker, finding):
        reason = foundation.known(finding) if self.options.transport == "foundation" else None
        with self.lock:
            if reason:
                self.reasons[f"{finding.kind}: {reason}"] += 1
                return
            is_known = finding.signature in self.signatures
        # Repeat every hang, because a result may be late on a loaded machine.
        if finding.kind == "hang" or not is_known and self.options.case is None:
            finding.is_seen_again = self.is_seen_again(worker, finding)
        counts = finding.is_seen_again is not False or finding.kind == "crash"
        with self.lock:
            kind = finding.kind if counts else f"{finding.kind}, not seen again"
            is_new = finding.signature not in self.signatures
            (self.kinds if counts else self.passing)[kind] += 1
            if counts:
                self.signatures.add(finding.signature)
            if is_new and (self.kinds + self.passing)[kind] <= self.options.show:
                print(f"[{time.monotonic() - self.started:.0f} s, {self.counts['cases']} cases]",
                      finding.text(self.options.command, counts), flush=True)

    def is_seen_again(self, worker, finding):
        """Whether two more runs of the case, alone and in a new client, have the same finding."""
        with self.turns.alone():
            for _ in range(2):
                worker.start_child()
                again, _ = worker.run(finding.case)
                if not any(one.kind == finding.kind for one in again):
                    return False
        return True

    def summary(self):
        seconds = time.monotonic() - self.started
        print(f"fuzz: {self.options.transport}, seed {self.options.seed}: {self.counts['cases']} cases with {self.counts['exchanges']} "
              f"exchanges in {seconds:.0f} s")
        for reason, count in self.reasons.most_common():
            print(f"  accepted {count} ×: {reason}")
        for kind, count in (self.kinds + self.passing).most_common():
            print(f"  found {count} ×: {kind}")
        findings = sum(self.kinds.values())
        print(f"fuzz: {self.counts['cases']} cases, {seconds:.1f} s, findings: {findings}")
        return findings


def read_options():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--client", required=True, help="the program fuzz-client")
    parser.add_argument("--reference", required=True, help="the program fuzz-reference")
    parser.add_argument("--go", required=True, help="the program built from go/main.go")
    parser.add_argument("--transport", choices=["curl", "foundation"], default="curl")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--case", type=int, help="run only this case of the seed")
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--show", type=int, default=5, help="maximum number of printed findings of one kind")
    parser.add_argument("--sanitize", action="store_true", help="the client is built with a sanitizer")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    options.patience = 4 if options.sanitize else 1
    options.command = f"scripts/soak --only fuzz --transport {options.transport}"
    if options.case is not None:
        options.workers = 1
    return options


def main():
    options = read_options()
    print(f"fuzz: seed {options.seed}", flush=True)
    run = Run(options)
    with tempfile.TemporaryDirectory() as folder:
        authority = Authority(folder)
        threads = [threading.Thread(target=run.work, args=(authority,)) for _ in range(options.workers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    sys.exit(2 if run.is_broken else 1 if run.summary() else 0)


if __name__ == "__main__":
    main()
