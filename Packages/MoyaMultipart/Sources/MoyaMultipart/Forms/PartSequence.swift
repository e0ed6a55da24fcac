import Foundation
import MoyaCore
import MoyaInternals

extension MultipartFormData {
    /// Part whose bytes come from an asynchronous sequence of chunks of any number and size.
    ///
    /// ```swift
    /// MultipartFormBodyPart(provider: .sequence(.init(once: recorder.samples)), name: "recording")
    /// ```
    ///
    /// A value equals its copies only.
    public struct PartSequence: Hashable, Sendable {
        private final class Identity: Sendable {
            let isTaken = Locked(false)
        }

        /// Number of bytes. `nil` for an unknown number: the form is then sent with chunked
        /// transfer coding (RFC 9112, section 7.1). A negative number fails the request before
        /// anything is sent.
        public let length: Int64?
        let stream: RequestBodyStream
        private let identity = Identity()

        /// Creates a part that can be sent any number of times. `makeChunks` returns a new sequence
        /// for each time.
        ///
        /// - Parameter length: Number of bytes. If the sequence delivers fewer or more, the request
        ///   fails.
        public init<Source: AsyncSequence & SendableMetatype>(
            length: Int64? = nil, _ makeChunks: @escaping @Sendable () throws -> Source
        ) where Source.Element == Data {
            self.length = length
            // The stream gets no length: PartReader checks it, because its errors name the part.
            stream = RequestBodyStream(makeChunks)
        }

        /// Creates a part that can be sent once. A redirect or a retry that has to send it again
        /// fails.
        ///
        /// - Parameter length: Number of bytes. If the sequence delivers fewer or more, the request
        ///   fails.
        public init<Source: AsyncSequence & Sendable>(
            length: Int64? = nil, once chunks: Source
        ) where Source.Element == Data {
            self.length = length
            stream = RequestBodyStream(once: chunks)
        }

        /// Claims the right to read the sequence. Returns `false` if it can be read once and has
        /// been claimed.
        func claim() -> Bool {
            guard !stream.isReplayable else { return true }
            return identity.isTaken.withLock { isTaken in
                defer { isTaken = true }
                return !isTaken
            }
        }

        /// Whether both values are copies of the same part.
        public static func == (left: Self, right: Self) -> Bool {
            left.identity === right.identity
        }

        /// Hashes the identity that copies share.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(ObjectIdentifier(identity))
        }
    }
}
