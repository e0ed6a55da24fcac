import Foundation
import MoyaCore
import Testing

extension TransportResponse {
    /// The body in memory, as text.
    var text: String {
        get throws {
            guard case .data(let data) = body else {
                throw IssueError("The body is not in memory.")
            }
            return String(decoding: data, as: UTF8.self)
        }
    }
}

struct IssueError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

extension Result where Failure == any Error {
    static func catching(_ body: () async throws -> Success) async -> Self {
        do { return .success(try await body()) } catch { return .failure(error) }
    }
}
