import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

guard let url = CommandLine.arguments.last.flatMap(URL.init(string:)) else { exit(2) }
print(try await URLSession.shared.data(from: url).0.count)
