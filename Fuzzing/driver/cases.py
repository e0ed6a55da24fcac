"""Cases: a few requests over one transport, derived from a seed and an index."""

import random

import http1
import http2
from answers import Message
from records import Plan
from server import Play


class Exchange:
    def __init__(self, rng, method, way, answers, plan=None, has_credential=False, is_check=False):
        self.method, self.answers, self.plan = method, answers, plan
        self.way = "tls" if way.startswith("tls") else way
        self.is_http2 = way in ("h2c", "tls h2")
        self.destination = rng.choice(["memory", "memory", "memory", "stream", "file"])
        self.has_credential = has_credential
        self.is_check = is_check  # a valid response after the mutated ones
        for answer in answers:
            answer.seed = rng.getrandbits(32)
        # An endless response to a file would fill the disk.
        if answers[-1].endless:
            self.destination = "memory"

    def play(self):
        return Play(self.answers, self.plan, "h2" if self.is_http2 else "http/1.1")

    @property
    def labels(self):
        labels = [label for answer in self.answers for label in answer.labels]
        return labels + ([self.plan.label] if self.plan else [])


class Case:
    def __init__(self, seed, index, only_clear=False):
        self.seed, self.index = seed, index
        rng = random.Random(f"{seed}/{index}")
        self.way = rng.choices(["clear", "tls", "h2c", "tls h2"], [60, 14, 12, 14])[0]
        if only_clear:
            self.way = "clear"
        make = mutated_http2 if self.way in ("h2c", "tls h2") else mutated_http1
        self.exchanges = []
        if rng.random() < 0.7:
            self.exchanges.append(self.valid(rng))
        if self.way.startswith("tls") and rng.random() < 0.4:
            self.exchanges = [self.broken_tls(rng)]
        else:
            for _ in range(rng.choice([1, 1, 2, 3])):
                exchange = make(rng, self.way)
                # A mutated preface affects only the first request of a connection.
                is_first = getattr(exchange.answers[0], "preface", None) is not None
                self.exchanges.insert(0 if is_first else len(self.exchanges), exchange)
        self.exchanges.append(self.valid(rng))
        self.exchanges[-1].is_check = True

    def valid(self, rng):
        module = http2 if self.way in ("h2c", "tls h2") else http1
        method = rng.choice(["GET", "GET", "GET", "HEAD", "POST"])
        return Exchange(rng, method, self.way, [module.valid(rng, method)])

    def broken_tls(self, rng):
        """A valid response over a connection with mutated TLS records."""
        exchange = self.valid(rng)
        exchange.plan = Plan(rng)
        return exchange


def mutated_http1(rng, way):
    method = rng.choice(["GET", "GET", "GET", "GET", "HEAD", "POST"])
    kind = rng.choices(["head", "framing", "coding", "redirect", "challenge", "endless"], [34, 30, 20, 7, 6, 2.5])[0]
    if kind == "head":
        return Exchange(rng, method, way, [http1.mutate_head(rng, method)])
    if kind == "framing":
        return Exchange(rng, method, way, [http1.mutate_framing(rng, method)])
    if kind == "coding":
        return Exchange(rng, "GET", way, [http1.mutate_coding(rng, "GET")])
    if kind == "redirect":
        return Exchange(rng, "GET", way, redirects(rng))
    if kind == "challenge":
        return Exchange(rng, "GET", way, challenges(rng), has_credential=True)
    return Exchange(rng, "GET", way, [endless(rng)])


def mutated_http2(rng, way):
    if rng.random() < 0.03:
        return Exchange(rng, "GET", way, [endless_http2(rng)])
    method = rng.choice(["GET", "GET", "GET", "HEAD", "POST"])
    return Exchange(rng, method, way, [http2.mutate(rng, method)])


def plain(status, fields, body, label, end="keep"):
    head = b"HTTP/1.1 %d X\r\n" % status + b"".join(name + b": " + value + b"\r\n" for name, value in fields)
    return Message("GET", head + b"Content-Length: %d\r\n\r\n" % len(body), body, [label], end=end)


def redirects(rng):
    """Redirects. Every location with a host names 127.0.0.1, so no request leaves the machine."""
    status = rng.choice([301, 302, 303, 307, 308, 300, 304, 399])
    location = rng.choice(
        [b"/next", b"next?a=b", b"", b"//127.0.0.1:1/", b"http://127.0.0.1:0/", b"http:///", b"file:///etc/passwd", b"?x", b"#y",
         b"/a b", b"/\xe9", b"/\x01", b"http://127.0.0.1:99999/", b"HTTP://127.0.0.1:1/", b"ftp://127.0.0.1/", b"/" + b"p" * 9000,
         b"/../../..", b"/%zz", b"mailto:a", b"://", b"/[", b"http://[::1"])
    label = f"redirect {status} to {location[:30]!r}"
    body = rng.choice([b"", b"moved", b"m" * 30000])
    one = plain(status, [(b"Location", location)] * rng.choice([1, 1, 1, 2]), body, label)
    kind = rng.choice(["once", "once", "three", "for ever", "large body", "broken body"])
    if kind == "for ever":
        one.labels.append("for ever")
        return [one]
    if kind == "large body":
        one = plain(302, [(b"Location", b"/next")], b"", "redirect with an endless body")
        one.head = b"HTTP/1.1 302 Found\r\nLocation: /next\r\nContent-Length: 268435456\r\n\r\n"
        one.endless = b"r" * 65536
    if kind == "broken body":
        one = rng.choice([http1.mutate_framing, http1.mutate_coding])(rng, "GET")
        one.expected = None
        _, _, rest = one.head.partition(b"\r\n")
        one.head = b"HTTP/1.1 302 Found\r\nLocation: /next\r\n" + rest
        one.labels.append("in a redirect")
    last = http1.valid(rng)
    return [one] * (3 if kind == "three" else 1) + [last]


def challenges(rng):
    nonce = rng.randbytes(8).hex().encode()
    digest = b'Digest realm="r", nonce="' + nonce + b'"'
    value = rng.choice(
        [b'Basic realm="r"', b"Basic", b'Basic realm="unclosed', digest, digest + b', qop="auth"', digest + b", stale=true",
         digest + b', stale=true, qop="auth", algorithm=SHA-256', digest + b", algorithm=X", digest + b", algorithm=MD5-sess, qop=\"auth\"",
         b"Digest", b'Digest nonce=""', b"Digest " + b"a=b, " * 2000, digest + b', qop="auth-int"', digest + b', qop="\x01"', b"Negotiate",
         b"NTLM", b"Bearer", b"", b",", b'Digest realm="\xe9", nonce="x"', b"Basic realm=r, " + digest, b"Digest nonce=\"" + b"n" * 9000 + b'"',
         digest + b', userhash=true, qop="auth", algorithm=SHA-256', digest + b', domain="http://127.0.0.1:1/"'])
    label = f"challenge {value[:40]!r}{' stale' if b'stale' in value else ''}"
    one = plain(rng.choice([401, 401, 401, 401, 407]), [(b"WWW-Authenticate", value)], rng.choice([b"", b"denied"]), label)
    if rng.random() < 0.5:
        one.labels.append("for ever")
        return [one]
    return [one, http1.valid(rng)]


def endless(rng):
    start = b"HTTP/1.1 200 OK\r\n"
    chunked = start + b"Transfer-Encoding: chunked\r\n\r\n"
    kinds = {
        "status line": (b"HTTP/1.1 200 ", b"y" * 4096), "field": (start + b"X: ", b"z" * 4096), "fields": (start, b"X-Y: z\r\n" * 500),
        "folds": (start + b"X: y\r\n", b" z\r\n" * 500), "1xx": (b"", b"HTTP/1.1 103 Early\r\nA: b\r\n\r\n" * 50),
        "100": (b"", b"HTTP/1.1 100 Continue\r\n\r\n"), "empty lines": (b"", b"\r\n" * 500), "nothing known": (b"", b"\x00" * 4096),
        "chunk extension": (chunked + b"5;", b"e" * 4096), "chunk size": (chunked, b"0" * 4096), "trailers": (chunked + b"0\r\n", b"X: y\r\n" * 500),
        "chunks of a byte": (chunked, b"1\r\nx\r\n" * 500), "body": (start + b"\r\n", b"b" * 65536),
        "gzip header": (start + b"Content-Encoding: gzip\r\n\r\n\x1f\x8b\x08\x08\0\0\0\0\0\0", b"n" * 4096),
        "empty gzip blocks": (start + b"Content-Encoding: gzip\r\n\r\n\x1f\x8b\x08\x00\0\0\0\0\0\0", b"\x00\x00\x00\xff\xff" * 500)}
    name = rng.choice(sorted(kinds))
    head, loop = kinds[name]
    answer = Message("GET", head, b"", [f"endless: {name}"])
    answer.endless = loop
    return answer


def endless_http2(rng):
    frame, flags = http2.Frame, http2.END_HEADERS
    head = frame(http2.HEADERS, flags, http2.block([(b":status", b"200")]))
    open_head = frame(http2.HEADERS, 0, http2.block([(b":status", b"200")]))
    kinds = {
        "PING": ([head], frame(http2.PING, 0, bytes(8), stream=0)), "SETTINGS": ([head], frame(http2.SETTINGS, 0, http2.setting(1, 4096), stream=0)),
        "CONTINUATION": ([open_head], frame(http2.CONTINUATION, 0, http2.block([(b"x", b"y" * 1000)]))),
        "empty CONTINUATION": ([open_head], frame(http2.CONTINUATION, 0, b"")), "empty DATA": ([head], frame(http2.DATA, 0, b"")),
        "WINDOW_UPDATE": ([head], frame(http2.WINDOW_UPDATE, 0, b"\0\0\0\1", stream=0)), "unknown frames": ([head], frame(99, 0, b"x" * 100)),
        "103": ([], frame(http2.HEADERS, flags, http2.block([(b":status", b"103")]))),
        "PRIORITY": ([head], frame(http2.PRIORITY, 0, b"\0\0\0\3\1")), "DATA padding": ([head], frame(http2.DATA, 8, b"\xc8" + bytes(200)))}
    name = rng.choice(sorted(kinds))
    frames, loop = kinds[name]
    answer = http2.Frames("GET", frames, [f"endless: {name}"])
    # A frame for the connection (stream 0), or for the first request of a connection (stream 1).
    loops = [http2.Frame(loop.kind, loop.flags, loop.payload, stream=number) for number in ([0] if loop.stream == 0 else [1])]
    answer.endless = b"".join(one.render(1) for one in loops) * 20
    return answer
