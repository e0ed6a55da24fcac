import Foundation
import MoyaCore
import MoyaTestSupport
import MoyaTransportCurl
import Testing

@testable import MoyaMultipart

@Suite struct KilledUploadTests {
    @Test func `an upload whose process was killed resumes in the next process`() async throws {
        let data = noise(3_000_000)
        let server = try TusServer()
        let folder = try TemporaryFolder()
        let file = try folder.file("file", data)
        for part in 1...4 as ClosedRange<Int64> {
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [url = server.target.baseURL as URL, file = file as URL, part = part as Int64] in
                let target = Transfer(baseURL: url, path: "files", task: .requestPlain)
                _ = try? await MoyaProvider<Transfer>(transport: CurlTransport()).resumableUpload(
                    file, to: target, options: .eager(chunkSize: 300_000)
                ) { progress in
                    if progress.completedBytes >= part * 600_000 { kill(getpid(), SIGKILL) }
                }
            }
        }
        let result = try await MoyaProvider<Transfer>(transport: CurlTransport())
            .resumableUpload(file, to: server.target, options: .eager())
        #expect(result.resumedFrom >= 1_800_000)
        #expect(server.contents == [data])
        #expect(server.log.count { $0.hasPrefix("POST") } == 1)
        #expect(folder.names == ["file"])
    }
}
