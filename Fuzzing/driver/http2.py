"""HTTP/2 responses: valid frames, and mutations of them (RFC 9113, RFC 7541)."""

import codings
from answers import Frames
from http1 import text

DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = range(10)
END_STREAM, END_HEADERS, PADDED, PRIORITY_FLAG = 1, 4, 8, 32


class Frame:
    def __init__(self, kind, flags=0, payload=b"", stream=None, length=None):
        self.kind, self.flags, self.payload = kind, flags, payload
        # An ID, None for the request's stream, or ("+", n) for the request's ID plus n.
        self.stream = stream
        self.length = length  # a wrong value for the length field, or None

    def render(self, stream):
        if self.stream is None:
            number = stream
        elif isinstance(self.stream, tuple):
            number = max(0, stream + self.stream[1])
        else:
            number = self.stream
        length = len(self.payload) if self.length is None else self.length
        return length.to_bytes(3, "big") + bytes([self.kind, self.flags]) + number.to_bytes(4, "big") + self.payload


def integer(value, prefix, bits):
    limit = (1 << prefix) - 1
    if value < limit:
        return bytes([bits | value])
    result, value = bytes([bits | limit]), value - limit
    while value >= 128:
        result, value = result + bytes([value % 128 + 128]), value // 128
    return result + bytes([value])


def literal(name, value):
    """Encodes a literal field without indexing (RFC 7541, section 6.2.2)."""
    return b"\x00" + integer(len(name), 7, 0) + name + integer(len(value), 7, 0) + value


def block(fields):
    return b"".join(literal(name, value) for name, value in fields)


class Draft:
    def __init__(self, rng, method):
        self.rng, self.method = rng, method
        self.labels, self.meaning, self.end, self.preface = [], "valid", "keep", None
        self.status = rng.choice([200, 200, 200, 404, 500])
        self.content = text(rng)
        self.payload, self.coding = self.content, None
        self.has_length = rng.random() < 0.4
        self.trailers = [(b"x-trailer", b"y")] if rng.random() < 0.2 else []

    def label(self, name, keeps_meaning=False):
        self.labels.append(name)
        if not keeps_meaning:
            self.meaning = None

    def fields(self):
        fields = [(b":status", b"%03d" % self.status), (b"x-one", b"two")]
        if self.coding is not None:
            fields.append((b"content-encoding", self.coding.encode("latin-1")))
        if self.has_length:
            fields.append((b"content-length", b"%d" % len(self.payload)))
        return fields

    def frames(self, fields=None):
        """Returns HEADERS, DATA, and possibly trailers. The last frame ends the stream."""
        frames = [Frame(HEADERS, END_HEADERS, block(self.fields() if fields is None else fields))]
        if self.method != "HEAD":
            size = self.rng.choice([1, 5, 1000, 16384]) if len(self.payload) < 200 else 16384
            for start in range(0, len(self.payload), size):
                frames.append(Frame(DATA, 0, self.payload[start:start + size]))
            if self.rng.random() < 0.3:
                frames.append(Frame(DATA, 0, b""))
        if self.trailers:
            frames.append(Frame(HEADERS, END_HEADERS, block(self.trailers)))
        frames[-1].flags |= END_STREAM
        return frames

    def answer(self, frames):
        meant = self.status, b"" if self.method == "HEAD" else self.content
        answer = Frames(
            self.method, frames, self.labels, end=self.end, expected=meant if self.meaning else None, meant=meant)
        answer.preface = self.preface
        return answer


def valid(rng, method="GET"):
    draft = Draft(rng, method)
    if rng.random() < 0.3:
        draft.coding, draft.payload = "gzip", codings.encode("gzip", draft.content)
    return draft.answer(draft.frames())


def mutate(rng, method):
    draft = Draft(rng, method)
    choices = [
        beyond, beyond, padding, padding, reset, reset, no_end, no_end, goaway, continuation, wrong_stream, odd_status, odd_status,
        bad_fields, bad_block, lengths, settings, control_frames, after_end, order, large, unknown, flip, coding, coding,
        early_hints, preface,
    ]
    frames = None
    for mutation in [rng.choice(choices) for _ in range(rng.choice([1, 1, 1, 2]))]:
        frames = mutation(rng, draft, frames or draft.frames())
    return draft.answer(frames)


def data_places(frames):
    return [place for place, frame in enumerate(frames) if frame.kind == DATA] or [len(frames) - 1]


def beyond(rng, draft, frames):
    """Makes the length field of the last frame larger than the frame."""
    frame = frames[-1]
    frame.length = len(frame.payload) + rng.choice([1, 2, 100, 10000])
    draft.end = rng.choice(["close", "cut"])
    draft.label("a frame longer than its bytes")
    return frames


def padding(rng, draft, frames):
    frame = frames[rng.choice([0] + data_places(frames))]
    size = len(frame.payload)
    kind = rng.choice(["right", "too long", "all", "none", "one more"])
    count = rng.randint(0, 200)
    pad = {"right": count, "too long": 255 if size < 255 else 0, "all": min(255, size), "none": 0, "one more": min(255, size + 1)}
    fill = bytes(count) if kind == "right" else b""
    # A frame has at most one padding, and CONTINUATION has none (RFC 9113, section 6.10).
    may_have_one = frame.kind != CONTINUATION and not frame.flags & PADDED
    is_right = kind == "right" and len(frame.payload) + 1 + len(fill) <= 16384 and may_have_one
    frame.flags |= PADDED
    frame.payload = bytes([pad[kind]]) + frame.payload + fill
    draft.label("padding" if is_right else f"padding: {kind}", keeps_meaning=is_right)
    return frames


def reset(rng, draft, frames):
    """Sends RST_STREAM before the end of the response."""
    code = rng.choice([0, 0, 0, 1, 2, 7, 8, 11, 0xFFFFFFFF])
    keep = rng.randrange(1, len(frames) + 1)
    frames = frames[:keep]
    frames[-1].flags &= ~END_STREAM
    draft.label(f"RST_STREAM({code}) before the end")
    return frames + [Frame(RST_STREAM, 0, code.to_bytes(4, "big"))]


def no_end(rng, draft, frames):
    frames = frames[:rng.randrange(1, len(frames) + 1)]
    frames[-1].flags &= ~END_STREAM
    draft.end = rng.choice(["close", "cut", "reset"])
    draft.label("no end of the stream")
    return frames


def goaway(rng, draft, frames):
    last = rng.choice([0, 1, 1, 3, 0x7FFFFFFF])
    code = rng.choice([0, 0, 1, 2, 11])
    frame = Frame(GOAWAY, 0, last.to_bytes(4, "big") + code.to_bytes(4, "big") + b"bye", stream=rng.choice([0, 0, 0, None]))
    place = rng.randrange(0, len(frames) + 1)
    frames.insert(place, frame)
    if rng.random() < 0.5:
        frames = frames[:place + 1]
        draft.end = rng.choice(["close", "cut"])
    draft.label(f"GOAWAY({last}, {code})")
    return frames


def continuation(rng, draft, frames):
    first = frames[0]
    # Debian's nghttp2 1.52 refuses a CONTINUATION that trailers follow at once, because it does not
    # reset its count of CONTINUATION frames.
    is_whole = first.kind == HEADERS and first.flags & END_HEADERS and not (frames[1:] and frames[1].kind == HEADERS)
    # A split frame is shorter than its padding.
    is_whole = is_whole and not first.flags & PADDED
    kind = rng.choice(["right", "other frame between", "other stream", "without HEADERS", "empty ones", "never ends"])
    if kind == "without HEADERS":
        frames.insert(rng.randrange(0, len(frames) + 1), Frame(CONTINUATION, END_HEADERS, block([(b"x", b"y")])))
    else:
        at = rng.randrange(0, len(first.payload) + 1)
        rest = Frame(CONTINUATION, END_HEADERS, first.payload[at:])
        first.payload, first.flags = first.payload[:at], first.flags & ~END_HEADERS
        between = []
        if kind == "other frame between":
            between = [Frame(PING, 0, bytes(8), stream=0)]
        elif kind == "other stream":
            rest.stream = ("+", 2)
        elif kind == "empty ones":
            between = [Frame(CONTINUATION, 0, b"") for _ in range(rng.choice([1, 10, 1000]))]
        elif kind == "never ends":
            rest.flags = 0
        frames[1:1] = between + [rest]
    draft.label(f"CONTINUATION: {kind}", keeps_meaning=kind == "right" and is_whole)
    return frames


def wrong_stream(rng, draft, frames):
    frame = rng.choice(frames)
    # Not the stream of a later request: if the frame arrived late, it would be that request's
    # response.
    frame.stream = rng.choice([0, ("+", 1), ("+", 1000), ("+", -2), 0x7FFFFFFF, ("+", 0x80000000)])
    draft.label(f"stream {frame.stream}")
    return frames


def odd_status(rng, draft, frames):
    fields = draft.fields()[1:]
    values = [b"000", b"099", b"1000", b"20", b"2 0", b"abc", b"+20", b"101", b"100", b"", b"200 OK", b"999", b"600", b"204",
              b"304", b"205", b"\x00", b"-01", b"0200", b"200\r\nX: y"]
    value = rng.choice(values)
    kind = rng.choice(["value"] * 8 + ["missing", "twice", "after", "name"])
    status = [(b":status", value)]
    ready = {
        "value": status + fields, "missing": fields, "twice": [(b":status", b"200")] + status + fields,
        "after": fields + [(b":status", b"200")], "name": [(b":Status", b"200")] + fields}[kind]
    frames[0] = Frame(HEADERS, frames[0].flags, block(ready))
    draft.label(f":status {kind}: {value!r}" if kind in ("value", "twice") else f":status {kind}")
    return frames


def bad_fields(rng, draft, frames):
    odd = rng.choice(
        [(b"X-Upper", b"y"), (b"", b"y"), (b"x y", b"z"), (b"x", b"a\r\nb"), (b"x", b"a\x00b"), (b"connection", b"close"),
         (b"transfer-encoding", b"chunked"), (b"keep-alive", b"1"), (b":path", b"/"), (b":other", b"x"), (b"x:", b"y"),
         (b"x", b" y"), (b"x", b"\xe9"), (b"upgrade", b"h2c"), (b"x\r\ny", b"z"), (b"x", b"z" * 16000), (b"te", b"gzip"),
         (b"set-cookie", b"a=b"), (b"host", b"other"), (b"proxy-connection", b"close")])
    fields = draft.fields()
    fields.insert(rng.randrange(1, len(fields) + 1), odd)
    frames[0] = Frame(HEADERS, frames[0].flags, block(fields))
    draft.label(f"field {odd[0]!r}: {odd[1][:10]!r}")
    return frames


def bad_block(rng, draft, frames):
    odd = rng.choice(
        [b"\x80", b"\xff\xff\xff\xff\xff\x0f", b"\x7f\x80\x80\x80\x80\x80\x80\x01", b"\x3f\xff\xff\xff\x7f", b"\x00\x81\xff\x01y", b"\xc0",
         b"\x00\x7f\xff\xff\xff\x0f", b"\x00\x05ab", b"\x20\x3f\xe1\x1f", b"\x00\x84\xff\xff\xff\xff\x01y", b"\xbe", b"\x00\x00\x00"])
    frame = rng.choice([frame for frame in frames if frame.kind == HEADERS] or frames)
    if rng.random() < 0.4:
        frame.payload = frame.payload[:rng.randrange(0, len(frame.payload) + 1)]
        draft.label("a field block that is cut")
    else:
        frame.payload = frame.payload + odd if rng.random() < 0.6 else odd + frame.payload
        draft.label(f"field block with {odd!r}")
    return frames


def lengths(rng, draft, frames):
    right = len(draft.payload)
    value = rng.choice([b"%d" % (right + 1), b"%d" % max(0, right - 1), b"0", b"-1", b"abc", b"99999999999999999999", b"%d, %d" % (right, right)])
    fields = [field for field in draft.fields() if field[0] != b"content-length"] + [(b"content-length", value)]
    frames[0] = Frame(HEADERS, frames[0].flags, block(fields))
    draft.label(f"content-length {value.decode()}" if len(value) > 6 or not value.isdigit() else "content-length that is wrong")
    return frames


def setting(number, value):
    return number.to_bytes(2, "big") + value.to_bytes(4, "big")


def end_where_stuck(draft, settings):
    """Ends the connection after settings that prevent all further requests or their bodies."""
    if settings.endswith((setting(3, 0), setting(4, 0))):
        draft.end = "close"


def settings(rng, draft, frames):
    payload, flags, stream = rng.choice(
        [(bytes(5), 0, 0), (setting(4, 0xFFFFFFFF), 0, 0), (setting(5, 0), 0, 0), (setting(5, 0xFFFFFFFF), 0, 0), (setting(2, 7), 0, 0),
         (b"", 0, None), (setting(1, 0), 1, 0), (setting(1, 0), 0, 0), (setting(1, 0xFFFFFFFF), 0, 0), (setting(99, 1), 0, 0),
         (setting(3, 0), 0, 0), (setting(4, 0), 0, 0), (b"", 1, 0), (setting(3, 1) * 3000, 0, 0), (setting(2, 1), 0, 0)])
    for _ in range(rng.choice([1, 1, 1, 100])):
        frames.insert(rng.randrange(0, len(frames) + 1), Frame(SETTINGS, flags, payload, stream=stream))
    end_where_stuck(draft, payload)
    draft.label(f"SETTINGS {payload[:8].hex()} flags {flags} stream {stream}")
    return frames


def control_frames(rng, draft, frames):
    frame, name = rng.choice(
        [(Frame(PING, 0, bytes(7), stream=0), "PING of 7 bytes"), (Frame(PING, 0, bytes(8)), "PING on a stream"),
         (Frame(PING, 1, bytes(8), stream=0), "PING that was not asked for"),
         (Frame(WINDOW_UPDATE, 0, bytes(4), stream=0), "WINDOW_UPDATE of 0"), (Frame(WINDOW_UPDATE, 0, bytes(4)), "WINDOW_UPDATE of 0 on the stream"),
         (Frame(WINDOW_UPDATE, 0, b"\x7f\xff\xff\xff", stream=0), "WINDOW_UPDATE overflow"), (Frame(WINDOW_UPDATE, 0, bytes(3), stream=0), "WINDOW_UPDATE of 3 bytes"),
         (Frame(PRIORITY, 0, bytes(5)), "PRIORITY"), (Frame(PRIORITY, 0, bytes(4)), "PRIORITY of 4 bytes"),
         (Frame(RST_STREAM, 0, bytes(4), stream=0), "RST_STREAM on stream 0"), (Frame(RST_STREAM, 0, bytes(3)), "RST_STREAM of 3 bytes"),
         # Not the stream of a later request: a frame that arrived late would reset that request.
         (Frame(RST_STREAM, 0, bytes(4), stream=("+", 1000)), "RST_STREAM on an idle stream"), (Frame(GOAWAY, 0, bytes(7), stream=0), "GOAWAY of 7 bytes"),
         (Frame(PUSH_PROMISE, END_HEADERS, b"\x00\x00\x00\x02" + block([(b":path", b"/")])), "PUSH_PROMISE"),
         (Frame(HEADERS, END_HEADERS | PRIORITY_FLAG, b"\x00" * 3), "HEADERS with priority cut")])
    for _ in range(rng.choice([1, 1, 1, 2000])):
        frames.insert(rng.randrange(0, len(frames) + 1), frame)
    draft.label(name)
    return frames


def after_end(rng, draft, frames):
    """Appends frames of a stream that has ended."""
    more = rng.choice([Frame(DATA, END_STREAM, b"more"), Frame(HEADERS, END_HEADERS | END_STREAM, block([(b"x", b"y")])),
                       Frame(RST_STREAM, 0, bytes(4)), Frame(HEADERS, END_HEADERS | END_STREAM, block(draft.fields()))])
    draft.label(f"a frame of kind {more.kind} behind the end")
    return frames + [more]


def order(rng, draft, frames):
    if rng.random() < 0.5:
        rng.shuffle(frames)
        draft.label("frames in another order")
    else:
        frames.insert(rng.randrange(0, len(frames) + 1), rng.choice(frames))
        draft.label("a frame twice")
    return frames


def large(rng, draft, frames):
    size = rng.choice([16385, 20000, 100000])
    frames.insert(1, Frame(rng.choice([DATA, DATA, HEADERS, 99]), 0, bytes(size)))
    draft.label("a frame beyond the limit")
    return frames


def unknown(rng, draft, frames):
    keeps_meaning = True
    for _ in range(rng.choice([1, 3, 500])):
        place = rng.randrange(0, len(frames) + 1)
        # Between HEADERS and CONTINUATION, any other frame is an error (RFC 9113, section 6.10).
        if any(frame.kind == CONTINUATION for frame in frames[place:place + 1]):
            keeps_meaning = False
        frames.insert(place, Frame(rng.randint(16, 255), rng.randrange(256), rng.randbytes(5), stream=rng.choice([0, None])))
    draft.label("frames of an unknown kind", keeps_meaning=keeps_meaning)
    return frames


def flip(rng, draft, frames):
    frame = rng.choice(frames)
    kind = rng.choice(["flags", "kind", "payload", "length"])
    if kind == "flags":
        frame.flags ^= 1 << rng.randrange(8)
    elif kind == "kind":
        frame.kind = rng.randrange(256)
    elif kind == "length":
        frame.length = rng.choice([0, 1, len(frame.payload) + 1, max(0, len(frame.payload) - 1), 0xFFFFFF])
        draft.end = rng.choice(["close", "cut"])
    elif frame.payload:
        payload = bytearray(frame.payload)
        payload[rng.randrange(len(payload))] ^= 1 << rng.randrange(8)
        frame.payload = bytes(payload)
    draft.label(f"random bits in the {kind} of a frame")
    return frames


def coding(rng, draft, frames):
    content = draft.content or b"some content to be coded"
    draft.content = content
    draft.coding, draft.payload, label, expected = codings.mutate(rng, rng.choice(["gzip", "gzip", "deflate"]), content)
    draft.payload = draft.payload[:60000]
    draft.label(label, keeps_meaning=expected is not None)
    return draft.frames()


def early_hints(rng, draft, frames):
    status = rng.choice([b"103", b"103", b"100", b"102", b"101"])
    count = rng.choice([1, 2, 50])
    has_end = rng.random() < 0.2
    draft.label(f"{count} × {status.decode()} before" + (" that end the stream" if has_end else ""),
                keeps_meaning=status in (b"103", b"102") and count < 10 and not has_end)
    return [Frame(HEADERS, END_HEADERS | (END_STREAM if has_end else 0), block([(b":status", status)])) for _ in range(count)] + frames


def preface(rng, draft, frames):
    draft.preface = rng.choice(
        [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", Frame(PING, 0, bytes(8), stream=0).render(1), b"\x00" * 9, b"\xff" * 40,
         Frame(SETTINGS, 1, b"", stream=0).render(1), Frame(SETTINGS, 0, setting(3, 0), stream=0).render(1),
         Frame(SETTINGS, 0, setting(4, 0), stream=0).render(1), Frame(SETTINGS, 0, setting(5, 0xFFFFFF), stream=0).render(1),
         Frame(SETTINGS, 0, bytes(6), stream=0, length=5).render(1), Frame(GOAWAY, 0, bytes(8), stream=0).render(1)])
    end_where_stuck(draft, draft.preface)
    draft.label(f"connection preface {draft.preface[:12]!r}")
    return frames


def until_end(answer, stream):
    """Returns the response without the frames after the end of its stream."""
    frames = []
    for frame in answer.frames:
        frames.append(frame)
        if reaches_end(frame.render(stream), stream):
            break
    short = Frames(answer.method, frames, answer.labels)
    short.preface, short.seed = answer.preface, answer.seed
    return short


def content(data, stream):
    """Returns the content of a stream's DATA frames without padding. The bytes may be truncated."""
    result = b""
    while len(data) >= 9:
        length, kind, flags = int.from_bytes(data[:3], "big"), data[3], data[4]
        payload, data_stream = data[9:9 + length], int.from_bytes(data[5:9], "big") & 0x7FFFFFFF
        if kind == DATA and data_stream == stream:
            pad = payload[0] if flags & PADDED and payload else None
            result += payload if pad is None else payload[1:max(1, len(payload) - pad)]
        data = data[9 + length:]
    return result


def reaches_end(data, stream):
    """Whether the bytes contain a complete frame that ends the stream."""
    while len(data) >= 9:
        length, kind, flags = int.from_bytes(data[:3], "big"), data[3], data[4]
        number = int.from_bytes(data[5:9], "big") & 0x7FFFFFFF
        if len(data) < 9 + length:
            return False
        if number == stream and flags & END_STREAM and kind in (DATA, HEADERS):
            return True
        if number == stream and kind == RST_STREAM:
            return False
        data = data[9 + length:]
    return False
