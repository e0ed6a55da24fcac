"""The bytes that a server sends for one request, and their division into pieces."""

import random
import re


class Answer:
    """The bytes for one request, in pieces, and the state of the connection afterwards.

    `expected` is (status, decoded body) of a valid, unambiguous response, otherwise None. `meant`
    is the same for an invalid response that a lenient client might accept.
    """

    def __init__(self, method, labels, end="keep", expected=None, meant=None):
        self.method = method
        self.labels = list(labels)  # the names of the mutations
        # "keep", "close" (in order), "cut" (close, over TLS without close_notify) or "reset"
        self.end = end
        self.expected, self.meant = expected, meant
        self.endless = None  # bytes that are repeated forever after the others
        self.seed = 0  # seed for the lengths of the pieces

    def render(self, stream):
        """Returns the bytes. `stream` is the ID of the HTTP/2 stream."""
        raise NotImplementedError

    def glued(self):
        """Returns the number of bytes at the end that must be in the last piece."""
        return 0

    def pieces(self, stream):
        """Returns (bytes, pause in seconds before the next piece) for each piece."""
        data = self.render(stream)
        return cut(random.Random(self.seed), data, self.glued())


class Message(Answer):
    """An HTTP/1 response: head, body, and extra bytes after the end of the response."""

    def __init__(self, method, head, body, labels, extra=b"", **more):
        super().__init__(method, labels, **more)
        self.head, self.body, self.extra = head, body, extra

    def render(self, stream):
        return self.head + self.body + self.extra

    # Bytes after the end must arrive in the same piece as the end. In a later piece, a client would
    # correctly take them for the response to its next request.
    def glued(self):
        has_body = self.method != "HEAD" and not re.search(rb"^HTTP/\S+ +(204|304)", self.head, re.M)
        behind = len(self.extra) if has_body else len(self.body) + len(self.extra)
        return behind + 1 if behind else 0


class Frames(Answer):
    """An HTTP/2 response: frames. A frame whose stream is None gets the stream of the request."""

    def __init__(self, method, frames, labels, **more):
        super().__init__(method, labels, **more)
        self.frames = frames
        self.preface = None  # on a new connection: bytes instead of the server's SETTINGS frame

    def render(self, stream):
        return b"".join(frame.render(stream) for frame in self.frames)


def cut(rng, data, glued=0, pauses=6):
    """Divides `data` into pieces of random lengths, some followed by a pause of 0.5 to 3 ms."""
    last = max(0, len(data) - glued)
    way = rng.random()
    if way < 0.3 or last < 2:
        places = []
    elif way < 0.45 and last <= 400:
        places = list(range(1, last))
    elif way < 0.6:
        # Within the head, where parsers keep state between pieces.
        places = sorted({rng.randrange(1, min(last, 80)) for _ in range(rng.randint(1, 4))})
    else:
        places = sorted({rng.randrange(1, last) for _ in range(rng.randint(1, 8))})
    resting = set(rng.sample(places, min(len(places), pauses)))
    pieces, start = [], 0
    for place in places:
        pieces.append((data[start:place], rng.uniform(0.0005, 0.003) if place in resting else 0))
        start = place
    pieces.append((data[start:], 0))
    return pieces
