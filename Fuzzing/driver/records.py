"""TLS over a socket, with mutations of outgoing records (RFC 8446, section 5.1)."""

import ssl
import time


class Plan:
    """A mutation of one record of a connection. `place` is the record's number, counted from 0."""

    def __init__(self, rng):
        self.place = rng.randrange(0, 8)
        self.kind = rng.choice(
            ["cut", "cut", "empty record", "version", "length", "length", "type", "split", "split", "alert", "garbage",
             "flood", "plain text", "twice", "drop", "flip", "close"])
        self.place = 0 if self.kind in ("garbage", "flood", "plain text") else self.place
        self.number = rng.getrandbits(30)

    @property
    def keeps_meaning(self):
        return self.kind == "split"

    @property
    def label(self):
        return f"TLS record {self.place}: {self.kind}"

    def change(self, record):
        """Returns the mutated bytes, and whether the connection ends after them."""
        size, number = len(record), self.number
        if self.kind == "cut":
            return record[:number % size], True
        if self.kind == "close":
            return b"", True
        if self.kind == "empty record":
            return bytes([record[0], 3, 3, 0, 0]) * (1 + number % 3) + record, False
        if self.kind == "version":
            return bytes([record[0], number % 256, number >> 8 & 255]) + record[3:], False
        if self.kind == "length":
            other = (number % 0x10000) if number & 0x10000 else size - 5 + 1 + number % 3
            return record[:3] + other.to_bytes(2, "big") + record[5:], False
        if self.kind == "type":
            return bytes([number % 256]) + record[1:], False
        if self.kind == "alert":
            return bytes([21, 3, 3, 0, 2, 1 + number % 2, number >> 8 & 255]) + record, False
        if self.kind == "garbage":
            return number.to_bytes(4, "big") * (1 + number % 5000), bool(number & 1)
        if self.kind == "plain text":
            return b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", False
        if self.kind == "twice":
            return record + record, False
        if self.kind == "drop":
            return b"", False
        if self.kind == "flip":
            changed = bytearray(record)
            changed[number % size] ^= 1 << (number >> 20 & 7)
            return bytes(changed), False
        return record, False

    # A handshake record of zeros, sent repeatedly: the handshake never completes.
    flood = bytes([22, 3, 3, 0x40, 0]) + bytes(0x4000)


class Gone(Exception):
    """The client has closed the connection, or the plan ends it."""


class TLSStream:
    """The server's side of a TLS connection. Has `recv`, `sendall` and `end`, like PlainStream."""

    def __init__(self, sock, context, plan):
        self.sock, self.plan = sock, plan
        self.count = 0
        self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = context.wrap_bio(self.incoming, self.outgoing, server_side=True)
        self.pending = b""
        self.step(self.tls.do_handshake)

    def step(self, action, *arguments):
        """Calls a TLS function, and reads and writes the socket until the function succeeds."""
        while True:
            try:
                result = action(*arguments)
                self.flush()
                return result
            except ssl.SSLWantReadError:
                self.flush()
                data = self.sock.recv(65536)
                if not data:
                    raise Gone
                self.incoming.write(data)

    def flush(self):
        self.pending += self.outgoing.read()
        while len(self.pending) >= 5:
            size = 5 + int.from_bytes(self.pending[3:5], "big")
            if len(self.pending) < size:
                return
            record, self.pending = self.pending[:size], self.pending[size:]
            self.send_record(record)

    def send_record(self, record):
        place, self.count = self.count, self.count + 1
        if self.plan is None or place != self.plan.place:
            return self.sock.sendall(record)
        if self.plan.kind == "flood":
            self.flood()
        if self.plan.kind == "split":
            for at in range(0, len(record), max(1, len(record) // 7)):
                self.sock.sendall(record[at:at + max(1, len(record) // 7)])
                time.sleep(0.001)
            return
        data, is_over = self.plan.change(record)
        self.sock.sendall(data)
        if is_over:
            raise Gone

    def flood(self, seconds=10):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.sock.sendall(Plan.flood)
        raise Gone

    def recv(self, size):
        try:
            return self.step(self.tls.read, size)
        except ssl.SSLZeroReturnError:
            return b""

    def sendall(self, data):
        for at in range(0, len(data), 16384):
            self.step(self.tls.write, data[at:at + 16384])

    def end(self, in_order):
        """Sends close_notify if the connection ends in order."""
        if not in_order:
            return
        try:
            self.tls.unwrap()
        except ssl.SSLError:
            pass
        self.flush()
