import Foundation
import MoyaCore

/// Segments of a form's body, planned before any part is read.
struct MultipartPlan: Sendable {
    private(set) var segments: [BodySegment] = []
    /// Whether the form can be read more than once, as a redirect or a retry requires.
    private(set) var isReplayable = true
    let boundary: Boundary

    /// Body made of the segments.
    var body: SegmentedBody { SegmentedBody(segments) }

    /// Validates every part and looks up the size of every file.
    ///
    /// - Throws: ``MultipartFormError``, ``FileTransferError``.
    init(_ form: MultipartFormData) throws {
        boundary = try Self.boundary(of: form, within: [])
        try add(form, boundary, within: [], .form)
    }

    /// Adds the segments of a form, and of the forms nested in it.
    ///
    /// - Parameter outer: Boundaries of the enclosing forms. A nested boundary must not start with
    ///   any of them.
    private mutating func add(
        _ form: MultipartFormData, _ boundary: Boundary, within outer: [Boundary],
        _ context: PartHead.Context
    ) throws {
        guard !form.parts.isEmpty else { throw MultipartFormError.noParts }
        let boundaries = outer + [boundary]
        var opening = "--\(boundary.text)\r\n"
        for part in form.parts {
            var nested: (form: MultipartFormData, boundary: Boundary)?
            if case .mixed(let inner) = part.provider {
                nested = (inner, try Self.boundary(of: inner, within: boundaries))
            }
            let head = try PartHead(of: part, in: context, nested: nested?.boundary)
            add(.bytes(Data((opening + head.text).utf8)))
            if let nested {
                try add(nested.form, nested.boundary, within: boundaries, .mixed)
            } else {
                try add(part, form.fileManager)
            }
            opening = "\r\n--\(boundary.text)\r\n"
        }
        add(.bytes(Data("\r\n--\(boundary.text)--\r\n".utf8)))
    }

    private mutating func add(_ part: MultipartFormBodyPart, _ files: FileManager) throws {
        switch part.provider {
        case .data(let data): add(.bytes(data))
        case .file(let url): add(.file(url, try LocalFile(url, files).size))
        case .stream(let stream, let length):
            add(.part(try PartStream(stream, length: length, name: part.name)))
        case .sequence(let sequence): add(.part(try PartStream(sequence, name: part.name)))
        case .mixed: break
        }
    }

    private mutating func add(_ segment: BodySegment) {
        if case .part(let stream) = segment { isReplayable = isReplayable && stream.isReplayable }
        segments.append(segment)
    }

    private static func boundary(
        of form: MultipartFormData, within boundaries: [Boundary]
    ) throws(MultipartFormError) -> Boundary {
        guard let text = form.boundary else { return .random() }
        let boundary = try Boundary(text)
        for outer in boundaries where text.hasPrefix(outer.text) || outer.text.hasPrefix(text) {
            throw .nestedBoundary(text, in: outer.text)
        }
        return boundary
    }
}
