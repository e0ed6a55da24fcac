import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

@Suite struct InboxTests {
    private func take(_ inbox: inout Inbox<String>, load: Int = 0) -> [String] {
        var commands: [String] = []
        inbox.take(into: &commands, load: load)
        return commands
    }

    @Test func `only the first command wakes a loop that is asleep`() {
        var inbox = Inbox<String>()
        #expect(inbox.submit("a") == false)
        #expect(inbox.fallAsleep() == false)
        #expect(take(&inbox) == ["a"])
        #expect(inbox.fallAsleep() == true)
        #expect(inbox.submit("b") == true)
        #expect(inbox.submit("c") == false)
        #expect(take(&inbox) == ["b", "c"])
    }

    @Test func `the load counts the transfers that wait in the inbox`() {
        var inbox = Inbox<String>()
        _ = inbox.submit("start", load: 1)
        _ = inbox.submit("cancel")
        #expect(inbox.load == 1)
        #expect(take(&inbox, load: 4).count == 2)
        #expect(inbox.load == 6)
        _ = take(&inbox, load: 5)
        #expect(inbox.load == 5)
    }

    @Test
    func
        `a stopped loop accepts only jobs of tasks, and an ended loop accepts nothing`()
    {
        var inbox = Inbox<String>()
        #expect(inbox.stop("stop") == false)
        #expect(inbox.stop("stop") == nil)
        #expect(inbox.submit("start") == nil)
        #expect(inbox.submitJob("job") == false)
        #expect(inbox.end() == ["stop", "job"])
        #expect(inbox.submitJob("job") == nil)
        #expect(inbox.end() == [])
    }

    @Test func `a task that waits for the end of a loop resumes when everything is closed`() async {
        var inbox = Inbox<String>()
        _ = inbox.stop("stop")
        _ = inbox.end()
        await withUnsafeContinuation { continuation in
            #expect(inbox.waitUntilClosed(continuation) == false)
            let waiters = inbox.close()
            #expect(waiters.count == 1)
            for waiter in waiters { waiter.resume() }
        }
        await withUnsafeContinuation { continuation in
            #expect(inbox.waitUntilClosed(continuation) == true)
            continuation.resume()
        }
    }
}
