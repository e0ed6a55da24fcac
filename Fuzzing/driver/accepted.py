"""Successes that no strict reference shares and that are not counted as findings, each with its reason.

A rule applies to one mutation, by the name that http1.py and http2.py give it, and only where libcurl makes the same of
the answer with a new handle.
"""

import re

# Right by the standards.
RIGHT = [
    (r"first line b'HTTP/1.1(  |\\t)200 OK'", "any whitespace may separate the parts of a status line (RFC 9112, section 4)"),
    (r"Content-Length: %d, ?%d", "a list of one length again and again may be taken for that length (RFC 9110, section 8.6)"),
    (r"Transfer-Encoding: (,chunked|chunked,)", "empty elements of a list are ignored (RFC 9110, section 5.6.1.2)"),
    (r"over HTTP/1.0", "chunked over HTTP/1.0 is read, and the connection closed (RFC 9112, section 6.1)"),
    (r"\d+ × 1\d\d before", "there may be any number of informational responses, Go stops after five (RFC 9110, section 15.2)"),
    (r"chunk size %x ", "spaces behind a chunk size are common, and change nothing (RFC 9112, section 7.1.1)"),
    (r"(lines that end in|control byte) b'\\r(\\r\\n)?'", "a bare CR may be taken for a space (RFC 9112, section 2.2)"),
    (r"status \d+|a body where none may be", "204, 304 and answers to HEAD have no body, whatever comes (RFC 9112, section 6.3)"),
]

# Wrong by the standards: libcurl's own leniency, which a program on it cannot see. The body is the one that was meant.
LENIENT = [
    (r"version HTTP/[23](\.0)?", "libcurl takes HTTP/2 for a version of HTTP/1's status line"),
    (r"first line b'HTTP/1.1 200OK'", "libcurl takes a status without a space behind it"),
    (r"chunk size %x(g|\\x00|;\\n|;\\x00)", "libcurl passes over what follows the digits of a chunk size"),
    (r"a chunk that ends in b'\\n'", "libcurl takes LF for CRLF behind a chunk"),
    (r"Transfer-Encoding: chunked, (chunked|identity)", "libcurl reads chunks once, whatever follows in the list"),
    (r"(raw )?deflate: wrong name", "zlib's format is recognized under the name gzip"),
]


def difference(labels, got, opinions):
    """The reason for which a success is no finding, or None."""
    if opinions["libcurl"] != got:
        return None
    for pattern, reason in RIGHT + LENIENT:
        if any(re.fullmatch(pattern, label) for label in labels):
            return reason
    return None
