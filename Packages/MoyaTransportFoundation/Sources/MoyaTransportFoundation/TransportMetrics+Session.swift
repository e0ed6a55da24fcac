#if !canImport(FoundationNetworking)
    import Foundation
    import MoyaCore

    extension TransportMetrics {
        /// What URLSession measured of the last request and response of a task.
        init(_ metrics: URLSessionTaskMetrics) {
            self.init()
            let start = metrics.taskInterval.start
            guard let last = metrics.transactionMetrics.last else { return }
            domainLookup = last.domainLookupEndDate?.timeIntervalSince(start)
            connect = last.connectEndDate?.timeIntervalSince(start)
            secureConnect = last.secureConnectionEndDate?.timeIntervalSince(start)
            protocolName = last.networkProtocolName
            isReusedConnection = last.isReusedConnection
            remoteAddress = last.remoteAddress
        }
    }
#endif
