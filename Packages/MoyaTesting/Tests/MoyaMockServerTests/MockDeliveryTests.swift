import Foundation
import MoyaCore
import MoyaTesting
import MoyaTestSupport
import Testing

@testable import MoyaMockServer

@Suite struct MockDeliveryTests {
    private func generator(_ name: String, response: Int = 1) -> SeededGenerator {
        MockDelivery(name, seed: 1).generator(connection: 1, response: response)
    }

    /// Cuts `count` bytes. Returns the lengths of the pieces and the sum of the pauses, in seconds.
    private func cut(_ count: Int, _ generator: SeededGenerator) -> ([Int], TimeInterval) {
        var pieces = RandomPieces(generator)
        var lengths: [Int] = []
        var pauses = 0.0
        var left = count
        while left > 0 {
            let piece = pieces.next(of: left)
            lengths.append(piece.count)
            left -= piece.count
            pauses += piece.pause
        }
        #expect(left == 0)
        return (lengths, pauses)
    }

    @Test func `A delivery cuts one response of a case and connection into equal pieces each time`()
    {
        for response in 1...50 {
            let first = cut(5000, generator("a case", response: response))
            #expect(first == cut(5000, generator("a case", response: response)))
        }
    }

    @Test func `A delivery cuts responses in every way, from single bytes to the whole`() {
        let all = (1...100).map { cut(5000, generator("a case", response: $0)).0 }
        #expect(all.contains([5000]))
        #expect(all.contains { $0.prefix(150).allSatisfy { $0 == 1 } })
        #expect(all.contains { $0.count > 1 && ($0.max() ?? 0) > 500 })
        #expect(Set(all).count > 50)
    }

    @Test func `A response of any size has few cuts and less than ten milliseconds of pauses`() {
        for response in 1...200 {
            let (lengths, pauses) = cut(50_000_000, generator("a case", response: response))
            #expect(lengths.count <= 201)
            #expect(pauses < 0.01)
        }
    }

    @Test func `Header fields keep their meaning in every line layout`() {
        let fields = [
            HeaderField(name: "X-Many", value: "one"), HeaderField(name: "ETag", value: "\"a b\""),
            HeaderField(name: "x-many", value: "two"),
            HeaderField(name: "Content-Length", value: "5"),
            HeaderField(name: "Connection", value: "close"),
            HeaderField(name: "X-Empty", value: ""),
        ]
        var texts: Set<String> = []
        for response in 1...200 {
            var layout = FieldLayout(generator("a case", response: response))
            let text = layout.lines(fields)
            texts.insert(text)
            let read = Self.parse(text)
            #expect(read.filter { $0.0 == "x-many" }.map(\.1) == ["one", "two"])
            for field in fields where field.name.lowercased() != "x-many" {
                let values = Set(read.filter { $0.0 == field.name.lowercased() }.map(\.1))
                #expect(values == [field.value])
            }
            #expect(read.count { $0.0 == "content-length" } == 1)
            #expect(!text.contains("Content-Length:\r\n"))
        }
        #expect(texts.contains { $0.contains("ETag:\r\n \"a b\"\r\n") })
        #expect(texts.count > 100)
    }

    @Test func `A delivery that does not fold header fields writes each field on one line`() {
        let delivery = MockDelivery("a case", seed: 1, foldsFields: false)
        for response in 1...200 {
            var layout = delivery.layout(generator("a case", response: response))
            let text = layout.lines([HeaderField(name: "ETag", value: "\"a b\"")])
            #expect(!text.contains("\r\n "))
        }
    }

    /// Parses header fields, with names in lower case. Treats folds as spaces (RFC 9112, section
    /// 5.2).
    private static func parse(_ text: String) -> [(String, String)] {
        text.replacingOccurrences(of: "\r\n ", with: " ").components(separatedBy: "\r\n").dropLast()
            .map { line in
                let parts = line.split(
                    separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                return (
                    parts[0].lowercased(), parts[1].trimmingCharacters(in: .whitespaces)
                )
            }
    }

    @Test(.seeded)
    func `The mock server of a conformance case sends pieces, and other mock servers do not`()
        async throws
    {
        let response = MockResponse.text(String(repeating: "text ", count: 20))
        let pieces = try await reads(
            of: response, delivery: MockDelivery("a case", seed: SeededGenerator.processSeed))
        #expect(pieces.contains { $0 > 1 })
        #expect(try await reads(of: response, delivery: nil).allSatisfy { $0 == 1 })
    }

    /// Returns the number of reads for each of 40 responses.
    private func reads(of response: MockResponse, delivery: MockDelivery?) async throws -> [Int] {
        let server = try MockServer(delivery: delivery) { _ in response.ending(.close) }
        defer { server.stop() }
        var counts: [Int] = []
        for _ in 0..<40 {
            counts.append(
                try await RawClient.connected(to: server.port) { client in
                    client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                    var count = 0
                    while try !client.receive().isEmpty { count += 1 }
                    return count
                })
        }
        return counts
    }
}
