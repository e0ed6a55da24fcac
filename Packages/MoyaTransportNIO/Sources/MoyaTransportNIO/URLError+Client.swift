#if AsyncHTTPClient
    import AsyncHTTPClient
    import Foundation
    import MoyaCore
    import NIOCore
    import NIOHTTP1
    import NIOHTTP2
    import NIOHTTPCompression
    import NIOPosix
    import NIOSSL

    extension URLError {
        /// Maps an error of async-http-client or SwiftNIO, which becomes the underlying error. A
        /// `URLError` is kept.
        init(client error: any Error, url: URL?) {
            if let error = error as? URLError {
                self = error
            } else {
                self.init(Code(client: error), "\(error)", url: url, cause: error)
            }
        }

        /// Returns whether `error` shows that the connection was lost before a response arrived.
        static func isLostConnection(_ error: any Error) -> Bool {
            switch error {
            // A part of the response has arrived, or a reset is the response.
            case is HTTPParserError, is URLError, is ResetRequest: false
            // The connection closes. Other codes are the server's answer to this request.
            case let error as NIOHTTP2Errors.StreamClosed:
                [.noError, .cancel].contains(error.errorCode)
            default: Code(client: error) == .networkConnectionLost
            }
        }

        /// Creates the error of an exchange that was cancelled or timed out.
        init(stop code: Code, url: URL, cause: any Error) {
            let message =
                code == .timedOut
                ? "No data was sent or received for the request's timeoutInterval."
                : "The request was cancelled."
            self.init(code, message, url: url, cause: cause)
        }
    }

    extension URLError.Code {
        fileprivate init(client error: any Error) {
            self =
                switch error {
                case is CancellationError: .cancelled
                case let error as HTTPClientError: Self(error)
                case let error as NIOConnectionError: Self(error)
                case let error as ChannelError: Self(error)
                case let error as IOError: Self(POSIXErrorCode(rawValue: error.errnoCode))
                case let error as HTTPParserError:
                    error == .invalidEOFState || error == .closedConnection
                        ? .networkConnectionLost : .badServerResponse
                case is NIOHTTPDecompression.DecompressionError,
                    is NIOHTTPDecompression.ExtraDecompressionError:
                    .cannotDecodeContentData
                case let error as NIOSSLError: Self(error)
                case is BoringSSLError: Self(tls: error)
                case is NIOSSLExtraError: .serverCertificateUntrusted
                default: Self(other: error)
                }
        }

        private init(_ error: HTTPClientError) {
            self =
                switch error {
                case .invalidURL, .emptyHost, .emptyScheme, .traceRequestWithBody: .badURL
                case .readTimeout, .writeTimeout, .connectTimeout, .socksHandshakeTimeout,
                    .httpProxyHandshakeTimeout, .tlsHandshakeTimeout, .getConnectionFromPoolTimeout,
                    .deadlineExceeded:
                    .timedOut
                case .alreadyShutdown: .cancelled
                case .invalidProxyResponse, .proxyAuthenticationRequired: .cannotConnectToHost
                case .bodyLengthMismatch: .requestBodyStreamExhausted
                case .cancelled, .remoteConnectionClosed, .requestStreamCancelled,
                    .uncleanShutdown:
                    .networkConnectionLost
                // Most are mistakes of the configuration, which a retry cannot resolve.
                default: .unknown
                }
        }

        /// If the name resolution found no address, the error has no connection errors.
        private init(_ error: NIOConnectionError) {
            if let failure = error.connectionErrors.first?.error {
                self = (failure as? ChannelError).map(Self.init) ?? .cannotConnectToHost
            } else {
                self = .cannotFindHost
            }
        }

        private init(_ error: ChannelError) {
            self = if case .connectTimeout = error { .timedOut } else { .networkConnectionLost }
        }

        private init(_ code: POSIXErrorCode?) {
            self =
                switch code {
                case .ECONNREFUSED, .EHOSTUNREACH, .ENETUNREACH, .EADDRNOTAVAIL, .ENOENT:
                    .cannotConnectToHost
                case .ETIMEDOUT: .timedOut
                default: .networkConnectionLost
                }
        }

        private init(_ error: NIOSSLError) {
            self =
                switch error {
                case .handshakeFailed(let cause): Self(tls: cause)
                case .unableToValidateCertificate: .serverCertificateUntrusted
                case .uncleanShutdown: .networkConnectionLost
                default: .secureConnectionFailed
                }
        }

        private init(tls error: any Error) {
            self =
                "\(error)".contains("CERTIFICATE_VERIFY_FAILED")
                ? .serverCertificateUntrusted : .secureConnectionFailed
        }

        /// Maps errors of HTTP/2, and of Network.framework on Apple platforms.
        private init(other error: any Error) {
            #if canImport(Network)
                if let error = error as? HTTPClient.NWPOSIXError {
                    self.init(error.errorCode)
                    return
                }
                if error is HTTPClient.NWTLSError {
                    self = .secureConnectionFailed
                    return
                }
            #endif
            self = .networkConnectionLost
        }
    }
#endif
