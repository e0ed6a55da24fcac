"""Runs every client in several rounds, and reports medians and their ratio to those of a C program.

Compare only ratios of one run. The clients take turns within a round, so that other load on the
machine affects all of them.
"""

import argparse
import json
import os
import pathlib
import resource
import socket
import statistics
import subprocess
import sys

from chart import draw
from server import Nghttpd, Nginx

LIMIT, GO = "C on libcurl", "Go net/http"
# The C program without the cost of removing sockets from epoll between two requests, like the other
# clients.
KEEPS = f"{LIMIT} --keep 1"
# The C program with a new handle for each request.
FRESH = f"{LIMIT} --fresh 1"
PROGRAMS = {
    LIMIT: None,
    "CurlTransport.send": "transport",
    "CurlTransport.send, hosted": "transport-hosted",
    "MoyaProvider, async": "provider",
    "MoyaProvider, async, typed": "provider-typed",
    "MoyaProvider, async, hosted": "provider-hosted",
    "MoyaProvider, callback": "provider-callback",
    "MoyaProvider, callback, awaited": "provider-callback-awaited",
    "MoyaProvider, stream": "provider-stream",
    "async-http-client": "async-http-client",
    GO: None,
    "URLSession": "urlsession",
    "MoyaProvider, multipart form": "form",
}
FORM = "MoyaProvider, multipart form"
SMALL = [name for name in PROGRAMS if name != FORM]
OURS = [name for name in SMALL if "Curl" in name or "Moya" in name]
OTHERS = [name for name in SMALL if name not in OURS] + [KEEPS, FRESH]
# Behind the name of one of ours: the program of the build before.
BEFORE = " (before)"


class Bench:
    def __init__(self, programs, rounds, before=None):
        self.programs, self.rounds, self.before = programs, rounds, before
        self.failures = 0

    def once(self, name, url, *options):
        # A name may have options after it: "CurlTransport.send --threads 2".
        programs = self.before if name.endswith(BEFORE) else self.programs
        name, *more = name.removesuffix(BEFORE).split(" --")
        options = [*options, *(word for option in more for word in f"--{option}".split())]
        if name in (LIMIT, GO):
            command = [f"{self.programs}/{'bench-limit' if name == LIMIT else 'bench-go'}", url]
        else:
            command = [f"{programs}/bench-client", PROGRAMS.get(name, name), url]
        if "--download" in options:
            # Equal conditions for all clients: some truncate an existing file, others replace it.
            pathlib.Path(options[options.index("--download") + 1]).unlink(missing_ok=True)
        run = subprocess.run(command + [str(option) for option in options], capture_output=True, text=True)
        try:
            return json.loads(run.stdout.strip().splitlines()[-1])
        except (IndexError, json.JSONDecodeError):
            print(f"{name} failed: {run.stderr.strip()[-300:]}", file=sys.stderr)
            return None

    def compare(self, title, names, url, *options):
        """Returns the medians of each client over all rounds. Ours alternate with the build before, if there is one."""
        if self.before:
            names = [each for name in names for each in ([name, name + BEFORE] if name not in OTHERS else [name])]
        runs = {name: [] for name in names}
        for _ in range(self.rounds):
            for name in names:
                result = self.once(name, url, *options)
                if result:
                    runs[name].append(result)
                else:
                    self.failures += 1
        rows = []
        for name, results in runs.items():
            if not results:
                continue
            self.failures += sum(result["failed"] for result in results)
            median = lambda value: statistics.median(value(result) for result in results)
            rows.append({
                "title": title, "name": name, "failed": sum(result["failed"] for result in results),
                "rate": median(lambda r: r["requests"] / r["wall"]),
                "cpu": median(lambda r: r["cpu"] / r["requests"] * 1e6),
                "p50": median(lambda r: r["p50"] * 1e6), "p99": median(lambda r: r["p99"] * 1e6),
                "peak": median(lambda r: r["peak_kib"]), "idle": median(lambda r: r["idle_kib"]),
                "private": median(lambda r: r.get("private_kib") or 0),
                "wall": median(lambda r: r["wall"]),
            })
        base = next((row for row in rows if row["name"] == LIMIT), None)
        for row in rows:
            row["ratio"] = row["cpu"] / base["cpu"] if base else None
            row["speed"] = base["wall"] / row["wall"] if base else None
        return rows


PARTS = ["small", "h2", "threads", "files", "many", "queue", "cancels", "defaults", "stub", "layers"]
# Layers that have nothing to do: each alone around CurlTransport, and all together.
LAYERS = [f"layer-{name}" for name in (
    "breaker", "cache", "limiter", "rate", "logging", "metrics", "tracing", "observability", "retry", "token", "chain")]
# Number of origins in the part "queue".
ORIGINS = 1000


def table(rows):
    lines = [
        "| | requests/s | CPU µs each | x C | p50 µs | p99 µs | peak MiB | private MiB | failed |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for row in rows:
        ratio = f"{row['ratio']:.2f}" if row["ratio"] else ""
        # Only our client program reports it, and only on Linux.
        private = f"{row['private'] / 1024:.1f}" if row["private"] else ""
        lines.append(
            f"| {row['name']} | {row['rate']:,.0f} | {row['cpu']:.1f} | {ratio} | {row['p50']:,.0f} "
            f"| {row['p99']:,.0f} | {row['peak'] / 1024:.0f} | {private} | {row['failed']} |")
    return "\n".join(lines)


def file_table(rows, size):
    lines = ["| | MiB/s | of C's speed | CPU s | above idle MiB | failed |", "|---|---:|---:|---:|---:|---:|"]
    for row in rows:
        lines.append(
            f"| {row['name']} | {size / row['wall'] / (1 << 20):,.0f} | {row['speed']:.2f} | {row['cpu'] / 1e6:.2f} "
            f"| {(row['peak'] - row['idle']) / 1024:.0f} | {row['failed']} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("parts", nargs="*", help=f"{', '.join(PARTS)}; all of them if none is named")
    parser.add_argument("--programs", required=True)
    parser.add_argument("--output", required=True)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--before")
    options = parser.parse_args()
    parts = set(options.parts) or set(PARTS)
    unknown = parts - set(PARTS)
    if unknown:
        parser.error(f"there is no part named {', '.join(sorted(unknown))}")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 65536), hard))
    os.makedirs(options.output, exist_ok=True)

    bench, report, charted = Bench(options.programs, options.rounds, options.before), [], []
    size = 1 << 30

    # scripts/bench builds it only if Go is installed.
    has_go = os.path.exists(f"{options.programs}/bench-go")
    small_clients = [LIMIT, KEEPS, FRESH, *(name for name in SMALL[1:] if name != GO or has_go)]

    def add(heading, text):
        report.append(f"### {heading}\n\n{text}\n")
        print(report[-1], flush=True)

    with Nginx(size if "files" in parts else 0, ORIGINS if "queue" in parts else 0) as nginx:
        small = nginx.url("small.json")
        if "small" in parts:
            for in_flight, count in ((1, 5000), (64, 20000), (1000, 20000)):
                rows = bench.compare(
                    f"{in_flight} in flight", small_clients, small, "--requests", count, "--in-flight", in_flight)
                charted += rows
                add(f"1 KB of JSON over HTTP/1.1, {in_flight:,} in flight", table(rows))
        if "threads" in parts:
            each = [LIMIT, *(f"CurlTransport.send --threads {count}" for count in (1, 2, 4))]
            rows = bench.compare("threads", each, small, "--requests", 20000, "--in-flight", 1000)
            add("Several threads, 1,000 in flight", table(rows))
        if "h2" in parts:
            clients = [LIMIT, KEEPS, *OURS, *([GO] if has_go else [])]

            def over_http2(server, url):
                for in_flight in (64, 256):
                    rows = bench.compare(
                        f"HTTP/2, {server}, {in_flight} in flight", clients, url,
                        "--requests", 20000, "--in-flight", in_flight, "--ca", nginx.ca)
                    charted.extend(rows)
                    add(f"1 KB of JSON over HTTP/2 and TLS, {server}, {in_flight} in flight", table(rows))

            over_http2("nginx", nginx.url("small.json", secure=True))
            if Nghttpd.program:
                with Nghttpd(nginx) as nghttpd:
                    over_http2("nghttpd", nghttpd.url("small.json"))
            else:
                print("nghttpd is not installed: left out.", file=sys.stderr)
        if "many" in parts:
            rows = bench.compare(
                "10,000 in flight", [LIMIT, "CurlTransport.send", "MoyaProvider, async"], small,
                "--requests", 30000, "--in-flight", 10000, "--warm-up", 10000)
            above_idle = {row["name"]: row["peak"] - row["idle"] for row in rows}
            base = above_idle.pop(LIMIT, 0)
            each = "; ".join(f"{name}: {(peak - base) / 10000:.1f} KiB" for name, peak in above_idle.items())
            add("10,000 in flight", table(rows) + f"\n\nMemory for each request above the C program's: {each}.")
        if "queue" in parts:
            for origins, url in ((1, small), (ORIGINS, nginx.origins_url("small.json"))):
                rows = []
                for in_flight in (64, 10000, 100000):
                    rows += [
                        {**row, "name": f"{in_flight:,} in flight"} for row in bench.compare(
                            "queue", ["CurlTransport.send"], url, "--requests", max(30000, in_flight),
                            "--in-flight", in_flight, "--connections", 64, "--origins", origins)]
                where = "one origin" if origins == 1 else f"{origins:,} origins"
                add(f"CurlTransport over 64 connections to {where}", table(rows))
        if "cancels" in parts:
            count = 100000
            # The kernel accepts the connection, and no program ever reads from it.
            with socket.create_server(("127.0.0.1", 0)) as silent:
                url = f"http://127.0.0.1:{silent.getsockname()[1]}/"
                rows = bench.compare("cancels", ["cancels"], url, "--requests", count)
            add(f"Cancelling {count:,} requests that wait for a connection",
                f"{rows[0]['wall']:.2f} s, {rows[0]['cpu']:.1f} µs of CPU each.")
        if "defaults" in parts:
            for in_flight in (1, 8, 64, 1000, 10000, 100000):
                rows = bench.compare(
                    "defaults", ["CurlTransport.send", "async-http-client"], small, "--requests",
                    max(20000, in_flight), "--in-flight", in_flight, "--defaults")
                add(f"The limits that each client has by itself, {in_flight:,} in flight", table(rows))
        if "files" in parts:
            clients = [LIMIT, "MoyaProvider, async"]
            target = os.path.join(nginx.folder, "download")
            # Folder of unfinished downloads. On another file system than the target, each file
            # would be copied at its end instead of renamed.
            os.environ["TMPDIR"] = nginx.folder
            rows = bench.compare(
                "download", clients, nginx.url("large"), "--requests", 1, "--in-flight", 1, "--warm-up", 0,
                "--download", target)
            add("1 GiB to a file", file_table(rows, size))
            rows = bench.compare(
                "upload", [*clients, FORM], nginx.url("upload"), "--requests", 1, "--in-flight", 1, "--warm-up", 0,
                "--upload", nginx.large)
            raw, form = rows[-2]["wall"], rows[-1]["wall"]
            add("1 GiB from a file", file_table(rows, size) + f"\n\nThe form: {raw / form:.2f} of the raw file's speed.")
        if "layers" in parts:
            bare = "MoyaProvider, async"
            rows = bench.compare("layers", [LIMIT, bare, *LAYERS], nginx.url("unstored"), "--requests", 20000, "--in-flight", 64)
            base = next(row["cpu"] for row in rows if row["name"] == bare)
            lines = [f"| {row['name']} | {row['cpu'] - base:.2f} | {row['cpu'] / base:.2f} |" for row in rows if row["name"] in LAYERS]
            add("Layers with nothing to do, 64 in flight", "\n".join([
                "| layer | µs of CPU more than the bare provider | ratio |", "|---|---:|---:|", *lines]))
        if "stub" in parts:
            rows = bench.compare("stub", ["stub"], small, "--requests", 300000, "--in-flight", 1)
            add("Immediate stubs", f"{rows[0]['cpu']:.2f} µs of CPU each.")

    if bench.failures:
        raise SystemExit(f"{bench.failures} requests failed.")

    with open(f"{options.output}/results.md", "w") as file:
        file.write("\n".join(report))
    if charted:
        with open(f"{options.output}/results.svg", "w") as file:
            file.write(draw(charted))


if __name__ == "__main__":
    main()
