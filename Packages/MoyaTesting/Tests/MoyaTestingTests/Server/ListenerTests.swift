import Testing

@testable import MoyaTesting

@Suite struct ListenerTests {
    @Test func `waking a listener that is closed already ends nothing`() async {
        await #expect(processExitsWith: .success) {
            let listener = try Listener()
            listener.close()
            listener.wake()
        }
    }

    @Test func `a listener that is woken accepts no more`() throws {
        let listener = try Listener()
        listener.wake()
        #expect(listener.accept().map(\.descriptor) == nil)
        listener.close()
    }
}
