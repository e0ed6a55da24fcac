"""Decides whether a result is a finding."""

import copy
import re

import accepted
import codings
import http1
import http2
from clients import EXCHANGE_TIMEOUT
from server import Play

MAX_REQUESTS = 30
MAX_REDIRECT_BODY = 16 << 20
# Bodies in memory (MEMORY_LIMIT), libcurl's buffers, and memory that the allocator does not return.
MAX_MEMORY = 64 << 20


def body_is_cut(answer, stream):
    """Whether the response is certainly truncated. The references decide about unclear cases."""
    data = answer.render(stream)
    if hasattr(answer, "frames"):
        return not http2.reaches_end(data, stream)
    while True:
        # Some clients take a line that begins with CR for the end of the head.
        end = re.search(b"\n\r?\n", data)
        if not end:
            return answer.end != "keep" and b"\n\r" not in data
        head, rest = data[:end.start()], data[end.end():]
        status = head.split(b" ")[1:2]
        if status and re.fullmatch(b"10[0234-9]|1[1-9][0-9]", status[0]):
            data = rest
            continue
        break
    if answer.method == "HEAD" or status in ([b"204"], [b"304"], [b"101"]):
        return False
    fields = [line.partition(b":") for line in re.split(b"\r?\n", head)[1:]]
    named = lambda wanted: [value.strip().lower() for name, _, value in fields if name.lower() == wanted]
    if named(b"transfer-encoding") == [b"chunked"]:
        return chunked_is_cut(rest)
    lengths = named(b"content-length")
    if len(lengths) == 1 and re.fullmatch(b"[0-9]{1,15}", lengths[0]) and not named(b"transfer-encoding"):
        return len(rest) < int(lengths[0])
    return False


def chunked_is_cut(data):
    while True:
        match = re.match(b"([0-9a-fA-F]{1,8})(;[^\r\n]*)?\r\n", data)
        if not match:
            return not data or re.fullmatch(b"[0-9a-fA-F]+\r?", data) is not None
        size, data = int(match[1], 16), data[match.end():]
        if size == 0:
            return data != b"\r\n" and not data.startswith(b"\r\n") and b"\r\n\r\n" not in data and b"\n\n" not in data \
                and b"\n\r\n" not in data
        if len(data) < size:
            return True
        data = data[size:]
        if data.startswith(b"\r\n"):
            data = data[2:]


def ends_without_notice(exchange, answer):
    """Whether the body ends with a TLS connection without close_notify (RFC 9112, section 9.8)."""
    if exchange.way != "tls" or exchange.is_http2 or answer.end not in ("cut", "reset"):
        return False
    head = answer.head.lower()
    has_body = exchange.method != "HEAD" and not re.search(b"^http/1.[01] (1..|204|304)", head, re.M)
    return has_body and b"content-length" not in head and b"transfer-encoding" not in head


def verdict(exchange, play, result, references, server):
    """Returns what is wrong with a result as (kind, details), or None."""
    if play.taken > MAX_REQUESTS:
        return "too many requests", f"{play.taken} requests for one exchange"
    sent_before = sum(count for number, count in play.sent.items() if number < len(play.answers) - 1)
    if sent_before > MAX_REDIRECT_BODY:
        return "a redirect's body is read", f"{sent_before} bytes were read before the redirect was followed"
    if result.get("status") is None:
        return judge_error(exchange, play, result)
    return judge_success(exchange, play, result, references, server)


def judge_error(exchange, play, result):
    if result["domain"] != "NSURLErrorDomain":
        return "an error that is no URLError", f"{result['domain']} {result['code']}: {result.get('cause')}"
    if re.search("out of memory|bad argument|failed initialization", result.get("message") or "", re.I):
        return "an error that misleads", result["message"]
    if exchange.method == "POST" and result["code"] == -1005 and play.taken == 0:
        return "accepted", "a POST on a connection that the server closes is not sent again (RFC 9110, section 9.2.2)"
    reason = accepted.failure(exchange, play, result)
    if reason:
        return "accepted", reason
    can_fail = len(exchange.answers) > 1 or (exchange.plan and not exchange.plan.keeps_meaning)
    if not can_fail and exchange.answers[0].expected is not None:
        status, body = exchange.answers[0].expected
        return "a valid answer fails", (
            f"expected {status} with {len(body)} bytes, got error {result['code']} after {result['seconds']:.2f} s: {result.get('cause')}")
    return None


def judge_success(exchange, play, result, references, server):
    answer, stream = play.last
    got = result["status"], result["body"]
    if not 200 <= got[0] <= 999:
        return "a status that is no response", f"status {got[0]}"
    if answer.endless:
        return "an endless answer is a success", f"{got[0]} with {len(got[1])} bytes"
    if exchange.method == "HEAD" and got[1]:
        return "a body of a HEAD request", f"{len(got[1])} bytes"
    if body_is_cut(answer, stream):
        reason = accepted.cut(answer, stream, got)
        return ("accepted", reason) if reason else ("a cut answer is a success", f"{got[0]} with {len(got[1])} bytes: {got[1][:60]!r}")
    if ends_without_notice(exchange, answer):
        return "a cut answer is a success", f"{got[0]} with {len(got[1])} bytes, closed without close_notify"
    if len(exchange.answers) == 1 and answer.expected is not None:
        if got == answer.expected:
            return None
        status, body = answer.expected
        return "a valid answer differs", f"expected {status} with {len(body)} bytes, got {got[0]} with {len(got[1])}"
    def ask(name, answer):
        server.play = Play([answer], exchange.plan, "h2" if exchange.is_http2 else "http/1.1")
        return opinion(getattr(references, name)(exchange, server))

    opinions = {}
    for name in ("go", "python", "libcurl"):
        opinions[name] = ask(name, answer)
        if name != "libcurl" and opinions[name] == got:
            return None
    # A client may complete the response before it reads invalid frames after the end.
    if exchange.is_http2 and ask("go", http2.until_end(answer, stream)) == got:
        return None
    # Go fails after five informational responses. Python takes any informational response but 100
    # for the final one.
    final = None if exchange.is_http2 else http1.without_informational(answer)
    if final and final.head != answer.head and got in (ask("go", final), ask("python", final)):
        return None
    # A reset may discard bytes that a reference has not read yet, but this client has.
    if answer.end == "reset":
        in_order = copy.copy(answer)
        in_order.end = "close"
        if ask("go", in_order) == got:
            return None
    reason = accepted.difference(answer, stream, exchange.labels, got, opinions)
    if reason:
        return "accepted", reason
    seen = "; ".join(f"{name}: {describe(value)}" for name, value in opinions.items())
    return "a success that no strict reference shares", f"{describe(got)}, but {seen}"


def opinion(raw):
    """Returns status and decoded body of a reference's result, or None for an error."""
    if raw is None:
        return None
    status, body, names = raw
    try:
        return status, codings.decode(names, body)
    except codings.Undecodable:
        return None


def describe(value):
    return "an error" if value is None else f"{value[0]} with {len(value[1])} bytes {value[1][:24]!r}"
