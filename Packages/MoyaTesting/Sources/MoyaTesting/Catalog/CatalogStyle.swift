/// Style sheet of the HTML page of a ``CatalogReport``.
enum CatalogStyle {
    static let sheet = """
        :root { --warn: #8a5a00; --connect: #c3a36b; --secure: #9c7bb0; --wait: #4d7fa8; --receive: #5a9e6f; }
        @media (prefers-color-scheme: dark) {
          :root { --warn: #e5b454; --connect: #a98a55; --secure: #a587b8; --wait: #6d9fc8; --receive: #6fb385; }
        }
        h1 { margin: 0; font-size: 2.25rem; line-height: 1.2; overflow-wrap: anywhere; }
        .kicker, .date { margin: 0; color: var(--soft); font-size: .9rem; overflow-wrap: anywhere; }
        .verdict { margin: .35rem 0; font-size: 1.25rem; font-weight: 600; }
        .passed { color: var(--good); } .warned { color: var(--warn); } .failed { color: var(--bad); }
        .skipped { color: var(--soft); }
        .filter { display: flex; flex-wrap: wrap; gap: .5rem; margin: 1.5rem 0; padding: 0; border: 0; }
        .filter legend { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
        .filter input { position: absolute; opacity: 0; }
        .filter label {
          padding: .3rem .9rem; border: 1px solid var(--line); border-radius: 2rem;
          background: var(--card); cursor: pointer;
        }
        .filter b { margin-left: .25rem; color: var(--soft); font-weight: 600; }
        .filter input:checked + label { background: var(--ink); border-color: var(--ink); color: var(--paper); }
        .filter input:checked + label b { color: inherit; }
        .filter input:focus-visible + label, .scroll:focus-visible { outline: 3px solid var(--wait); outline-offset: 2px; }
        body:has(#show-failed:checked) tbody:not([data-state=failed]),
        body:has(#show-warned:checked) tbody:not([data-state=warned]),
        body:has(#show-passed:checked) tbody:not([data-state=passed]) { display: none; }
        .scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: .75rem; background: var(--card); }
        table { width: 100%; border-collapse: collapse; }
        caption { padding: .75rem 1rem; text-align: left; color: var(--soft); font-size: .9rem; }
        th, td { padding: .6rem 1rem; text-align: left; vertical-align: top; }
        thead th { color: var(--soft); font-size: .8rem; font-weight: 600; white-space: nowrap; }
        tbody { border-top: 1px solid var(--line); }
        tbody th { font-weight: 600; overflow-wrap: anywhere; min-width: 9rem; }
        .state { font-weight: 600; white-space: nowrap; }
        .request { min-width: 16rem; font: .85rem/1.7 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
        .request b { padding: .1rem .45rem; border-radius: .3rem; background: var(--badge); }
        .request span { overflow-wrap: anywhere; }
        .number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
        .findings td { padding-top: 0; }
        .findings ul { position: sticky; left: 1rem; width: fit-content; min-width: min(100%, 20rem); max-width: min(72rem, 100vw - 4.75rem); }
        ul { margin: 0; padding: 0; list-style: none; color: var(--ink); }
        li { margin: .25rem 0; padding: .5rem .8rem; border-left: .25rem solid; background: var(--badge);
          border-radius: 0 .4rem .4rem 0; overflow-wrap: anywhere; }
        li.failed { border-color: var(--bad); color: inherit; } li.warned { border-color: var(--warn); color: inherit; }
        .check { margin-right: .35rem; color: var(--soft); font-size: .85rem; font-weight: 600; }
        .general { margin-bottom: 1.25rem; }
        .time { min-width: 13rem; white-space: nowrap; }
        .bar { display: inline-flex; width: 7rem; height: .7rem; margin-right: .4rem; overflow: hidden;
          border-radius: .35rem; background: var(--badge); vertical-align: middle; }
        .ms { display: inline-block; min-width: 4.5rem; text-align: right; font-variant-numeric: tabular-nums; }
        i.connect { background: var(--connect); } i.secure { background: var(--secure); }
        i.wait { background: var(--wait); } i.receive { background: var(--receive); }
        .legend { color: var(--soft); font-size: .85rem; }
        .legend i { display: inline-block; width: .8rem; height: .8rem; margin-left: .8rem; border-radius: .2rem; vertical-align: -1px; }
        .legend i:first-child { margin-left: 0; }
        @media print { body { padding: 0; } .filter { display: none; } .scroll { overflow: visible; } }
        """
}
