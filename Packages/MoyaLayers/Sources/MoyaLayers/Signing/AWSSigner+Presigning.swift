import Foundation
import MoyaCore
import MoyaInternals

extension AWSSigner {
    /// Returns a URL with the signature in its query. Until it expires, it authorizes requests
    /// without credentials, such as those of a browser.
    ///
    /// ```swift
    /// var upload = URLRequest(url: URL(string: "https://bucket.s3.amazonaws.com/photo.jpg")!)
    /// upload.httpMethod = "PUT"
    /// let url = try await signer.presignedURL(for: upload, expiresIn: 3600)
    /// ```
    ///
    /// The signature covers the method, the URL and every header field of `request`. So the
    /// request to the returned URL needs the same method and the same fields. For S3 the body is
    /// not signed; for other services the signature covers `httpBody`, if ``signsBody``. The
    /// request to the returned URL must not be signed again.
    ///
    /// - Parameter lifetime: Time until the URL expires, in seconds: from 1 to 604800 (a week),
    ///   rounded down. The URL also expires with temporary credentials.
    /// - Throws: An error for a URL without a host or another lifetime; errors of the credentials
    ///   provider.
    public func presignedURL(
        for request: URLRequest, expiresIn lifetime: TimeInterval
    ) async throws -> URL {
        guard (1...604_800).contains(lifetime) else { throw AWSSigningError.invalidLifetime }
        guard let url = request.url, let host = Self.host(of: url) else {
            throw AWSSigningError.noURL
        }
        let credentials = try await credentials()
        let key = signingKey(for: credentials)
        var query = [
            (name: "X-Amz-Algorithm", value: AWSSigningKey.algorithm),
            ("X-Amz-Credential", "\(credentials.accessKeyID)/\(key.scope)"),
            ("X-Amz-Date", key.timestamp),
            ("X-Amz-Expires", "\(Int(lifetime))"),
            ("X-Amz-SignedHeaders", AWSCanonicalRequest.signedHeaders(of: request, host: host)),
        ]
        if let token = credentials.sessionToken { query.append(("X-Amz-Security-Token", token)) }
        let unsigned = AWSCanonicalRequest.sent(
            url.adding(query, without: Self.presignedParameters),
            escapesPathTwice: escapesPathTwice)
        let canonical = canonicalRequest(
            request, url: unsigned, host: host, bodyDigest: presignedDigest(of: request))
        let signature = key.signature(of: canonical.digest)
        return unsigned.adding([(name: "X-Amz-Signature", value: signature)])
    }

    /// Parameters of a presigned URL. Those of a URL that is presigned once more are replaced.
    private static let presignedParameters: Set<String> = [
        "X-Amz-Algorithm", "X-Amz-Credential", "X-Amz-Date", "X-Amz-Expires",
        "X-Amz-SignedHeaders", "X-Amz-Security-Token", "X-Amz-Signature",
    ]

    private func presignedDigest(of request: URLRequest) -> String {
        guard signsBody, !isS3 else { return Self.unsignedPayload }
        return Hexadecimal.encode(Digester.digest(.sha256, of: request.httpBody ?? Data()))
    }
}

extension URL {
    /// This URL with `items` at the end of its query, without those named `names`.
    fileprivate func adding(
        _ items: [(name: String, value: String)], without names: Set<String> = []
    ) -> URL {
        var components = URLComponents(url: self, resolvingAgainstBaseURL: true)
        let others = (components?.percentEncodedQuery ?? "").split(separator: "&")
            .filter { pair in !names.contains(String(pair.prefix { $0 != "=" })) }
            .map(String.init)
        let own = items.map { "\($0.name)=\(PercentEncoding.segment($0.value))" }
        components?.percentEncodedQuery = (others + own).joined(separator: "&")
        return components?.url ?? self
    }
}
