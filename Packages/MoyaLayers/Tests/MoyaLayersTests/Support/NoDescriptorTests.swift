#if os(macOS) || os(Linux)
    import Foundation
    import MoyaCore
    import MoyaTestSupport
    import MoyaTesting
    import Testing

    @testable import MoyaLayers

    /// Identifiers in a process without a free file descriptor.
    @Suite(.timeLimit(.minutes(3))) struct NoDescriptorTests {
        @Test func `idempotency keys differ without a free file descriptor`() async {
            await #expect(processExitsWith: .success) {
                let stub = StubTransport { try .test($0) }
                let transport = stub.addingIdempotencyKeys()
                try ResourceLimit.descriptors.set(0)
                for _ in 0..<20 { _ = try await transport.send(.test("POST")) }
                let keys = stub.requests.map { $0.value(for: "Idempotency-Key") }
                #expect(Set(keys).count == 20)
            }
        }

        @Test func `a disk cache without a free file descriptor keeps no response that is removed`()
            async
        {
            await #expect(processExitsWith: .success) {
                let folder = try TemporaryFolder()
                let store = DiskCacheStore(folder: folder.url)
                let response = StoredResponse(
                    statusCode: 200, url: url("http://host.test/"), httpVersion: "HTTP/1.1",
                    fields: [], body: Data("body".utf8),
                    requestTime: Date(timeIntervalSince1970: 1),
                    responseTime: Date(timeIntervalSince1970: 2), selectors: [:])
                for key in ["updated", "kept"] { await store.update(key) { $0 = [response] } }
                #expect(await store.responses(for: "kept") == [response])

                let usual = try ResourceLimit.descriptors.set(0)
                await store.update("updated") { $0 = [] }
                try ResourceLimit.descriptors.set(usual)
                #expect(await store.responses(for: "updated") == [])
                #expect(await store.responses(for: "kept") == [response])

                try ResourceLimit.descriptors.set(0)
                await store.removeAll()
                try ResourceLimit.descriptors.set(usual)
                #expect(await store.responses(for: "kept") == [])
                await store.update("kept") { $0 = [response] }
                #expect(await store.responses(for: "kept") == [response])
            }
        }

        @available(macOS 26, *)
        @Test func `all waiters of a shared task get its result without a free file descriptor`()
            async
        {
            await #expect(processExitsWith: .success) {
                let task = SharedTask { 1 }
                // Without a descriptor, Dispatch ends the process when it counts the threads of a
                // queue with waiting work. These tasks wait on this thread, without Dispatch.
                let usual = try ResourceLimit.descriptors.set(0)
                let waiters = (0..<10).map { _ in Task.immediate { try await task.value() } }
                try ResourceLimit.descriptors.set(usual)
                task.start()
                for waiter in waiters { #expect(try await waiter.value == 1) }
            }
        }
    }
#endif
