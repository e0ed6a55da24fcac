import CMoyaCurl
import Foundation
import MoyaCore
import MoyaInternals

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// How transfers begin: at once, or when a connection or a descriptor is free for them.
extension CurlDriver {
    /// Starts `transfer` as soon as it may have a connection.
    func start(_ transfer: Transfer) {
        guard isRunning, transfer.state.take() else {
            return transfer.finish(.failure(URLError(.cancelled)))
        }
        guard queue.isLimited, !sharesFromTheStart(transfer) else { return begin(transfer) }
        if let place = queue.enterFreely() {
            transfer.place = place
            return begin(transfer)
        }
        switch queue.enter(transfer, for: hostKeys.key(for: transfer.url)) {
        // libcurl counts connections that are shared: it alone knows which transfer uses which.
        case .shared: begin(transfer)
        case .admitted(let place):
            transfer.place = place
            begin(transfer)
        case .queued(let ticket):
            transfer.state.wait(for: ticket, since: now)
            checkTimes(of: transfer, at: transfer.waitingDue(configuration))
        }
    }

    /// Takes note of whether a secure host shares connections, when it answers. Until that is known each transfer counts as a
    /// connection.
    func noteVersion(of attempt: Attempt) {
        guard attempt.handle.profile?.isSecure == true, queue.isLimited else { return }
        let easy = attempt.easy
        let shares = easy.long(CURLINFO_HTTP_VERSION) > Int(CURL_HTTP_VERSION_1_1)
        let isCounted = attempt.transfer.place != nil
        // A name is made of the host only where it says something new.
        guard shares == isCounted, configuration.httpVersion != .http2PriorKnowledge,
            !shares || queue.waitingCount > 0 || easy.long(CURLINFO_NUM_CONNECTS) > 0
        else { return }
        let name = hostKeys.key(for: attempt.url)
        guard shares else { return queue.endSharing(name) }
        for waiter in queue.beginSharing(name) { makeReady(waiter) }
    }

    /// Whether it is known before the server answers that its connection carries many transfers at once.
    private func sharesFromTheStart(_ transfer: Transfer) -> Bool {
        configuration.httpVersion == .http2PriorKnowledge
            && configuration.sharesConnections(
                isSecure: transfer.url?.scheme?.lowercased() == "https")
    }

    /// Has a transfer begin that has what it waited for.
    func makeReady(_ transfer: Transfer) {
        transfer.state.takeTurn()
        agenda.ready.append(transfer)
    }

    /// Begins what has become ready. A transfer that fails at once makes others ready: one after the other,
    /// however many they are.
    func beginReady() {
        while !agenda.ready.isEmpty {
            let ready = agenda.ready.takeAll()
            // One that has been cancelled meanwhile is over.
            for transfer in ready where transfer.state.hasTurn { begin(transfer) }
            agenda.ready.giveBack(ready)
        }
    }

    private func begin(_ transfer: Transfer) {
        let count = handles.active.count + 1
        guard
            descriptors.mayOpenFiles(
                transfer.fileCount, transfer.descriptorClaim, among: count)
        else { return waitForDescriptor(transfer) }
        guard let handle = handles.take(context) else {
            let error = URLError(
                CURLE_OUT_OF_MEMORY, detail: "", verification: 0, url: transfer.url)
            return end(transfer, .failure(error))
        }
        let attempt = Attempt(transfer, handle, on: self)
        do {
            try openMulti()
            try resizePool(beside: count)
            try attempt.configure()
            let code = curl_multi_add_handle(multi.raw, handle.easy.raw)
            guard code == CURLM_OK else { throw CurlError(code) }
        } catch {
            fail(attempt, error)
            return
        }
        handles.begin(handle)
        transfer.state.begin(attempt)
        checkTimes(of: transfer, at: attempt.nextCheck)
    }

    /// An attempt has failed before libcurl had it.
    private func fail(_ attempt: Attempt, _ error: any Error) {
        let transfer = attempt.transfer
        if isForWantOfDescriptors(error, transfer) {
            attempt.closeForRestart()
            handles.giveBack(attempt.handle)
            return waitForDescriptor(transfer)
        }
        attempt.close()
        handles.giveBack(attempt.handle)
        let failure = (error as? CurlError).map {
            URLError(.unknown, $0.message, url: transfer.url, cause: $0)
        }
        end(transfer, .failure(failure ?? error))
    }
}
