import Foundation
import MoyaCore
import Testing

@testable import MoyaMultipart

@Suite struct MultipartFormDataTests {
    @Test func `forms have Moya's properties and defaults`() {
        let file = URL(fileURLWithPath: "/tmp.txt")
        let part = MultipartFormBodyPart(
            provider: .file(file), name: "MyName", fileName: "tmp.txt", mimeType: "text/plain")
        let form = MultipartFormData(parts: [part])
        #expect(form.boundary == nil)
        #expect(form.fileManager === FileManager.default)
        #expect(form.parts == [part])
        #expect(part.name == "MyName")
        #expect(part.fileName == "tmp.txt")
        #expect(part.mimeType == "text/plain")
        #expect(part.provider == .file(file))
        #expect(part.headers.isEmpty)
    }

    @Test func `a form literal keeps its parts in order`() {
        let (first, second) = (text("1", name: "a"), text("2", name: "b"))
        let form: MultipartFormData = [first, second]
        #expect(form == MultipartFormData(parts: [first, second]))
        #expect(form != MultipartFormData(parts: [second, first]))
        #expect(form != MultipartFormData(boundary: "x", parts: [first, second]))
        #expect(form.hashValue == MultipartFormData(parts: [first, second]).hashValue)
    }

    @Test func `stream providers are equal only with an identical stream and length`() {
        let (one, other) = (InputStream(data: Data()), InputStream(data: Data()))
        typealias Provider = MultipartFormData.FormDataProvider
        #expect(Provider.stream(one, 1) == .stream(one, 1))
        #expect(Provider.stream(one, 1) != .stream(one, 2))
        #expect(Provider.stream(one, 1) != .stream(other, 1))
    }
}
