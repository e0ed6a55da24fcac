#if os(macOS) || os(Linux)
    import Foundation
    import MoyaInternals
    import MoyaTestSupport
    import Testing

    @Suite(.timeLimit(.minutes(3))) struct RandomIDTests {
        @Test func `a random UUID has the version and the variant of RFC 9562`() {
            for _ in 0..<100 {
                let text = Array(RandomID.uuid().uuidString)
                #expect(text[14] == "4")
                #expect("89AB".contains(text[19]))
            }
        }

        @Test func `a hexadecimal identifier has 32 digits`() {
            for _ in 0..<100 {
                let text = RandomID.hexadecimal()
                #expect(text.count == 32 && text.allSatisfy(\.isHexDigit), "\(text)")
            }
        }

        @Test func `suspended tasks have different identifiers without a free file descriptor`()
            async
        {
            await #expect(processExitsWith: .success) {
                try ResourceLimit.descriptors.set(0)
                let identifiers = Recorder<UUID>()
                for _ in 0..<20 {
                    try await suspend { id, _ -> Result<Void, any Error>? in
                        identifiers.record(id)
                        return .success(())
                    } giveUp: { _ in
                        nil
                    }
                }
                #expect(Set(identifiers.items).count == 20)
            }
        }

        @Test func `identifiers differ while the process has no free file descriptor`() async {
            await #expect(processExitsWith: .success) {
                try ResourceLimit.descriptors.set(0)
                #expect(Set((0..<1000).map { _ in RandomID.uuid() }).count == 1000)
                #expect(Set((0..<1000).map { _ in RandomID.hexadecimal() }).count == 1000)
            }
        }
    }
#endif
