"""HTTP/1.1 responses: valid ones, and mutations of heads and framing (RFC 9110, RFC 9112)."""

import copy
import re

import codings
from answers import Message

WORDS = [b"X-One", b"X-Two", b"ETag", b"Date", b"Server", b"Set-Cookie", b"Content-Type", b"Link", b"Vary", b"Age"]
CONTROLS = [b"\x00", b"\x01", b"\x08", b"\x0b", b"\x0c", b"\r", b"\x7f", b"\x1b[2J", b"\t"]


class Draft:
    """A response under construction: lines of the head, chunks of the body."""

    def __init__(self, rng, method):
        self.rng, self.method = rng, method
        self.labels = []
        self.meaning = "valid"  # "valid", or None once a mutation makes the response ambiguous
        self.status = rng.choice([200, 200, 200, 200, 201, 206, 400, 404, 500, 503])
        self.content = text(rng)
        self.payload = self.content
        self.coding = None
        self.framing = rng.choice(["length", "length", "chunked", "close"])
        self.reason = rng.choice([b"OK", b"Not so long", b""])
        self.version = b"HTTP/1.1"
        self.fields = [(name, words(rng)) for name in rng.sample(WORDS, rng.randint(0, 5))]
        self.trailers = [(b"X-Trailer", words(rng))] if rng.random() < 0.2 else []
        self.before = b""
        self.extra = b""
        self.end = "keep"

    def label(self, name, keeps_meaning=False):
        self.labels.append(name)
        if not keeps_meaning:
            self.meaning = None

    def encode(self, coding):
        self.coding = "deflate" if coding == "raw deflate" else coding
        self.payload = codings.encode(coding, self.content)

    def chunk(self):
        """Gives the response a chunked body that is not empty and has no content coding."""
        self.framing, self.coding = "chunked", None
        self.payload = self.content = self.content or b"hello"

    def lines(self):
        """Returns the lines of the head, without their ends."""
        fields = list(self.fields)
        if self.coding is not None:
            fields.append((b"Content-Encoding", self.coding.encode("latin-1")))
        if self.framing == "length":
            fields.append((b"Content-Length", b"%d" % len(self.payload)))
        elif self.framing == "chunked":
            fields.append((b"Transfer-Encoding", b"chunked"))
        else:
            fields.append((b"Connection", b"close"))
        self.rng.shuffle(fields)
        first = self.version + b" %03d " % self.status + self.reason
        return [first] + [name + b": " + value for name, value in fields]

    def body(self):
        if self.method == "HEAD" or self.status in (204, 304):
            return b""
        if self.framing != "chunked":
            return self.payload
        return b"".join(chunks(self.rng, self.payload)) + last_chunk(self.trailers)

    def meant(self):
        """Returns the status and body without the mutations."""
        has_body = self.method != "HEAD" and self.status not in (204, 304)
        return self.status, self.content if has_body else b""

    def message(self, lines=None, ends=None, body=None):
        lines = self.lines() if lines is None else lines
        ends = ends or [b"\r\n"] * len(lines)
        head = self.before + b"".join(line + end for line, end in zip(lines, ends)) + b"\r\n"
        end = "close" if self.framing == "close" and self.end == "keep" else self.end
        return Message(
            self.method, head, self.body() if body is None else body, self.labels, extra=self.extra, end=end,
            expected=self.meant() if self.meaning else None, meant=self.meant())


def shown(data):
    return repr(data[:20])[2:-1]


def text(rng):
    size = rng.choice([0, 1, 5, 5, 100, 1000, 20000])
    return (b"%08x " % rng.getrandbits(32) * (size // 9 + 1))[:size]


def words(rng):
    return rng.choice([b"a", b'"quoted, comma"', b"b; c=d", b"", b"x" * 60, b"Thu, 01 Jan 1970 00:00:00 GMT"])


def chunks(rng, data):
    pieces, start = [], 0
    while start < len(data):
        size = min(len(data) - start, rng.choice([1, 2, 5, 100, 4096, 65536]) if len(data) < 2000 else 8192)
        pieces.append(b"%x\r\n" % size + data[start:start + size] + b"\r\n")
        start += size
    return pieces


def last_chunk(trailers):
    return b"0\r\n" + b"".join(name + b": " + value + b"\r\n" for name, value in trailers) + b"\r\n"


def valid(rng, method="GET"):
    draft = Draft(rng, method)
    if rng.random() < 0.4:
        draft.encode(rng.choice(["gzip", "deflate", "raw deflate"]))
    return draft.message()


# Heads

def mutate_head(rng, method):
    draft = Draft(rng, method)
    if rng.random() < 0.2:
        draft.encode("gzip")
    early = [
        informational, switching, odd_version, odd_status, line_before, many_fields, long_field, status_and_body,
        cookies,
    ]
    late = [
        fold_first, fold, fold_first, duplicate, reorder, control, latin, bare_ends, no_colon, space_before_colon,
        empty_name, name_with_control, odd_first_line, cut_head, swap_bytes,
    ]
    chosen = [rng.choice(early + late) for _ in range(rng.choice([1, 1, 1, 2, 2, 3]))]
    for mutation in chosen:
        if mutation in early:
            mutation(rng, draft)
    lines = draft.lines()
    ends = [b"\r\n"] * len(lines)
    # Last, because the other mutations need the fields of the head.
    for mutation in sorted(chosen, key=lambda one: one is cut_head):
        if mutation in late:
            mutation(rng, draft, lines, ends)
    return draft.message(lines, ends)


def informational(rng, draft):
    status = rng.choice([100, 102, 103, 103, 199])
    count = rng.choice([1, 1, 2, 5, 40])
    draft.before += b"HTTP/1.1 %d Early\r\nLink: </a>; rel=preload\r\n\r\n" % status * count
    draft.label(f"{count} × {status} before", keeps_meaning=count < 10)


def without_informational(answer):
    """Returns the response without the informational responses before it."""
    final = copy.copy(answer)
    final.head = re.sub(rb"\A(HTTP/1\.1 1(?!01)[0-9]{2}[^\r\n]*\r\n([^\r\n]+\r\n)*\r\n)+", b"", answer.head)
    return final


def switching(rng, draft):
    fields = rng.choice([b"", b"Upgrade: h2c\r\nConnection: Upgrade\r\n", b"Upgrade: websocket\r\n"])
    if rng.random() < 0.5:
        draft.status = 101
    else:
        draft.before += b"HTTP/1.1 101 Switching Protocols\r\n" + fields + b"\r\n"
    draft.label("101 that was not asked for")


def odd_version(rng, draft):
    draft.version = rng.choice(
        [b"HTTP/1.0", b"HTTP/1.2", b"HTTP/1.9", b"HTTP/0.9", b"HTTP/2", b"HTTP/2.0", b"HTTP/3", b"HTTP/11", b"http/1.1",
         b"HTTP/1.1.1", b"HTTP/1", b"HTTP/", b"HTTP", b"ICY", b"RTSP/1.0", b"HTTP/1.\x001", b"HTTPS/1.1"])
    draft.label(f"version {shown(draft.version)}")


def odd_status(rng, draft):
    draft.status = rng.choice([0, 1, 99, 102, 204, 205, 299, 304, 306, 407, 599, 600, 999])
    draft.label(f"status {draft.status}")


def line_before(rng, draft):
    draft.before = rng.choice([b"\r\n", b"\n", b"\r\n\r\n", b" ", b"junk\r\n", b"\x00", b"\xef\xbb\xbf", b"X: y\r\n"])
    draft.label("bytes before the head")


def many_fields(rng, draft):
    count = rng.choice([50, 200, 1000, 6000])
    draft.fields += [(b"X-%d" % index, b"y") for index in range(count)]
    draft.label(f"{count} fields", keeps_meaning=count <= 200)


def long_field(rng, draft):
    size = rng.choice([5000, 16385, 70000, 110000, 300000])
    draft.fields.append((b"X-Long", b"z" * size))
    draft.label(f"a field of {size} bytes", keeps_meaning=size <= 5000)


def status_and_body(rng, draft):
    """Adds a body to a response that must not have one."""
    if draft.method != "HEAD":
        draft.status = rng.choice([204, 304])
    draft.framing = rng.choice(["length", "chunked"])
    draft.extra = b"hello" if draft.framing == "length" else b"5\r\nhello\r\n0\r\n\r\n"
    draft.label("a body where none may be")


def cookies(rng, draft):
    value = rng.choice([b"a=b; Domain=127.0.0.1", b"=x", b"a", b"a=b; Max-Age=-1", b"a=\x01", b"a=" + b"c" * 5000,
                        b"__Host-a=b", b"a=b; Expires=never", b";;;"])
    draft.fields += [(b"Set-Cookie", value)] * rng.choice([1, 3, 200])
    draft.label("cookies", keeps_meaning=value == b"=x" or value[:3] == b"a=b")


def fold_first(rng, draft, lines, ends):
    lines.insert(1, rng.choice([b" x: y", b"\tx: y", b"  ", b" ", b" x", b"\t"]))
    ends.insert(1, b"\r\n")
    draft.label("a fold before the first field")


def fold(rng, draft, lines, ends):
    place = rng.randrange(1, len(lines))
    name, colon, value = lines[place].partition(b":")
    lines[place] = name + colon
    count = rng.choice([1, 1, 2, 30])
    parts = [rng.choice([b" ", b"\t", b"  \t "]) + value.strip()] + [b" "] * (count - 1)
    lines[place + 1:place + 1] = parts
    ends[place + 1:place + 1] = [b"\r\n"] * count
    draft.label("a folded field")


def duplicate(rng, draft, lines, ends):
    place = rng.randrange(1, len(lines))
    again = rng.randrange(1, len(lines) + 1)
    lines.insert(again, lines[place])
    ends.insert(again, b"\r\n")
    draft.label("a field twice")


def reorder(rng, draft, lines, ends):
    fields = lines[1:]
    rng.shuffle(fields)
    lines[1:] = fields
    draft.label("fields in another order", keeps_meaning=True)


def control(rng, draft, lines, ends):
    place = rng.randrange(0, len(lines))
    line = lines[place]
    at = rng.randrange(0, len(line) + 1)
    byte = rng.choice(CONTROLS)
    lines[place] = line[:at] + byte + line[at:]
    draft.label(f"control byte {byte!r}")


def latin(rng, draft, lines, ends):
    place = rng.randrange(0, len(lines))
    at = rng.randrange(0, len(lines[place]) + 1)
    lines[place] = lines[place][:at] + rng.choice([b"\xe9", b"\xff", b"\xc3\x28", b"\xe2\x82\xac"]) + lines[place][at:]
    draft.label("bytes beyond ASCII")


def bare_ends(rng, draft, lines, ends):
    end = rng.choice([b"\n", b"\n", b"\r", b"\r\r\n", b"\n\r", b"\0\r\n"])
    for place in range(len(ends)) if rng.random() < 0.4 else [rng.randrange(len(ends))]:
        ends[place] = end
    draft.label(f"lines that end in {end!r}")


def no_colon(rng, draft, lines, ends):
    place = rng.randrange(1, len(lines) + 1)
    lines.insert(place, rng.choice([b"nonsense", b"X-One y", b"X-One=y", b"-", b"\x80"]))
    ends.insert(place, b"\r\n")
    draft.label("a line without a colon")


def space_before_colon(rng, draft, lines, ends):
    place = rng.randrange(1, len(lines))
    lines[place] = lines[place].replace(b":", rng.choice([b" :", b"\t:", b"\x0b:"]), 1)
    draft.label("a space before a colon")


def empty_name(rng, draft, lines, ends):
    place = rng.randrange(1, len(lines) + 1)
    lines.insert(place, rng.choice([b": x", b":", b"::", b": Content-Length: 3"]))
    ends.insert(place, b"\r\n")
    draft.label("a field without a name")


def name_with_control(rng, draft, lines, ends):
    place = rng.randrange(1, len(lines) + 1)
    name = rng.choice([b"X\x00Y", b"X Y", b"X(Y)", b"\"X\"", b"X,Y", b"\x7fX", b"\x0bContent-Length"])
    lines.insert(place, name + b": 3")
    ends.insert(place, b"\r\n")
    draft.label(f"field name {name!r}")


def odd_first_line(rng, draft, lines, ends):
    lines[0] = rng.choice(
        [b"HTTP/1.1", b"HTTP/1.1 ", b"HTTP/1.1  200 OK", b"HTTP/1.1\t200 OK", b"HTTP/1.1 200", b"HTTP/1.1 2000 OK",
         b"HTTP/1.1 20", b"HTTP/1.1 -200 OK", b"HTTP/1.1 +200 OK", b"HTTP/1.1 200OK", b"HTTP/1.1 0x20", b"", b" ",
         b"HTTP/1.1 200 " + b"y" * 100000, b"HTTP/1.1 2\x0000 OK", b" HTTP/1.1 200 OK", b"GET / HTTP/1.1",
         b"HTTP/1.1 99999999999999999999 OK", b"\x16\x03\x01"])
    draft.status = 200
    draft.label(f"first line {lines[0][:30]!r}")


def cut_head(rng, draft, lines, ends):
    keep = rng.randrange(0, len(lines))
    del lines[keep + 1:], ends[keep + 1:]
    if keep < len(lines):
        lines[keep] = lines[keep][:rng.randrange(0, len(lines[keep]) + 1)]
        ends[keep] = b""
    draft.payload, draft.framing, draft.trailers = b"", "length", []
    draft.end = rng.choice(["close", "reset", "cut"])
    draft.label("a head that is cut")


def swap_bytes(rng, draft, lines, ends):
    for _ in range(rng.randint(1, 3)):
        place = rng.randrange(len(lines))
        line = bytearray(lines[place])
        if line:
            line[rng.randrange(len(line))] = rng.randrange(256)
        lines[place] = bytes(line)
    draft.label("random bytes in the head")


# Framing

LENGTHS = [b"%d, %d", b"%d,%d", b"+%d", b"-%d", b"0x%x", b"%dabc", b"0%d", b"%d.0", b"%d;x", b"%d %d", b"\x0b%d", b"",
           b"9999999999999999999999", b"18446744073709551616", b"-1", b"1e3", b"\xb2"]
TRANSFER = [b"chunked, chunked", b"gzip, chunked", b"xchunked", b"chunked;q=1", b"identity", b"Chunked", b"CHUNKED",
            b"\x0bchunked", b"chunked, identity", b"chunked ", b"", b",chunked", b"chunked,", b"\"chunked\"", b"deflate",
            b"chunked\x00", b"chunked\r\n ", b"trailers, chunked", b"cow"]
SIZES = [b"%x;ext", b"%x ;ext=\"a\"", b"%x;" + b"e" * 20000, b"0x%x", b"+%x", b"-%x", b"%x ", b" %x", b"0000000000%x", b"%xg",
         b"10000000000000000%x", b"ffffffffffffffff", b"8000000000000000", b"", b"\t%x", b"%x\x00", b"%x;\n", b"%x;\x00",
         b"00000000000000000000000000000000%x"]


def mutate_framing(rng, method):
    draft = Draft(rng, method)
    if rng.random() < 0.25:
        draft.encode(rng.choice(["gzip", "deflate"]))
    mutation = rng.choice(
        [odd_length, odd_length, two_lengths, odd_transfer, odd_transfer, both, odd_chunk, odd_chunk, bad_chunk_end,
         no_last_chunk, odd_trailers, short, short, long, long, no_framing])
    return mutation(rng, draft)


def remake(draft, name, value):
    """Returns the head's lines with a mutated framing field."""
    lines = [line for line in draft.lines()
             if not line.startswith((b"Content-Length", b"Transfer-Encoding", b"Connection: close"))]
    for one in [value] if isinstance(value, bytes) else value:
        lines.insert(draft.rng.randrange(1, len(lines) + 1), name + b": " + one)
    return lines


def odd_length(rng, draft):
    draft.framing = "length"
    form = rng.choice(LENGTHS)
    draft.label(f"Content-Length: {shown(form)}")
    count = form.count(b"%")
    value = form % ((len(draft.payload),) * count) if count else form
    draft.end = rng.choice(["keep", "close"])
    return draft.message(remake(draft, b"Content-Length", value))


def two_lengths(rng, draft):
    draft.framing = "length"
    right = len(draft.payload)
    other = rng.choice([right, right, right + 1, max(0, right - 1), 0])
    draft.label("two Content-Length fields" + (" of one value" if other == right else ""))
    draft.end = rng.choice(["keep", "close"])
    return draft.message(remake(draft, b"Content-Length", rng.sample([b"%d" % right, b"%d" % other], 2)))


def odd_transfer(rng, draft):
    draft.framing = "chunked"
    value = rng.choice(TRANSFER)
    draft.label(f"Transfer-Encoding: {shown(value)}")
    if rng.random() < 0.3:
        draft.version = b"HTTP/1.0"
        draft.label("over HTTP/1.0")
    draft.end = rng.choice(["keep", "close"])
    return draft.message(remake(draft, b"Transfer-Encoding", value))


def both(rng, draft):
    draft.framing = "chunked"
    draft.label("Content-Length beside chunked")
    lines = draft.lines()
    lines.insert(rng.randrange(1, len(lines) + 1), b"Content-Length: %d" % rng.choice([0, 5, len(draft.payload), 9999]))
    draft.end = rng.choice(["keep", "close"])
    return draft.message(lines)


def odd_chunk(rng, draft):
    draft.chunk()
    form = rng.choice(SIZES)
    harmless = form.startswith((b"%x;ext", b"%x ;ext", b"0000000000%x"))
    draft.label(f"chunk size {shown(form)}", keeps_meaning=harmless)
    size = form % len(draft.payload) if b"%" in form else form
    body = size + b"\r\n" + draft.payload + b"\r\n" + last_chunk(draft.trailers)
    draft.end = rng.choice(["keep", "close"])
    return draft.message(body=b"" if draft.method == "HEAD" else body)


def bad_chunk_end(rng, draft):
    draft.chunk()
    end = rng.choice([b"", b"\n", b"\r", b"xx", b"\r\n\r\n", b" \r\n", b"\n\r"])
    draft.label(f"a chunk that ends in {end!r}")
    draft.end = rng.choice(["keep", "close"])
    parts = chunks(rng, draft.payload)
    place = rng.randrange(len(parts))
    parts[place] = parts[place][:-2] + end
    return draft.message(body=b"".join(parts) + last_chunk(draft.trailers))


def no_last_chunk(rng, draft):
    draft.chunk()
    last = rng.choice([b"", b"0", b"0\r", b"0\r\n", b"0\r\n\r", b"0\r\nX-Trailer: y\r\n", b"0\r\nX-Trai", b"00\r\n"])
    draft.label(f"the last chunk cut to {last!r}")
    draft.end = rng.choice(["close", "cut", "reset"])
    return draft.message(body=b"".join(chunks(rng, draft.payload)) + last)


def odd_trailers(rng, draft):
    draft.framing = "chunked"
    trailers = rng.choice(
        [b" x: y\r\n", b"nonsense\r\n", b"Content-Length: 3\r\n", b"X: \x00\r\n", b"X: y\n", b"X: y\r\n z\r\n", b"\rX: y\r\n",
         b"Transfer-Encoding: chunked\r\n", b"X: y\r\n" * 3000, b"X: " + b"z" * 120000 + b"\r\n", b": y\r\n", b"HTTP/1.1 200 OK\r\n",
         b"Set-Cookie: a=b\r\n", b"Content-Encoding: gzip\r\n", b"\x00\r\n"])
    draft.label(f"trailers {trailers[:20]!r}")
    draft.end = rng.choice(["keep", "close"])
    return draft.message(body=b"".join(chunks(rng, draft.payload)) + b"0\r\n" + trailers + b"\r\n")


def short(rng, draft):
    """Truncates the body."""
    message = draft.message()
    draft.label("a body that is cut")
    cut = draft.message(body=message.body[:rng.randrange(0, len(message.body) + 1)])
    cut.end = rng.choice(["close", "cut", "reset"])
    return cut


def long(rng, draft):
    """Appends bytes after the end: a smuggled response to the next request."""
    draft.framing = rng.choice(["length", "chunked"])
    draft.extra = rng.choice(
        [b"x", b"\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nsmuggled", b"HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n",
         b"\x00" * 5000, b"HTTP/1.1 "])
    draft.label("bytes behind the answer")
    return draft.message()


def no_framing(rng, draft):
    draft.framing = "close"
    draft.label("no framing at all")
    draft.end = rng.choice(["close", "cut"])
    return draft.message(remake(draft, b"X-No", b"framing"))


# Codings

def mutate_coding(rng, method):
    draft = Draft(rng, method)
    if method == "HEAD":
        draft.method = "GET"
    draft.content = draft.content or b"some content to be coded"
    coding = rng.choice(["gzip", "gzip", "deflate", "raw deflate"])
    draft.coding, draft.payload, label, expected = codings.mutate(rng, coding, draft.content)
    draft.label(label, keeps_meaning=expected is not None)
    return draft.message()
