"""Measures small programs that send one request: clean build times, size, and run time.

The programs are in Costs/. Dependencies are fetched before the measurement, and each build starts
without earlier products. A static program is linked statically with Swift's libraries, and
dynamically with C libraries. Compare only the rows of one run.
"""

import argparse
import http.server
import pathlib
import shutil
import statistics
import subprocess
import sys
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
# Folders in Costs/. SwiftPM identifies a package by its folder, so none may have the name of a dependency.
ROWS = {
    "core": "MoyaCore and MoyaTransportCurl", "umbrella": "Moya", "nio": "async-http-client", "urlsession": "URLSession"}
BUILDS = {"debug": ["-c", "debug"], "release": ["-c", "release"], "static": ["-c", "release", "--static-swift-stdlib"]}


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", "1024")
        self.end_headers()
        self.wfile.write(bytes(1024))

    def log_message(self, *_):
        pass


def run(*command):
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"build costs: {command[0]} failed:\n{(result.stdout + result.stderr)[-3000:]}")
    return result.stdout


def build(row, kind, scratch):
    """Makes a clean build. Returns the build time in seconds and the stripped program's path."""
    place = ["--package-path", HERE / "Costs" / row, "--scratch-path", scratch]
    run("swift", "package", *place, "resolve")
    run("swift", "package", *place, "clean")
    started = time.monotonic()
    run("swift", "build", *place, *BUILDS[kind], "--product", "first-response")
    seconds = time.monotonic() - started
    program = scratch / BUILDS[kind][1] / "first-response"
    stripped = scratch / f"first-response-{kind}"
    shutil.copy(program, stripped)
    run("strip", stripped)
    return seconds, stripped


def milliseconds(program, url, runs):
    """Returns the median run time of the program, which ends after one response, in ms."""
    times = []
    for _ in range(runs + 1):
        started = time.monotonic()
        if run(program, url).strip() != "1024":
            sys.exit(f"build costs: {program} has another response")
        times.append((time.monotonic() - started) * 1e3)
    # The first run reads the program from disk and does not count.
    return statistics.median(times[1:])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", nargs="*", help=f"some of: {', '.join(ROWS)}")
    parser.add_argument("--runs", type=int, default=21)
    parser.add_argument("--output", type=pathlib.Path, required=True)
    options = parser.parse_args()
    rows = options.rows or list(ROWS)
    if unknown := set(rows) - ROWS.keys():
        parser.error(f"no such row: {', '.join(sorted(unknown))}")

    listening = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=listening.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{listening.server_port}/"
    lines = [
        "| | debug build s | release build s | size KiB | static size KiB | first response ms | static ms |",
        "|---|---:|---:|---:|---:|---:|---:|"]
    for row in rows:
        debug, _ = build(row, "debug", options.output / row)
        release, program = build(row, "release", options.output / row)
        _, static = build(row, "static", options.output / f"{row}-static")
        lines.append(
            f"| {ROWS[row]} | {debug:.0f} | {release:.0f} | {program.stat().st_size / 1024:,.0f} "
            f"| {static.stat().st_size / 1024:,.0f} | {milliseconds(program, url, options.runs):.1f} "
            f"| {milliseconds(static, url, options.runs):.1f} |")
        print(lines[-1], flush=True)
    table = "\n".join(lines) + "\n"
    (options.output / "build.md").write_text(table)
    print(table)


main()
