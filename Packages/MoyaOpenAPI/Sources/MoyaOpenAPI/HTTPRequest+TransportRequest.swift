#if HTTPTypes
    import Foundation
    import HTTPTypes
    import MoyaCore

    extension TransportRequest {
        /// Creates a request from the pseudo-header fields and header fields of `request`.
        ///
        /// ```swift
        /// let request = HTTPRequest(
        ///     method: .get, scheme: "https", authority: "example.com", path: "/logs")
        /// let response = try await CurlTransport().send(
        ///     TransportRequest(request, destination: .stream))
        /// let head = HTTPResponse(response.head)
        /// ```
        ///
        /// Values of repeated header fields are joined (RFC 9110, section 5.3), because a
        /// `URLRequest` has one value for each name.
        ///
        /// - Throws: `URLError(.badURL)` if the pseudo-header fields do not form a URL.
        public init(
            _ request: HTTPRequest, body: RequestBody = .none,
            destination: ResponseDestination = .memory()
        ) throws {
            self.init(
                URLRequest(request, url: try request.makeURL()), body: body,
                destination: destination)
        }
    }

    extension HTTPRequest {
        /// Creates a request from the method, URL and header fields of `request`.
        ///
        /// User name and password of the URL are left out (RFC 9113, section 8.3.1), as is its
        /// fragment. `nil` if the request has no absolute URL, or its method is not a token.
        public init?(_ request: TransportRequest) {
            let urlRequest = request.urlRequest
            let address = urlRequest.url?.absoluteString ?? ""
            guard let method = Method(urlRequest.httpMethod ?? "GET"),
                let scheme = urlRequest.url?.scheme,
                let start = address.range(of: "://")?.upperBound
            else { return nil }
            let rest = address[start...].prefix { $0 != "#" }
            let place = rest.prefix { $0 != "/" && $0 != "?" }
            let path = rest[place.endIndex...]
            self.init(
                method: method, scheme: scheme,
                authority: place.split(separator: "@").last.map(String.init),
                path: path.hasPrefix("/") ? String(path) : "/" + path)
            headerFields = HTTPFields(
                (urlRequest.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }
                    .map { HeaderField(name: $0.key, value: $0.value) })
        }

        /// Returns the URL that the pseudo-header fields form.
        func makeURL() throws -> URL {
            // A part with a delimiter of another part would change the server of the request.
            guard let scheme, let authority, extendedConnectProtocol == nil,
                !authority.contains(where: { "/?#@\\".contains($0) }),
                let url = URL(string: "\(scheme)://\(authority)\(try checkedPath())"),
                url.host != nil
            else {
                let text = "The pseudo-header fields of the HTTPRequest do not form a URL. "
                throw URLError(
                    .badURL, text + "Set scheme, authority and path, and no extended CONNECT.",
                    url: nil)
            }
            return url
        }

        /// Returns path and query. Empty without a path.
        ///
        /// - Throws: `URLError(.badURL)` for a path that does not begin with a slash, which would
        ///   continue the name of the server.
        func checkedPath() throws -> Substring {
            guard let path, !path.isEmpty else { return "" }
            guard path.hasPrefix("/") else {
                throw URLError(
                    .badURL, "The path of an HTTPRequest has to begin with a slash.", url: nil)
            }
            return path.prefix { $0 != "#" }
        }
    }

    extension URLRequest {
        /// Creates a request for `url` with the method and header fields of `request`.
        init(_ request: HTTPRequest, url: URL) {
            self.init(url: url)
            httpMethod = request.method.rawValue
            allHTTPHeaderFields = request.headerFields.joined
        }
    }
#endif
