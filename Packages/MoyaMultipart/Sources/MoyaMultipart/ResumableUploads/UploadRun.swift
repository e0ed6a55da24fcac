import Foundation
@_spi(MoyaInternals) import MoyaCore
import MoyaInternals

/// One attempt to bring a file to a server whole (tus 1.0, core protocol and creation).
struct UploadRun: Sendable {
    private let requester: Requester
    private let file: URL
    private let identity: FileIdentity
    private let options: ResumableUploadOptions
    private let reporter: FileProgressReporter
    private let state: StateFile
    private let source: String

    /// The header fields of the protocol: without them, a request that was redirected is no part of an upload.
    static let fields: Set = [
        "Tus-Resumable", "Upload-Length", "Upload-Metadata", "Upload-Offset",
    ]

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

    func run() async throws -> UploadedFile {
        do {
            var (url, start) = try await begin()
            var restarts = 0
            while try await !send(to: url, from: start) {
                restarts += 1
                guard restarts < options.retry.attempts else {
                    throw UploadError.inconsistent("The server forgets what it has been sent.")
                }
                (url, start) = try await begin()
            }
            // It may have changed after the last byte was read. Then what was sent is no state of it.
            guard try FileIdentity(file) == identity else { throw UploadError.fileChanged(file) }
            state.remove()
            return UploadedFile(url: url, byteCount: identity.size, resumedFrom: start)
        } catch {
            // What the body of a request throws comes back as the exchange's error.
            let cause = (error as? MoyaError)?.underlyingError ?? error
            if (cause as? UploadError)?.reason == .fileChanged { state.remove() }
            throw error
        }
    }

    // MARK: The steps

    /// The upload to go on with and how much of it the server has, or a new one.
    private func begin() async throws -> (URL, Int64) {
        if let saved = state.load(UploadState.self), saved.fits(source, identity),
            ReceivedValue.url(saved.upload) == saved.upload, mayUse(saved.upload),
            let offset = try await askOffset(ofSaved: saved.upload)
        {
            return (saved.upload, offset)
        }
        let url = try await create()
        // Best effort: this attempt can go on without a state. Only a later one could not.
        try? await DiskWork.perform { [self] in
            try state.save(UploadState(source: source, upload: url, identity: identity))
        }
        return (url, 0)
    }

    private func create() async throws -> URL {
        var headers = ["Upload-Length": "\(identity.size)"]
        if !options.metadata.isEmpty { headers["Upload-Metadata"] = metadata }
        let answer = try await exchange(
            RequestChange(method: .post, headers: headers, body: RequestTask.Body.none))
        guard answer.statusCode == 201 else { throw await answer.unusable() }
        guard let url = answer.location else {
            throw UploadError.inconsistent(
                "The server created an upload without a Location that a request could be sent to.")
        }
        guard mayUse(url) else { throw UploadError.otherOrigin(url) }
        return url
    }

    /// Whether the file, and what the target sends with its requests, is meant for `url`.
    private func mayUse(_ url: URL) -> Bool {
        guard !options.allowsOtherOrigins else { return true }
        return URL(string: requester.url).map { url.hasSameOrigin(as: $0) } ?? false
    }

    /// How much of an upload the server has. `nil` if it has forgotten it, or takes no requests for it.
    private func askOffset(of url: URL) async throws -> Int64? {
        let answer = try await exchange(
            RequestChange(url: url, method: .head, body: RequestTask.Body.none))
        switch answer.statusCode {
        case 200..<300: break
        // These pass: the upload may be there still.
        case 401, 407, 408, 423, 425, 429: throw await answer.unusable()
        // A place that the server refuses for good would be refused to every later attempt.
        case 400..<500: return nil
        default: throw await answer.unusable()
        }
        let length = answer.head.value(for: "Upload-Length").flatMap(Int64.init)
        guard let offset = answer.offset, (0...identity.size).contains(offset),
            length ?? identity.size == identity.size
        else {
            throw UploadError.inconsistent("The server does not say how much of the file it has.")
        }
        return offset
    }

    /// How much the server has of what an earlier attempt has begun. `nil` as well if it has something else there by now:
    /// an error would meet every attempt from here on.
    private func askOffset(ofSaved url: URL) async throws -> Int64? {
        do {
            return try await askOffset(of: url)
        } catch let error as UploadError where error.reason == .inconsistentServer {
            return nil
        }
    }

    /// Sends what is missing. Returns whether the server still knew the upload.
    private func send(to url: URL, from start: Int64) async throws -> Bool {
        var offset = start
        var budget = TransferRetry.Budget(options.retry, at: start)
        while offset < identity.size {
            let end = offset + min(max(1, options.chunkSize ?? .max), identity.size - offset)
            do {
                offset = try await patch(url, offset..<end)
            } catch let error as MoyaError {
                guard requester.isTransient(error) || error.isAboutOffset else { throw error }
                try await budget.wait(after: error, by: options.clock)
                // Whatever went wrong, the server knows how much it has.
                guard let known = try await askOffset(of: url) else { return false }
                offset = known
                budget.reached(offset)
                continue
            }
            let count = budget.reached(offset)
            // Less than was sent: the server has to have a reason, and may be full.
            if offset < end, count < TransferRetry.Budget.minimumProgress {
                let error = UploadError.inconsistent(
                    "The server kept \(count) bytes of a request that had more.")
                try await budget.wait(after: .underlying(error, nil), by: options.clock)
            }
        }
        reporter.report { (identity.size, identity.size) }
        return true
    }

    /// Sends a part. Returns how much the server has then.
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
        guard (200..<300).contains(answer.statusCode) else { throw await answer.unusable() }
        guard let next = answer.offset, next > range.lowerBound, next <= range.upperBound else {
            throw UploadError.inconsistent("The server does not say how much of the file it has.")
        }
        return next
    }

    // MARK: Requests

    /// Sends a request without a body, again where the network broke it.
    private func exchange(_ change: RequestChange) async throws -> UnvalidatedResponse {
        var budget = TransferRetry.Budget(options.retry)
        while true {
            do {
                let answer = try await exchangeOnce(change)
                guard TransientFailure(statusCode: answer.statusCode) == nil else {
                    throw await answer.unusable()
                }
                return answer
            } catch let error as MoyaError {
                try await requester.wait(after: error, &budget, by: options.clock)
            }
        }
    }

    /// Sends one request of the protocol.
    ///
    /// - Throws: ``MoyaError``; ``UploadError`` for a redirect to another origin, which has not been followed.
    private func exchangeOnce(_ change: RequestChange) async throws -> UnvalidatedResponse {
        var change = change
        change.headers["Tus-Resumable"] = "1.0.0"
        let answer = try await requester.send(change)
        if Redirect.isRedirect(answer.statusCode), let url = answer.location, !mayUse(url) {
            throw UploadError.otherOrigin(url)
        }
        return answer
    }

    /// As tus has it.
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
    /// Whether the server has more or less than was thought, or nothing any more, or is still busy with what
    /// came before: conflict, locked, a checksum that did not fit.
    fileprivate var isAboutOffset: Bool {
        [404, 409, 410, 423, 460].contains(response?.statusCode)
    }
}

extension UnvalidatedResponse {
    /// Where the server says that an upload is, or what was asked for.
    fileprivate var location: URL? {
        head.values(for: "Location").first.flatMap { ReceivedValue.url($0, relativeTo: head.url) }
    }

    /// How much of an upload the server says it has.
    fileprivate var offset: Int64? { head.value(for: "Upload-Offset").flatMap(Int64.init) }
}
