"""Findings, and Swift tests that reproduce them."""


class Finding:
    def __init__(self, case, exchange, kind, details):
        self.case, self.exchange, self.kind, self.details = case, exchange, kind, details
        self.is_seen_again = None

    @property
    def signature(self):
        return self.kind, tuple(sorted(set(self.case.exchanges[self.exchange].labels)))

    def text(self, command, counts=True):
        exchange = self.case.exchanges[self.exchange]
        again = {True: ", seen again when run alone", False: ", not seen again when run alone", None: ""}[self.is_seen_again]
        return "\n".join([
            f"{'FINDING' if counts else 'NOT COUNTED'}: {self.kind}",
            f"  seed {self.case.seed}, case {self.case.index}, exchange {self.exchange} "
            f"({exchange.method} over {self.case.way}, into {exchange.destination}){again}",
            f"  mutations: {'; '.join(exchange.labels) or 'none'}",
            f"  {self.details}",
            f"  again: {command} --seed {self.case.seed} --case {self.case.index} --verbose",
            swift_test(self.case, self.exchange)])


def parts(data):
    """Divides bytes into repeated units and the parts between them. Yields (unit, count)."""
    start = place = 0
    while place < len(data):
        best = (0, 0)
        for size in range(1, 17):
            unit, end = data[place:place + size], place + size
            while data[end:end + size] == unit:
                end += size
            if end - place >= 80 and end - place > best[0] and len(unit) == size:
                best = (end - place, size)
        if best[0]:
            if start < place:
                yield data[start:place], 1
            length, size = best
            yield data[place:place + size], length // size
            place += length
            start = place
        else:
            place += 1
    if start < len(data):
        yield data[start:], 1


def is_text(data):
    return all(byte in b"\r\n\t" or 32 <= byte < 127 for byte in data)


def swift_part(data, count):
    if not is_text(data):
        numbers = ", ".join(f"0x{byte:02x}" for byte in data)
        return f"[UInt8]({f'repeating: {numbers}, count: {count}' if len(data) == 1 and count > 1 else f'[{numbers}]'})" \
            if count == 1 or len(data) == 1 else f"[[UInt8]](repeating: [{numbers}], count: {count}).flatMap {{ $0 }}"
    text = data.decode().replace("\\", "\\\\").replace('"', '\\"')
    text = text.replace("\r", "\\r").replace("\n", "\\n").replace("\t", "\\t")
    return f'[UInt8]("{text}".utf8)' if count == 1 else f'[UInt8](String(repeating: "{text}", count: {count}).utf8)'


def swift_data(data):
    """Returns a Swift expression of type Data."""
    pieces = []
    for part, count in parts(data):
        # Text and binary bytes in separate pieces, so that the head stays readable.
        start = 0
        for place in range(1, len(part) + 1):
            if place == len(part) or (count == 1 and is_text(part[place:place + 1]) != is_text(part[start:start + 1])):
                pieces.append(swift_part(part[start:place], count))
                start = place
            elif count > 1:
                continue
    if not pieces:
        return "Data()"
    return f"Data({pieces[0]})" if len(pieces) == 1 else f"Data([{', '.join(pieces)}].joined())"


def swift_answer(answer, stream):
    pieces = [piece for piece, _ in answer.pieces(stream)]
    # Join many small pieces: a list of single bytes is unreadable.
    if len(pieces) > 12:
        pieces = [b"".join(pieces)]
    data = ",\n                ".join(swift_data(piece) for piece in pieces)
    end = f"{answer.end}{', then without end: ' + repr(answer.endless[:40]) if answer.endless else ''}"
    return (f"            // {'; '.join(answer.labels) or 'valid'}; then {end}\n"
            f"            Answer(\n                pieces: [\n                {data}\n                ], closes: {str(answer.end != 'keep').lower()}),")


def swift_test(case, number):
    """Returns a test with RawServer of MoyaMockServer. The test does not use TLS."""
    answers, stream = [], 1
    for exchange in case.exchanges[:number + 1]:
        for answer in exchange.answers:
            answers.append(swift_answer(answer, stream))
            stream += 2
    sends = "\n".join(
        f'        _ = try? await transport.send(server.request("{exchange.method}"))  // into {exchange.destination}'
        for exchange in case.exchanges[:number + 1])
    lines = "\n".join(answers)
    return f"""
    // over {case.way}; stream numbers are those of one connection
    @Test("SUBJECT, CONDITION, EXPECTED RESULT")
    func found() async throws {{
        struct Answer {{
            let pieces: [Data]
            let closes: Bool
        }}
        let answers = Locked([
{lines}
        ])
        let server = try RawServer {{ connection in
            while !connection.read().isEmpty, let answer = answers.withLock({{ $0.isEmpty ? nil : $0.removeFirst() }}) {{
                for piece in answer.pieces where connection.write(piece) {{ usleep(2000) }}
                if answer.closes {{ break }}
            }}
        }}
        let transport = try CurlTransport()
{sends}
    }}
"""
