"""What a server sends for one request, and in which pieces."""

import random
import re


class Answer:
    """The bytes for one request, cut into pieces, and how the connection goes on.

    `expected` is (status, decoded body) where the answer is valid and has one meaning, otherwise None. `meant` is the same
    for an answer that is not valid, where a lenient reader might see through the mutations.
    """

    def __init__(self, method, labels, end="keep", expected=None, meant=None):
        self.method = method
        self.labels = list(labels)  # the names of the mutations
        self.end = end  # "keep", "close" (in order), "cut" (close, over TLS without close_notify) or "reset"
        self.expected, self.meant = expected, meant
        self.endless = None  # bytes that are sent again and again after the others
        self.seed = 0  # of the pieces

    def render(self, stream):
        """The bytes, for the HTTP/2 stream of this number."""
        raise NotImplementedError

    def glued(self):
        """How many bytes at the end belong into the last piece."""
        return 0

    def pieces(self, stream):
        """(bytes, pause in seconds before the next) for each piece."""
        data = self.render(stream)
        return cut(random.Random(self.seed), data, self.glued())


class Message(Answer):
    """An HTTP/1 answer: bytes, of which the first `head` are its head."""

    def __init__(self, method, head, body, labels, extra=b"", **more):
        super().__init__(method, labels, **more)
        self.head, self.body, self.extra = head, body, extra

    def render(self, stream):
        return self.head + self.body + self.extra

    # A client is through with the answer before it sees what follows in a piece of its own. It would take
    # that for the answer to its next request, and could not know better.
    def glued(self):
        has_body = self.method != "HEAD" and not re.search(rb"^HTTP/\S+ +(204|304)", self.head, re.M)
        behind = len(self.extra) if has_body else len(self.body) + len(self.extra)
        return behind + 1 if behind else 0


class Frames(Answer):
    """An HTTP/2 answer: frames, whose stream is the request's where it is None."""

    def __init__(self, method, frames, labels, **more):
        super().__init__(method, labels, **more)
        self.frames = frames
        self.preface = None  # bytes in place of the server's SETTINGS frame, on a new connection

    def render(self, stream):
        return b"".join(frame.render(stream) for frame in self.frames)


def cut(rng, data, glued=0, pauses=6):
    """Cuts `data` into pieces of random lengths, with few pauses of a few milliseconds."""
    last = max(0, len(data) - glued)
    way = rng.random()
    if way < 0.3 or last < 2:
        places = []
    elif way < 0.45 and last <= 400:
        places = list(range(1, last))
    elif way < 0.6:
        # In the head, where parsers keep state.
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
