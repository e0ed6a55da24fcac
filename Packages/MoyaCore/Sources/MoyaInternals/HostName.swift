import Foundation

/// Canonical host names, so that settings for a host apply to each of its notations.
public enum HostName {
    /// Returns `host` in lower case, in its ASCII form and without the trailing dot. IP addresses
    /// are returned in their canonical notation.
    public static func canonical(_ host: String) -> String {
        var name = host.lowercased()
        if name.utf8.contains(where: { $0 > 0x7F }) { name = ascii(name) ?? name }
        if name.hasSuffix("."), name.utf8.count > 1 { name.removeLast() }
        if name.contains(":") {
            let digits = name.trimmingCharacters(in: .init(charactersIn: "[]"))
            return address(AF_INET6, digits) ?? name
        }
        // Every notation of an IPv4 address begins with a digit, as do some names.
        let isNumber = name.utf8.first.map { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ?? false
        return isNumber ? address(AF_INET, name) ?? name : name
    }

    /// Returns the value of `host` in `table`: under its own name, otherwise under `*.` followed by
    /// the labels after its first.
    public static func find<Value>(_ host: String, in table: [String: Value]) -> Value? {
        let host = canonical(host)
        let parent = host.drop { $0 != "." }
        let wildcard = parent.count > 1 ? "*" + parent : nil
        if let value = table[host] ?? table.first(where: { canonical($0.key) == host })?.value {
            return value
        }
        guard let wildcard else { return nil }
        return table[wildcard] ?? table.first { canonical($0.key) == wildcard }?.value
    }

    private static func ascii(_ name: String) -> String? {
        let isWildcard = name.hasPrefix("*.")
        let url = URL(string: "http://\(isWildcard ? String(name.dropFirst(2)) : name)/")
        return url?.host.map { (isWildcard ? "*." : "") + $0.lowercased() }
    }

    /// Accepts every notation of IPv4 addresses that libcurl and URLSession accept, such as
    /// hexadecimal numbers and fewer than four parts.
    private static func address(_ family: Int32, _ text: String) -> String? {
        if family == AF_INET {
            var address = in_addr()
            guard inet_aton(text, &address) != 0 else { return nil }
            return name(family, &address)
        }
        var address = in6_addr()
        guard inet_pton(family, text, &address) == 1 else { return nil }
        return name(family, &address)
    }

    private static func name(_ family: Int32, _ address: UnsafeRawPointer) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { buffer in
            inet_ntop(family, address, buffer.baseAddress, socklen_t(buffer.count)).map {
                String(cString: $0)
            }
        }
    }
}
