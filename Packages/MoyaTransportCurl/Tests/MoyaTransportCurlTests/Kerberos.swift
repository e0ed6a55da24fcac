import Foundation
import MoyaTestSupport
import MoyaTransportCurl
import Testing

/// A Kerberos realm with one user, and an Apache server on 127.0.0.1 that requires its tickets, for
/// one test.
final class Kerberos: Sendable {
    /// The server's URL, `http://localhost:port`. `/private` requires a ticket with each request,
    /// `/bound` with each connection.
    let url: URL
    /// The realm's configuration file for the Kerberos library: the value of `KRB5_CONFIG`.
    var configuration: String { folder.file("krb5.conf").path }
    /// The first `count` `Authorization` fields of requests to `/private`, in the order of Apache's
    /// log. Waits for them, because Apache writes its log some time after it has responded.
    func authorizations(_ count: Int) async throws -> [Substring] {
        let log = folder.file("access.log")
        var found: [Substring] = []
        try await until {
            let lines = try String(contentsOf: log, encoding: .utf8).split(
                separator: "\n", omittingEmptySubsequences: false)
            // The text after the last line break may be an incomplete line.
            found = lines.dropLast().filter { $0.hasPrefix("/private") }
                .compactMap { $0.split(separator: " ").dropFirst().first }
            return found.count >= count
        }
        return found
    }
    private let folder: TemporaryFolder
    private let realm: Program
    private let apache: Apache

    /// Starts a realm whose user has a ticket.
    init() async throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        for path in ["private", "bound"] {
            let place = folder.file("www/\(path)")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            try Data(path.utf8).write(to: place.appendingPathComponent("index.html"))
        }
        try Self.configure(folder, port: 0)
        try Self.run(
            "kdb5_util create -s -P master && kadmin.local -q 'addprinc -pw secret ash' "
                + "&& kadmin.local -q 'addprinc -randkey HTTP/localhost' "
                + "&& kadmin.local -q 'ktadd -k keytab HTTP/localhost' && chmod a+r keytab", folder)
        (realm, _) = try await Program.server(
            noting: folder.file("kdc.pid"), log: folder.file("kdc.log")
        ) { port in
            try Self.configure(folder, port: port)
            return try Self.start("exec krb5kdc -n -P kdc.pid", folder)
        }
        apache = try await Apache(
            in: folder.url,
            loading: ["authn_core", "authz_user", "dir", "headers", "auth_gssapi"],
            environment: Self.variables(folder), Self.directives(folder))
        url = try #require(URL(string: "http://localhost:\(apache.port)/"))
        try Self.run("echo secret | kinit ash", folder)
    }

    /// - Parameter port: The port of the realm's key distribution center.
    private static func configure(_ folder: TemporaryFolder, port: Int) throws {
        let path = folder.url.path
        let client = """
            [libdefaults]
              default_realm = MOYA.TEST
              dns_lookup_kdc = false
              dns_canonicalize_hostname = false
              rdns = false
              udp_preference_limit = 1
              default_ccache_name = FILE:\(path)/tickets
            [realms]
              MOYA.TEST = {
                kdc = 127.0.0.1:\(port)
              }
            [domain_realm]
              localhost = MOYA.TEST
            """
        let server = """
            [kdcdefaults]
              kdc_listen = 127.0.0.1:\(port)
              kdc_tcp_listen = 127.0.0.1:\(port)
            [realms]
              MOYA.TEST = {
                database_name = \(path)/principal
                key_stash_file = \(path)/stash
              }
            """
        _ = try folder.file("krb5.conf", Data(client.utf8))
        _ = try folder.file("kdc.conf", Data(server.utf8))
    }

    private static func directives(_ folder: TemporaryFolder) -> String {
        let path = folder.url.path
        let places = [("private", "Off"), ("bound", "On")].map { name, isBound in
            """
            <Location /\(name)>
              AuthType GSSAPI
              GssapiCredStore keytab:\(path)/keytab
              GssapiConnectionBound \(isBound)
              Require valid-user
              Header set X-User "expr=%{REMOTE_USER}"
            </Location>

            """
        }
        return places.joined() + """
            CustomLog \(path)/access.log "%U %{Authorization}i"
            DocumentRoot \(path)/www
            """
    }

    private static func run(_ script: String, _ folder: TemporaryFolder) throws {
        guard try start(script, folder).hasSucceededSynchronously() else {
            throw IssueError("The realm could not be made: \(script)")
        }
    }

    private static func start(_ script: String, _ folder: TemporaryFolder) throws -> Program {
        try Program(
            "/bin/bash", ["-c", "cd '\(folder.url.path)' && PATH=$PATH:/usr/sbin; " + script],
            environment: variables(folder))
    }

    private static func variables(_ folder: TemporaryFolder) -> [String: String] {
        [
            "KRB5_CONFIG": folder.file("krb5.conf").path,
            "KRB5_KDC_PROFILE": folder.file("kdc.conf").path,
            // Without this, the replay cache is in a folder of the system.
            "KRB5RCACHENAME": "none:",
        ]
    }
}
