import Foundation
import MoyaCore
import MoyaInternals

/// Signs requests to AWS with Signature Version 4, in the field `Authorization`.
///
/// ```swift
/// let signer = AWSSigner(service: "s3", region: "eu-central-1") { try await credentials.current() }
/// let provider = MoyaProvider<Bucket>(transport: CurlTransport().signing(with: signer).retrying())
/// ```
public struct AWSSigner: RequestSigner {
    /// Gives the credentials for the next request.
    public typealias CredentialsProvider = @Sendable () async throws -> AWSCredentials

    /// Whether the digest of the body is signed. Without it the body is protected by TLS alone, and the server is
    /// told so in `X-Amz-Content-Sha256`.
    public var signsBody = true
    /// Whether the digest of the body is sent as well, as S3 wants it.
    public var sendsBodyDigest: Bool
    /// Whether `.`, `..` and empty segments are taken out of the path before it is signed. S3 keeps them.
    public var normalizesPath: Bool
    /// Whether the path is escaped once more for signing. Only S3 does not.
    public var escapesPathTwice: Bool

    private let service: String
    private let region: String
    private let credentials: CredentialsProvider
    private let clock: any MoyaClock

    /// - Parameters:
    ///   - service: The service's name for signing: `s3`, `dynamodb`, `execute-api`.
    ///   - region: The region: `eu-central-1`.
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

    /// Asks for credentials, and signs `request` with them. An `Authorization` that it has is replaced.
    ///
    /// - Throws: ``AWSSigningError``; what the credentials' provider throws; what reading the body's file throws,
    ///   and `URLError(.cannotDecodeRawData)` for a body that comes as a stream while ``signsBody``.
    public func sign(_ request: TransportRequest) async throws -> TransportRequest {
        let credentials = try await credentials()
        guard let url = request.urlRequest.url, let host = Self.host(of: url) else {
            throw AWSSigningError.noURL
        }
        var request = request
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
        // Who is not told that the body is unsigned takes the digest of it.
        if sendsBodyDigest || !signsBody {
            request.urlRequest.setValue(digest, forHTTPHeaderField: "X-Amz-Content-Sha256")
        }
        let canonical = AWSCanonicalRequest(
            request.urlRequest, url: url, host: host, bodyDigest: digest,
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

    /// The key is good for one day, region and service alone.
    private static func signature(of text: String, key: String, scope: [String]) -> String {
        let signingKey = scope.reduce(Data("AWS4\(key)".utf8)) { key, part in
            Digester.hmacSHA256(of: Data(part.utf8), key: key)
        }
        return Hexadecimal.encode(Digester.hmacSHA256(of: Data(text.utf8), key: signingKey))
    }

    /// The value of `Host`: with the port unless it is the scheme's own.
    private static func host(of url: URL) -> String? {
        guard let host = url.host, !host.isEmpty else { return nil }
        let shown = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        let usual = url.scheme?.lowercased() == "https" ? 443 : 80
        guard let port = url.port, port != usual else { return shown }
        return "\(shown):\(port)"
    }
}

extension RequestBody {
    /// The SHA-256 digest of what is sent. A file is read piece by piece.
    ///
    /// - Throws: What reading a file throws; `URLError(.cannotDecodeRawData)` for a body that comes as a stream.
    public func sha256() throws -> Data {
        try sha256 {}
    }

    /// The same for a task: a file is read on a thread that may wait, and no further once the task is cancelled.
    func sha256WithoutBlocking() async throws -> Data {
        guard case .file = self else { return try sha256() }
        let isCancelled = Locked(false)
        return try await withTaskCancellationHandler {
            try await DiskWork.perform {
                try sha256 {
                    guard !isCancelled.withLock({ $0 }) else { throw URLError(.cancelled) }
                }
            }
        } onCancel: {
            isCancelled.withLock { $0 = true }
        }
    }

    /// - Parameter check: Called before each piece of a file. What it throws ends the reading.
    private func sha256(checking check: () throws -> Void) throws -> Data {
        switch self {
        case .none: Digester.digest(.sha256, of: Data())
        case .data(let data): Digester.digest(.sha256, of: data)
        case .file(let url): try Digester.digest(.sha256, ofFile: url, checking: check)
        case .stream:
            throw URLError(
                .cannotDecodeRawData,
                "A body that comes as a stream has no digest before it has been sent. Sign it unsigned "
                    + "(AWS: UNSIGNED-PAYLOAD), or send a file.", url: nil)
        }
    }
}
