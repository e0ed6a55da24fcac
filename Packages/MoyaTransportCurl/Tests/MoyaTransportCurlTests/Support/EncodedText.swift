import Foundation
import Testing

/// A text in each content coding, encoded with Python's `gzip` and `zlib`, Node's
/// `brotliCompressSync` and the program `zstd`.
struct EncodedText: Sendable, CustomTestStringConvertible {
    let coding: String
    private let base64: String

    var data: Data { Data(base64Encoded: base64) ?? Data() }
    var testDescription: String { coding }

    static let text = Data(
        """
        fhhegdhageddaeefc\nead\neac\nahh\nedefegbfhg c\ne\naeba fdhceefhhbchahhahbh\nbhacdgfa ag\nfh bdfbb \
        bdagabagcedc\nad dbbceggaghhheaaadge gbdbgbebhgcgdccgg dgcfhcgdgahe\nebbehd hd\nh ch bbfahbha f \
        cbfgegbddhdaadfg\n\ndaeagac dd  e a\n\n dh\nhfchcbdabfebcac\nbdfd\ngbcbhba\ncccdgafbggeb\ng\n\
        dfhfgafdbdgga\ndg fa gfacgdfcgagag
        """.utf8)

    static let gzip = EncodedText(
        coding: "gzip",
        base64:
            "H4sIAAAAAAACAxWPwQ0AQQgC/1axrYko9F/BcQ9NjASGs1d0a8nevaltZqbaruXeCme9PKoX/Y6eCG2Mo2nDBfdQ169V5wcekN"
            + "1qtGYZNz4Cs1LLyexuap9ACAtrxBnpUXPOofbWAms+s/wmvrg/LgxvcAoZacbpVBX85M0j39vXVY8u33gCgltMSoWMJQyMrplA"
            + "90FalIrny0kwkEW99EmnsNyEuvUBFQbDhywBAAA=")
    /// zlib data (RFC 1950), which is what the name `deflate` means.
    static let deflate = EncodedText(
        coding: "deflate",
        base64:
            "eJwVj8ENAEEIAv9Wsa2JKPRfwXEPTYwEhrNXdGvJ3r2pbWam2q7l3gpnvTyqF/2OnghtjKNpwwX3UNevVecHHpDdarRmGTc+Ar"
            + "NSy8nsbmqfQAgLa8QZ6VFzzqH21gJrPrP8Jr64Py4Mb3AKGWnG6VQV/OTNI9/b11WPLt94AoJbTEqFjCUMjK6ZQPdBWpSK58tJ"
            + "MJBFvfRJp7DchLr1AeOfaJo=")
    /// Raw deflate data (RFC 1951), which some servers send under the name `deflate`.
    static let rawDeflate = EncodedText(
        coding: "deflate",
        base64:
            "FY/BDQBBCAL/VrGtiSj0X8FxD02MBIazV3Rryd69qW1mptqu5d4KZ708qhf9jp4IbYyjacMF91DXr1XnBx6Q3Wq0Zhk3PgKzUs"
            + "vJ7G5qn0AIC2vEGelRc86h9tYCaz6z/Ca+uD8uDG9wChlpxulUFfzkzSPf29dVjy7feAKCW0xKhYwlDIyumUD3QVqUiufLSTCQ"
            + "Rb30Saew3IS69QE=")
    static let brotli = EncodedText(
        coding: "br",
        base64:
            "GysB+MUb7HdW+0JRmiAXICx/e3GRs3H3moPnoEE75/sLv1nNDY7Yd3X3LVW0KDss5DwWme/STy6NgIjOGnhN6hKk7QFwbkMzPD"
            + "aKpWQdfRUHvTny6q2nqy75KIv9FT8X2jXgz4xxCLT27i1m1p2+Khr8o6Ch3xOKJUaSg2dynIy/H7zpBOPsY/NQ/BIE"
    )
    static let zstandard = EncodedText(
        coding: "zstd",
        base64:
            "KLUv/WQsALUEAIZSIwngOWlX5EFLCbggAB4AIADUB9/169w/InwnNBEIMPyZZaQCv4ASqAQ4ImrFei3/BHTDJmv6k3mdQ1xJ8t"
            + "+yhVujAlZoTVYX23TxASs0bpzDGwAKiWiDskQF8FTq21k8Y0xotjjj0Ecvm4BcrvkJlmVOTY1DEy7I7jryfAqGib2RSxK0jzN0"
            + "OqA4manjAwEAMDkIUkeQw7E=")

    static let all = [gzip, deflate, rawDeflate, brotli, zstandard]
}
