"""The client under test and the reference clients: http.client here, Go and libcurl as programs."""

import base64
import glob
import http.client
import json
import os
import select
import signal
import socket
import ssl
import subprocess
import tempfile
import time

# Limits of the client, set in fuzz-client's Transports.swift.
EXCHANGE_TIMEOUT = 2
MEMORY_LIMIT = 1 << 20
# Limit of the time that a process may wait for a processor, as a multiple of its time limit.
LONGEST_WAIT = 10


class Died(Exception):
    """The process has ended by a signal, or exited."""


class Hung(Exception):
    """The process gave no result within the time limit."""


class Child:
    """A child process that answers each line of input with a line of JSON."""

    def __init__(self, arguments, environment=None):
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, env={**os.environ, **(environment or {})})
        self.data = b""

    def ask(self, line, seconds):
        """Sends a line and returns the answer.

        The time limit is `seconds`, plus the time in which the process waits for a processor.
        """
        try:
            self.process.stdin.write(line.encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            raise Died(self.ending())
        start, waited = time.monotonic(), self.waited_for_processor()
        while b"\n" not in self.data:
            left = start + seconds - time.monotonic()
            if left <= 0:
                left += min(self.waited_for_processor() - waited, LONGEST_WAIT * seconds)
            if left <= 0:
                raise Hung
            if not select.select([self.process.stdout], [], [], left)[0]:
                continue
            more = os.read(self.process.stdout.fileno(), 1 << 20)
            if not more:
                raise Died(self.ending())
            self.data += more
        line, _, self.data = self.data.partition(b"\n")
        return json.loads(line)

    def waited_for_processor(self):
        """Returns the time that the process's threads have waited for a processor, in seconds.

        From /proc/PID/task/TID/schedstat. 0 on systems other than Linux.
        """
        total = 0
        for path in glob.glob(f"/proc/{self.process.pid}/task/*/schedstat"):
            try:
                with open(path) as file:
                    total += int(file.read().split()[1])
            except (OSError, IndexError):
                pass  # The thread has ended.
        return total / 1e9

    def ending(self):
        code = self.process.wait()
        name = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        self.errors.seek(0)
        text = self.errors.read().decode("utf-8", "replace").strip()
        # A sanitizer's report starts with the kind of error, so its start is kept. Without one, the
        # start of the output is kept: a backtrace of Swift ends with a list of libraries.
        _, mark, report = text.rpartition("ERROR: AddressSanitizer")
        return f"{name}\n{mark}{report[:4000]}".strip()

    def stop(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for file in (self.process.stdin, self.process.stdout, self.errors):
            try:
                file.close()
            except OSError:
                pass

    def reset_peak(self):
        """Resets the peak memory to the memory in use now (proc(5), clear_refs)."""
        try:
            with open(f"/proc/{self.process.pid}/clear_refs", "w") as file:
                file.write("5")
        except OSError:
            pass

    def memory(self, name="VmHWM"):
        """Returns the peak memory (VmHWM) or the memory in use (VmRSS), in bytes. 0 if unknown."""
        try:
            with open(f"/proc/{self.process.pid}/status") as file:
                for line in file:
                    if line.startswith(name + ":"):
                        return int(line.split()[1]) << 10
        except OSError:
            pass
        return 0


def ask_client(child, exchange, server, is_first, margin):
    scheme, port = ("https", server.tls_port) if exchange.way == "tls" else ("http", server.port)
    order = {
        "url": f"{scheme}://127.0.0.1:{port}/", "method": exchange.method, "way": exchange.way,
        "destination": exchange.destination, "hasCredential": exchange.has_credential, "isFirst": is_first}
    result = child.ask(json.dumps(order), EXCHANGE_TIMEOUT + margin)
    if result.get("body") is not None:
        result["body"] = base64.b64decode(result["body"])
    return result


class References:
    """Reference clients. Each returns (status, raw body, content codings), or None for an error."""

    def __init__(self, programs, authority):
        self.programs, self.authority = programs, authority
        self.children = {}

    def ask_program(self, name, line):
        if name not in self.children:
            self.children[name] = Child([self.programs[name], self.authority.certificate])
        try:
            return self.children[name].ask(line, 8)
        except (Died, Hung):
            self.children.pop(name).stop()
            return {"error": "no answer"}

    def go(self, exchange, server):
        # Go supports HTTP/2 only over TLS. The frames are the same.
        is_secure = exchange.way != "clear"
        url = f"https://127.0.0.1:{server.tls_port}/" if is_secure else f"http://127.0.0.1:{server.port}/"
        result = self.ask_program("go", f"{exchange.method} tls {url}")
        if "status" not in result:
            return None
        return result["status"], bytes.fromhex(result["body"]), ",".join(result.get("coding", [])).split(",")

    def libcurl(self, exchange, server):
        url = f"https://127.0.0.1:{server.tls_port}/" if exchange.way == "tls" else f"http://127.0.0.1:{server.port}/"
        result = self.ask_program("libcurl", f"{exchange.method} {exchange.way} {url}")
        return (result["status"], bytes.fromhex(result["body"]), result["coding"].split(",")) if "status" in result else None

    def python(self, exchange, server):
        if exchange.is_http2:
            return None
        port = server.tls_port if exchange.way == "tls" else server.port
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
        try:
            sock = socket.create_connection(("127.0.0.1", port), timeout=2)
            if exchange.way == "tls":
                context = ssl.create_default_context(cafile=self.authority.certificate)
                sock = context.wrap_socket(sock, server_hostname="127.0.0.1", suppress_ragged_eofs=False)
            connection.sock = sock
            connection.request(exchange.method, "/", b"question" if exchange.method == "POST" else None)
            response = connection.getresponse()
            body = response.read(8 << 20)
            return response.status, body, ",".join(response.headers.get_all("Content-Encoding") or []).split(",")
        except (OSError, http.client.HTTPException, ValueError):
            return None
        finally:
            connection.close()

    def stop(self):
        for child in self.children.values():
            child.stop()
