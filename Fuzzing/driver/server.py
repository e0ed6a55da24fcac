"""The server on 127.0.0.1 that sends the responses of a case."""

import socket
import ssl
import struct
import threading
import time

import http2
from records import Gone, TLSStream

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
ENDLESS_SECONDS = 10


class Play:
    """The responses of one exchange, in order. The last one repeats."""

    def __init__(self, answers, plan=None, alpn="http/1.1"):
        self.answers, self.plan, self.alpn = answers, plan, alpn
        self.taken = 0
        self.connections = 0
        self.follows_failure = False  # whether an earlier exchange of the case failed
        self.sent = {}  # number of a response -> bytes sent of it
        self.streams = {}  # number of a response -> its HTTP/2 stream
        self.lock = threading.Lock()

    def take(self):
        with self.lock:
            number = min(self.taken, len(self.answers) - 1)
            self.taken += 1
            return number, self.answers[number]

    @property
    def last(self):
        """The response sent last, and its HTTP/2 stream."""
        number = min(max(self.taken, 1), len(self.answers)) - 1
        return self.answers[number], self.streams.get(number, 1)


class PlainStream:
    def __init__(self, sock):
        self.sock = sock
        self.recv, self.sendall = sock.recv, sock.sendall

    def end(self, in_order):
        pass


class Server:
    """Serves exchanges one after the other. `play` is the current one."""

    def __init__(self, authority):
        self.play = None
        self.contexts = {name: authority.context([name]) for name in ("h2", "http/1.1")}
        self.port = self.listen(False)
        self.tls_port = self.listen(True)

    def listen(self, is_tls):
        listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        threading.Thread(target=self.accept, args=(listener, is_tls), daemon=True).start()
        return listener.getsockname()[1]

    def accept(self, listener, is_tls):
        while True:
            sock, _ = listener.accept()
            threading.Thread(target=self.serve, args=(sock, is_tls), daemon=True).start()

    def serve(self, sock, is_tls):
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.settimeout(ENDLESS_SECONDS)
        play = self.play
        play.connections += 1
        try:
            stream = TLSStream(sock, self.contexts[play.alpn], play.plan) if is_tls else PlainStream(sock)
            self.talk(stream)
        except (OSError, Gone, ssl.SSLError):
            pass
        finally:
            sock.close()

    def talk(self, stream):
        received = Received(stream)
        if received.starts_with(PREFACE):
            return self.talk_http2(stream, received)
        while received.read_request():
            if not self.answer(stream, 1):
                return

    def talk_http2(self, stream, received):
        received.take(len(PREFACE))
        play = self.play
        first = play.answers[0]
        preface = getattr(first, "preface", None)
        stream.sendall(http2.Frame(http2.SETTINGS, stream=0).render(0) if preface is None else preface)
        while True:
            head = received.take(9)
            length, kind, flags = int.from_bytes(head[:3], "big"), head[3], head[4]
            payload = received.take(length)
            number = int.from_bytes(head[5:9], "big")
            if kind == http2.SETTINGS and not flags & 1:
                stream.sendall(http2.Frame(http2.SETTINGS, 1, stream=0).render(0))
            elif kind == http2.PING and not flags & 1:
                stream.sendall(http2.Frame(http2.PING, 1, payload, stream=0).render(0))
            elif kind in (http2.HEADERS, http2.DATA) and flags & http2.END_STREAM:
                if not self.answer(stream, number):
                    return

    def answer(self, stream, number):
        """Sends the next response. Returns whether the connection stays open."""
        play = self.play
        index, answer = play.take()
        play.streams[index] = number
        for piece, pause in answer.pieces(number):
            stream.sendall(piece)
            play.sent[index] = play.sent.get(index, 0) + len(piece)
            if pause:
                time.sleep(pause)
        if answer.endless:
            end = time.monotonic() + ENDLESS_SECONDS
            while time.monotonic() < end:
                stream.sendall(answer.endless)
                play.sent[index] += len(answer.endless)
            return False
        if answer.end == "keep":
            return True
        if answer.end == "reset":
            stream.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        else:
            stream.end(answer.end == "close")
            stream.sock.shutdown(socket.SHUT_WR)
            # Read until the client closes: closing a socket with unread bytes would send a reset.
            stream.sock.settimeout(1)
            while stream.sock.recv(65536):
                pass
        return False


class Received:
    """Buffer of received bytes that have not been parsed."""

    def __init__(self, stream):
        self.stream, self.data = stream, b""

    def more(self):
        data = self.stream.recv(65536)
        self.data += data
        return bool(data)

    def starts_with(self, text):
        while len(self.data) < len(text) and text.startswith(self.data[:len(text)]):
            if not self.more():
                return False
        return self.data.startswith(text)

    def take(self, count):
        while len(self.data) < count:
            if not self.more():
                raise Gone
        taken, self.data = self.data[:count], self.data[count:]
        return taken

    def read_request(self):
        """Reads a request with its body. Returns False at the end of the connection."""
        while b"\r\n\r\n" not in self.data:
            if not self.more():
                return False
        head, _, self.data = self.data.partition(b"\r\n\r\n")
        for line in head.lower().split(b"\r\n"):
            if line.startswith(b"content-length:"):
                self.take(int(line.split(b":")[1]))
        return True
