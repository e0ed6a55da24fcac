"""Results that differ from the references but are not findings, each with its reason."""

import re

import http2

# Allowed by the standards. Each pattern matches the label of a mutation in http1.py or http2.py.
RIGHT = [
    (r"first line b'HTTP/1.1(  |\\t)200 OK'", "any whitespace may separate the parts of a status line (RFC 9112, section 4)"),
    (r"Content-Length: %d, ?%d", "a list of one length again and again may be taken for that length (RFC 9110, section 8.6)"),
    (r"Transfer-Encoding: (,chunked|chunked,)", "empty elements of a list are ignored (RFC 9110, section 5.6.1.2)"),
    (r"over HTTP/1.0", "chunked over HTTP/1.0 is read, and the connection closed (RFC 9112, section 6.1)"),
    (r"\d+ × 1\d\d before", "there may be any number of informational responses, Go stops after five (RFC 9110, section 15.2)"),
    (r"chunk size %x ", "spaces behind a chunk size are common, and change nothing (RFC 9112, section 7.1.1)"),
    (r"(lines that end in|control byte) b'\\r(\\r\\n)?'", "a bare CR may be taken for a space (RFC 9112, section 2.2)"),
    (r"GOAWAY\(\d+, \d+\)", "an answer that is whole counts beside a GOAWAY (RFC 9113, section 6.8)"),
    (r"status \d+|a body where none may be", "204, 304 and answers to HEAD have no body, whatever comes (RFC 9112, section 6.3)"),
]

# Forbidden by the standards, but harmless: libcurl ignores text after the digits of a chunk size,
# and accepts LF as CRLF, "HTTP/2" as a version of HTTP/1, and zlib data under the name gzip. A
# program that uses libcurl cannot detect these.
LENIENT = "libcurl reads a malformed HTTP/1 message as it was meant"
LENIENT_LABELS = r"(raw )?deflate: wrong name|version HTTP/2"

# Documented in the README of MoyaTransportCurl.
LOST_END = "libcurl before 8.1 takes frames of HTTP/2 that break the protocol for the end of a body without a length or a coding"
LOST_RESET = "libcurl takes RST_STREAM(NO_ERROR) for the end of a body without a length or a coding"


# Documented in docs/LibcurlDefects.md.
CONTINUATIONS = "Debian 12's nghttp2 counts reads as CONTINUATION frames, and refuses more than eight"


def failure(exchange, play, result):
    """Returns why an error for a valid response is no finding, or None."""
    if not exchange.is_http2:
        return None
    is_refused = "Too many CONTINUATION frames" in (result.get("cause") or "")
    # The transport refuses the repetition of a POST, and libcurl does not say why it repeats it.
    is_repeated = "was not repeated" in (result.get("message") or "")
    if is_repeated and play.follows_failure:
        return "a POST on a connection that frames of an earlier response break is not sent again"
    return CONTINUATIONS if is_refused or is_repeated and "CONTINUATION: right" in exchange.labels else None


def cut(answer, stream, got):
    """Returns why a success for a truncated response is no finding, or None."""
    if not hasattr(answer, "frames"):
        return None
    if answer.method == "HEAD" and got == answer.meant:
        return "an answer to HEAD is whole with its head (RFC 9110, section 9.3.2)"
    return end_of_frames(answer, stream, got)


def end_of_frames(answer, stream, got):
    """Returns why an HTTP/2 body may differ in length from the intended one, or None.

    A mutation can make it shorter or longer where the transport cannot detect the body's end.
    """
    data = answer.render(stream)
    content = http2.content(data, stream)
    is_sent = got[0] == answer.meant[0] or b":status\x03%03d" % got[0] in data
    if not is_sent or got != answer.meant and not content.startswith(got[1]):
        return None
    if got[0] in (204, 304) and not got[1]:
        return "a response that never has a body is whole with its head (RFC 9110, section 6.4.1)"
    length = re.search(rb"content-length(.)([0-9]+)", data, re.S)
    has_length = length and int(length[2][:length[1][0]] or b"-1") == len(got[1])
    if has_length or got == answer.meant and (length or b"content-encoding" in data):
        return "a body is whole by its length or its coding"
    if got[1] == content and http2.reaches_end(data, stream):
        return "DATA of a stream that is closed is passed over (RFC 9113, section 5.1)"
    # The content coding matters only once the body has a byte.
    if length or got[1] and b"content-encoding" in data:
        return None
    return LOST_RESET if "RST_STREAM(0) before the end" in answer.labels else LOST_END


def difference(answer, stream, labels, got, opinions):
    """Returns why a success that no reference shares is no finding, or None.

    Status and body must be the intended ones.
    """
    is_http1 = not hasattr(answer, "frames")
    if not is_http1:
        reason = end_of_frames(answer, stream, got)
        if reason:
            return reason
    if got != answer.meant:
        return None
    for pattern, reason in RIGHT:
        if any(re.fullmatch(pattern, label) for label in labels):
            return reason
    is_lenient = any(re.fullmatch(LENIENT_LABELS, label) for label in labels)
    return LENIENT if is_http1 and (is_lenient or opinions["libcurl"] == got) else None
