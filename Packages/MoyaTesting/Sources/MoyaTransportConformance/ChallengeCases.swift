import Foundation
import MoyaCore
import MoyaInternals
import MoyaMockServer

extension TransportConformance {
    /// Challenges and refused expectations. The server computes Digest by RFC 7616, section 3.4.
    static let challengeCases: [Case] = [
        Case("the strongest of several Digest challenges is answered") { request in
            digestResponse(
                to: request, .sha256, "SHA-256", "auth",
                challenges: [
                    "Digest realm = \"r\" , nonce = \"n\", qop = \"auth\", algorithm = SHA-512-256",
                    "Digest realm = \"r\", nonce=\"n\", qop=\"auth\",algorithm=SHA-256, "
                        + "Unknown a=b, Digest realm=\"r\", nonce=\"n\", qop=\"auth\", algorithm=MD5",
                ])
        } whenSent: { transport, server in
            for method in ["GET", "POST"] {
                let response = try await transport.send(method, to: server, "/a%20b/c?d=e")
                try expect(response.head.statusCode, 200, "the status of \(method)")
            }
        },
        Case("a Digest challenge with SHA-512-256 alone is answered") { request in
            digestResponse(
                to: request, .sha512_256, "SHA-512-256", "auth",
                challenges: ["Digest realm=\"r\", nonce=\"n\", qop=\"auth\", algorithm=SHA-512-256"]
            )
        } whenSent: { transport, server in
            let response = try await transport.send("GET", to: server, "/a")
            try expect(response.head.statusCode, 200, "the status")
        },
        Case("a Digest challenge with auth-int alone is answered with the body's hash") { request in
            digestResponse(
                to: request, .md5, "MD5", "auth-int",
                challenges: ["Digest realm=\"r\", nonce=\"n\", qop=\"auth-int\", algorithm=MD5"])
        } whenSent: { transport, server in
            for method in ["GET", "POST"] {
                let response = try await transport.send(method, to: server, "/a")
                try expect(response.head.statusCode, 200, "the status of \(method)")
            }
        },
        // RFC 7617, section 2.2.
        Case("a credential is sent without a challenge only below a folder that required Basic") {
            request in
            request.value(for: "Authorization") == nil
                ? .text("who?", status: 401).adding("WWW-Authenticate", "Basic realm=\"r\"")
                : .text("in")
        } whenSent: { transport, server in
            for path in ["/docs/index.html", "/docs/", "/docs/a/b", "/docsx/", "/"] {
                let response = try await transport.send("POST", to: server, path)
                try expect(response.head.statusCode, 200, "the status of \(path)")
            }
            let unknown = server.requests.filter { $0.value(for: "Authorization") == nil }
            try expect(
                unknown.map(\.target), ["/docs/index.html", "/docsx/", "/"],
                "the targets of requests without a credential")
            try expect(server.requests.count, 8, "the number of requests")
        },
        Case("a password that is no longer accepted is not sent twice") { request in
            request.target == "/first" && request.value(for: "Authorization") != nil
                ? .text("in")
                : .text("who?", status: 401).adding("WWW-Authenticate", "Basic realm=\"r\"")
        } whenSent: { transport, server in
            _ = try await transport.send("POST", to: server, "/first")
            let response = try await transport.send("POST", to: server, "/second")
            try expect(response.head.statusCode, 401, "the status")
            try expect(
                server.requests.map(\.target), ["/first", "/first", "/second"],
                "the targets")
        },
        // RFC 9110, section 10.1.1.
        Case("a request whose Expect field is refused is sent once more without it") { request in
            request.value(for: "Expect") == nil
                ? .text(String(decoding: request.body, as: UTF8.self))
                : .text("no", status: 417)
        } whenSent: { transport, server in
            let response = try await transport.send(try server.expecting("the body"))
            try expect(response.head.statusCode, 200, "the status")
            try expect(response.text(), "the body", "the body")
            // A transport need not send the field.
            let fields = server.requests.map { $0.value(for: "Expect") }
            try expect(
                fields == ["100-continue", nil] || fields == [nil], "one request with Expect",
                fields)
        },
        Case("a second refusal of a request's expectation is the response") { _ in
            .text("no", status: 417)
        } whenSent: { transport, server in
            let response = try await transport.send(try server.expecting("the body"))
            try expect(response.head.statusCode, 417, "the status")
            try expect(response.text(), "no", "the body")
            try expect(server.requests.count <= 2, "no more tries", server.requests.count)
        },
    ]

    /// Answers 200 if the request's Digest answer is right for the user `u` with the password `p`.
    private static func digestResponse(
        to request: MockRequest, _ function: Digester.Function, _ algorithm: String,
        _ quality: String, challenges: [String]
    ) -> MockResponse {
        func hash(_ data: Data) -> String {
            Hexadecimal.encode(Digester.digest(function, of: data))
        }
        func hash(_ parts: String...) -> String {
            hash(Data(parts.joined(separator: ":").utf8))
        }
        let answer = parameters(of: request.value(for: "Authorization") ?? "")
        var line = [request.method, request.target]
        if quality == "auth-int" { line.append(hash(request.body)) }
        let expected = hash(
            hash("u", "r", "p"), "n", answer["nc"] ?? "", answer["cnonce"] ?? "", quality,
            hash(Data(line.joined(separator: ":").utf8)))
        guard answer["response"] == expected, answer["qop"] == quality,
            answer["algorithm"] == algorithm, answer["uri"] == request.target
        else {
            return challenges.reduce(.text("who?", status: 401)) {
                $0.adding("WWW-Authenticate", $1)
            }
        }
        return .text("in")
    }

    /// The parameters of a Digest answer whose values have no commas.
    private static func parameters(of answer: String) -> [String: String] {
        answer.dropFirst("Digest ".count).split(separator: ",").reduce(into: [:]) { fields, part in
            let sides = part.split(separator: "=", maxSplits: 1)
            guard sides.count == 2 else { return }
            fields[sides[0].trimmingCharacters(in: .whitespaces)] =
                sides[1].trimmingCharacters(in: CharacterSet(charactersIn: "\" "))
        }
    }
}

extension Transport {
    /// Sends a request with the credential `u` and `p`. A POST has a body.
    fileprivate func send(
        _ method: String, to server: MockServer, _ path: String
    ) async throws -> TransportResponse {
        let body = method == "POST" ? RequestBody.data(Data("the body".utf8)) : nil
        var request = try server.request(method, path, body: body)
        request.credential = URLCredential(user: "u", password: "p", persistence: .none)
        return try await send(request)
    }
}

extension MockServer {
    fileprivate func expecting(_ body: String) throws -> TransportRequest {
        try request(
            "POST", "/", headers: ["Expect": "100-continue"], body: .data(Data(body.utf8)))
    }
}
