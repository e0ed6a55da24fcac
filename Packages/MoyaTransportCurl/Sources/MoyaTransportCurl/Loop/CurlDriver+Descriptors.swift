import CCurl
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// What is done where the process may open no more: transfers wait until others have given back what they have.
extension CurlDriver {
    /// How many descriptors there may be in the process. `nil` where that is no matter.
    static var descriptorLimit: Int? {
        var limit = rlimit()
        #if canImport(Glibc)
            let result = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        #else
            let result = getrlimit(RLIMIT_NOFILE, &limit)
        #endif
        return result == 0 && limit.rlim_cur < 1 << 20 ? Int(limit.rlim_cur) : nil
    }

    /// Below the limit by what others in the process need for a moment. libdispatch on Linux looks after its threads
    /// in files under /proc, and ends the process where it cannot open one.
    static func makeDescriptorCeiling() -> Int32 {
        descriptorLimit.map { Int32($0 - min(32, $0 / 8)) } ?? .max
    }

    /// Whether `transfer` may wait for a descriptor: another transfer gives back its own, and idle connections are closed
    /// for the only one, once.
    private func mayWait(_ transfer: Transfer, besides others: Int) -> Bool {
        others > 0 || !transfer.isLastTry
    }

    /// Whether a descriptor that `transfer` was given is one to leave to the rest of the process. A new one has the
    /// lowest number that is free, which tells how many there are.
    func isReserved(_ descriptor: Int32, for transfer: Transfer) -> Bool {
        descriptor >= descriptorCeiling && mayWait(transfer, besides: active.count - 1)
    }

    /// Whether `transfer` has to wait with the files that it is going to open.
    func mustLeaveDescriptors(_ transfer: Transfer) -> Bool {
        let files = transfer.fileCount
        guard files > 0, descriptorCeiling != .max, mayWait(transfer, besides: active.count)
        else { return false }
        // A gap below the ceiling may be the last, so that the next would be above. One is for the connection.
        let probes = (0...files).map { _ in open("/dev/null", O_RDONLY | O_CLOEXEC) }
        for probe in probes where probe >= 0 { close(probe) }
        return !probes.allSatisfy { (0..<descriptorCeiling).contains($0) }
    }

    /// Whether a transfer failed only because the process has every descriptor it may have, and there will be one.
    func isForWantOfDescriptors(
        _ code: CURLcode, _ transfer: Transfer, _ handle: CurlHandle
    ) -> Bool {
        guard code != CURLE_OK, mayWait(transfer, besides: active.count - 1), !transfer.isCancelled
        else { return false }
        if transfer.lacksDescriptor, handle.easy.long(CURLINFO_REQUEST_SIZE) == 0 { return true }
        // The resolver does not say why it failed.
        guard code == CURLE_COULDNT_RESOLVE_HOST else { return false }
        let probe = open("/dev/null", O_RDONLY | O_CLOEXEC)
        guard probe >= 0 else { return errno == EMFILE || errno == ENFILE }
        close(probe)
        return false
    }

    /// The same, where a file of the transfer's could not be opened.
    func isForWantOfDescriptors(_ error: any Error, _ transfer: Transfer) -> Bool {
        guard mayWait(transfer, besides: active.count), let error = error as? URLError,
            let cause = error.userInfo[NSUnderlyingErrorKey] as? POSIXError
        else { return false }
        return cause.code == .EMFILE || cause.code == .ENFILE
    }

    /// Has `transfer` begin again when another one has given back its descriptors, or else the idle connections have.
    func postpone(_ transfer: Transfer) {
        if transfer.started == 0 { transfer.started = now }
        postponed.append(transfer)
        nextCheck = min(nextCheck, transfer.waitingDue(self))
        guard active.isEmpty else { return }
        transfer.isLastTry = true
        mustCloseIdle = true
    }
}
