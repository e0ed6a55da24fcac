import Foundation
import MoyaCore
import MoyaInternals

/// Signs requests to AWS with Signature Version 4, in the `Authorization` field.
///
/// ```swift
/// let signer = AWSSigner(service: "s3", region: "eu-central-1") {
///     try await credentials.current()
/// }
/// let provider = MoyaProvider<Bucket>(transport: CurlTransport().signing(with: signer).retrying())
/// ```
public struct AWSSigner: RequestSigner {
    /// Returns the credentials for the next request.
    public typealias CredentialsProvider = @Sendable () async throws -> AWSCredentials

    /// Whether the signature covers the digest of the body. Default: `true`. If `false`, only TLS
    /// protects the body, and `X-Amz-Content-Sha256` is `UNSIGNED-PAYLOAD`.
    public var signsBody = true
    /// Whether the digest of the body is also sent in `X-Amz-Content-Sha256`, as S3 requires.
    /// Default: `true` for S3 only.
    public var sendsBodyDigest: Bool
    /// Whether `.`, `..` and empty segments are removed from the path for signing. Default: `true`,
    /// except for S3.
    public var normalizesPath: Bool
    /// Whether the path is percent-encoded once more for signing. Default: `true`, except for S3.
    public var escapesPathTwice: Bool

    private let service: String
    private let region: String
    private let credentials: CredentialsProvider
    private let clock: any MoyaClock

    /// - Parameters:
    ///   - service: Service name used for signing, such as `s3`, `dynamodb` or `execute-api`.
    ///   - region: Region, such as `eu-central-1`.
    ///   - credentials: Called for each request.
    public init(
        service: String, region: String, clock: any MoyaClock = .system,
        credentials: @escaping CredentialsProvider
    ) {
        self.service = service
        self.region = region
        self.clock = clock
        self.credentials = credentials
        let isS3 = service == "s3"
        sendsBodyDigest = isS3
        normalizesPath = !isS3
        escapesPathTwice = !isS3
    }

    /// Obtains credentials, and signs `request` with them. Replaces an existing `Authorization`
    /// field. The query is sent in the form that is signed: sorted, and with all characters
    /// percent-encoded except unreserved ones. So is the path, unless ``escapesPathTwice``.
    ///
    /// - Throws: An error for a request without a host; errors of the credentials provider; errors
    ///   of reading the body's file; `URLError(.cannotDecodeRawData)` for a streamed body if
    ///   ``signsBody``.
    public func sign(_ request: TransportRequest) async throws -> TransportRequest {
        let credentials = try await credentials()
        guard let url = request.urlRequest.url, let host = Self.host(of: url) else {
            throw AWSSigningError.noURL
        }
        var request = request
        let sent = AWSCanonicalRequest.sent(url, escapesPathTwice: escapesPathTwice)
        if sent != url { request.urlRequest.url = sent }
        let time = CivilTime(clock.now)
        let date = time.date(separator: "")
        let stamp = "\(date)T\(time.clock(separator: ""))Z"
        let digest =
            signsBody
            ? Hexadecimal.encode(try await request.body.sha256WithoutBlocking())
            : "UNSIGNED-PAYLOAD"
        request.urlRequest.setValue(nil, forHTTPHeaderField: "Authorization")
        request.urlRequest.setValue(stamp, forHTTPHeaderField: "X-Amz-Date")
        if let token = credentials.sessionToken {
            request.urlRequest.setValue(token, forHTTPHeaderField: "X-Amz-Security-Token")
        }
        // Without this field the server assumes a signed body, so an unsigned body always has it.
        if sendsBodyDigest || !signsBody {
            request.urlRequest.setValue(digest, forHTTPHeaderField: "X-Amz-Content-Sha256")
        }
        let canonical = AWSCanonicalRequest(
            request.urlRequest, url: sent, host: host, bodyDigest: digest,
            normalizesPath: normalizesPath, escapesPathTwice: escapesPathTwice)
        let scope = "\(date)/\(region)/\(service)/aws4_request"
        let signature = Self.signature(
            of: ["AWS4-HMAC-SHA256", stamp, scope, canonical.digest].joined(separator: "\n"),
            key: credentials.secretAccessKey, scope: [date, region, service, "aws4_request"])
        request.urlRequest.setValue(
            "AWS4-HMAC-SHA256 Credential=\(credentials.accessKeyID)/\(scope), "
                + "SignedHeaders=\(canonical.signedHeaders), Signature=\(signature)",
            forHTTPHeaderField: "Authorization")
        return request
    }

    /// Signs `text` with a key derived for one day, region and service.
    private static func signature(of text: String, key: String, scope: [String]) -> String {
        let signingKey = scope.reduce(Data("AWS4\(key)".utf8)) { key, part in
            Digester.hmacSHA256(of: Data(part.utf8), key: key)
        }
        return Hexadecimal.encode(Digester.hmacSHA256(of: Data(text.utf8), key: signingKey))
    }

    /// The value of `Host`: with the port, unless it is the default port of the scheme.
    private static func host(of url: URL) -> String? {
        guard let host = url.host, !host.isEmpty else { return nil }
        let shown = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        let usual = url.scheme?.lowercased() == "https" ? 443 : 80
        guard let port = url.port, port != usual else { return shown }
        return "\(shown):\(port)"
    }
}

extension RequestBody {
    /// Returns the SHA-256 digest of the body. A file is read in pieces.
    ///
    /// - Throws: Errors of reading a file; `URLError(.cannotDecodeRawData)` for a streamed body.
    public func sha256() throws -> Data {
        try sha256 {}
    }

    /// Like `sha256()`, but reads a file on a thread that may block. Cancelling the task stops the
    /// reading.
    func sha256WithoutBlocking() async throws -> Data {
        guard case .file = self else { return try sha256() }
        return try await DiskWork.perform(throwing: URLError(.cancelled)) { checkCancellation in
            try sha256(checking: checkCancellation)
        }
    }

    /// - Parameter check: Called before each piece of a file. An error that it throws ends the
    ///   reading.
    private func sha256(checking check: () throws -> Void) throws -> Data {
        switch self {
        case .none: Digester.digest(.sha256, of: Data())
        case .data(let data): Digester.digest(.sha256, of: data)
        case .file(let url): try Digester.digest(.sha256, ofFile: url, checking: check)
        case .stream:
            throw URLError(
                .cannotDecodeRawData,
                "The digest of a streamed body is unknown before the body is sent. Send data or a "
                    + "file, or sign without the digest (AWSSigner: signsBody = false).", url: nil)
        }
    }
}
