import Foundation
import MoyaCore

/// Range of a file as the body of a request, read while it is sent.
struct FileSlice: UploadBody {
    let file: URL
    let identity: FileIdentity
    let range: Range<Int64>
    /// Called with the offset up to which the file has been read.
    let progress: @Sendable (Int64) -> Void

    static func == (lhs: FileSlice, rhs: FileSlice) -> Bool {
        lhs.file == rhs.file && lhs.identity == rhs.identity && lhs.range == rhs.range
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(file)
        hasher.combine(range)
    }

    func makeBody(for request: inout URLRequest) throws -> RequestBody {
        .stream(RequestBodyStream(length: Int64(range.count)) { try Chunks(slice: self) })
    }

    struct Chunks: AsyncSequence {
        typealias Element = Data

        private let slice: FileSlice
        private let handle: FileHandle

        init(slice: FileSlice) throws {
            self.slice = slice
            // O_NONBLOCK: if a FIFO has replaced the file, open(2) must not wait for a writer.
            // `FileIdentity` rejects the FIFO.
            let descriptor = open(slice.file.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            guard descriptor >= 0 else { throw FileTransferError.unreadable(slice.file) }
            handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            guard try FileIdentity(descriptor: descriptor, slice.file) == slice.identity else {
                throw UploadError.fileChanged(slice.file)
            }
            try handle.seek(toOffset: UInt64(slice.range.lowerBound))
        }

        func makeAsyncIterator() -> Iterator {
            Iterator(slice: slice, handle: handle, offset: slice.range.lowerBound)
        }

        struct Iterator: AsyncIteratorProtocol {
            fileprivate let slice: FileSlice
            fileprivate let handle: FileHandle
            fileprivate var offset: Int64

            mutating func next() async throws -> Data? {
                slice.progress(offset)
                // A file that changes during the upload must not be stored as a mixture of two
                // versions.
                let now = try FileIdentity(descriptor: handle.fileDescriptor, slice.file)
                guard now == slice.identity else { throw UploadError.fileChanged(slice.file) }
                let count = Swift.min(Int64(Chunk.size), slice.range.upperBound - offset)
                guard count > 0 else { return nil }
                guard let data = try handle.read(upToCount: Int(count)), !data.isEmpty else {
                    throw UploadError.fileChanged(slice.file)
                }
                offset += Int64(data.count)
                return data
            }
        }
    }
}
