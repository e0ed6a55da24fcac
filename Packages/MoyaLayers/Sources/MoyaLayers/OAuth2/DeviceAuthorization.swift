import Foundation
import MoyaCore
import MoyaInternals

/// A sign-in of the user on another device that is still pending (RFC 8628), for programs without
/// a browser: command-line tools, televisions.
///
/// ```swift
/// let authorization = try await oauth.deviceAuthorization(at: endpoint, scope: ["read"])
/// print("Open \(authorization.verificationURI) and enter \(authorization.userCode)")
/// let token = try await oauth.token(for: authorization)
/// ```
public struct DeviceAuthorization: Sendable, Hashable {
    /// Code that the user enters at ``verificationURI``. Without control characters.
    public let userCode: String
    /// URL that the user opens on another device.
    public let verificationURI: URL
    /// ``verificationURI`` with the code, for a QR code. `nil` if the server sent none.
    public let verificationURIComplete: URL?
    /// Time at which the codes expire.
    public let expiration: Date

    /// Code that the client sends to the token endpoint.
    let deviceCode: String
    /// Time between two requests to the token endpoint, in seconds.
    let interval: TimeInterval
    /// The scope that was requested.
    let scope: [String]
}

extension DeviceAuthorization: CustomStringConvertible, CustomReflectable {
    /// The URL, without the codes.
    public var description: String { "DeviceAuthorization(\(verificationURI))" }
    /// Children without the codes, for `dump` and debuggers.
    public var customMirror: Mirror {
        Mirror(
            self, children: ["verificationURI": verificationURI, "expiration": expiration])
    }
}

/// The members of a response that has a device code (RFC 8628, section 3.2).
struct DeviceAnswer {
    var deviceCode: String?
    var userCode: String?
    var verificationURI: String?
    var verificationURIComplete: String?
    var interval: TimeInterval?
}

extension OAuth2Client {
    /// Begins a sign-in of the user on another device (RFC 8628, section 3.1). Show the user
    /// ``DeviceAuthorization/userCode`` and ``DeviceAuthorization/verificationURI``, and call
    /// ``token(for:parameters:)``.
    ///
    /// - Parameter endpoint: URL of the device authorization endpoint: https, or a loopback
    ///   address.
    /// - Throws: ``OAuth2Error``, and errors of the transport.
    public func deviceAuthorization(
        at endpoint: URL, scope: [String] = [], parameters: KeyValuePairs<String, String> = [:]
    ) async throws -> DeviceAuthorization {
        let asked = clock.now
        // A client with a secret authenticates, a client without one sends its ID (section 3.1).
        let (data, head) = try await post([], scope: scope, parameters, to: endpoint)
        let answer = try OAuth2Answer.success(in: data, head, asked: asked)
        guard let deviceCode = answer.device.deviceCode, let lifetime = answer.lifetime,
            let userCode = answer.device.userCode,
            let verificationURI = answer.device.verificationURI.flatMap(URL.init(string:))
        else {
            // Without the body, which may have a code.
            throw OAuth2Error(answer: Data(), head, at: asked)
        }
        return DeviceAuthorization(
            userCode: userCode.printable, verificationURI: verificationURI,
            verificationURIComplete: answer.device.verificationURIComplete
                .flatMap(URL.init(string:)),
            expiration: asked + lifetime, deviceCode: deviceCode,
            interval: answer.device.interval ?? 5, scope: scope)
    }

    /// Waits until the user has signed in on another device, and returns the token (RFC 8628,
    /// section 3.4).
    ///
    /// Asks the token endpoint in the interval that the server has set, and less often when the
    /// server says so, is overloaded, or cannot be reached. Cancelling the task ends the wait.
    ///
    /// - Throws: ``OAuth2Error`` with ``OAuth2Error/Code/accessDenied`` if the user refused,
    ///   ``OAuth2Error/Code/expiredToken`` if the user did not sign in in time, or the server's
    ///   error; errors of the transport; `URLError(.cancelled)`; `URLError(.timedOut)` before a
    ///   wait that exceeds the task's deadline.
    public func token(
        for authorization: DeviceAuthorization, parameters: KeyValuePairs<String, String> = [:]
    ) async throws -> AccessToken {
        let fields: [Field] = [
            ("grant_type", "urn:ietf:params:oauth:grant-type:device_code"),
            ("device_code", authorization.deviceCode),
        ]
        var interval = authorization.interval
        while clock.now + interval < authorization.expiration {
            if let deadline = RequestDeadline.current, interval >= deadline.remaining {
                throw deadline.error(url: nil)
            }
            try await clock.pause(for: interval)
            do {
                var fresh = try await token(fields, parameters)
                if fresh.scope == nil, !authorization.scope.isEmpty {
                    fresh.scope = authorization.scope
                }
                return fresh
            } catch {
                guard let longer = Self.interval(after: error, last: interval) else { throw error }
                interval = longer
            }
        }
        throw OAuth2Error(.expiredToken)
    }

    /// Returns the interval, in seconds, after an error of the token endpoint. `nil` if the sign-in
    /// has failed.
    private static func interval(
        after error: any Error, last interval: TimeInterval
    ) -> TimeInterval? {
        switch error {
        case let error as OAuth2Error where error.code == .authorizationPending: interval
        // 5 seconds are added for all later requests (section 3.5).
        case let error as OAuth2Error where error.code == .slowDown: interval + 5
        // The interval is doubled after a timeout (section 3.5).
        case let error as OAuth2Error where error.isOverloaded:
            max(interval * 2, error.retryAfter ?? 0)
        case is URLError where TransientFailure(error) != nil: interval * 2
        default: nil
        }
    }
}
