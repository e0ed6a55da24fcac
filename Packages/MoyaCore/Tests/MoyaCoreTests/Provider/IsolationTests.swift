import Foundation
import MoyaCore
import Testing

@Suite struct IsolationTests {
    /// Marks the main queue, on which the main actor runs. On Linux, it need not run on the main
    /// thread.
    private static let mark = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Records whether it is decoded on the main actor.
    private struct Witness: Decodable {
        let isOnMainActor: Bool

        init(from decoder: any Decoder) throws {
            isOnMainActor = DispatchQueue.getSpecific(key: IsolationTests.mark) == true
        }
    }

    private let provider = MoyaProvider<GitHub>(
        transport: FixedTransport(body: .data(Data("{}".utf8))))

    @Test @MainActor func `request(_:as:) decodes on the main actor for a caller on it`()
        async throws
    {
        #expect(try await provider.request(.zen, as: Witness.self).isOnMainActor)
    }

    @Test @concurrent
    func `request(_:as:) decodes off the main actor for a caller off the main actor`()
        async throws
    {
        #expect(try await !provider.request(.zen, as: Witness.self).isOnMainActor)
    }
}
