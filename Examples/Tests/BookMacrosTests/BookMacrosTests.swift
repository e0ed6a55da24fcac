// Compares the requests of an API declared by macros with those of the same API written by hand.
#if Macros
    import BookMacros
    import Bookshelf
    import Moya
    import MoyaMacros
    import MoyaTesting
    import Testing

    @Suite struct BookMacrosTests {
        private static let emma = NewBook(title: "Emma", author: "Jane Austen")

        @Test(arguments: [
            (BookAPI.search("a b", page: 2), MacroBookAPI.search(q: "a b", page: 2)),
            (.book(id: 7), .book(id: 7)), (.add(emma), .add(book: emma)),
            (.remove(id: 7), .remove(id: 7)),
        ])
        func `a case by macro sends what the case by hand sends`(
            byHand: BookAPI, byMacro: MacroBookAPI
        ) throws {
            let first = try MoyaProvider<BookAPI>.defaultEndpointMapping(for: byHand).urlRequest()
            let second = try MoyaProvider<MacroBookAPI>.defaultEndpointMapping(for: byMacro)
                .urlRequest()
            #expect(first.httpMethod == second.httpMethod)
            #expect(first.allHTTPHeaderFields == second.allHTTPHeaderFields)
            #expect(first.httpBody == second.httpBody)
            #expect(first.url?.path == second.url?.path)
            #expect(
                Set(first.url?.query?.split(separator: "&") ?? [])
                    == Set(second.url?.query?.split(separator: "&") ?? []))
        }

        @Test func `the catalogue of an API by macros needs no list`() throws {
            try TargetCatalog(MacroBookAPI.self).check().requireNoProblems()
        }

        @Test func `requests are functions that return what the service sends`() async throws {
            let provider = StubbedProvider<MacroBookAPI>()
            #expect(try await provider.api.book(id: 1).title == "Emma")
            try await provider.api.remove(id: 1)
        }
    }
#endif
