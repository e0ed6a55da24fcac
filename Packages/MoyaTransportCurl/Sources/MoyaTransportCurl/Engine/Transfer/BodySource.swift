#if CURL
import MoyaCore
import MoyaInternals

/// The bytes of a request's body. A stream is read in order, other bodies from any offset.
struct BodySource {
    private enum Storage {
        case data(Data)
        case file(descriptor: Int32, path: String)
        case stream(BodyFeed)
        case reader(any BodyReader)
    }

    private let storage: Storage
    /// The body's length in bytes. `nil` if it is unknown.
    let count: Int64?
    private(set) var offset: Int64 = 0
    /// The stream to start at the first read.
    private var unstarted: RequestBodyStream?

    init(_ data: Data) {
        storage = .data(data)
        count = Int64(data.count)
    }

    /// Opens a regular file.
    init(file url: URL) throws(URLError) {
        let path = url.path
        // Opens without blocking, so that a FIFO without a writer cannot block the loop's thread.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            let code: URLError.Code =
                switch errno {
                case ENOENT: .fileDoesNotExist
                case EACCES, EPERM: .noPermissionsToReadFile
                default: .cannotOpenFile
                }
            throw URLError(
                code, "Cannot read \(path): \(String(cString: strerror(errno))).", url: nil,
                cause: POSIXError(.init(rawValue: errno) ?? .EIO))
        }
        guard let size = Self.size(of: descriptor) else {
            _ = Foundation.close(descriptor)
            throw URLError(.fileIsDirectory, "\(path) is not a regular file.", url: nil)
        }
        storage = .file(descriptor: descriptor, path: path)
        count = size
    }

    /// Starts to read `stream`, whose chunks may arrive at any time. `wake` is called when bytes
    /// arrive after a read that found none.
    ///
    /// - Parameter startsAtRead: Whether nothing is read from `stream` before the first read.
    init(
        _ stream: RequestBodyStream, startsAtRead: Bool = false,
        wake: @escaping @Sendable () -> Void
    ) {
        // Trailer fields need the chunked coding (RFC 9112, section 7.1.2).
        count = stream.trailers == nil ? stream.length : nil
        if let makeReader = stream.makeReader, stream.trailers == nil {
            storage = .reader(makeReader())
        } else {
            let feed = BodyFeed(wake: wake)
            if startsAtRead { unstarted = stream } else { feed.start(stream) }
            storage = .stream(feed)
        }
    }

    /// Reads the next bytes. Returns 0 at the end, and `nil` if there are no bytes yet.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int? {
        if case .stream(let feed) = storage, let stream = unstarted.take() { feed.start(stream) }
        guard let count = try take(buffer) else { return nil }
        offset += Int64(count)
        return count
    }

    private func take(_ buffer: UnsafeMutableRawBufferPointer) throws -> Int? {
        switch storage {
        case .data(let data):
            let start = data.startIndex + Int(offset)
            return data.copyBytes(to: buffer, from: start..<start + wanted(buffer))
        case .file(let descriptor, let path):
            return try read(descriptor, path, wanted(buffer), buffer)
        case .stream(let feed): return try feed.read(into: buffer)
        case .reader(let reader):
            let room = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(wanted(buffer)))
            let read = try reader.read(into: room)
            guard read > 0 || offset == count ?? offset else {
                throw Self.wrongLength("ended after \(offset)", count)
            }
            return read
        }
    }

    /// The number of bytes to read: the buffer's size, but not beyond the announced length.
    private func wanted(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        Int(min(Int64(buffer.count), (count ?? .max) - offset))
    }

    /// Whether this is a stream from which nothing has been read.
    var isUntouchedStream: Bool { isStream && offset == 0 }

    private var isStream: Bool {
        switch storage {
        case .data, .file: false
        case .stream, .reader: true
        }
    }

    /// Checks that the body does not continue beyond its announced length.
    func checkEnd() throws {
        guard let count, offset == count else { return }
        switch storage {
        case .data: break
        case .file(let descriptor, let path):
            guard Self.size(of: descriptor) == count else { throw Self.changed(path, "grew") }
        case .stream(let feed):
            guard try !feed.hasMore() else { throw Self.wrongLength("goes on after all", count) }
        case .reader(let reader):
            var byte: UInt8 = 0
            let more = try withUnsafeMutableBytes(of: &byte) { try reader.read(into: $0) }
            guard more == 0 else { throw Self.wrongLength("goes on after all", count) }
        }
    }

    private static func wrongLength(_ how: String, _ count: Int64?) -> URLError {
        URLError(
            .requestBodyStreamExhausted,
            "The request's body \(how) of the \(count ?? 0) bytes that were announced.", url: nil)
    }

    /// Continues at `offset`. A stream cannot go back, and has to be created anew.
    mutating func seek(to offset: Int64) -> Bool {
        if isStream { return offset == self.offset }
        guard (0...(count ?? 0)).contains(offset) else { return false }
        self.offset = offset
        return true
    }

    func close() {
        switch storage {
        case .data, .reader: break
        case .file(let descriptor, _): _ = Foundation.close(descriptor)
        case .stream(let feed): feed.stop()
        }
    }

    private func read(
        _ descriptor: Int32, _ path: String, _ wanted: Int, _ buffer: UnsafeMutableRawBufferPointer
    ) throws(URLError) -> Int {
        var count = 0
        while count < wanted {
            let read = pread(
                descriptor, buffer.baseAddress?.advanced(by: count), wanted - count,
                off_t(offset) + off_t(count))
            if read > 0 {
                count += read
            } else if read == 0 || errno != EINTR {
                throw Self.changed(path, "became shorter or unreadable")
            }
        }
        return count
    }

    private static func changed(_ path: String, _ how: String) -> URLError {
        URLError(.requestBodyStreamExhausted, "\(path) \(how) while it was being sent.", url: nil)
    }

    private static func size(of descriptor: Int32) -> Int64? {
        var file = stat()
        guard fstat(descriptor, &file) == 0, file.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int64(file.st_size)
    }
}

/// Passes the chunks of an asynchronous request body to libcurl, whose read callback runs on the
/// loop's thread and must not block.
///
/// A separate task reads one chunk ahead.
final class BodyFeed: Sendable {
    private struct State {
        var current = Data()
        var next: Data?
        var ending: Result<Void, any Error>?
        /// Whether libcurl has asked for bytes in vain.
        var isStarving = false
        var isStopped = false
        /// The task in `put`, which waits until `next` is taken.
        var writer: UnsafeContinuation<Void, Never>?
        /// The task that reads the stream. The stream may never produce an element.
        var reader: Task<Void, Never>?
    }

    private let state = Locked(State())
    private let wake: @Sendable () -> Void

    /// - Parameter wake: Called when bytes, the end or an error arrive after a read that found
    ///   none.
    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    /// Starts to read `stream`. Call it once.
    func start(_ stream: RequestBodyStream) {
        let reader = Task {
            do {
                for try await chunk in try stream.makeChunks() {
                    guard await put(chunk) else { return }
                }
                end(.success(()))
            } catch {
                end(.failure(error))
            }
        }
        // The task may run before this line. If `stop` ran before it too, `stop` found no reader to
        // cancel, and this line finds `isStopped`. If `stop` runs later, it finds the reader.
        let isStopped = state.withLock { state in
            state.reader = reader
            return state.isStopped
        }
        if isStopped { reader.cancel() }
    }

    /// Stops reading and discards the remaining bytes.
    func stop() {
        let (writer, reader) = state.withLock { state in
            state.isStopped = true
            state.current = Data()
            state.next = nil
            return (state.writer.take(), state.reader)
        }
        writer?.resume()
        reader?.cancel()
    }

    /// Copies the next bytes into `buffer`. Returns their number, 0 at the end, and `nil` if there
    /// are no bytes yet: `wake` is called when there are.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int? {
        let (count, writer) = try state.withLock {
            state -> (Int?, UnsafeContinuation<Void, Never>?) in
            var writer: UnsafeContinuation<Void, Never>?
            if state.current.isEmpty, let next = state.next.take() {
                state.current = next
                writer = state.writer.take()
            }
            guard state.current.isEmpty else {
                let count = min(buffer.count, state.current.count)
                state.current.copyBytes(to: buffer, count: count)
                state.current.removeFirst(count)
                return (count, writer)
            }
            try state.ending?.get()
            state.isStarving = state.ending == nil
            return (state.isStarving ? nil : 0, nil)
        }
        writer?.resume()
        return count
    }

    /// Whether bytes are left that libcurl has not read, as far as is known without waiting.
    func hasMore() throws -> Bool {
        try state.withLock { state in
            if case .failure(let error) = state.ending { throw error }
            return !state.current.isEmpty || state.next != nil
        }
    }

    /// Stores `chunk` for libcurl, and waits until it is taken. Returns `false` if the feed has
    /// been stopped.
    private func put(_ chunk: Data) async -> Bool {
        if chunk.isEmpty { return !isStopped }
        let wasStarving = state.withLock { state in
            state.next = chunk
            return exchange(&state.isStarving, with: false)
        }
        if wasStarving { wake() }
        // libcurl may take the chunk between the two locks: then there is no need to wait.
        // Otherwise `read` or `stop` resumes the continuation, whichever takes it out of the state
        // first.
        await withUnsafeContinuation { continuation in
            let isFree = state.withLock { state in
                if state.next == nil || state.isStopped { return true }
                state.writer = continuation
                return false
            }
            if isFree { continuation.resume() }
        }
        return !isStopped
    }

    private var isStopped: Bool { state.withLock(\.isStopped) }

    private func end(_ ending: Result<Void, any Error>) {
        let wasStarving = state.withLock { state in
            state.ending = ending
            return exchange(&state.isStarving, with: false)
        }
        if wasStarving { wake() }
    }
}
#endif
