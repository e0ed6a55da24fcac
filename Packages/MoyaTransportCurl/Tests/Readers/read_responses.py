"""Generates responses to one HTTP/1.1 request, and judges them by RFC 9110, RFC 9112 and the documentation of `ResponseReader`.

  read_responses.py --seed 7 --first 0 --count 2000   # a line for each case
  read_responses.py --seed 7 --first 12 --count 1 --show
  read_responses.py --seed 7 --count 200000 --summary

`ResponseReaderFuzzTests` compares the results with those of `ResponseReader`. A line has the case's number, the request, the steps of
libcurl and the result, separated by tabs. The steps are those of libcurl before 8.6, which passes on the most invalid responses.

The request: H for HEAD, U if it asks for another protocol, E for `Expect: 100-continue`, N for Negotiate, y or n if the connection uses TLS
and ends with or without close_notify.

Steps, with bytes in base64:
  h BYTES  libcurl reads a head, or what there is of it
  b        the first byte of the body arrives
  f BYTES  the body with its chunk framing
  s BYTES  bytes after that body, read together with its last byte
  t BYTES  trailer fields
  c        libcurl opens another connection
  r        libcurl writes the request again
  e        libcurl accepts the response, which announces no length
  w l      libcurl accepts the response, which has the announced length, or lacks bytes
  x        libcurl fails

The result is text, in base64: a line for each accepted head, `surplus` if bytes follow a chunked body, the verdict, and
`name:value` for each trailer field. Verdicts: `whole`, `cutOff`, `invalid`, and `failed` if libcurl fails without the reader.
"""
import argparse
import base64
import collections
import random
import re
import sys

sys.dont_write_bytecode = True

from random_responses import generate

FIELD_LIMIT = 256 << 10
CHALLENGE_LIMIT = 10

# A recipient may replace CR and NUL with SP (RFC 9110, section 5.5). Other control characters are not white space of a field.
SPACE = b"\x00\t\r "
# White space after the status code (RFC 9112, section 4).
STATUS_LINE = re.compile(rb"HTTP/1\.[01] +([1-9][0-9][0-9])[ \t\x0b\x0c\r\n]")
# Status lines that libcurl refuses: another version, and no space after the version.
UNSUPPORTED = re.compile(rb"HTTP/(?:[02-9]|1(?!\.[01][ \t]))")
# Fields, and a line that is or that libcurl takes for the empty one.
HEAD = re.compile(rb"((?:[^\r\n][^\n]*\n)*)(\n|\r[^\n]*\n)")
FRAMING = re.compile(rb"^(content-length|transfer-encoding)([\x00-\x09\x0b-\x20]*):([^\n]*\n)((?:[ \t][^\n]*\n)*)", re.I | re.M)
CHUNK = re.compile(rb"([0-9A-Fa-f]{1,16})(?![0-9A-Fa-f])[^\n]*\n")
CHUNK_END = re.compile(rb"\r*\n")
TRAILERS = re.compile(rb"((?:[^\r\n]+\r?\n)*)(?:\r?\n|(\r)\Z)")


class Verdict(Exception):
    """Ends the reading of a case."""


class Undefined(Exception):
    """The documentation does not say what comes of the case."""


class Reading:
    """Reads a case. `repeats` is the number of responses that libcurl answers with another request."""

    def __init__(self, properties, repeats, data):
        self.properties, self.repeats, self.data = properties, repeats, data
        self.events, self.trailers, self.surplus, self.steps = [], [], False, []

    def step(self, letter, data=b""):
        self.steps.append(letter + base64.b64encode(data).decode())

    def result(self):
        position, used, answered = 0, 0, 0
        try:
            while True:
                position, used, isAnswered = self.response(position, used, answered)
                answered += isAnswered
        except Verdict as verdict:
            if str(verdict) == "failed":
                self.step("x")
            lines = self.events + [str(verdict)]
            if str(verdict) in ("whole", "cutOff"):
                lines = self.events + ["surplus"] * self.surplus + [str(verdict)] + self.trailers
            return "\n".join(lines)

    def response(self, start, used, answered):
        """Reads a response. Returns its end, the bytes of lines that count for the next one, and whether libcurl answers it."""
        head = HEAD.match(self.data, start)
        lines = self.data[start:self.data.rfind(b"\n") + 1] if head is None else head[0]
        first = lines.partition(b"\n")[0] + b"\n"
        # libcurl reports an empty response, HTTP/0.9 or an unknown version.
        if not lines or first[:5].upper() != b"HTTP/" or UNSUPPORTED.match(first):
            raise Verdict("failed")
        self.step("h", lines)
        status = STATUS_LINE.match(first)
        if used + len(lines) > FIELD_LIMIT:
            raise Verdict("invalid")
        if head is None:
            # A truncated head with a wrong status line is both truncated and invalid.
            if status is None:
                raise Undefined
            self.step("e")
            raise Verdict("cutOff")
        if status is None:
            # A body has the result of its end.
            self.step("b" if len(lines) % 2 else "e")
        if status is None or head[2] not in (b"\r\n", b"\n"):
            raise Verdict("invalid")
        return self.accept(int(status[1]), head, used + len(lines), answered)

    def accept(self, status, head, used, answered):
        has = self.properties.__contains__
        if status < 200:
            if status == 101 and not has("U"):
                raise Verdict("invalid")
            self.events.append(f"informational {status}")
            if status == 101:
                # libcurl reports an empty response if no byte follows.
                if head.end() == len(self.data):
                    raise Verdict("failed")
                self.steps += ["b", "e"]
                raise Verdict("whole")
            return head.end(), used, False
        mayHaveBody = not has("H") and status not in (204, 304)
        length, isChunked = framing(head[1]) if mayHaveBody else (0, False)
        end = "chunked" if isChunked else "close" if length is None else "length" if length else "none"
        kind = "last"
        if status == 407 or status == 401 and has("N"):
            if answered >= CHALLENGE_LIMIT:
                raise Verdict("invalid")
            kind = "challenge"
        elif status == 417 and has("E"):
            kind = "refusedExpectation"
        self.events.append(f"{kind} {status} {end}")
        if kind == "refusedExpectation":
            self.step("l")
            raise Verdict("whole")
        # With Negotiate, libcurl also repeats a request that it has sent without its body.
        isAnswered = self.repeats > 0 and (kind == "challenge" or has("N") and status < 300)
        self.repeats -= isAnswered
        mayBeFollowed = status == 407 or has("N") and (status < 300 or status == 401)
        if isChunked:
            return self.chunked(head.end(), used, isAnswered, mayBeFollowed)
        if isAnswered:
            # Without a length, libcurl goes on over another connection.
            self.steps += ["c", "r"] if length is None else ["r"]
            return min(len(self.data), head.end() + (length or 0)), 0, True
        left = len(self.data) - head.end()
        if mayHaveBody and left > 0 and length != 0:
            self.step("b")
        # The length of a response without a body is that of another response.
        self.step("e" if length is None else "w" if mayHaveBody and left >= length else "l")
        isCut = length is None and has("n") or length is not None and left < length
        raise Verdict("cutOff" if isCut else "whole")

    def chunked(self, start, used, isAnswered, mayBeFollowed):
        position = start
        while True:
            line = CHUNK.match(self.data, position)
            if line is None:
                raise Verdict("failed")
            size = int(line[1], 16)
            if size == 0:
                break
            end = CHUNK_END.match(self.data, min(len(self.data), line.end() + size))
            if end is None:
                raise Verdict("failed")
            position = end.end()
        trailers = TRAILERS.match(self.data, line.end())
        if trailers is None:
            raise Verdict("failed")
        fields = [line.rstrip(b"\r") for line in trailers[1].split(b"\n")[:-1]]
        # libcurl passes them on with CRLF.
        used += sum(len(line) + 2 for line in fields)
        # Before the first byte of a body, nothing but its place tells a trailer field from a status line. Folded trailer fields are not
        # documented.
        isEmpty = isAnswered or position == start
        if isEmpty and mayBeFollowed and any(line[:5].upper() == b"HTTP/" for line in fields):
            raise Undefined
        if any(line[:1] in (b" ", b"\t") for line in fields):
            raise Undefined
        self.step("f", self.data[start:trailers.end()])
        self.surplus = not isAnswered and trailers.end() < len(self.data)
        if self.surplus:
            self.step("s", self.data[trailers.end():])
        if not isEmpty:
            self.step("b")
        if fields:
            self.step("t", b"".join(line + b"\r\n" for line in fields))
        self.step("r" if isAnswered else "e")
        if used > FIELD_LIMIT:
            raise Verdict("invalid")
        if isAnswered:
            return trailers.end(), 0, True
        texts = [line.partition(b":") for line in fields]
        self.trailers = [(name + colon + value.strip(b" \t\r")).decode(errors="replace") for name, colon, value in texts if colon]
        raise Verdict("cutOff" if trailers[2] else "whole")


def framing(fields):
    """Returns the length and whether the body is chunked. Raises a verdict if they are not certain."""
    lengths, codings = set(), []
    for name, space, value, folds in FRAMING.findall(fields):
        if space or folds:
            raise Verdict("invalid")
        items = [item.strip(SPACE) for item in value.rstrip(b"\n").split(b",")]
        if name.lower() == b"content-length":
            lengths.update(int(item) if item.isdigit() else -1 for item in items)
        else:
            codings += [item.lower() for item in items if item.lower() not in (b"", b"identity")]
    if len(lengths) > 1 or any(not 0 <= length < 1 << 63 for length in lengths) or codings not in ([], [b"chunked"]):
        raise Verdict("invalid")
    return (None, True) if codings else (min(lengths, default=None), False)


def case(seed, number):
    """Returns the request, the bytes, the steps and the result of a case. The same seed and number give the same case."""
    rng = random.Random(f"{seed} {number}")
    while True:
        properties, repeats, data = generate(rng)
        reading = Reading(properties, repeats, data)
        try:
            return properties, data, reading.steps, reading.result()
        except Undefined:
            pass


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--count", type=int, default=2000, help="number of cases")
    parser.add_argument("--show", action="store_true", help="print cases as text")
    parser.add_argument("--summary", action="store_true", help="count the lines of results, and print no cases")
    options = parser.parse_args()
    counts = collections.Counter()
    for number in range(options.first, options.first + options.count):
        request, data, steps, result = case(options.seed, number)
        if options.summary:
            verdicts = ("whole", "cutOff", "invalid", "failed", "surplus")
            counts.update(line if line in verdicts else "trailer field" if ":" in line else "  " + line for line in result.split("\n"))
        elif options.show:
            print(f"case {number}: {request or '-'} {data[:3000]!r}\n  {''.join(step[0] for step in steps)}: {result!r}")
        else:
            print(number, request or "-", " ".join(steps), base64.b64encode(result.encode()).decode(), sep="\t")
    for line, count in counts.most_common():
        print(f"{count:8} {line}")


if __name__ == "__main__":
    main()
