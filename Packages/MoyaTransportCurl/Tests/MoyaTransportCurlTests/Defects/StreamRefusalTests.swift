import Testing

@testable import MoyaTransportCurl

/// Messages of libcurl 7.88.1 and 8.17.0.
@Suite struct StreamRefusalTests {
    @Test(arguments: [
        (["Using Stream ID: 3 (easy handle 0x1)"], false),
        (
            [
                "Using Stream ID: 3 (easy handle 0x1)",
                "recveived GOAWAY, error=0, last_stream=1",
            ], true
        ),
        (
            [
                "Using Stream ID: 3 (easy handle 0x1)",
                "recveived GOAWAY, error=0, last_stream=3",
            ], false
        ),
        // A graceful shutdown (RFC 9113, section 6.8).
        (
            [
                "Using Stream ID: 3 (easy handle 0x1)",
                "recveived GOAWAY, error=0, last_stream=2147483647",
                "recveived GOAWAY, error=0, last_stream=1",
            ], true
        ),
        (
            [
                "Using Stream ID: 1 (easy handle 0x1)",
                "REFUSED_STREAM, retrying a fresh connect",
            ], true
        ),
        (
            [
                "Using Stream ID: 1 (easy handle 0x1)",
                "REFUSED_STREAM, retrying a fresh connect", "Using Stream ID: 1 (easy handle 0x1)",
            ], false
        ),
        (
            [
                "[HTTP/2] [3] OPENED stream for https://127.0.0.1:4/[HTTP/2]",
                "received GOAWAY, error=0, last_stream=1",
            ], true
        ),
        (
            [
                "[HTTP/2] [3] OPENED stream for https://127.0.0.1:4/",
                "received GOAWAY, error=0, last_stream=3",
            ], false
        ),
        // A cookie of the server.
        (
            [
                "Using Stream ID: 3 (easy handle 0x1)",
                "Added cookie a=\"received GOAWAY, error=0, last_stream=1\" for domain h, path /",
            ], false
        ),
        (
            [
                "[HTTP/2] [3] OPENED stream for https://127.0.0.1:4/",
                "Replaced cookie a=\"Using Stream ID: 9\" for domain h, path /, expire 0",
                "received GOAWAY, error=0, last_stream=3",
            ], false
        ),
        (["Connection died, retrying a fresh connect (retry count: 1)"], false),
        (["recveived GOAWAY, error=0, last_stream=1"], false),
    ])
    func `libcurl's messages tell whether the last stream was refused`(
        messages: [String], isRefused: Bool
    ) {
        var refusal = StreamRefusal()
        for message in messages { refusal.note(message) }
        #expect(refusal.isCertain == isRefused)
    }
}
