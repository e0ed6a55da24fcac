import Foundation
import MoyaCore
import MoyaInternals
import MoyaTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Flows with tokens, users and secrets. The exploration has to find the defect of each.
@Suite struct PlantedTokenDefectTests {
    /// Refreshes the token in a loop, as long as the server answers 401.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Sendable private static func refreshWithoutEnd(_ network: ExploredNetwork) async throws {
        var (token, refresh) = (0, 0)
        while true {
            let answer = try await network.send(
                TransportRequest(request("/private", token: "\(token)")))
            guard answer.head.statusCode == 401 else { return }
            let renewed = try? await network.request(
                ShopCall(method: .post, path: "/token", query: ["refresh": refresh]))
            if let number = try? renewed?.map(Int.self, atKeyPath: "token") {
                (token, refresh) = (number, number)
            }
            try await network.clock.sleep(for: 1)
        }
    }

    private static func request(_ path: String, token: String) -> URLRequest {
        var request = URLRequest(
            url: URL(string: "https://shop.test\(path)") ?? URL(fileURLWithPath: "/"))
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        return request
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test
    func
        `An exploration finds a token refresh that loops after the response with the new token was lost`()
        async throws
    {
        var options = ExplorationOptions()
        options.virtualLimit = 400
        let report = try await findings(
            .connectionFaults, options: options, flow: Self.refreshWithoutEnd
        ) { run in
            run.ends(within: .seconds(300))
        }
        let finding = try #require(report.finding("the flow ends within 300.0 seconds"))
        #expect(finding.faults == ["connection lost after the server acted at POST /token"])
    }

    @Test func `An exploration finds a cache that falls back to another user's response`()
        async throws
    {
        let report = try await findings { network in
            let copies = Locked<Data?>(nil)
            for user in ["ann", "bob"] {
                let data: Data
                do {
                    data = try await network.request(.get("/me", as: user)).data
                    copies.withLock { $0 = data }
                } catch {
                    guard let copy = copies.withLock({ $0 }) else { throw error }
                    data = copy
                }
                network.note(.shown(data, to: "Bearer \(user)"))
            }
        } holding: { run in
            run.servesEachUserTheirOwn { $0.urlRequest.value(forHTTPHeaderField: "Authorization") }
        }
        let finding = try #require(report.finding("each user sees responses of their own"))
        #expect(finding.faults == ["connection lost before the server acted at GET /me"])
        #expect(finding.reason == "Bearer bob saw a response to Bearer ann.")
    }

    @Test func `An exploration finds a cache that ignores Vary, in the run without faults`()
        async throws
    {
        let report = try await findings { network in
            let cache = Locked<Data?>(nil)
            for user in ["ann", "bob"] {
                let cached = cache.withLock { $0 }
                var data = cached ?? Data()
                if cached == nil { data = try await network.request(.get("/me", as: user)).data }
                let seen = data
                cache.withLock { $0 = seen }
                network.note(.shown(seen, to: "Bearer \(user)"))
            }
        } holding: { run in
            run.servesEachUserTheirOwn { $0.urlRequest.value(forHTTPHeaderField: "Authorization") }
        }
        #expect(report.finding("each user sees responses of their own")?.faults == [])
        #expect(report.runs == 1)
    }

    struct TellingError: Error { let request: String }

    @Test func `An exploration finds a secret in an error`() async throws {
        let report = try await findings { network in
            let call = ShopCall.get("/me", as: "s3cret")
            do { _ = try await network.request(call) } catch {
                throw TellingError(request: "\(call.headers ?? [:]) failed")
            }
        } holding: { run in
            run.keepsSecret("s3cret")
        }
        let finding = try #require(report.finding("no error and no log shows the secret"))
        #expect(finding.faults == ["connection lost before the server acted at GET /me"])
    }

    @Test func `An exploration finds a secret that is logged only after a 403 response`()
        async throws
    {
        let report = try await findings { network in
            do { _ = try await network.request(.get("/me", as: "s3cret")) } catch let error
                as MoyaError
            {
                if error.response?.statusCode == 403 { network.note(.log("refused: s3cret")) }
                throw error
            }
        } holding: { run in
            run.keepsSecret("s3cret")
        }
        let finding = try #require(report.finding("no error and no log shows the secret"))
        #expect(finding.faults == ["status 403 at GET /me"])
        #expect(finding.count == 1)
    }

    @Test func `An exploration finds a retry that continues after the sign-out`() async throws {
        let report = try await findings { network in
            let polling = Task {
                let transport = BlindRetry(next: network, pause: 10, clock: network.clock)
                _ = try await MoyaProvider<ShopCall>(transport: transport).request(.get("/inbox"))
            }
            try await network.clock.sleep(for: 5)
            network.note(.mark("signed out"))
            _ = try await polling.value
        } holding: { run in
            run.sendsNothing(after: "signed out")
        }
        let finding = try #require(report.finding("nothing is sent after “signed out”"))
        #expect(finding.faults == ["connection lost before the server acted at GET /inbox"])
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test
    func `An exploration finds a request right after the sign-out, before virtual time has passed`()
        async throws
    {
        let report = try await findings([]) { network in
            _ = try await network.request(.get("/me"))
            network.note(.mark("signed out"))
            _ = try await network.request(.get("/inbox"))
        } holding: { run in
            run.sendsNothing(after: "signed out")
            run.sendsNothing(after: "signed out", matching: .path("/me"))
        }
        #expect(report.findings.map(\.faults) == [[]])
        #expect(report.findings.first?.reason == "GET /inbox was sent 0 seconds later.")
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func `A process that was killed after the sign-out may send requests until it signs out`()
        async throws
    {
        for isDefective in [false, true] {
            let report = try await findings(.kills) { network in
                _ = try await network.request(.get("/me"))
                network.note(.mark("signed out"))
                try await network.clock.sleep(for: 1)
                guard isDefective, network.isRestart else { return }
                _ = try await network.request(.get("/inbox"))
            } holding: { run in
                run.sendsNothing(after: "signed out")
            }
            let reasons = isDefective ? ["GET /inbox was sent 1 seconds later."] : []
            #expect(report.findings.map(\.reason) == reasons)
        }
    }

    @Test func `An exploration finds an error that is not a MoyaError`() async throws {
        let report = try await findings { network in
            let response = try await network.request(.get("/me"))
            _ = try JSONDecoder().decode([String: String].self, from: response.data)
        } holding: { run in
            run.errorsAreTyped()
        }
        let finding = try #require(report.finding("errors are of type MoyaError"))
        #expect(finding.faults == ["body empty at GET /me"])
    }

    struct VagueError: Error, CustomStringConvertible {
        var description: String { "Something went wrong." }
    }

    @Test func `An exploration finds an error that does not name its request`() async throws {
        let report = try await findings { network in
            do { _ = try await network.request(.get("/me")) } catch { throw VagueError() }
        } holding: { run in
            run.errorsAreTyped(as: VagueError.self)
        }
        let finding = try #require(report.finding("errors name the request"))
        #expect(finding.faults == ["connection lost before the server acted at GET /me"])
    }

    struct MisnamingError: Error, CustomStringConvertible {
        var description: String { "GET /items failed." }
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func `An exploration finds an error that names a request that did not fail`()
        async throws
    {
        let report = try await findings { network in
            _ = try? await network.request(.get("/items"))
            do { _ = try await network.request(.order()) } catch { throw MisnamingError() }
        } holding: { run in
            run.errorsAreTyped(as: MisnamingError.self)
        }
        let finding = try #require(report.finding("errors name the request"))
        #expect(finding.faults == ["connection lost before the server acted at POST /orders"])
        #expect(finding.reason == "The flow threw “GET /items failed.” after POST /orders.")
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func `An error may name any of the requests that failed at the same time`() async throws {
        let report = try await findings(.connectionFaults, depth: 2) { network in
            async let first = network.request(.get("/one"))
            async let second = network.request(.get("/two"))
            _ = try await (first, second)
        } holding: { run in
            run.errorsAreTyped()
        }
        #expect(report.findings.map(\.description) == [])
    }

    struct SlashError: Error, CustomStringConvertible {
        var description: String { "client/server failure" }
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func `An exploration finds an error that does not name its request to the root path`()
        async throws
    {
        let report = try await findings(.statusFaults) { network in
            do { _ = try await network.request(.get("/")) } catch { throw SlashError() }
        } holding: { run in
            run.errorsAreTyped(as: SlashError.self)
        }
        #expect(report.finding("errors name the request") != nil)
        let named = try await findings(.connectionFaults + .statusFaults) { network in
            _ = try await network.request(.get("/"))
        } holding: { run in
            run.errorsAreTyped()
        }
        #expect(named.findings.map(\.description) == [])
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func `The reason of a finding does not show the random path of the run's folder`()
        async throws
    {
        var options = ExplorationOptions()
        options.mayFailWithoutFaults = true
        let report = try await findings([], options: options) { network in
            network.folder.appendingPathComponent("draft").path
        } holding: { run in
            run.breaks("nothing is kept", "\(run.value ?? "")")
        }
        #expect(report.findings.map(\.reason) == ["…/kept/draft"])
    }
}
