import Foundation
@_spi(MoyaInternals) import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The bytes of a request's body, from any place on.
struct BodySource {
    private enum Storage {
        case data(Data)
        case file(descriptor: Int32, path: String)
    }

    private let storage: Storage
    /// The number of bytes there are.
    let count: Int64
    private(set) var offset: Int64 = 0

    init(_ data: Data) {
        storage = .data(data)
        count = Int64(data.count)
    }

    /// Opens a file, which has to be a regular one.
    init(file url: URL) throws(URLError) {
        let path = url.path
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let code: URLError.Code = errno == ENOENT ? .fileDoesNotExist : .noPermissionsToReadFile
            throw URLError(
                code, "Cannot read \(path): \(String(cString: strerror(errno))).", url: nil,
                cause: POSIXError(.init(rawValue: errno) ?? .EIO))
        }
        guard let size = Self.size(of: descriptor) else {
            _ = closeFile(descriptor)
            throw URLError(.fileIsDirectory, "\(path) is not a regular file.", url: nil)
        }
        storage = .file(descriptor: descriptor, path: path)
        count = size
    }

    /// The next bytes. 0 means the end.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(URLError) -> Int {
        let wanted = Int(min(Int64(buffer.count), count - offset))
        let count =
            switch storage {
            case .data(let data): copy(data, wanted, buffer)
            case .file(let descriptor, let path): try read(descriptor, path, wanted, buffer)
            }
        offset += Int64(count)
        return count
    }

    mutating func seek(to offset: Int64) -> Bool {
        guard (0...count).contains(offset) else { return false }
        self.offset = offset
        return true
    }

    func close() {
        if case .file(let descriptor, _) = storage { _ = closeFile(descriptor) }
    }

    private func copy(_ data: Data, _ wanted: Int, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
        let start = data.startIndex + Int(offset)
        data.copyBytes(to: buffer, from: start..<start + wanted)
        return wanted
    }

    private func read(
        _ descriptor: Int32, _ path: String, _ wanted: Int, _ buffer: UnsafeMutableRawBufferPointer
    ) throws(URLError) -> Int {
        let isEnd = wanted == 0
        if isEnd, Self.size(of: descriptor) != count {
            throw Self.changed(path, "grew")
        }
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
        URLError(
            .requestBodyStreamExhausted, "\(path) \(how) while it was being sent.", url: nil)
    }

    private static func size(of descriptor: Int32) -> Int64? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        return Int64(status.st_size)
    }
}

private let closeFile: @Sendable (Int32) -> Int32 = { close($0) }
