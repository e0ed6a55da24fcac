import Foundation
import MoyaCore
import MoyaMockServer

extension TransportConformance {
    /// A handler that redirects `/from` to `location` and echoes all other requests.
    private static func redirecting(_ status: Int, to location: String = "/to")
        -> MockServer.Handler
    {
        { request in
            request.path == "/from" ? .redirect(to: location, status: status) : .json(Echo(request))
        }
    }

    static let redirectCases: [Case] =
        [
            (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"), (303, "PUT", "GET"),
            (301, "PUT", "PUT"), (302, "GET", "GET"), (303, "HEAD", "HEAD"), (307, "POST", "POST"),
            (308, "PUT", "PUT"),
        ].map { status, method, next in
            Case(
                "a \(status) redirect of a \(method) request is followed with \(next)",
                answering: redirecting(status)
            ) { transport, server in
                let body =
                    ["POST", "PUT"].contains(method) ? RequestBody.data(Data("body".utf8)) : nil
                let response = try await transport.send(
                    to: server, method, "/from",
                    headers: body == nil ? [:] : ["Content-Type": "text/plain"], body: body)
                try expect(response.head.statusCode, 200, "the status")
                let last = server.requests.last
                try expect(last?.method, next, "the method")
                let keeps = body != nil && next == method
                try expect(last?.bodyLength, keeps ? 4 : 0, "the body's length")
                try expect(
                    last?.value(for: "Content-Type"), keeps ? "text/plain" : nil, "Content-Type")
                try expect(response.head.url.path, "/to", "the final path")
                try expect(response.metrics.redirectCount, 1, "the number of redirects")
            }
        } + [
            Case("a relative Location is resolved against the request") { request in
                request.path == "/a/b/c" ? .redirect(to: "../d?x=1") : .json(Echo(request))
            } whenSent: { transport, server in
                let echo = try await transport.send(to: server, "GET", "/a/b/c").echo()
                try expect(echo.target, "/a/d?x=1", "the target")
            },
            Case("dot segments of an absolute Location are resolved") { request in
                let host = request.value(for: "Host") ?? ""
                return request.path == "/from"
                    ? .redirect(to: "http://\(host)/a/./b/../c?d=../e") : .json(Echo(request))
            } whenSent: { transport, server in
                let echo = try await transport.send(to: server, "GET", "/from").echo()
                try expect(echo.target, "/a/c?d=../e", "the target")
            },
            // As curl and Python do, except that characters are percent-encoded that RFC 3986
            // excludes from a path and a query.
            Case("a Location with raw characters keeps its escapes") { transport, _ in
                let locations = [
                    ("/to/a b%20c%2Fd", "/to/a%20b%20c%2Fd"),
                    ("/to?a[]=1%20&c=%5B", "/to?a%5B%5D=1%20&c=%5B"),
                    ("/to/é%c3%a9", "/to/%C3%A9%c3%a9"),
                    ("/to?q={\"a\"|^}&s=%2B%3D", "/to?q=%7B%22a%22%7C%5E%7D&s=%2B%3D"),
                    ("/to/100%/%2F", "/to/100%25/%2F"), ("/to/x/%2e%2E/y%2E", "/to/y%2E"),
                ]
                for (location, target) in locations {
                    try await MockServer.serving(redirecting(302, to: location)) { server in
                        let echo = try await transport.send(to: server, "GET", "/from").echo()
                        try expect(echo.target, target, "the target of \(location)")
                    }
                }
            },
            Case("a chain of redirects is followed up to the limit") { transport, server in
                var request = try server.request("GET", "/redirect/5")
                request.redirectPolicy = .follow(limit: 5)
                try expect(try await transport.send(request).metrics.redirectCount, 5, "redirects")
                request.redirectPolicy = .follow(limit: 4)
                try await expectError(.httpTooManyRedirects) { try await transport.send(request) }
            },
            Case("an endless redirect loop is an error", answering: redirecting(302, to: "/from")) {
                transport, server in
                try await expectError(.httpTooManyRedirects) {
                    try await transport.send(to: server, "GET", "/from")
                }
            },
            Case("a refused redirect is the response", answering: redirecting(302)) {
                transport, server in
                var request = try server.request("GET", "/from")
                request.redirectPolicy = .refuse
                let response = try await transport.send(request)
                try expect(response.head.statusCode, 302, "the status")
                try expect(response.head.value(for: "Location"), "/to", "Location")
                try expect(server.requests.count, 1, "the number of requests")
            },
            Case("a redirect policy may modify the next request", answering: redirecting(302)) {
                transport, server in
                var request = try server.request("GET", "/from")
                request.redirectPolicy = .modify { _, proposed in
                    var proposed = proposed
                    proposed.setValue("yes", forHTTPHeaderField: "X-Changed")
                    return proposed
                }
                let echo = try await transport.send(request).echo()
                try expect(echo.headers["x-changed"], "yes", "X-Changed")
            },
            Case("a redirect without a Location is the response") { _ in
                .text("lost", status: 302)
            } whenSent: { transport, server in
                let response = try await transport.send(to: server, "GET", "/")
                try expect(response.head.statusCode, 302, "the status")
                try expect(response.text(), "lost", "the body")
            },
            Case("a redirect to another origin does not send secret header fields") {
                transport, elsewhere in
                let location = elsewhere.url.absoluteString + "/get"
                try await MockServer.serving(redirecting(307, to: location)) { server in
                    let secrets = [
                        "Authorization": "Bearer s", "Cookie": "s=1", "Proxy-Authorization": "s",
                        "X-NuGet-ApiKey": "s", "X-Otp": "s", "X-Other": "s",
                        "Referer": "http://127.0.0.1/?token=s", "Accept-Language": "k",
                    ]
                    var request = try server.request("GET", "/from", headers: secrets)
                    let echo = try await transport.send(request).echo()
                    for name in secrets.keys where name != "Accept-Language" {
                        try expect(echo.headers[name.lowercased()], nil, name)
                    }
                    try expect(echo.headers["accept-language"], "k", "Accept-Language")
                    request.redirectPolicy = .follow().crossOrigin(.also(["x-other"]))
                    let named = try await transport.send(request).echo()
                    try expect(named.headers["x-other"], "s", "X-Other")
                    try expect(named.headers["x-otp"], nil, "X-Otp")
                }
            },
            Case(
                "a redirect within the origin keeps secret header fields",
                answering: redirecting(307)
            ) { transport, server in
                let secrets = ["Authorization": "Bearer s", "Cookie": "s=1"]
                let echo = try await transport.send(to: server, "GET", "/from", headers: secrets)
                    .echo()
                try expect(echo.headers["authorization"], "Bearer s", "Authorization")
                try expect(echo.headers["cookie"], "s=1", "Cookie")
            },
        ]
        + [
            "file:///etc/passwd", "ftp://127.0.0.1/x", "data:text/plain,x",
            "http://127.0.0.1:65536/", "http://[::1]:99999/", "http://%5B%5D/",
        ].map { location in
            Case("a redirect to \(location) is refused", answering: redirecting(302, to: location))
            { transport, server in
                try await expectError(.unsupportedURL, .badURL) {
                    try await transport.send(to: server, "GET", "/from")
                }
            }
        }

    static let credentialCases: [Case] = [
        Case("a credential answers a Basic challenge") { transport, server in
            var request = try server.request("GET", "/basic-auth/user/pa%20ss")
            request.credential = URLCredential(user: "user", password: "pa ss", persistence: .none)
            let response = try await transport.send(request)
            try expect(response.head.statusCode, 200, "the status")
            try expect(
                server.requests.first?.value(for: "Authorization"), nil, "sending it unasked")
        },
        Case("a POST is sent again with its whole body after a challenge") { request in
            request.value(for: "Authorization") == nil
                ? .text("who?", status: 401).adding("WWW-Authenticate", "Basic realm=\"r\"")
                : .text(String(decoding: request.body, as: UTF8.self))
        } whenSent: { transport, server in
            var request = try server.request("POST", "/", body: .data(Data("the body".utf8)))
            request.credential = URLCredential(user: "u", password: "p", persistence: .none)
            let response = try await transport.send(request)
            try expect(response.text(), "the body", "the body")
        },
        Case("a wrong password returns the 401 response") { transport, server in
            var request = try server.request("GET", "/basic-auth/user/right")
            request.credential = URLCredential(user: "user", password: "wrong", persistence: .none)
            try expect(try await transport.send(request).head.statusCode, 401, "the status")
            try expect(server.requests.count <= 3, "no endless tries", server.requests.count)
        },
        Case("a request's Authorization field takes precedence over its credential") {
            transport, server in
            var request = try server.request("GET", "/headers", headers: ["Authorization": "Mine"])
            request.credential = URLCredential(user: "user", password: "p", persistence: .none)
            let echo = try await transport.send(request).echo()
            try expect(echo.headers["authorization"], "Mine", "Authorization")
        },
        Case("a credential is not sent to another origin after a redirect") {
            transport, elsewhere in
            let location = elsewhere.url.absoluteString + "/basic-auth/user/secret"
            try await MockServer.serving(redirecting(302, to: location)) { server in
                var request = try server.request("GET", "/from")
                request.credential = URLCredential(
                    user: "user", password: "secret", persistence: .none)
                try expect(try await transport.send(request).head.statusCode, 401, "the status")
            }
        },
    ]
}
