import Foundation
import MoyaCore
import MoyaInternals
import MoyaMockServer

/// Strict server of the tus protocol, version 1.0, with the creation extension. It rejects every
/// violation of the protocol, and keeps the bytes that arrived before a connection is cut.
final class TusServer: Sendable {
    struct Upload: Sendable {
        let length: Int
        let metadata: String?
        var data = Data()
    }

    struct State: Sendable {
        var uploads: [String: Upload] = [:]
        /// Method and path of each request, with the offset of a PATCH.
        var log: [String] = []
        /// Authorization of each request.
        var credentials: [String?] = []
        /// Number of body bytes after which the connection of each PATCH is reset.
        var cut: Int?
        /// Number of bytes of a PATCH after which the server stops reading.
        var stall: Int?
        /// Statuses of the next responses, in place of regular ones.
        var refusals: [Int] = []
        /// Retry-After of these responses.
        var retryAfter = "0"
        /// Counts bytes instead of keeping them.
        var forgetsBytes = false
        /// Prefix of the path in Location.
        var origin = ""
    }

    let state: Locked<State>
    private let server: RawServer

    init() throws {
        let state = Locked(State())
        self.state = state
        server = try RawServer { Exchange(connection: $0, state: state)?.answer() }
    }

    deinit { server.stop() }

    func stop() { server.stop() }

    var target: Transfer {
        Transfer(baseURL: server.url, path: "files", task: .requestPlain)
    }

    /// Bytes of every upload.
    var contents: [Data] { state.withLock { $0.uploads.values.map(\.data) } }
    var log: [String] { state.withLock(\.log) }
}

/// Single request on its connection.
private struct Exchange {
    let connection: RawServer.Connection
    let state: Locked<TusServer.State>
    let method: String
    let path: String
    private var headers: [String: String] = [:]
    private let beginning: Data

    init?(connection: RawServer.Connection, state: Locked<TusServer.State>) {
        let received = connection.read(until: "\r\n\r\n")
        guard let end = received.range(of: Data("\r\n\r\n".utf8)) else { return nil }
        self.connection = connection
        self.state = state
        beginning = Data(received[end.upperBound...])
        let lines = String(decoding: received[..<end.lowerBound], as: UTF8.self)
            .components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ").map(String.init)
        guard words.count == 3 else { return nil }
        (method, path) = (words[0], words[1])
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers[parts[0].lowercased()] =
                parts.count == 2 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
        }
    }

    func answer() {
        let offset = headers["upload-offset"].map { " \($0)" } ?? ""
        let (refusal, retryAfter) = state.withLock { state in
            state.log.append("\(method) \(path)\(offset)")
            state.credentials.append(headers["authorization"])
            return (state.refusals.popLast(), state.retryAfter)
        }
        if let refusal { return respond(refusal, ["Retry-After": retryAfter]) }
        guard headers["tus-resumable"] == "1.0.0" else {
            return respond(412, ["Tus-Version": "1.0.0"])
        }
        // Read under one lock, because a test may change the state concurrently.
        let (upload, cut, stall) = state.withLock { ($0.uploads[path], $0.cut, $0.stall) }
        switch (method, upload) {
        case ("POST", nil): create()
        case ("HEAD", let upload?):
            respond(
                200,
                ["Upload-Offset": "\(upload.data.count)", "Upload-Length": "\(upload.length)"])
        case ("PATCH", let upload?): append(to: upload, cut, stall)
        case (_, nil): respond(404)
        default: respond(405)
        }
    }

    private func create() {
        guard path == "/files", let length = headers["upload-length"].flatMap({ Int($0) }),
            length >= 0, Int(headers["content-length"] ?? "0") == 0
        else { return respond(400) }
        let location = state.withLock { state in
            let path = "/files/\(state.uploads.count + 1)"
            state.uploads[path] = .init(length: length, metadata: headers["upload-metadata"])
            return state.origin + path
        }
        respond(201, ["Location": location])
    }

    private func append(to upload: TusServer.Upload, _ cut: Int?, _ stall: Int?) {
        guard headers["content-type"] == "application/offset+octet-stream" else {
            return respond(415)
        }
        guard headers["upload-offset"] == "\(upload.data.count)" else { return respond(409) }
        guard let length = headers["content-length"].flatMap({ Int($0) }),
            upload.data.count + length <= upload.length
        else { return respond(413) }
        if headers["expect"]?.lowercased() == "100-continue" {
            connection.write("HTTP/1.1 100 Continue\r\n\r\n")
        }
        var (missing, piece) = (min(length, cut ?? .max, stall ?? .max), beginning)
        var end = upload.data.count
        while true {
            let part = piece.prefix(missing)
            missing -= part.count
            guard append(part, at: end) else { return }
            end += part.count
            guard missing > 0 else { break }
            piece = connection.read()
            guard !piece.isEmpty else { return }
        }
        if let cut, cut < length { return connection.resetAtEnd() }
        if let stall, stall < length { return connection.waitForClient() }
        respond(204, ["Upload-Offset": "\(upload.data.count + length)"])
    }

    /// Appends to the upload's bytes. Returns `false` if another request has appended: bytes of a
    /// killed client may arrive while the next client resumes.
    private func append(_ part: Data, at end: Int) -> Bool {
        state.withLock { state in
            guard !state.forgetsBytes else { return true }
            guard state.uploads[path]?.data.count == end else { return false }
            state.uploads[path]?.data.append(part)
            return true
        }
    }

    private func respond(_ status: Int, _ fields: [String: String] = [:]) {
        var head = "HTTP/1.1 \(status) Status\r\nTus-Resumable: 1.0.0\r\nConnection: close\r\n"
        if status != 204 { head += "Content-Length: 0\r\n" }
        for (name, value) in fields { head += "\(name): \(value)\r\n" }
        connection.write(head + "\r\n")
        // Closing with unread body bytes would reset the connection and lose the response.
        connection.halfClose()
    }
}
