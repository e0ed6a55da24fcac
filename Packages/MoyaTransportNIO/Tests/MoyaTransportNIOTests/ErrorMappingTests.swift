#if AsyncHTTPClient
    import AsyncHTTPClient
    import MoyaCore
    import NIOCore
    import NIOHTTP1
    import NIOHTTPCompression
    import NIOSSL
    import Testing

    @testable import MoyaTransportNIO

    @Suite struct ErrorMappingTests {
        static let cases: [(any Error & Sendable, URLError.Code)] = [
            (CancellationError(), .cancelled),
            // The transport's own cancellations do not get here.
            (HTTPClientError.cancelled, .networkConnectionLost),
            (HTTPClientError.alreadyShutdown, .cancelled),
            (HTTPClientError.deadlineExceeded, .timedOut),
            (HTTPClientError.getConnectionFromPoolTimeout, .timedOut),
            (HTTPClientError.remoteConnectionClosed, .networkConnectionLost),
            (HTTPClientError.uncleanShutdown, .networkConnectionLost),
            (HTTPClientError.invalidLocalAddress, .unknown),
            (HTTPClientError.unsupportedScheme("x"), .unknown),
            (HTTPClientError.proxyAuthenticationRequired, .cannotConnectToHost),
            (HTTPClientError.invalidURL, .badURL),
            (ChannelError.connectTimeout(.seconds(1)), .timedOut),
            (ChannelError.eof, .networkConnectionLost),
            (IOError(errnoCode: ECONNREFUSED, reason: ""), .cannotConnectToHost),
            (IOError(errnoCode: ECONNRESET, reason: ""), .networkConnectionLost),
            (IOError(errnoCode: ETIMEDOUT, reason: ""), .timedOut),
            (HTTPParserError.invalidEOFState, .networkConnectionLost),
            (HTTPParserError.invalidChunkSize, .badServerResponse),
            (NIOHTTPDecompression.DecompressionError.inflationError(-3), .cannotDecodeContentData),
            (NIOSSLError.uncleanShutdown, .networkConnectionLost),
            (NIOSSLError.handshakeFailed(.sslError([])), .secureConnectionFailed),
            (NIOSSLExtraError.failedToValidateHostname, .serverCertificateUntrusted),
        ]

        @Test(arguments: cases.indices)
        func `a client error becomes a URLError with the matching code and cause`(index: Int)
            throws
        {
            let (error, code) = Self.cases[index]
            let url = try #require(URL(string: "https://user:secret@example.com/a?token=secret"))
            let mapped = URLError(client: error, url: url)
            #expect(mapped.code == code)
            let cause = try #require(mapped.userInfo[NSUnderlyingErrorKey] as? any Error)
            #expect(type(of: cause) == type(of: error as any Error))
            #expect("\(mapped)".contains("example.com/a") && !"\(mapped)".contains("secret"))
        }
    }
#endif
