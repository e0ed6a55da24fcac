#if OpenAPI
    import Foundation
    import HTTPTypes
    import MoyaCore
    import OpenAPIRuntime

    extension RequestBody {
        /// Maximum size of a body that is sent from memory, in bytes.
        private static let memoryLimit: Int64 = 1 << 20

        /// Creates the body of a request. Reads a short body that can be read again.
        init(_ body: HTTPBody?) async throws {
            guard let body else {
                self = .none
                return
            }
            let length: Int64? = if case .known(let count) = body.length { count } else { nil }
            guard body.iterationBehavior == .multiple else {
                self = .stream(RequestBodyStream(length: length, once: body.map { Data($0) }))
                return
            }
            let stream = RequestBodyStream(length: length) { body.map { Data($0) } }
            guard let length, (0...Self.memoryLimit).contains(length) else {
                self = .stream(stream)
                return
            }
            var data = Data()
            for try await chunk in try stream.makeChunks() { data.append(chunk) }
            self = .data(data)
        }
    }

    extension TransportResponse {
        /// Returns the response's body for a generated client. `nil` if the response has none (RFC
        /// 9110, section 6.4.1).
        func makeBody(to method: HTTPRequest.Method) async throws -> HTTPBody? {
            guard method != .head, ![204, 304].contains(head.statusCode) else {
                // Read to its end, so that the connection can be reused.
                if case .stream(let stream) = body { await stream.skip() }
                return nil
            }
            switch body {
            case .data(let data): return HTTPBody(data)
            case .stream(let stream):
                return HTTPBody(stream, length: bodyLength, iterationBehavior: .single)
            case .file(let url): return HTTPBody(try Data(contentsOf: url))
            }
        }

        /// The length of a streamed body. Unknown for a body that the transport may have
        /// decompressed.
        private var bodyLength: HTTPBody.Length {
            let fields = head.fields
            guard fields.values(for: "Content-Encoding").isEmpty,
                let length = fields.values(for: "Content-Length").first.flatMap({ Int64($0) }),
                length >= 0
            else { return .unknown }
            return .known(length)
        }
    }
#endif
