"""Findings, and the Swift test that shows one again."""

import os


class Finding:
    def __init__(self, case, exchange, kind, details, play=None):
        self.case, self.exchange, self.kind, self.details = case, exchange, kind, details
        self.is_seen_again = None

    @property
    def signature(self):
        labels = self.case.exchanges[self.exchange].labels
        return self.kind, tuple(sorted(set(labels)))

    def text(self, command):
        exchange = self.case.exchanges[self.exchange]
        again = {True: "seen again when run alone", False: "not seen again when run alone", None: ""}[self.is_seen_again]
        lines = [
            f"FINDING: {self.kind}", f"  seed {self.case.seed}, case {self.case.index}, exchange {self.exchange} "
            f"({exchange.method} over {self.case.way}, into {exchange.destination}) {again}",
            f"  mutations: {'; '.join(exchange.labels) or 'none'}", f"  {self.details}",
            f"  again: {command} --seed {self.case.seed} --case {self.case.index}", swift_test(self.case, self.exchange)]
        return "\n".join(lines)


def swift_bytes(data):
    """A Swift literal of type Data."""
    printable = all(byte in b"\r\n\t" or 32 <= byte < 127 for byte in data)
    if printable and len(data) < 4000:
        text = data.decode().replace("\\", "\\\\").replace('"', '\\"').replace("\r", "\\r").replace("\n", "\\n").replace("\t", "\\t")
        return f'Data("{text}".utf8)'
    if len(data) > 6000:
        return f'Data(base64Encoded: "…")!  // {len(data)} bytes: run the case again with --print-bytes'
    return "Data([" + ", ".join(f"0x{byte:02x}" for byte in data) + "])"


def swift_test(case, number):
    """A test for MoyaTransportCurl, with RawServer of MoyaTesting."""
    exchanges = case.exchanges[:number + 1]
    note = ""
    if case.way.startswith("tls"):
        note = "        // Seen over TLS: these are the bytes inside of it.\n"
    answers, stream = [], 1
    for exchange in exchanges:
        for answer in exchange.answers:
            answers.append(f"                {swift_bytes(answer.render(stream))},  // {answer.end}: {'; '.join(answer.labels) or 'valid'}")
            stream += 2
    read = 'connection.read(until: "\\r\\n\\r\\n")'
    body = "\n".join(answers)
    calls = "\n".join(f'        _ = try? await transport.send(request("{exchange.method}"))' for exchange in exchanges)
    return f"""
    @Test("SUBJECT, CONDITION, EXPECTED RESULT")
    func found() async throws {{
{note}        let answers = Locked([
{body}
        ])
        let server = try RawServer {{ connection in
            while !{read}.isEmpty, let answer = answers.withLock({{ $0.isEmpty ? nil : $0.removeFirst() }}) {{
                connection.write(answer)
            }}
        }}
        // over {case.way}
{calls}
    }}
"""
