import Foundation
@_spi(MoyaInternals) import MoyaTesting
import MoyaTransportCurl

/// A realm with one user, and Apache that asks for its tickets, on 127.0.0.1 for the time of a test.
final class Kerberos: Sendable {
    private static let apache = "/usr/sbin/apache2"
    private static let modules = "/usr/lib/apache2/modules"

    static var isInstalled: Bool {
        ["/usr/sbin/krb5kdc", "/usr/sbin/kadmin.local", "/usr/bin/kinit", apache]
            .allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }
            && FileManager.default.fileExists(atPath: modules + "/mod_auth_gssapi.so")
    }

    /// `http://localhost:port`, where `/private` needs a ticket with each request and `/bound` with each
    /// connection.
    let url: URL
    /// What Kerberos' own library has to read for this realm: the value of `KRB5_CONFIG`.
    var configuration: String { folder.path + "/krb5.conf" }
    /// The `Authorization` of the first `count` requests below `/private`. Apache writes each of them down some time
    /// after it has answered.
    func authorizations(_ count: Int) async throws -> [Substring] {
        let log = folder.appendingPathComponent("access.log")
        while true {
            let lines = try String(contentsOf: log, encoding: .utf8).split(
                separator: "\n", omittingEmptySubsequences: false)
            // What follows the last line break may not be a whole line yet.
            let found = lines.dropLast().filter { $0.hasPrefix("/private") }
                .compactMap { $0.split(separator: " ").dropFirst().first }
            if found.count >= count { return found }
            try await Task.sleep(for: .milliseconds(5))
        }
    }
    private let folder: URL
    private let processes: [Program]

    /// A realm whose user has a ticket.
    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("kerberos-\(UUID().uuidString)")
        let (realmPort, port) = (try Self.freePort(), try Self.freePort())
        guard let url = URL(string: "http://localhost:\(port)/") else {
            throw URLError(.badURL)
        }
        self.url = url
        for path in ["private", "bound"] {
            let place = folder.appendingPathComponent("www/\(path)")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            try Data(path.utf8).write(to: place.appendingPathComponent("index.html"))
        }
        try Self.configure(folder, realmPort: realmPort, port: port)
        try Self.run(
            "kdb5_util create -s -P master && kadmin.local -q 'addprinc -pw secret ash' "
                + "&& kadmin.local -q 'addprinc -randkey HTTP/localhost' "
                + "&& kadmin.local -q 'ktadd -k keytab HTTP/localhost' && chmod a+r keytab", folder)
        processes = [
            try Self.start("exec krb5kdc -n -P kdc.pid", folder),
            try Self.start("exec \(Self.apache) -X -f \(folder.path)/httpd.conf", folder),
        ]
        // Neither says when it listens.
        try Self.run(
            "until (echo > /dev/tcp/127.0.0.1/\(realmPort)) && (echo > /dev/tcp/127.0.0.1/\(port)); do :; "
                + "done; echo secret | kinit ash", folder)
    }

    deinit {
        for process in processes { process.end() }
        try? FileManager.default.removeItem(at: folder)
    }

    private static func freePort() throws -> Int {
        let server = try MockServer()
        defer { server.stop() }
        return server.port
    }

    private static func configure(_ folder: URL, realmPort: Int, port: Int) throws {
        func write(_ text: String, to name: String) throws {
            try Data(text.utf8).write(to: folder.appendingPathComponent(name))
        }
        try write(
            """
            [libdefaults]
              default_realm = MOYA.TEST
              dns_lookup_kdc = false
              dns_canonicalize_hostname = false
              rdns = false
              udp_preference_limit = 1
              default_ccache_name = FILE:\(folder.path)/tickets
            [realms]
              MOYA.TEST = {
                kdc = 127.0.0.1:\(realmPort)
              }
            [domain_realm]
              localhost = MOYA.TEST
            """, to: "krb5.conf")
        try write(
            """
            [kdcdefaults]
              kdc_listen = 127.0.0.1:\(realmPort)
              kdc_tcp_listen = 127.0.0.1:\(realmPort)
            [realms]
              MOYA.TEST = {
                database_name = \(folder.path)/principal
                key_stash_file = \(folder.path)/stash
              }
            """, to: "kdc.conf")
        let loaded = [
            "mpm_event", "authn_core", "authz_core", "authz_user", "dir", "headers", "auth_gssapi",
        ]
        .map { "LoadModule \($0)_module \(modules)/mod_\($0).so" }
        let places = [("private", "Off"), ("bound", "On")].map { path, isBound in
            """
            <Location /\(path)>
              AuthType GSSAPI
              GssapiCredStore keytab:\(folder.path)/keytab
              GssapiConnectionBound \(isBound)
              Require valid-user
              Header set X-User "expr=%{REMOTE_USER}"
            </Location>
            """
        }
        try write(
            (loaded + places).joined(separator: "\n")
                + """

                ServerRoot \(folder.path)
                ServerName localhost
                Listen 127.0.0.1:\(port)
                PidFile \(folder.path)/httpd.pid
                DefaultRuntimeDir \(folder.path)
                Mutex file:\(folder.path)
                User \(getuid() == 0 ? "www-data" : "#\(getuid())")
                Group \(getuid() == 0 ? "www-data" : "#\(getgid())")
                ErrorLog \(folder.path)/error.log
                CustomLog \(folder.path)/access.log "%U %{Authorization}i"
                DocumentRoot \(folder.path)/www

                """, to: "httpd.conf")
    }

    private static func run(_ script: String, _ folder: URL) throws {
        guard try start(script, folder).waitSynchronously() else {
            throw IssueError("The realm could not be made: \(script)")
        }
    }

    private static func start(_ script: String, _ folder: URL) throws -> Program {
        try Program(
            "/bin/bash", ["-c", "cd '\(folder.path)' && PATH=$PATH:/usr/sbin; " + script],
            environment: [
                "KRB5_CONFIG": folder.path + "/krb5.conf",
                "KRB5_KDC_PROFILE": folder.path + "/kdc.conf",
            ])
    }
}
