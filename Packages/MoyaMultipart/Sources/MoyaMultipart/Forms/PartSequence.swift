import Foundation
import MoyaCore
import MoyaInternals

extension MultipartFormData {
    /// The bytes of a part that come piece by piece, in any number and size.
    ///
    /// ```swift
    /// MultipartFormBodyPart(provider: .sequence(.init(once: recorder.samples)), name: "recording")
    /// ```
    ///
    /// Copies are equal to each other and to nothing else.
    public struct PartSequence: Hashable, Sendable {
        private final class Identity: Sendable {
            let isTaken = Locked(false)
        }

        /// The number of bytes. `nil` where it is not known: the form then is sent in chunks (RFC 9112, section 7.1).
        /// Below 0 it fails the request before anything is sent.
        public let length: Int64?
        let stream: RequestBodyStream
        private let identity = Identity()

        /// A part that can be sent any number of times: `makeChunks` starts it from the beginning.
        ///
        /// - Parameter length: The number of bytes. Another one fails the request.
        public init<Source: AsyncSequence & SendableMetatype>(
            length: Int64? = nil, _ makeChunks: @escaping @Sendable () throws -> Source
        ) where Source.Element == Data {
            self.length = length
            // Without the length: what is wrong about it is said with the name of the part.
            stream = RequestBodyStream(makeChunks)
        }

        /// A part that can be sent once. A redirect or a retry that would need it again fails.
        ///
        /// - Parameter length: The number of bytes. Another one fails the request.
        public init<Source: AsyncSequence & Sendable>(
            length: Int64? = nil, once chunks: Source
        ) where Source.Element == Data {
            self.length = length
            stream = RequestBodyStream(once: chunks)
        }

        /// Takes the right to read it, which is given once where it can be sent once.
        func claim() -> Bool {
            guard !stream.isReplayable else { return true }
            return identity.isTaken.withLock { isTaken in
                defer { isTaken = true }
                return !isTaken
            }
        }

        public static func == (left: Self, right: Self) -> Bool {
            left.identity === right.identity
        }

        public func hash(into hasher: inout Hasher) {
            hasher.combine(ObjectIdentifier(identity))
        }
    }
}
