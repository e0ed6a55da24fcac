#if CURL
import CMoyaCurl
import Foundation
import MoyaCore
import MoyaInternals

// libcurl's callbacks while it sends a request, on the loop's thread.
extension Attempt {
    func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        do {
            guard let count = try upload.source?.read(into: buffer) else {
                paused.insert(.sending)
                handle.liftSpeedBound()
                checkForEarlyAnswer(after: Self.answerCheckInterval)
                return moya_read_pause()
            }
            endWaitingToSend()
            if handle.isUnbound { handle.restoreSpeedBound() }
            times.lastActivity = driver.now
            progress.bytesSent = upload.source?.offset ?? 0
            if count > 0 {
                upload.sending?.hand(count)
                request.progress?(progress)
            }
            return count
        } catch {
            failure = error
            return moya_read_abort()
        }
    }

    func makeTrailers(_ list: inout UnsafeMutablePointer<curl_slist>?) -> Bool {
        guard case .stream(let stream) = request.body, let trailers = stream.trailers?() else {
            return true
        }
        do {
            try RequestValidation.validate(trailers)
            list = try CurlLibrary.makeList(trailers.map { "\($0.name): \($0.value)" })
            return true
        } catch is CurlError {
            failure = URLError(CURLE_OUT_OF_MEMORY, url: url)
        } catch {
            failure = error
        }
        return false
    }

    func mayBegin(on endpoints: ConnectionEndpoints?) -> Bool {
        noteConnecting(driver.now)
        connecting.step = .hasConnection
        let sent = easy.long(CURLINFO_REQUEST_SIZE)
        if isForbiddenRepetition(sent: sent) {
            failure = URLError(
                .networkConnectionLost,
                "The connection was lost before the response. The request was not repeated, "
                    + "because the server may have processed it.", url: url)
            return false
        }
        if let endpoints, handle.holdsUnsolicitedData(endpoints) {
            handle.leaveConnection()
            failure =
                transfer.repeats.metUnsolicitedData
                ? URLError(
                    .badServerResponse,
                    "The server sent data on the connection before the request.", url: url)
                : UnsolicitedData()
            return false
        }
        endWaitingToSend()
        if upload.sentAtBegin != nil { resumeStream() }
        upload.sentAtBegin = sent
        head.noteBegin(endpoints.flatMap(handle.countHead(on:)))
        return true
    }

    /// Has the loop resume libcurl soon, for a request whose body is a stream. libcurl writes the
    /// request again, and ``paused`` is empty.
    ///
    /// libcurl drops a pause when it leaves a connection, because it clears `keepon`. 8.18.0 does
    /// not: it would neither read the new body, nor be resumed when that has bytes.
    private func resumeStream() {
        guard case .stream = request.body else { return }
        paused.insert(.sending)
        transfer.loop.proceed(transfer, with: .sending)
    }

    func seek(_ offset: Int64) -> Bool {
        endWaitingToSend()
        guard case .stream(let stream) = request.body, offset == 0, upload.source?.offset != 0
        else {
            return upload.source?.seek(to: offset) ?? false
        }
        // If the stream cannot be created again, the first read reports the error.
        upload.source?.close()
        upload.source = makeSource(stream)
        return true
    }

    // MARK: Descriptors

    func mayLookUpName() -> Bool { driver.mayLookUpName(for: self) }

    func mayKeep(_ socket: curl_socket_t) -> Bool {
        if driver.mayKeep(socket, for: self) { return true }
        connecting.lacksDescriptor = true
        return false
    }

    func noteLackOfDescriptors() { connecting.lacksDescriptor = true }
}
#endif
