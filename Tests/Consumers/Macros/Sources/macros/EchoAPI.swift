import Foundation
import MoyaCore
import MoyaMacros
import MoyaMultipart

nonisolated struct Note: Codable, Equatable, Sendable {
    var text: String
}

/// Requests to an echo server.
@API("http://127.0.0.1", headers: ["Accept": "application/json"])
enum EchoAPI {
    @GET("/greeting", String.self)
    case greeting

    @POST("/notes/{folder}", Note.self, body: "note", headers: ["X-Trace": "{trace}"])
    case add(folder: String, note: Note, trace: Int?)

    @PUT("/search", String.self)
    case search(q: String, tags: [String], page: Int?)

    @DELETE("/notes/{id}")
    case remove(id: Int)

    @Multipart @POST("/files", String.self)
    case upload(file: Data, title: String?)
}
