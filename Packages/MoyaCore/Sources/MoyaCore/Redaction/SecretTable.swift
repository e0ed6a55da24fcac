/// The names and shapes of secrets: one row each, and a test for each row.
enum SecretTable {
    /// A row. Texts are in lower case and without separators, except where the case is significant.
    enum Row: Sendable, Hashable {
        /// A part of a name.
        case part(String)
        /// A word of a name.
        case word(String)
        /// A word of a name after one of the others, separated (`security_code`) or not
        /// (`securitycode`).
        case pair(Set<String>, String)
        /// Words of a name, with `-` between them, that none of their words indicates.
        case phrase(String)
        /// A whole name, in these places.
        case name(String, Set<SensitiveNames.Place>)
        /// A whole name of a parameter, unless its value reads like a word: `state=open`.
        case random(String)
        /// A path segment, whose next segment is secret.
        case path(String)
        /// An authentication scheme and the minimum size of its token, in bytes. The names of other
        /// schemes are also common words.
        case scheme(String, Int)
        /// The beginning of a token of a known service, and the minimum size of the token.
        case token(String, Int)
        /// The beginning of a secret address: webhooks and Telegram bots.
        case address(String)
    }

    static let rows: [Row] = [
        .part("passw"), .part("passphrase"), .part("passcode"), .part("passkey"),
        .part("kennwort"), .part("credential"), .part("signature"), .part("cookie"),
        .part("sessid"), .part("jwt"), .part("bearer"), .part("apikey"), .part("accesskey"),
        .part("privatekey"), .part("csrf"), .part("xsrf"), .part("hmac"), .part("samlre"),
        .part("assertion"), .part("mnemonic"), .part("connectionstring"), .part("contrase"),
        .part("senha"), .part("oidc"), .part("appcheck"), .part("wpnonce"), .part("clientcert"),
        .part("magiclink"),

        .word("cred"), .word("creds"), .word("crumb"), .word("cvc"), .word("cvc2"), .word("cvv"),
        .word("cvv2"), .word("dpop"), .word("hotp"), .word("mfa"), .word("nonce"), .word("otp"),
        .word("pass"), .word("pin"), .word("psk"), .word("psw"), .word("pw"), .word("pwd"),
        .word("saml"), .word("sess"), .word("sid"), .word("sig"), .word("ssn"), .word("totp"),
        .word("verifier"),

        .pair(codes, "code"), .pair(codes, "codes"),
        .pair(
            [
                "access", "account", "api", "app", "encryption", "license", "master", "private",
                "service", "signing",
            ], "keys"),
        .pair(["security"], "answer"), .pair(["recovery", "seed"], "phrase"),
        .pair(["card"], "number"), .pair(["client"], "cert"), .pair(["magic"], "link"),
        .pair(["access", "cas", "granting", "kerberos", "login", "sso"], "ticket"),
        .pair(["access", "api", "login"], "hash"),

        .phrase("connection-string"), .phrase("honeycomb-team"), .phrase("identity-header"),
        .phrase("jfrog-art-api"),

        .name("key", [.field, .parameter, .member]), .name("code", [.field, .parameter, .member]),
        .name("appid", [.parameter]), .name("sas", [.parameter]), .name("invite", [.parameter]),
        .name("magic", [.parameter]),
        // In other places it may be a support ticket.
        .name("ticket", [.field, .parameter]),
        // The session token of the IG trading API.
        .name("cst", [.field]),

        .random("state"),

        .path("resetpassword"), .path("passwordreset"), .path("forgotpassword"), .path("magic"),
        .path("magiclink"), .path("magiclogin"), .path("invite"), .path("acceptinvite"),
        .path("verifyemail"), .path("emailverification"), .path("confirmemail"),
        .path("unsubscribe"),

        .scheme("bearer", 1), .scheme("dpop", 8), .scheme("negotiate", 12), .scheme("ntlm", 12),
        .scheme("basic", 12), .scheme("apikey", 8), .scheme("ssws", 8),

        .token("ghp_", 20), .token("gho_", 20), .token("ghu_", 20), .token("ghs_", 20),
        .token("ghr_", 20), .token("github_pat_", 20), .token("glpat-", 20), .token("xoxb-", 20),
        .token("xoxp-", 20), .token("xoxa-", 20), .token("xoxs-", 20), .token("xapp-", 20),
        .token("sk_live_", 20), .token("sk_test_", 20), .token("rk_live_", 20),
        .token("whsec_", 20), .token("sk-", 32), .token("AKIA", 20), .token("ASIA", 20),
        .token("AIza", 39), .token("ya29.", 20), .token("SG.", 40), .token("shpat_", 20),
        .token("shpss_", 20), .token("hf_", 30), .token("npm_", 30), .token("pypi-", 40),
        .token("dop_v1_", 40), .token("hvs.", 24), .token("xkeysib-", 40), .token("key-", 36),
        .token("dckr_pat_", 20), .token("lin_api_", 20),

        .address("hooks.slack.com/services/"), .address("hooks.slack.com/workflows/"),
        .address("discord.com/api/webhooks/"), .address("discordapp.com/api/webhooks/"),
        .address("api.telegram.org/bot"),
    ]

    private static let codes: Set = [
        "2fa", "access", "activation", "backup", "confirmation", "device", "invite", "login",
        "recovery", "reset", "security", "sms", "time", "user", "verification",
    ]

    /// Members and attributes that name the value beside them: `{"name":"password","value":…}`.
    static let pairNames: Set = [
        "attribute", "field", "header", "id", "k", "key", "label", "n", "name", "param",
        "parameter", "property",
    ]

    /// Members, elements and attributes with the value of a name beside them.
    static let pairValues: Set = ["v", "val", "value"]
}

// The rows by kind, with texts as bytes where bytes are compared.
extension SecretTable {
    struct Kind: Sendable {
        let name: [UInt8]
        /// Minimum size in bytes.
        let minimum: Int
    }

    static let parts = rows.compactMap {
        if case .part(let text) = $0 { Array(text.utf8) } else { nil }
    }
    static let words = Set(rows.compactMap { if case .word(let text) = $0 { text } else { nil } })
    static let phrases = rows.compactMap { if case .phrase(let text) = $0 { text } else { nil } }
    static let paths = rows.compactMap {
        if case .path(let text) = $0 { Array(text.utf8) } else { nil }
    }
    static let randoms = Set(
        rows.compactMap { if case .random(let text) = $0 { text } else { nil } })
    static let addresses = rows.compactMap {
        if case .address(let text) = $0 { Array(text.utf8) } else { nil }
    }
    static let schemes = rows.compactMap {
        if case .scheme(let name, let minimum) = $0 {
            Kind(name: Array(name.utf8), minimum: minimum)
        } else {
            nil
        }
    }
    static let tokens = rows.compactMap {
        if case .token(let name, let minimum) = $0 {
            Kind(name: Array(name.utf8), minimum: minimum)
        } else {
            nil
        }
    }
    static let names = Dictionary(
        uniqueKeysWithValues: rows.compactMap {
            if case .name(let name, let places) = $0 { (name, places) } else { nil }
        })
    static let pairs = Dictionary(
        uniqueKeysWithValues: rows.compactMap {
            if case .pair(let owners, let word) = $0 { (word, owners) } else { nil }
        })
    /// Pairs that are written as one word.
    static let joinedPairs = Set(pairs.flatMap { word, owners in owners.map { $0 + word } })
        .subtracting(["timecode", "timecodes"])

    static let webToken = Array("eyJ".utf8)
    static let pemBegin = Array("-----BEGIN ".utf8)
    static let pemEnd = Array("-----END ".utf8)
    static let pemKey = Array("PRIVATE KEY".utf8)
}
