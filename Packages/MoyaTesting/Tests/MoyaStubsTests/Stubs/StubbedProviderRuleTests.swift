import Foundation
import MoyaCore
import MoyaStubs
import MoyaTestSupport
import Testing

private enum Library: TargetType, Equatable {
    case book(Int), shelf(String, row: Int), reader(name: String), door

    var baseURL: URL { URL(string: "https://library.test") ?? URL(fileURLWithPath: "/") }
    var path: String {
        switch self {
        case .book(let id): "/books/\(id)"
        case .shelf(let name, let row): "/shelves/\(name)/\(row)"
        case .reader(let name): "/readers/\(segment: name)"
        case .door: "/door"
        }
    }
    var method: MoyaCore.Method { .get }
    var task: RequestTask { .requestPlain }
    var headers: [String: String]? { nil }
}

@Suite(.timeLimit(.minutes(3))) struct StubbedProviderRuleTests {
    private let provider = StubbedProvider<Library>(unstubbed: .fail)

    @Test func `a stub for any value of a case answers all its targets`() async throws {
        provider.on(any: Library.book).respond(.response(201))
        provider.on(any: Library.shelf).respond(.response(202))
        provider.on(any: Library.reader).respond(.response(203))
        #expect(try await provider.request(.book(1)).statusCode == 201)
        #expect(try await provider.request(.book(2)).statusCode == 201)
        #expect(try await provider.request(.shelf("a", row: 1)).statusCode == 202)
        #expect(try await provider.request(.reader(name: "Ash")).statusCode == 203)
        await #expect(throws: MoyaError.self) { try await provider.request(.door) }
    }

    @Test func `a stub for a case whose closure sets one value does not answer another value`()
        async throws
    {
        provider.on(any: { (name: String) in Library.shelf(name, row: 1) }).respond(.response(201))
        await #expect(throws: MoyaError.self) { try await provider.request(.shelf("a", row: 2)) }
    }

    @Test func `a stub for a request matcher answers the matching targets`() async throws {
        provider.on(.path("/books/{id}")).respond(.response(201))
        #expect(try await provider.request(.book(7)).statusCode == 201)
        await #expect(throws: MoyaError.self) { try await provider.request(.door) }
    }

    @Test func `a computed answer receives the target and the request`() async throws {
        provider.on(where: { _ in true }).respond { asked in
            .text("\(asked.target) \(asked.request.urlRequest.url?.path ?? "")")
        }
        #expect(try await provider.request(.book(7)).mapString() == "book(7) /books/7")
    }

    @Test func `a stub that does not repeat is an error once it is used up`() async throws {
        provider.on(.door).respond(.response(503), .response(200), repeating: .never)
        let line = #line - 1
        #expect(try await provider.request(.door).statusCode == 503)
        #expect(try await provider.request(.door).statusCode == 200)
        let error = await #expect(throws: MoyaError.self) { try await provider.request(.door) }
        let text = (error?.underlyingError as? MissingStubError)?.description ?? ""
        #expect(
            text.hasPrefix(
                "No stub is left for door: GET https://library.test/door: door "
                    + "(StubbedProviderRuleTests.swift:\(line)) was for 2 requests, "
                    + "and this is one more."))
        #expect(provider.unexpectedRequests.map(\.target) == [.door])
    }

    @Test func `a request for a used-up stub is answered by an earlier stub`() async throws {
        provider.on(where: { _ in true }).respond(.response(200))
        provider.on(.door).respond(.response(503), repeating: .never)
        #expect(try await provider.request(.door).statusCode == 503)
        #expect(try await provider.request(.door).statusCode == 200)
    }

    @Test func `a used-up stub does not fall back to sample data`() async throws {
        let provider = StubbedProvider<Library>()
        provider.stub(.door, with: .response(503), repeating: .never)
        #expect(try await provider.request(.door).statusCode == 503)
        await #expect(throws: MoyaError.self) { try await provider.request(.door) }
    }

    @Test func `a stub can repeat all its answers`() async throws {
        provider.on(.door).respond(.response(503), .response(200), repeating: .all)
        var codes: [Int] = []
        for _ in 0..<5 { codes.append(try await provider.request(.door).statusCode) }
        #expect(codes == [503, 200, 503, 200, 503])
    }

    @Test func `a missing stub is an error with the stubs, the nearest and how to add one`() async {
        provider.on(.book(8)).respond(.response())
        provider.on(any: Library.shelf).respond(.response(), repeating: .never)
        let line = #line - 2
        let error = await #expect(throws: MoyaError.self) { try await provider.request(.book(7)) }
        let file = "StubbedProviderRuleTests.swift"
        #expect(
            (error?.underlyingError as? MissingStubError)?.description == """
                No stub matches book(7): GET https://library.test/books/7.
                Stubbed, in the order in which they are asked:
                  - any (String, Int) -> Library (\(file):\(line + 1))
                  - book(8) (\(file):\(line))
                The nearest is book(8): the target is book(7), not book(8).
                Add one: provider.on(.book(7)).respond(…), or provider.on(where: …) for a target that \
                cannot be compared. StubbedProvider(unstubbed: .respondWithSampleData) answers what \
                has no stub.
                """)
    }

    @Test func `descriptions of a missing stub hide the secrets of the URL`() {
        let request = TransportRequest.test("GET", "https://me:word@a.test/x?api_key=abc")
        #expect(RequestMatcher.path("/y").mismatches(request) == ["the path is /x, not /y"])
        #expect(RequestMatcher.url("https://a.test/x?api_key=def").mismatches(request).count == 1)
        for matcher in [
            RequestMatcher.url("https://a.test/x?api_key=def"), .query("api_key", "def"),
        ] {
            let text = "\(matcher) \(matcher.mismatches(request))"
            for secret in ["abc", "def", "word"] { #expect(!text.contains(secret)) }
        }
    }

    @Test func `delays of a stubbed provider use its clock`() async throws {
        let clock = TestClock()
        let provider = StubbedProvider<Library>(clock: clock)
        provider.on(.door).respond(.response(204).delayed(by: 40))
        async let answer = provider.request(.door)
        await clock.waitForSleepers()
        #expect(clock.sleeps == [40])
        clock.advance(by: 40)
        #expect(try await answer.statusCode == 204)
    }

    @Test func `10,000 requests from 8 tasks are each answered and recorded once`() async throws {
        let provider = StubbedProvider<Library>(unstubbed: .fail)
        provider.on(any: Library.book).respond { asked in
            guard case .book(let id) = asked.target else { throw URLError(.unknown) }
            return .text("\(id)")
        }
        provider.on(.door).respond(.response(201), .response(202), repeating: .all)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for index in 0..<1250 {
                        let id = task * 1250 + index
                        if id.isMultiple(of: 5) {
                            _ = try await provider.request(.door)
                        } else {
                            let text = try await provider.request(.book(id)).mapString()
                            #expect(text == "\(id)")
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let requests = provider.requests
        #expect(requests.count == 10_000)
        #expect(requests.count { $0.target == .door } == 2000)
        let books = Set(requests.map { "\($0.target)" })
        #expect(books.count == 8001)
        #expect(provider.unexpectedRequests.isEmpty)
    }
}
