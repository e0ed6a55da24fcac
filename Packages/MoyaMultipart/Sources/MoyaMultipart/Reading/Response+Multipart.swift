import Foundation
import MoyaCore

extension StreamingResponse {
    /// Parses this response's multipart body while it arrives: see ``MultipartReader``.
    ///
    /// ```swift
    /// let response = try await provider.stream(.ranges)
    /// for try await part in try response.multipart().parts { print(part.header.fields) }
    /// ```
    ///
    /// - Throws: ``MultipartReadingError`` for a response that is not multipart.
    public func multipart(
        limits: MultipartLimits = MultipartLimits()
    ) throws -> MultipartReader<StreamingResponse> {
        try MultipartReader(self, contentType: header("Content-Type"), limits: limits)
    }
}

extension Response {
    /// Parses this response's multipart body, such as `multipart/mixed` or `multipart/byteranges`,
    /// and returns its parts.
    ///
    /// - Throws: `MoyaError.objectMapping` with a ``MultipartReadingError``.
    public func mapMultipart(
        limits: MultipartLimits = MultipartLimits()
    ) throws -> [MultipartPart] {
        do {
            var parser = try MultipartParser(contentType: header("Content-Type"), limits: limits)
            let events = try parser.parse(data) + parser.finish()
            var collector = PartCollector()
            return events.compactMap { collector.add($0) }
        } catch {
            throw MoyaError.objectMapping(error, self)
        }
    }
}
