#if HTTPTypes
    import Foundation
    import HTTPTypes
    import MoyaCore

    extension HTTPResponse {
        /// Creates a response from a status code and header fields. `nil` if the status code is not
        /// between 0 and 999. Trailer fields are in `TransportResponse.trailers`: see
        /// `HTTPFields(_:)`.
        public init?(_ head: ResponseHead) {
            guard (0...999).contains(head.statusCode) else { return nil }
            self.init(status: Status(code: head.statusCode), headerFields: HTTPFields(head.fields))
        }
    }

    extension ResponseHead {
        /// Creates the head of `response`, for stubs and transports.
        ///
        /// - Parameter url: The URL of the response, after redirects.
        public convenience init(
            _ response: HTTPResponse, url: URL, httpVersion: String = "HTTP/1.1"
        ) {
            self.init(
                statusCode: response.status.code, url: url, httpVersion: httpVersion,
                fields: [HeaderField](response.headerFields))
        }
    }

    extension Response {
        /// Status and header fields. `nil` without a head, or with a status code that is not
        /// between 0 and 999.
        public var httpResponse: HTTPResponse? { head.flatMap { HTTPResponse($0) } }
    }
#endif
