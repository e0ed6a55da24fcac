import Foundation
import MoyaCore
import MoyaMockServer

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Concurrent requests of every kind. The server checks each request, and the client each response.
enum Mixed {
    private static let roundSize = 5_000
    /// Timeouts in seconds: of trials in which the server stalls, and of all others. The latter is
    /// long, because a busy machine may delay them.
    private static let timeouts = (stall: 0.3, other: 60.0)

    static func run(_ options: Options) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "soak-mixed-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let workload = Workload(options, unit: "requests")
        try await Rounds.run(workload, of: roundSize) { request in
            let numbers = request.path.split(separator: "/").compactMap { Int($0) }
            guard numbers.count == 2 else {
                return .text("No trial: \(request.target)", status: 421)
            }
            return Trial(numbers[0], options).response(to: request, hop: numbers[1])
        } makeCase: { server, transport in
            { number in
                let trial = Trial(number, options)
                if let wrong = await result(of: trial, transport, server, folder) {
                    workload.find(wrong, case: number)
                }
            }
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        if !left.isEmpty { workload.find("files left behind: \(left.prefix(3))") }
        try FileManager.default.removeItem(at: folder)
        workload.finish()
    }

    /// Sends the trial's request. Returns what is wrong with the result, or `nil`.
    private static func result(
        of trial: Trial, _ transport: any Transport, _ server: MockServer, _ folder: URL
    ) async -> String? {
        let upload = folder.appendingPathComponent("upload-\(trial.number)")
        let download = folder.appendingPathComponent("download-\(trial.number)")
        defer { for file in [upload, download] { try? FileManager.default.removeItem(at: file) } }
        do {
            if trial.upload == .file { try trial.uploadData.write(to: upload) }
            let request = try request(for: trial, server, upload: upload, download: download)
            let response = try await transport.send(request)
            let data =
                switch response.body {
                case .data(let data): data
                case .file(let file): try Data(contentsOf: file)
                case .stream(let stream): try await stream.collect(upTo: 1 << 30)
                }
            return trial.fault == nil
                ? difference(trial, response.head, data)
                : "status \(response.head.statusCode) in spite of the fault: \(trial.summary)"
        } catch {
            let isLeft = FileManager.default.fileExists(atPath: download.path)
            if isLeft { return "a failed download left its file: \(trial.summary)" }
            let code = (error as? URLError)?.code
            return code == trial.expectedError && code != nil ? nil : "\(error): \(trial.summary)"
        }
    }

    private static func request(
        for trial: Trial, _ server: MockServer, upload: URL, download: URL
    ) throws -> TransportRequest {
        guard let url = URL(string: server.url.absoluteString + trial.path()) else {
            throw URLError(.badURL)
        }
        var urlRequest = URLRequest(url: url)
        urlRequest.httpMethod = trial.method
        urlRequest.timeoutInterval = trial.fault == .stall ? timeouts.stall : timeouts.other
        var request = TransportRequest(urlRequest, body: body(of: trial, file: upload))
        request.destination =
            switch trial.destination {
            case .memory: .memory()
            case .file: .file(download)
            case .stream: .stream
            }
        if trial.fault == .tooManyRedirects {
            request.redirectPolicy = .follow(limit: trial.redirects.count - 1)
        }
        return request
    }

    private static func body(of trial: Trial, file: URL) -> RequestBody {
        let data = trial.uploadData
        func stream(_ length: Int64?) -> RequestBody {
            .stream(
                RequestBodyStream(length: length) {
                    AsyncStream<Data> { continuation in
                        for start in stride(from: 0, to: data.count, by: 9_000) {
                            continuation.yield(data.dropFirst(start).prefix(9_000))
                        }
                        continuation.finish()
                    }
                })
        }
        return switch trial.upload {
        case .none: .none
        case .data: .data(data)
        case .file: .file(file)
        case .stream: stream(Int64(data.count))
        case .streamOfUnknownLength: stream(nil)
        }
    }

    private static func difference(_ trial: Trial, _ head: ResponseHead, _ data: Data) -> String? {
        let expected = trial.lastMethod == "HEAD" ? Data() : trial.data
        let wrong =
            if head.statusCode != trial.status {
                "status \(head.statusCode)"
            } else if head.value(for: "X-Case") != "\(trial.number)" {
                "the response to case \(head.value(for: "X-Case") ?? "none")"
            } else if let request = head.value(for: "X-Request"), request != "right" {
                "the server received \(request)"
            } else if data != expected {
                "\(data.count) bytes of body, which differ from byte "
                    + "\(zip(data, expected).enumerated().first { $1.0 != $1.1 }?.offset ?? min(data.count, expected.count))"
            } else {
                nil as String?
            }
        return wrong.map { "\($0): \(trial.summary)" }
    }
}

extension Trial {
    fileprivate var expectedError: URLError.Code? {
        switch fault {
        case .cut, .silence: .networkConnectionLost
        case .stall: .timedOut
        case .tooManyRedirects: .httpTooManyRedirects
        case nil: nil
        }
    }

    fileprivate var summary: String {
        "\(method), upload: \(upload) of \(uploadData.count) bytes, redirects: \(redirects), status \(status) with "
            + "\(data.count) bytes by \(framing), coding: \(coding?.rawValue ?? "none"), to \(destination), "
            + "closes: \(closes), fault: \(fault.map { "\($0)" } ?? "none")"
    }
}
