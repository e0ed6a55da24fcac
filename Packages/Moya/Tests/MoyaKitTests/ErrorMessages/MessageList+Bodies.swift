#if os(Linux)
    import Foundation
    import MoyaKit
    @testable import MoyaMultipart

    private struct Reading: Decodable {
        var value: Double
    }

    extension MessageList {
        func addFormErrors() async throws {
            section("MultipartFormError")
            let part = MultipartFormBodyPart(provider: .data(Data("1".utf8)), name: "count")
            await addForm("no parts", MultipartFormData(parts: []))
            await addForm("method", MultipartFormData(parts: [part]), method: .get)
            await addForm("boundary", MultipartFormData(boundary: "a b ", parts: [part]))
            let inner = MultipartFormData(boundary: "shop-inner", parts: [part])
            await addForm(
                "nested boundary",
                MultipartFormData(
                    boundary: "shop", parts: [.init(provider: .mixed(inner), name: "parts")]))
            await addPart("mimeType", .data(Data()), mimeType: "text/plain\r\n")
            await addPart(
                "header field", .data(Data()), headers: [HeaderField(name: "X Shop", value: "1")])
            await addPart(
                "header field of the form", .data(Data()),
                headers: [HeaderField(name: "Content-Disposition", value: "form-data")])
            await addPart("too short", .sequence(.init(length: 10) { chunk() }))
            await addPart("too long", .sequence(.init(length: 1) { chunk() }))
            await add("read twice") {
                let provider = MultipartFormData.FormDataProvider.sequence(.init(once: chunk()))
                let form = MultipartFormData(parts: [.init(provider: provider, name: "recording")])
                let target = ExampleTarget(method: .post, task: .uploadMultipartFormData(form))
                try await send(target)
                try await send(target)
            }
            await addPart("no file", .file(folder.appendingPathComponent("missing.png")))
            await addPart("a folder", .file(folder))

            section("MultipartReadingError")
            add("truncated", MultipartReadingError.truncated)
            add("malformedHeader", MultipartReadingError.malformedHeader)
            add("tooManyParts", MultipartReadingError.tooManyParts(limit: 1_000))
            add("headerTooLarge", MultipartReadingError.headerTooLarge(limit: 16_384))
            add("partTooLarge", MultipartReadingError.partTooLarge(limit: 268_435_456))
            add("badBoundary", MultipartReadingError.badBoundary("a b "))
            add("noBoundary", MultipartReadingError.noBoundary(contentType: "text/html"))
            add(
                "noBoundary without a content type",
                MultipartReadingError.noBoundary(contentType: nil))
        }

        func addTransferErrors() async throws {
            section("Files")
            let file = folder.appendingPathComponent("report.pdf")
            let inMissing = folder.appendingPathComponent("missing/report.pdf")
            try Data().write(to: file)
            await add("uploadFile: no file") { try await send(upload(inMissing)) }
            let folder = folder
            await add("uploadFile: a folder") { try await send(upload(folder)) }
            await add("download: a file exists") {
                try await send(ExampleTarget(task: .download(to: file)))
            }
            await add("download: no folder") {
                try await send(ExampleTarget(task: .download(to: inMissing)))
            }
            await add("Checksum: length") { _ = try Checksum(.sha256, digest: Data([1])) }
            await add("Checksum: digits") { _ = try Checksum.sha256("xyz") }
            await add("resumableDownload: method") {
                let provider = MoyaProvider<ExampleTarget>(transport: ExampleTransport())
                _ = try await provider.resumableDownload(
                    ExampleTarget(method: .post), to: inMissing)
            }
            await add("resumableUpload: metadata") {
                let provider = MoyaProvider<ExampleTarget>(transport: ExampleTransport())
                _ = try await provider.resumableUpload(
                    file, to: ExampleTarget(), options: .init(metadata: ["file name": "report.pdf"])
                )
            }
        }

        func addStreamErrors() async {
            section("StreamingError")
            await add("a line is too long") { for try await _ in chunk().lines(limit: 2) {} }
            await add("an event is too long") {
                let event = String(repeating: "data: 12\n", count: 8) + "\n"
                for try await _ in chunk(event).serverSentEvents(limit: 10) {}
            }
            await add("a line is no JSON of the type") {
                for try await _ in chunk("{\"value\": 1}\n{}\n").jsonLines(of: Reading.self) {}
            }
            await add("an event is no JSON of the type") {
                for try await _ in chunk("data: {}\n\n").serverSentEvents(of: Reading.self) {}
            }
            await add("an error event") {
                let event = "event: error\ndata: {\"message\": \"Overloaded\"}\n\n"
                for try await _ in chunk(event).serverSentEvents(of: Reading.self) {}
            }
            await add("another media type") {
                let transport = ExampleTransport(fields: [
                    HeaderField(name: "Content-Type", value: "text/html")
                ])
                let provider = MoyaProvider<ExampleTarget>(transport: transport)
                for try await _ in provider.serverSentEvents(ExampleTarget()) {}
            }
        }

        private func addForm(
            _ name: String, _ form: MultipartFormData, method: Moya.Method = .post
        ) async {
            let target = ExampleTarget(method: method, task: .uploadMultipartFormData(form))
            await add(name) { try await send(target) }
        }

        private func addPart(
            _ name: String, _ provider: MultipartFormData.FormDataProvider, mimeType: String? = nil,
            headers: [HeaderField] = []
        ) async {
            let part = MultipartFormBodyPart(
                provider: provider, name: "picture", mimeType: mimeType, headers: headers)
            await addForm(name, MultipartFormData(parts: [part]))
        }

        private func upload(_ file: URL) -> ExampleTarget {
            ExampleTarget(method: .put, task: .uploadFile(file))
        }
    }

    /// A stream of one piece.
    private func chunk(_ text: String = "12345") -> AsyncStream<Data> {
        AsyncStream { continuation in
            continuation.yield(Data(text.utf8))
            continuation.finish()
        }
    }
#endif
