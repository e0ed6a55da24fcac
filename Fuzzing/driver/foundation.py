"""Known defects of URLSession on Linux, as listed in the README of MoyaTransportFoundation."""

import re

HEAD = rb"\AHTTP/[^\n]*\n(?:[^\r\n][^\n]*\n)*"
SUCCESS = r"a cut answer is a success|a success that no strict reference shares|a valid answer differs"

# (kind of finding, pattern in the bytes of one of its responses, reason)
BY_BYTES = [
    (r"crash", rb"(?:\A|\n)0+(?:;[^\n]*)?\r?\n[^\r\n]", "trailer fields end the process"),
    (r"crash", HEAD + rb"\r[^\n]", "a line of the head that begins with a carriage return ends the process"),
    (r"crash", HEAD + rb"[^\n]*\Z", "a connection that closes within a head ends the process"),
    (r"a valid answer fails", rb"(?i)\r\ncontent-encoding: deflate\r\n", "raw deflate whose first byte comes by itself is an error"),
    (SUCCESS, HEAD + rb"\r[^\n]", "a line that begins with a carriage return ends the head"),
    (SUCCESS, rb"\AHTTP/2", "HTTP/2 as text is a response"),
    (SUCCESS, rb"(?i)\n0+\r\n\r\Z", "chunks without their last line feed are whole"),
    (SUCCESS, rb"\AHTTP/1.1 3", "the body of a redirect without a Location is lost"),
]

# (kind of finding, label of a mutation in this or an earlier request of the case, reason)
BY_MUTATION = [
    (SUCCESS, r"(raw )?(deflate|gzip): .*|chain of .*|a body that is cut", "a compressed body that is cut is a whole one"),
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
    if finding.kind.startswith("a valid answer") and any(
            answer.glued() for exchange in exchanges[:finding.exchange] for answer in exchange.answers if not hasattr(answer, "frames")):
        return "bytes behind a response are the next one"
    labels = [label for exchange in exchanges[:finding.exchange + 1] for label in exchange.labels]
    for kind, mutation, reason in BY_MUTATION:
        if re.fullmatch(kind, finding.kind) and any(re.fullmatch(mutation, label, re.S) for label in labels):
            return reason
    return None
