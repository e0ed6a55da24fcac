import Foundation
import MoyaTransportConformance

/// Detects growth of descriptors, threads and memory from round to round. The first two rounds set
/// the bounds.
struct FootprintCheck {
    private static let warmUp = 2
    /// Margin for memory, in KiB: freed memory that the allocator cannot return because of
    /// fragmentation.
    private static let memoryMargin = 96 << 10
    /// Margin for descriptors and for threads.
    private static let margin = 16
    /// `malloc_trim` of glibc, which Swift's Glibc module does not declare.
    private static let trim = dlsym(dlopen(nil, RTLD_NOW), "malloc_trim").map {
        unsafeBitCast($0, to: (@convention(c) (Int) -> Int32).self)
    }
    private var rounds = 0
    private var bound = (descriptors: 0, threads: 0, memory: 0)

    /// Checks this process after a round, when no request is running.
    mutating func look(_ workload: Workload) async {
        rounds += 1
        // glibc has an arena for each thread, and keeps freed memory in it until it is trimmed.
        _ = Self.trim?(0)
        guard rounds > Self.warmUp else {
            let now = TransportConformance.Footprint.current()
            bound.descriptors = max(bound.descriptors, now.descriptors + Self.margin)
            bound.threads = max(bound.threads, now.threads + Self.margin)
            bound.memory = max(bound.memory, now.residentKiB + Self.memoryMargin)
            return
        }
        var now = TransportConformance.Footprint.current()
        // Connections and threads end shortly after their transport was shut down: wait up to 30 s.
        for _ in 0..<300 where !fits(now) {
            try? await Task.sleep(for: .milliseconds(100))
            now = .current()
        }
        guard !fits(now) else { return }
        workload.find(
            "after round \(rounds): \(now.descriptors) descriptors, \(now.threads) threads and \(now.residentKiB) KiB, where "
                + "\(bound.descriptors), \(bound.threads) and \(bound.memory) are the bounds")
    }

    /// Prints a note if no round followed the rounds that set the bounds.
    func finish(_ workload: Workload) {
        guard rounds <= Self.warmUp else { return }
        workload.note("descriptors, threads and memory not judged: too short")
    }

    private func fits(_ now: TransportConformance.Footprint) -> Bool {
        now.descriptors <= bound.descriptors && now.threads <= bound.threads
            && now.residentKiB <= bound.memory
    }
}
