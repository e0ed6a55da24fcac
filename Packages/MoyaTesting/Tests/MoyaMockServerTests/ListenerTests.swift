import Testing

@testable import MoyaMockServer

@Suite struct ListenerTests {
    @Test func `waking a closed listener does not end the process`() async {
        await #expect(processExitsWith: .success) {
            let listener = try Listener()
            listener.close()
            listener.wake()
        }
    }

    @Test func `a woken listener accepts no more connections`() throws {
        let listener = try Listener()
        listener.wake()
        #expect(listener.accept().map(\.descriptor) == nil)
        listener.close()
    }
}
