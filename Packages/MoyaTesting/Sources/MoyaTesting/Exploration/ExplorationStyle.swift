/// Style sheet of the HTML page of an ``ExplorationReport``.
enum ExplorationStyle {
    static let sheet = """
        :root { --bar: #4d7fa8; --act: #14713a; --mark: #8a5a00; }
        @media (prefers-color-scheme: dark) { :root { --bar: #6d9fc8; --act: #6fce92; --mark: #e5b454; } }
        h1 { margin: 0; font-size: 2.25rem; line-height: 1.2; }
        h2 { margin: 0; font-size: 1.25rem; line-height: 1.3; overflow-wrap: anywhere; }
        .kicker { margin: 0; color: var(--soft); font-size: .9rem; }
        .passed { color: var(--good); } .failed { color: var(--bad); }
        .facts { display: flex; flex-wrap: wrap; gap: .5rem 2rem; margin: 1.25rem 0 2rem; }
        .facts dt { color: var(--soft); font-size: .8rem; } .facts dd { margin: 0; font-weight: 600; }
        article { margin: 0 0 1.5rem; padding: 1.25rem; border: 1px solid var(--line); border-radius: .75rem; background: var(--card); }
        .finding { border-left: .3rem solid var(--bad); }
        .reason { margin: .35rem 0; overflow-wrap: anywhere; }
        .faults { margin: .35rem 0 1rem; color: var(--soft); }
        .faults span { padding: .1rem .5rem; border-radius: .3rem; background: var(--badge); color: var(--ink); }
        small { color: var(--soft); font-weight: 400; }
        .scroll { overflow-x: auto; } .scroll:focus-visible { outline: 3px solid var(--bar); outline-offset: 2px; }
        table { width: 100%; border-collapse: collapse; font-size: .9rem; }
        th, td { padding: .45rem .6rem; text-align: left; vertical-align: top; border-top: 1px solid var(--line); }
        thead th { border: 0; color: var(--soft); font-size: .8rem; font-weight: 600; }
        tbody th { width: 16rem; min-width: 11rem; font: 600 .85rem/1.6 ui-monospace, "SF Mono", Menlo, Consolas, monospace; overflow-wrap: anywhere; }
        tbody td:last-child { width: 16rem; min-width: 9rem; overflow-wrap: anywhere; }
        .axis { min-width: 16rem; padding-inline: 0; } .axis span + span { float: right; }
        .fault { display: block; color: var(--bad); font: 400 .85rem/1.4 system-ui, sans-serif; }
        .track { position: relative; }
        .bar { position: absolute; top: .75rem; height: .7rem; min-width: 3px; border-radius: .2rem; background: var(--bar); }
        .bar.struck { background: repeating-linear-gradient(135deg, var(--bad) 0 .3rem, transparent .3rem .45rem), var(--badge); }
        .acted, .note { position: absolute; top: .55rem; width: 3px; height: 1.1rem; background: var(--act); }
        .note { width: .6rem; height: .6rem; top: .8rem; margin-left: -.3rem; border-radius: 50%; background: var(--mark); }
        details { margin-top: 1rem; } summary { cursor: pointer; color: var(--soft); }
        pre { margin: .6rem 0 0; padding: .8rem 1rem; overflow-x: auto; border-radius: .5rem; background: var(--badge); font-size: .85rem; }
        .legend { color: var(--soft); font-size: .85rem; }
        .legend i, .legend b { position: static; display: inline-block; margin: 0 .2rem 0 .8rem; vertical-align: -1px; }
        .legend i { width: 1.6rem; } .legend .acted { height: .9rem; }
        @media print { body { padding: 0; } details { display: none; } }
        """
}
