import Foundation
import MoyaCore
import MoyaTesting
import MoyaMockServer
import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// HTTP/2 responses without an announced length that end without END_STREAM (RFC 9113, section
/// 8.1).
@Suite(.seeded, .timeLimit(.minutes(3))) struct HTTP2CutBodyTests {
    private typealias Frame = HTTP2FaultTests.Frame

    enum Fault: CaseIterable {
        /// DATA larger than SETTINGS_MAX_FRAME_SIZE (RFC 9113, section 4.2).
        case largeFrame
        /// Padding longer than the frame (RFC 9113, section 6.1).
        case padding
        /// RST_STREAM with NO_ERROR.
        case reset

        var bytes: Data {
            switch self {
            case .largeFrame: Frame.frame(0, 1, 1, [UInt8](repeating: 0x61, count: 16_385))
            case .padding: Frame.frame(0, 9, 1, [200, 0x61, 0x62, 0x63])
            case .reset: Frame.reset(1, 0)
            }
        }
    }

    private func result(
        _ frames: Data, to destination: ResponseDestination = .memory()
    ) async throws -> Result<Data, any Error> {
        var generator = SeededGenerator()
        let pieces = generator.pieces(of: frames)
        let server = try RawServer { connection in
            connection.waitForHTTP2Request()
            for piece in pieces { connection.write(piece) }
            connection.halfClose()
        }
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.httpVersion = .http2PriorKnowledge
        let transport = try CurlTransport(configuration: configuration)
        let request = TransportRequest(.patient(server.url), destination: destination)
        return await Result.catching {
            switch try await transport.send(request).body {
            case .data(let data): return data
            case .file(let file): return try Data(contentsOf: file)
            case .stream(let stream): return try await stream.collect(upTo: 1 << 20)
            }
        }
    }

    /// `:status: 200` and `content-encoding: gzip`, END_HEADERS.
    private static let gzipHead = Frame.frame(1, 4, 1, [0x88, 0x0F, 0x0B, 4] + Array("gzip".utf8))

    @Test(arguments: Fault.allCases)
    func `a truncated encoded HTTP/2 body is an error`(fault: Fault) async throws {
        let data = Array(EncodedText.gzip.data)
        let folder = try TemporaryFolder()
        for destination in [ResponseDestination.memory(), .file(folder.file()), .stream] {
            let whole = Self.gzipHead + Frame.frame(0, 1, 1, data)
            #expect(try await result(whole, to: destination).get() == EncodedText.text)
            let cut = Self.gzipHead + Frame.frame(0, 0, 1, Array(data.prefix(100))) + fault.bytes
            let result = try await result(cut, to: destination)
            #expect(throws: URLError.self) { try result.get() }
        }
    }

    @Test(arguments: [Fault.largeFrame, .padding])
    func `an encoded HTTP/2 body whose first frame is broken is an error`(fault: Fault) async throws
    {
        let result = try await result(Self.gzipHead + fault.bytes)
        #expect(throws: URLError.self) { try result.get() }
    }

    @Test(arguments: Fault.allCases)
    func `a truncated HTTP/2 body of announced length is an error`(fault: Fault) async throws {
        let frames =
            Frame.head(1, "200", length: 5) + Frame.data(1, "hel", endsStream: false) + fault.bytes
        let result = try await result(frames)
        let error = #expect(throws: URLError.self) { try result.get() }
        #expect(error?.code == .networkConnectionLost)
    }

    /// `docs/LibcurlDefects.md` lists the cases that libcurl does not report: it takes RST_STREAM
    /// with NO_ERROR for the end of the stream, and before 8.1 invalid frames too.
    @Test(arguments: Fault.allCases, ["", "hel"])
    func `a truncated HTTP/2 body without announced length is an error where libcurl notices`(
        fault: Fault, start: String
    ) async throws {
        let (isHeadRead, isStartRead) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let server = try RawServer { connection in
            connection.waitForHTTP2Request()
            connection.write(Frame.head(1))
            isHeadRead.wait()
            if !start.isEmpty {
                connection.write(Frame.data(1, start, endsStream: false))
                isStartRead.wait()
            }
            connection.write(fault.bytes)
            connection.halfClose()
        }
        defer {
            isHeadRead.signal()
            isStartRead.signal()
            server.stop()
        }
        var configuration = CurlTransport.Configuration()
        configuration.httpVersion = .http2PriorKnowledge
        let transport = try CurlTransport(configuration: configuration)
        let request = TransportRequest(.patient(server.url), destination: .stream)
        let response = try await transport.send(request)
        isHeadRead.signal()
        guard case .stream(let stream) = response.body else { throw NoDataError() }
        let result = await Result<Data, any Error>.catching {
            var body = Data()
            for try await chunk in stream {
                body += chunk
                isStartRead.signal()
            }
            return body
        }
        if fault != .reset, !BrokenFrames.areMissed {
            let error = #expect(throws: URLError.self) { try result.get() }
            #expect(error?.code == .networkConnectionLost)
        } else {
            #expect(try result.get() == Data(start.utf8))
        }
    }

    /// RFC 9110, section 15: the first digit is from 1 to 5.
    @Test(arguments: ["000", "099"])
    func `an HTTP/2 response with an invalid :status is an error`(status: String) async throws {
        let frames =
            Frame.frame(1, 4, 1, Frame.code(status)) + Frame.data(1, "hi", endsStream: true)
        let result = try await result(frames)
        let error = #expect(throws: URLError.self) { try result.get() }
        #expect(error?.code == .badServerResponse)
    }
}
