"""Defects of URLSession on Linux that are known. Most are in the README of MoyaTransportFoundation."""

import re

FIELDS = rb"(?:[^\r\n][^\n]*\n)*"
HEAD = rb"\A(?:HTTP/1\.1 1[^\n]*\n" + FIELDS + rb"\r?\n)*HTTP/[^\n]*\n" + FIELDS
LENIENT = r"a success that no strict reference shares"
SUCCESS = rf"a cut answer is a success|{LENIENT}|a valid answer differs"
# Lengths of which libcurl reads one, or the leading digits.
LENGTH = r"two Content-Length fields|Content-Length: .*"

# (kind of finding, pattern in the bytes of one of its responses, reason)
BY_BYTES = [
    (r"crash", rb"(?:\A|\n)0+(?:;[^\n]*)?\r?\n[^\r\n]", "trailer fields end the process"),
    (r"crash", HEAD + rb"(?:\r[^\n]|\0)", "a line of the head that begins with a carriage return or NUL ends the process"),
    (r"crash", HEAD + rb"[^\n]*\Z", "a connection that closes within a head ends the process"),
    (r"a valid answer fails", rb"(?i)\r\ncontent-encoding: deflate\r\n", "raw deflate whose first byte comes by itself is an error"),
    (SUCCESS, HEAD + rb"\r[^\n]", "a line that begins with a carriage return ends the head"),
    (LENIENT, rb"\A(?!HTTP/1\.[01] )", "a status line of another version is a response"),
    (SUCCESS, rb"(?i)\n0+\r\n\r\Z", "chunks without their last line feed are whole"),
    (SUCCESS, rb"\AHTTP/1\.1 3", "the body of a redirect without a usable Location is lost"),
]

# (kind of finding, label of a mutation in this or an earlier request of the case, reason)
BY_MUTATION = [
    (SUCCESS, r"(raw )?(deflate|gzip): .*|chain of .*|a body that is cut|Transfer-Encoding: gzip, chunked",
     "a compressed body that is cut is a whole one"),
    (LENIENT, r"a folded field", "a folded Content-Encoding names no coding, and the body is not decoded"),
    (LENIENT, r"control byte b'\\r'", "a bare CR belongs to the field's value, and a body of an unknown coding is not decoded"),
    (r"a valid answer fails", r"gzip: (members|empty member)", "several members of gzip are an error"),
    (r"hang|memory|a redirect's body is read|a valid answer fails", r"endless: .*|redirect with an endless body|.*bomb.*",
     "URLSession reads on while a server sends, and holds up the process meanwhile"),
    (r"an error that misleads", r".*", "errors have the words of URLSession's libcurl"),
]


def known(finding):
    """Returns the known defect that explains a finding, or None."""
    exchanges = finding.case.exchanges
    sent = [answer.render(1) for answer in exchanges[finding.exchange].answers]
    for kind, pattern, reason in BY_BYTES:
        if re.fullmatch(kind, finding.kind) and any(re.search(pattern, data) for data in sent):
            return reason
    if re.fullmatch(SUCCESS + "|a valid answer fails", finding.kind) and any(
            answer.glued() or any(re.fullmatch(LENGTH, label) for label in exchange.labels)
            for exchange in exchanges[:finding.exchange] for answer in exchange.answers if not hasattr(answer, "frames")):
        return "bytes after a response are the next response"
    labels = [label for exchange in exchanges[:finding.exchange + 1] for label in exchange.labels]
    for kind, mutation, reason in BY_MUTATION:
        if re.fullmatch(kind, finding.kind) and any(re.fullmatch(mutation, label, re.S) for label in labels):
            return reason
    return None
