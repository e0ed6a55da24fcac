import Foundation
@_spi(MoyaInternals) import MoyaCore
import MoyaInternals

/// One call of `resumableUpload` (tus 1.0, core protocol and creation extension).
struct UploadRun: Sendable {
    private let requester: Requester
    private let file: URL
    private let identity: FileIdentity
    private let options: ResumableUploadOptions
    private let reporter: FileProgressReporter
    private let state: StateFile
    private let source: String

    /// Header fields of the protocol. Redirected requests need them too.
    static let fields: Set = [
        "Tus-Resumable", "Upload-Length", "Upload-Metadata", "Upload-Offset",
    ]

    /// Checks the options and reads the file's attributes.
    ///
    /// - Throws: ``FileTransferError``, ``UploadError``.
    init(
        _ requester: Requester, of file: URL, options: ResumableUploadOptions,
        _ reporter: FileProgressReporter
    ) throws {
        for name in options.metadata.keys where !Self.isMetadataName(name) {
            throw UploadError.metadataName(name)
        }
        self.requester = requester
        self.file = file
        self.options = options
        self.reporter = reporter
        identity = try FileIdentity(file)
        source = Digester.sha256(of: requester.url)
        state = StateFile(for: file, source: requester.url, in: options.stateFolder)
    }

    /// Uploads the file.
    func run() async throws -> UploadedFile {
        do {
            var (url, start) = try await begin()
            var restarts = 0
            while let restart = try await send(to: url, from: start) {
                restarts += 1
                guard restarts <= options.retry.maximumRetries else {
                    throw UploadError.inconsistent("The server keeps deleting the upload.")
                }
                reporter.report(restart)
                (url, start) = (try await create(after: restart), 0)
            }
            // The file may have changed after its last byte was read, so the bytes sent may mix two
            // versions.
            guard try FileIdentity(file) == identity else { throw UploadError.fileChanged(file) }
            state.remove()
            return UploadedFile(
                url: url, byteCount: identity.size, resumedFrom: start,
                restart: reporter.lastRestart)
        } catch {
            // An error thrown by the request's body arrives inside a MoyaError.
            let cause = (error as? MoyaError)?.underlyingError ?? error
            if (cause as? UploadError)?.reason == .fileChanged { state.remove() }
            throw error
        }
    }

    // MARK: Steps

    /// Returns a saved upload and its offset, or creates an upload.
    private func begin() async throws -> (URL, Int64) {
        guard let saved = try state.load(UploadState.self) else { return (try await create(), 0) }
        switch try await askOffset(of: saved) {
        case .bytes(let offset): return (saved.upload, offset)
        case .gone(let restart):
            reporter.report(restart)
            return (try await create(after: restart), 0)
        }
    }

    /// Creates an upload on the server, and saves its URL.
    ///
    /// - Parameter restart: Why another upload is given up, for logs.
    private func create(after restart: TransferRestart? = nil) async throws -> URL {
        let url = try await RequestNote.$current.withValue(restart?.description) {
            try await requestUpload()
        }
        // Best effort: without a saved state, this call can still resume, but a later one cannot.
        try? await DiskWork.perform { [self] in
            try state.save(UploadState(source: source, upload: url, identity: identity))
        }
        return url
    }

    /// Creates an upload on the server. Returns its URL.
    private func requestUpload() async throws -> URL {
        var headers = ["Upload-Length": "\(identity.size)"]
        if !options.metadata.isEmpty { headers["Upload-Metadata"] = metadata }
        let answer = try await exchange(
            RequestChange(method: .post, headers: headers, body: RequestTask.Body.none))
        // The protocol demands 201. Servers and gateways also respond with 200 or 202. The Location
        // is what shows that the upload exists.
        guard [200, 201, 202].contains(answer.statusCode) else { throw await answer.refusal() }
        guard let url = answer.location else {
            throw UploadError.inconsistent(
                "The server created an upload without a Location that a request could be sent to.")
        }
        // Without the end of its body, the exchange would count as cancelled.
        await answer.body.skip()
        guard mayUse(url) else { throw UploadError.otherOrigin(url) }
        return url
    }

    /// Whether the file and the target's header fields may be sent to `url`.
    private func mayUse(_ url: URL) -> Bool {
        guard !options.allowsOtherOrigins else { return true }
        return URL(string: requester.url).map { url.origin == $0.origin } ?? false
    }

    /// Number of bytes that the server has, or why it has none.
    private enum KnownOffset {
        case bytes(Int64)
        case gone(TransferRestart)
    }

    /// Asks the server for the upload's offset.
    private func askOffset(of url: URL) async throws -> KnownOffset {
        let answer = try await exchange(
            RequestChange(url: url, method: .head, body: RequestTask.Body.none))
        switch answer.statusCode {
        case 200..<300: await answer.body.skip()
        // These statuses are temporary: the upload may still exist. `exchange` has thrown the
        // others, 408 and 429.
        case 401, 407, 423, 425: throw await answer.refusal()
        // The server rejects the saved URL permanently, so a later attempt would fail as well.
        case 400..<500:
            await answer.body.skip()
            return .gone(.uploadRefused(answer.statusCode))
        default: throw await answer.refusal()
        }
        let length = answer.head.value(for: "Upload-Length").flatMap(Int64.init)
        guard let offset = answer.offset, (0...identity.size).contains(offset),
            length ?? identity.size == identity.size
        else {
            throw UploadError.inconsistent("The server's response has no valid Upload-Offset.")
        }
        return .bytes(offset)
    }

    /// Asks for the offset of a saved upload. It is gone also if the server stores another file
    /// there, because the error would otherwise end every later attempt.
    private func askOffset(of saved: UploadState) async throws -> KnownOffset {
        guard saved.identity == identity else { return .gone(.fileChanged) }
        guard saved.fits(source, identity), ReceivedValue.url(saved.upload) == saved.upload,
            mayUse(saved.upload)
        else { return .gone(.uploadURLUnusable) }
        do {
            return try await askOffset(of: saved.upload)
        } catch let error as UploadError where error.reason == .inconsistentServer {
            return .gone(.otherUpload)
        }
    }

    /// Sends the missing bytes. Returns `nil` when the file is complete, or why the upload has to
    /// start again: the server has deleted it.
    private func send(to url: URL, from start: Int64) async throws -> TransferRestart? {
        var offset = start
        var budget = TransferRetry.Budget(options.retry, at: start)
        while offset < identity.size {
            let end = offset + min(max(1, options.chunkSize ?? .max), identity.size - offset)
            do {
                offset = try await patch(url, offset..<end)
            } catch let error as MoyaError {
                guard requester.isTransient(error) || error.isAboutOffset else { throw error }
                try await budget.wait(after: error, by: options.clock)
                // After any failure, the server's offset is authoritative.
                switch try await askOffset(of: url) {
                case .bytes(let known): offset = known
                case .gone(let restart): return restart
                }
                budget.reached(offset)
                continue
            }
            let count = budget.reached(offset)
            // The server kept less than it was sent, for example because its disk is full.
            if offset < end, count < TransferRetry.Budget.minimumProgress {
                let error = UploadError.inconsistent(
                    "The server kept \(count) bytes of a request that had more.")
                try await budget.wait(after: .underlying(error, nil), by: options.clock)
            }
        }
        reporter.report { (identity.size, identity.size) }
        return nil
    }

    /// Sends a range of the file. Returns the server's new offset.
    private func patch(_ url: URL, _ range: Range<Int64>) async throws -> Int64 {
        let slice = FileSlice(file: file, identity: identity, range: range) { read in
            reporter.report { (read, identity.size) }
        }
        let answer = try await exchangeOnce(
            RequestChange(
                url: url, method: .patch,
                headers: [
                    "Upload-Offset": "\(range.lowerBound)",
                    "Content-Type": "application/offset+octet-stream",
                ], body: .upload(slice)))
        guard (200..<300).contains(answer.statusCode) else { throw await answer.refusal() }
        guard let next = answer.offset, next > range.lowerBound, next <= range.upperBound else {
            throw UploadError.inconsistent("The server's response has no valid Upload-Offset.")
        }
        await answer.body.skip()
        return next
    }

    // MARK: Requests

    /// Sends a request without a body, and repeats it after transient failures.
    private func exchange(_ change: RequestChange) async throws -> StreamingResponse {
        var budget = TransferRetry.Budget(options.retry)
        while true {
            do {
                let answer = try await exchangeOnce(change)
                guard TransientFailure(statusCode: answer.statusCode) == nil else {
                    throw await answer.refusal()
                }
                return answer
            } catch let error as MoyaError {
                try await requester.wait(after: error, &budget, by: options.clock)
            }
        }
    }

    /// Sends one request of the protocol, without retries.
    ///
    /// - Throws: ``MoyaError``; ``UploadError`` for a redirect to another origin, which is not
    ///   followed.
    private func exchangeOnce(_ change: RequestChange) async throws -> StreamingResponse {
        var change = change
        change.headers["Tus-Resumable"] = "1.0.0"
        let answer = try await requester.send(change)
        if Redirect.isRedirect(answer.statusCode), let url = answer.location, !mayUse(url) {
            await answer.body.skip()
            throw UploadError.otherOrigin(url)
        }
        return answer
    }

    /// Whether `name` is a valid metadata key of tus.
    private static func isMetadataName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy { 0x21...0x7E ~= $0 && $0 != UInt8(ascii: ",") }
    }

    private var metadata: String {
        options.metadata.sorted { $0.key < $1.key }
            .map { "\($0.key) \(Data($0.value.utf8).base64EncodedString())" }
            .joined(separator: ",")
    }
}

extension MoyaError {
    /// Whether the response shows that the server's offset differs, the upload is gone, or the
    /// server is still processing an earlier request: 404, 409 (conflict), 410, 423 (locked), 460
    /// (checksum mismatch).
    fileprivate var isAboutOffset: Bool {
        [404, 409, 410, 423, 460].contains(response?.statusCode)
    }
}

extension StreamingResponse {
    /// URL in the `Location` field, resolved against the request's URL.
    fileprivate var location: URL? {
        head.values(for: "Location").first.flatMap { ReceivedValue.url($0, relativeTo: head.url) }
    }

    /// Value of `Upload-Offset`.
    fileprivate var offset: Int64? { head.value(for: "Upload-Offset").flatMap(Int64.init) }
}
