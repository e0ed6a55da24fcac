"""Random responses to one HTTP/1.1 request: valid ones, and mutations of them (RFC 9110, RFC 9112)."""

LIMIT = 256 << 10
STATUS_LINES = [
    b"HTTP/1.1 OK", b"HTTP/1.1 2000 OK", b"HTTP/1.1 20 OK", b"HTTP/1.1 099 X", b"HTTP/1.1 2x0 OK", b"http/1.1 404 No", b"Http/1.1 200 OK",
    b"HTTP/x", b"HTTP/x 201 OK", b"HTTP/ 404", b"HTTP/1.1  200 OK", b"HTTP/1.1\t200 OK", b"HTTP/1.1 204", b"HTTP/1.1 200\tOK", b"garbage",
    b"HTTP/1.2 200 OK", b"HTTP/1.1", b" HTTP/1.1 200 OK", b"HTTP/1.1 700 X", b"HTTP/1.0 200 OK", b"HTTP/1.1 -20 OK", b"",
]
ODD_FIELDS = [
    b"Content-Length: 5", b"content-length:5", b"CONTENT-LENGTH:\t5 ", b"Content-Length: 6", b"Content-Length: 5, 5", b"Content-Length: 5,6",
    b"Content-Length: 005", b"Content-Length: +5", b"Content-Length: -5", b"Content-Length: 5x", b"Content-Length: 0x5", b"Content-Length:",
    b"Content-Length: 5,", b"Content-Length: ,5", b"Content-Length: 5 5", b"Content-Length: 9223372036854775807", b"Content-Length: 5.0",
    b"Content-Length: 9223372036854775808", b"Content-Length: 18446744073709551621", b"Content-Length : 5", b"Content-Length\t: 5",
    b"Content-Length: 5\r", b"Content-Length: 5\x0b", b"Content\rLength: 5", b"Content-Length", b"Content-Lengths: 5",
    b"X-Content-Length: 6",
    b"Content-Length: 0", b"Content-Length:\r\n 5", b"Content-Length: 5\r\n 6", b"Content-Length: 5\r\n ", b"X: y\r\n Content-Length: 6",
    b"Transfer-Encoding: chunked", b"transfer-encoding:CHUNKED", b"Transfer-Encoding: identity", b"Transfer-Encoding: identity, chunked",
    b"Transfer-Encoding: chunked, identity", b"Transfer-Encoding: gzip, chunked", b"Transfer-Encoding: chunked, chunked",
    b"Transfer-Encoding: chunked;a=b", b"Transfer-Encoding: xchunked", b"Transfer-Encoding : chunked", b"Transfer-Encoding: \"chunked\"",
    b"Transfer-Encoding: ,chunked,", b"Transfer-Encoding:", b"Transfer-Encoding: \r\n chunked", b"Transfer-Encoding: chunked\r\n\t",
    b"Transfer-Encoding: \x0bchunked", b"Transfer-Encoding\t\t: x", b"Transfer-Encoding: chunked\r", b"Transfer_Encoding: gzip",
    b"X: y", b"X: y\r\n z", b" X: y", b"no colon", b": no name", b"\rA: b", b"\r", b"A: b\rC: d", b"HTTP/1.1 200 OK: x", b"HTTP/1.1 500 No",
    b"Content-Encoding: gzip", b"X: \xc3\xa9", b"X: \x01", b"Content-Length: 5\r\n\tX: y", b"Transfer-Encoding: deflate",
]
TRAILER_FIELDS = [
    b"A: b", b"A:b ", b"E:\t f\t", b"C: d: e", b"no colon", b"X-\xc3\xa9: \xc3\xa9", b": x", b"A:", b"HTTP/1.1 404 No: x", b"HTTP/1.1 200 OK",
    b"Content-Length: 7", b"Transfer-Encoding: gzip", b"A : b", b"A: b\rC: d", b"Set-Cookie: a=b",
]
BYTES = b"\r\n\t :;,0159aFx-\x0b\x0c"


def chunks(rng, content):
    """Returns `content` with chunk framing, in some cases with extensions or line feeds alone."""
    body, end = b"", rng.choice([b"\r\n"] * 5 + [b"\n"])
    while content:
        size = rng.randint(1, len(content))
        digits = b"%x" % size if rng.random() < 0.8 else b"%0*X" % (rng.choice([4, 16, 17]), size)
        body += digits + rng.choice([b"", b"", b"", b";a=b", b" ", b"; q=\"5\"", b"\r"]) + end + content[:size] + end
        content = content[size:]
    body += rng.choice([b"0"] * 6 + [b"000", b"0;x", b"0 "]) + end
    for _ in range(rng.choice([0, 0, 0, 1, 2, 4])):
        body += rng.choice(TRAILER_FIELDS) + rng.choice([b"\r\n"] * 6 + [b"\n"])
    return body + end


def message(rng, status, hasBody=True, isClean=False):
    """Returns a response. `isClean` leaves out what may end the reading."""
    first = b"HTTP/1.1 %d %s" % (status, rng.choice([b"OK", b"Not so", b""]))
    content = bytes(rng.choice(b"hello\r\n0") for _ in range(rng.choice([0, 0, 5, 5, 5, 40])))
    kind = rng.choice(["length", "chunked", "chunked"] if isClean else ["length", "length", "chunked", "chunked", "chunked", "close"])
    fields = rng.sample([b"A: b", b"Date: x", b"Link: <a>", b"Folded: x\r\n y"], rng.randint(0, 3))
    if kind == "length":
        fields.append(rng.choice([b"Content-Length: %d", b"content-LENGTH:%d", b"Content-Length: %d, %<d"])
                      .replace(b"%<d", b"%d" % len(content)).replace(b"%d", b"%d" % len(content)))
    elif kind == "chunked":
        fields.append(rng.choice([b"Transfer-Encoding: chunked", b"TRANSFER-encoding:Chunked", b"Transfer-Encoding: identity,chunked"]))
        content = chunks(rng, content)
    rng.shuffle(fields)
    if not isClean:
        if rng.random() < 0.08:
            first = rng.choice(STATUS_LINES)
        for _ in range(rng.choice([0] * 9 + [1, 1, 1, 2, 3])):
            fields.insert(rng.randint(0, len(fields)), rng.choice(ODD_FIELDS))
        if rng.random() < 0.002:
            size = rng.choice([LIMIT // 2, LIMIT - 100, LIMIT - rng.randint(1, 99), LIMIT])
            fields.append(b"Big: " + b"x" * size)
    ends = [b"\r\n"] * 6 + [b"\n"]
    head = b"".join(line + rng.choice(ends) for line in [first, *fields, b""])
    return head + content if hasBody else head


def mutate(rng, data):
    """Returns `data` with one change of a byte, a line or a run of bytes."""
    lines = data.split(b"\n")
    at, line, other = rng.randint(0, len(data)), rng.randrange(len(lines)), rng.randrange(len(lines))
    size = rng.choice([1, 1, 1, 2, 7])
    change = rng.choice(["drop", "double", "insert", "swap", "cut", "line drop", "line double", "line insert", "line swap", "line cut"])
    if change == "line drop":
        del lines[line]
    elif change == "line double":
        lines.insert(line, lines[line])
    elif change == "line insert":
        lines.insert(line, rng.choice(ODD_FIELDS + STATUS_LINES + TRAILER_FIELDS) + b"\r")
    elif change == "line swap":
        lines[line], lines[other] = lines[other], lines[line]
    elif change == "line cut":
        lines = lines[:line + 1]
    if change.startswith("line"):
        return b"\n".join(lines)
    middle = {"drop": b"", "double": data[at:at + size] * 2, "swap": data[at:at + size][::-1]}
    if change in middle:
        return data[:at] + middle[change] + data[at + size:]
    return data[:at] + (bytes([rng.choice(BYTES)]) + data[at:] if change == "insert" else b"")


def generate(rng):
    """Returns the request's properties, how many responses libcurl answers, and the bytes."""
    shares = {"H": 0.1, "U": 0.15, "E": 0.25, "N": 0.35}
    properties = "".join(letter for letter in shares if rng.random() < shares[letter]) + rng.choice(["", "", "y", "n"])
    has = properties.__contains__
    data, repeats = b"", rng.choice([0] * 6 + [1, 1, 2, 3])
    if rng.random() < 0.006:
        repeats = rng.randint(8, 11)
    for _ in range(repeats):
        if rng.random() < 0.2:
            data += message(rng, rng.choice([100, 103]), hasBody=False)
        challenges = [407] * 6 + [401, 401, 200] if has("N") else [407]
        data += message(rng, rng.choice(challenges), not has("H"), isClean=rng.random() < 0.9)
    for _ in range(rng.choice([0] * 7 + [1, 2])):
        data += message(rng, rng.choice([100, 102, 103, 103, 199]), hasBody=False, isClean=rng.random() < 0.7)
    status = rng.choice([200] * 12 + [404, 500, 204, 304, 401, 407, 407, 417, 417, 101, 302])
    data += message(rng, status, not has("H") and status not in (204, 304))
    if rng.random() < 0.2:
        data += rng.choice([b"x", b"\r", b"\n", b"\r\n", b"HTTP/1.1 200 OK\r\n\r\n", b"HTTP/1.1 200 OK\r\n", b"0\r\n\r\n"])
    if rng.random() < 0.03:
        data = data[:-1]
    for _ in range(rng.choice([0] * 6 + [1, 1, 1, 2, 3])):
        data = mutate(rng, data)
    return properties, max(0, repeats + rng.choice([0] * 12 + [-1, 1])), data
