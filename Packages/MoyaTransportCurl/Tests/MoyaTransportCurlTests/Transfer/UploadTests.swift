import Foundation
import MoyaCore
import Testing

@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The states of an upload without libcurl. Times are in nanoseconds.
@Suite struct UploadTests {
    enum Input: Sendable {
        /// The body's stream has no bytes for now.
        case starve
        /// The loop lets libcurl go on.
        case resume
        /// The body has bytes again.
        case flow
        /// The response has begun: a check at this time.
        case head(UInt64)
        /// A check that is due, with or without the head of the final response, and with the other
        /// direction paused or not.
        case check(hasHead: Bool, isReceiving: Bool = true)
        /// libcurl begins to write the request.
        case begin(isStream: Bool)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let inputs: [Input]
        /// The state after each input: `flowing`, `starved` or `probing`, with the time of the next
        /// check, if there is one.
        let states: [String]

        init(_ name: String, _ inputs: [Input], _ states: [String]) {
            (testDescription, self.inputs, self.states) = (name, inputs, states)
        }
    }

    static let rows: [Row] = [
        Row(
            "a stream that waits for bytes", [.starve, .resume, .starve, .flow],
            ["starved", "flowing", "starved", "flowing"]),
        Row(
            "a response that comes first is looked for every 250 ms",
            [.starve, .head(7), .check(hasHead: true), .resume, .starve, .check(hasHead: true)],
            [
                "starved", "starved 7", "starved 250000100", "probing 250000100",
                "starved 250000100", "starved 250000100",
            ]),
        Row(
            "bytes end the look for a response",
            [.starve, .head(7), .check(hasHead: true), .resume, .flow],
            ["starved", "starved 7", "starved 250000100", "probing 250000100", "flowing"]),
        Row(
            "a check after libcurl has gone on",
            [.starve, .head(7), .resume, .check(hasHead: true)],
            ["starved", "starved 7", "probing 7", "flowing"]),
        Row(
            "no check while libcurl is paused for the response's body, too",
            [.starve, .head(7), .check(hasHead: true, isReceiving: false)],
            ["starved", "starved 7", "starved"]),
        Row(
            "no check without a head", [.starve, .check(hasHead: false), .resume],
            ["starved", "starved", "flowing"]),
        Row("a head while bytes flow", [.head(7)], ["flowing"]),
        Row(
            "a request with a stream is resumed when libcurl writes it again",
            [.begin(isStream: true), .begin(isStream: true), .resume],
            ["flowing", "starved", "flowing"]),
        Row(
            "a request with another body is not",
            [.begin(isStream: false), .begin(isStream: false)], ["flowing", "flowing"]),
    ]

    @Test(arguments: rows)
    func `an upload has the states of its row`(row: Row) {
        var (upload, states) = (Upload(), [String]())
        for input in row.inputs {
            switch input {
            case .starve: upload.starve()
            case .resume: upload.resume()
            case .flow: _ = upload.flow()
            case .head(let time): _ = upload.checkAnswer(at: time)
            case .check(let hasHead, let isReceiving):
                let check = upload.checkAnswer(
                    hasFinalHead: hasHead, isReceiving: isReceiving, now: 100)
                let resumes = hasHead && isReceiving && upload.isPaused
                #expect(check == (resumes ? .resume : .nothing))
            case .begin(let isStream):
                let resumes = upload.begin(sent: 1, isHTTP2: false, isStream: isStream)
                #expect(resumes == upload.isPaused)
            }
            let state = upload.isPaused ? "starved" : upload.isFlowing ? "flowing" : "probing"
            states.append(upload.nextCheck.map { "\(state) \($0)" } ?? state)
        }
        #expect(states == row.states)
    }

    @Test func `a socket that libcurl has stopped reading from is looked at once`() throws {
        let descriptor = open("/dev/null", O_RDONLY)
        defer { close(descriptor) }
        let socket = try #require(SocketIdentity(descriptor))
        var upload = Upload()
        upload.noteStoppedReading(from: socket)
        #expect(upload.nextCheck == nil, "libcurl is not paused")
        upload.starve()
        upload.noteStoppedReading(from: socket)
        #expect(upload.nextCheck == 0)
        #expect(upload.checkAnswer(hasFinalHead: false, isReceiving: false, now: 1) == .nothing)
        #expect(
            upload.checkAnswer(hasFinalHead: false, isReceiving: true, now: 1) == .look(socket))
        #expect(upload.nextCheck == nil)
    }

    @Test(arguments: [false, true])
    func `no response comes on a closed connection`(isHTTP2: Bool) {
        var upload = Upload()
        _ = upload.begin(sent: 1, isHTTP2: isHTTP2, isStream: true)
        #expect(upload.fault(of: .closed) == .connectionClosed)
        // libcurl sends the request again on another connection.
        #expect(upload.fault(of: nil) == nil)
        let isLost = isHTTP2 && ResetAnswers.areLost
        #expect(upload.fault(of: .nothing) == (isLost ? .answerLost : nil))
        #expect(upload.fault(of: .bytes) == (isLost ? .answerLost : nil))
    }

    @Test func `a body in memory is read to its end without a pause`() throws {
        var upload = Upload()
        upload.source = BodySource(Data("hello".utf8))
        var buffer = [UInt8](repeating: 0, count: 3)
        func read() throws -> Int? {
            try buffer.withUnsafeMutableBytes { try upload.read(into: $0) }
        }
        #expect(try read() == 3)
        #expect(try read() == 2)
        #expect(try read() == 0)
        #expect(upload.isFlowing)
    }
}
