#if !canImport(Security)
    import Foundation

    extension CurlHandle {
        /// Trusts the certificates in `pem`, in place of the system's. Returns whether it does.
        func trust(_ pem: Data) -> Bool {
            pem.withUnsafeBytes { bytes in
                // libcurl's `curl_blob`, of which it makes a copy. It counts before the file that URLSession names.
                var blob = (
                    UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count,
                    CUnsignedInt(1)
                )
                return set(.authorities, to: &blob)
            }
                // Otherwise the system's folder of certificates would count as well.
                && set(.authorityFolder, to: nil)
        }

        /// Returns whether no older version is spoken from now on.
        func setMinimum(_ version: FoundationTransport.Configuration.TLSVersion) -> Bool {
            switch version {
            case .tls12: set(.tlsVersion, to: 6)
            case .tls13: set(.tlsVersion, to: 7)
            }
        }
    }
#endif
