import Foundation
import MoyaCore
import MoyaTestSupport
import Testing

@testable import MoyaMultipart

/// Returns the encoded form and the sizes of its chunks.
func encode(_ form: MultipartFormData) async throws -> (data: Data, chunks: [Int]) {
    var (data, chunks) = (Data(), [Int]())
    for try await chunk in try MultipartPlan(form).body {
        data += chunk
        chunks.append(chunk.count)
    }
    return (data, chunks)
}

func text(_ text: String, name: String, fileName: String? = nil) -> MultipartFormBodyPart {
    MultipartFormBodyPart(provider: .data(Data(text.utf8)), name: name, fileName: fileName)
}

@Suite struct MultipartBodyTests {
    @Test func `a form is encoded as RFC 7578 specifies`() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("cat.PNG", Data("meow".utf8))
        let form = MultipartFormData(
            boundary: "b",
            parts: [
                text("A cat", name: "title"),
                MultipartFormBodyPart(provider: .file(file), name: "picture"),
                MultipartFormBodyPart(
                    provider: .data(Data("{}".utf8)), name: "meta", fileName: "m.json",
                    mimeType: "application/json",
                    headers: [HeaderField(name: "X-Page", value: "1")]),
            ])
        let expected = """
            --b
            Content-Disposition: form-data; name="title"

            A cat
            --b
            Content-Disposition: form-data; name="picture"; filename="cat.PNG"
            Content-Type: image/png

            meow
            --b
            Content-Disposition: form-data; name="meta"; filename="m.json"
            Content-Type: application/json
            X-Page: 1

            {}
            --b--

            """
        let encoded = try await encode(form)
        #expect(
            String(decoding: encoded.data, as: UTF8.self)
                == expected.replacingOccurrences(of: "\n", with: "\r\n"))
        #expect(try MultipartPlan(form).body.length == Int64(encoded.data.count))
        #expect(encoded.chunks.count == 1)
    }

    @Test func `nested parts are encoded as multipart/mixed with their own boundary`() async throws
    {
        let inner = MultipartFormData(
            boundary: "in ner",
            parts: [text("1", name: "", fileName: "1.txt"), text("2", name: "second")])
        let form = MultipartFormData(
            boundary: "outer",
            parts: [MultipartFormBodyPart(provider: .mixed(inner), name: "files")])
        let expected = """
            --outer
            Content-Disposition: form-data; name="files"
            Content-Type: multipart/mixed; boundary="in ner"

            --in ner
            Content-Disposition: attachment; filename="1.txt"

            1
            --in ner
            Content-Disposition: attachment; name="second"

            2
            --in ner--

            --outer--

            """
        #expect(
            String(decoding: try await encode(form).data, as: UTF8.self)
                == expected.replacingOccurrences(of: "\n", with: "\r\n"))
    }

    @Test(arguments: [0, 1, 262_143, 262_144, 262_145, 3_000_001])
    func `a part of any size is encoded in chunks of at most 256 KiB`(size: Int) async throws {
        let folder = try TemporaryFolder()
        let content = Data((0..<size).lazy.map { UInt8(truncatingIfNeeded: $0 &* 7) })
        let file = try folder.file("large", content)
        let stream = InputStream(data: content)
        let providers: [MultipartFormData.FormDataProvider] = [
            .data(content), .file(file), .stream(stream, UInt64(size)),
        ]
        let form = MultipartFormData(
            boundary: "b",
            parts: providers.map { MultipartFormBodyPart(provider: $0, name: "n", mimeType: "") })
        let encoded = try await encode(form)
        #expect(encoded.chunks.allSatisfy { $0 <= 262_144 && $0 > 0 })
        #expect(try MultipartPlan(form).body.length == Int64(encoded.data.count))
        var expected = Data()
        for fileName in ["", "; filename=\"large\"", ""] {
            expected += Data(
                "\r\n--b\r\nContent-Disposition: form-data; name=\"n\"\(fileName)\r\n\r\n".utf8)
            expected += content
        }
        expected += Data("\r\n--b--\r\n".utf8)
        #expect(encoded.data == expected.dropFirst(2))
    }

    @Test func `10,000 small parts share their chunks`() async throws {
        let form = MultipartFormData(
            boundary: "b", parts: (0..<10_000).map { text("value \($0)", name: "name \($0)") })
        let encoded = try await encode(form)
        #expect(encoded.chunks.dropLast().allSatisfy { $0 == 262_144 })
        #expect(Int64(encoded.data.count) == (try MultipartPlan(form).body.length))
    }

    @Test func `a form is replayable if all its parts are`() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("f", Data("abc".utf8))
        let again = MultipartFormData(
            boundary: "b",
            parts: [text("1", name: "a"), MultipartFormBodyPart(provider: .file(file), name: "f")])
        #expect(try MultipartPlan(again).isReplayable)
        #expect(try await encode(again).data == (try await encode(again).data))

        let stream = MultipartFormBodyPart(
            provider: .stream(InputStream(data: Data("abc".utf8)), 3), name: "stream")
        let once = MultipartFormData(parts: [stream])
        #expect(try !MultipartPlan(once).isReplayable)
        _ = try await encode(once)
        await #expect(throws: MultipartFormError.readTwice("stream")) { try await encode(once) }
    }

    @Test func `a part's stream that is being read cannot be read by a second reader`() async throws
    {
        let stream = MultipartFormBodyPart(
            provider: .stream(InputStream(data: Data(count: 1 << 20)), 1 << 20), name: "stream")
        let body = try MultipartPlan([stream]).body
        var first = body.makeAsyncIterator()
        #expect(try await first.next() != nil)
        await #expect(throws: MultipartFormError.readTwice("stream")) {
            for try await _ in body {}
        }
        #expect(try await first.next()?.count == 262_144)
    }

    @Test func `each form without a boundary gets a unique boundary`() throws {
        let form: MultipartFormData = [text("1", name: "a")]
        let boundaries = try (0..<100).map { _ in try MultipartPlan(form).boundary.text }
        #expect(Set(boundaries).count == 100)
        #expect(boundaries.allSatisfy(Boundary.isValid))
    }
}
