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

    let isS3: Bool
    private let service: String
    private let region: String
    let credentials: CredentialsProvider
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
        isS3 = service == "s3"
        sendsBodyDigest = isS3
        normalizesPath = !isS3
        escapesPathTwice = !isS3
    }

    /// Obtains credentials, and signs `request` with them. Replaces an existing `Authorization`
    /// field. The query is sent in the form that is signed: sorted, and with all characters
    /// percent-encoded except unreserved ones. So is the path, unless ``escapesPathTwice``.
    ///
    /// For S3, a streamed body of known length is sent with the content coding `aws-chunked` and
    /// a signature for each 64 KiB, if ``signsBody``. It is read once, while it is sent.
    ///
    /// - Throws: An error for a request without a host; errors of the credentials provider; errors
    ///   of reading the body's file; `URLError(.cannotDecodeRawData)` for any other streamed body
    ///   if ``signsBody``.
    public func sign(_ request: TransportRequest) async throws -> TransportRequest {
        let credentials = try await credentials()
        guard let url = request.urlRequest.url, let host = Self.host(of: url) else {
            throw AWSSigningError.noURL
        }
        var request = request
        let sent = AWSCanonicalRequest.sent(url, escapesPathTwice: escapesPathTwice)
        if sent != url { request.urlRequest.url = sent }
        let key = signingKey(for: credentials)
        let digest = try await signedDigest(of: &request)
        request.urlRequest.setValue(nil, forHTTPHeaderField: "Authorization")
        request.urlRequest.setValue(key.timestamp, forHTTPHeaderField: "X-Amz-Date")
        if let token = credentials.sessionToken {
            request.urlRequest.setValue(token, forHTTPHeaderField: "X-Amz-Security-Token")
        }
        // Without this field the server assumes a signed body, so an unsigned body always has it.
        if sendsBodyDigest || !signsBody {
            request.urlRequest.setValue(digest, forHTTPHeaderField: "X-Amz-Content-Sha256")
        }
        let canonical = canonicalRequest(
            request.urlRequest, url: sent, host: host, bodyDigest: digest)
        let signature = key.signature(of: canonical.digest)
        request.urlRequest.setValue(
            "\(AWSSigningKey.algorithm) Credential=\(credentials.accessKeyID)/\(key.scope), "
                + "SignedHeaders=\(canonical.signedHeaders), Signature=\(signature)",
            forHTTPHeaderField: "Authorization")
        if digest == AWSSignedChunks.payload, case .stream(let body) = request.body {
            let chunks = AWSSignedChunks(body: body, key: key, seed: signature)
            request.body = .stream(chunks.stream())
        }
        return request
    }

    /// Returns the digest of the body, or the text that stands for it. Adds the header fields of a
    /// body that is signed in chunks.
    private func signedDigest(of request: inout TransportRequest) async throws -> String {
        guard signsBody else { return Self.unsignedPayload }
        if isS3, sendsBodyDigest, case .stream(let body) = request.body, let length = body.length,
            let encodedLength = AWSSignedChunks.encodedLength(of: length)
        {
            let coding = request.value(for: "Content-Encoding").map { ",\($0)" } ?? ""
            request.urlRequest.setValue(
                "aws-chunked\(coding)", forHTTPHeaderField: "Content-Encoding")
            request.urlRequest.setValue(
                "\(length)", forHTTPHeaderField: "X-Amz-Decoded-Content-Length")
            if request.value(for: "Content-Length") != nil {
                request.urlRequest.setValue(
                    "\(encodedLength)", forHTTPHeaderField: "Content-Length")
            }
            return AWSSignedChunks.payload
        }
        return Hexadecimal.encode(try await request.body.sha256WithoutBlocking())
    }

    static let unsignedPayload = "UNSIGNED-PAYLOAD"

    func signingKey(for credentials: AWSCredentials) -> AWSSigningKey {
        AWSSigningKey(
            secret: credentials.secretAccessKey, date: clock.now, region: region, service: service)
    }

    func canonicalRequest(
        _ request: URLRequest, url: URL, host: String, bodyDigest: String
    ) -> AWSCanonicalRequest {
        AWSCanonicalRequest(
            request, url: url, host: host, bodyDigest: bodyDigest, normalizesPath: normalizesPath,
            escapesPathTwice: escapesPathTwice)
    }

    /// The value of `Host`: with the port, unless it is the default port of the scheme.
    static func host(of url: URL) -> String? {
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
                    + "file, or sign without the digest (AWSSigner: signsBody = false). For S3, "
                    + "AWSSigner signs a stream in chunks if its length is known.", url: nil)
        }
    }
}
