import CMoyaCurl
import Foundation
import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

@Suite struct PollPollerTests {
    /// The poller for systems without epoll. The project's checks run on Linux only, so only this
    /// test uses it there.
    @Test func `PollPoller reports readable descriptors and can be woken`() throws {
        let poller = try PollPoller()
        defer { poller.tearDown() }
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        #expect(poller.watch(ends[0], reading: true, writing: false))
        var reports: [Int32] = []
        poller.wait(milliseconds: 0) { descriptor, _ in reports.append(descriptor) }
        #expect(reports.isEmpty)
        #expect(write(ends[1], "x", 1) == 1)
        poller.wait(milliseconds: 1000) { descriptor, bits in
            reports.append(descriptor)
            #expect(bits == CURL_CSELECT_IN)
        }
        #expect(reports == [ends[0]])
        poller.rest(ends[0])
        poller.waker.wake()
        poller.wait(milliseconds: -1) { descriptor, _ in reports.append(descriptor) }
        #expect(reports == [ends[0]])
    }
}

#if os(Linux)
    @Suite struct EpollPollerTests {
        @Test
        func `EpollPoller fails to watch descriptors that epoll refuses, and forgets them`()
            throws
        {
            let poller = try EpollPoller(waker: .event())
            defer { poller.tearDown() }
            let folder = try TemporaryFolder()
            // epoll does not accept regular files, and fails in the same way without memory for
            // another socket.
            let file = open(try folder.file("a", Data()).path, O_RDONLY)
            try #require(file >= 0)
            defer { close(file) }
            #expect(!poller.watch(file, reading: true, writing: false))
            #expect(!poller.watch(file, reading: true, writing: true))
            var ends: [Int32] = [0, 0]
            try #require(pipe(&ends) == 0)
            defer { for end in ends { close(end) } }
            #expect(poller.watch(ends[0], reading: true, writing: false))
            #expect(poller.watch(ends[1], reading: false, writing: true))
            var reports: [Int32] = []
            poller.wait(milliseconds: 0) { descriptor, _ in reports.append(descriptor) }
            #expect(reports == [ends[1]])
        }

        /// In a child process, where only the runtime opens other descriptors.
        @Test
        func `an EpollPoller without a wake-up descriptor is an error and leaves nothing open`()
            async
        {
            await #expect(processExitsWith: .success) {
                func openCount() -> Int { (Int32(0)..<1024).count { fcntl($0, F_GETFD) >= 0 } }
                let before = openCount()
                for _ in 0..<100 {
                    // epoll does not accept folders.
                    let error = #expect(throws: POSIXError.self) {
                        try EpollPoller(waker: Waker(descriptor: open("/", O_RDONLY | O_CLOEXEC)))
                    }
                    #expect(error?.code == .EPERM)
                }
                #expect(openCount() < before + 100)
            }
        }
    }
#endif
