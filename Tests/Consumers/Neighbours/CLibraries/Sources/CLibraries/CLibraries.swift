import CCurl
import CZlib

public func zlibVersionOfAnotherPackage() -> String {
    String(cString: zlibVersion())
}

public func curlVersionOfAnotherPackage() -> String {
    String(cString: curl_version())
}
