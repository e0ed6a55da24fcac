# shellcheck shell=bash
# Functions of scripts/test: steps, steps beside others, tests, and what is left out.

# A new folder for each run, because two may be active at the same time.
report="$(mktemp -d)"
lanes=() traits=() macros=() with=() state="" limit=15m
# A fixed seed: only a change of the code may change a result.
export MOYA_SEED="${MOYA_SEED:-1}"
case "$MOYA_SEED" in *[!0-9]*) wrong "MOYA_SEED must be a number, not '$MOYA_SEED'." ;; esac
# ThreadSanitizer does not see the Swift runtime's synchronisation of continuations.
export TSAN_OPTIONS="suppressions=$PWD/scripts/tsan-suppressions ${TSAN_OPTIONS:-}"
# No leak detection: LeakSanitizer reports allocations of Foundation and constants of Swift. Tests measure the process,
# so the quarantine of freed memory is small.
export ASAN_OPTIONS="detect_leaks=0:quarantine_size_mb=4:thread_local_quarantine_size_kb=16 ${ASAN_OPTIONS:-}"
# With more parallel tests, some would exceed their time limits.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH="${SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH:-8}"
# swift build passes the traits to the compiler in the order of a set. With random hashing, the order would change, and
# every module would be compiled again. Tests run with random hashing.
export SWIFT_DETERMINISTIC_HASHING=1
trap 'finish $?' EXIT

# Ends the steps beside others, and prints what has run and what has not.
finish() { # status
    local status="$1" lane
    for lane in "${!lanes[@]}"; do kill -INT -- "-$lane"; kill -TERM -- "-$lane"; done 2>/dev/null
    scripts/test-report "$report" --seconds "$SECONDS" || status=1
    rm -rf "$report"
    exit "$status"
}

left_out() { # what, why
    echo "$1: $2"
    printf '%s\t%s\n' "$1" "$2" >>"$report/left-out"
}

# Runs a command. Prints its output only if it fails, which ends the run.
step() { # title command...
    local title="$1" from=$SECONDS
    log="$report/${1//[^A-Za-z0-9]/-}.log"
    if "${@:2}" >"$log" 2>&1; then
        printf '%-58sok %4ds\n' "$title" $((SECONDS - from))
        # What a check leaves out itself.
        grep -a ' is left out: ' "$log" && sed -n $'s/^[^:]*: \(.*\) is left out: /\\1\t/p' "$log" >>"$report/left-out"
        return 0
    fi
    printf '%-58sFAILED\n' "$title"
    grep -aE '✘|FINDING:|error:|warning:|Fatal|WARNING: ThreadSanitizer|ERROR: AddressSanitizer|^[-+] ' "$log" | head -n 60
    echo "--- the last lines:"
    tail -n 40 "$log"
    echo "$title" >"$report/failed"
    exit 1
}

# Runs a step, unless it has passed before and nothing has changed since.
once() { # title command...
    local stamp=".build/checked/${1//[^A-Za-z0-9]/-}"
    if [ -n "$state" ] && [ "$(cat "$stamp" 2>/dev/null)" = "$state" ]; then
        printf '%-58spassed before\n' "$1"
        return
    fi
    rm -f "$stamp"
    step "$@"
    # The next run has to say again what this one has left out.
    grep -qa ' is left out: ' "$log" || [ "$(state_of_checks)" != "$state" ] || { mkdir -p .build/checked && echo "$state" >"$stamp"; }
}

# Prints a hash of the files, the installed programs and the environment. Prints nothing outside a git checkout.
state_of_checks() {
    local files
    files="$(git ls-files --cached --others --exclude-standard 2>/dev/null)" && [ -n "$files" ] || return 0
    {
        tr '\n' '\0' <<<"$files" | xargs -0 cksum
        cat Package.resolved; swift --version; dpkg-query --show; echo "$MOYA_SEED ${traits[*]} ${macros[*]}"
        env | grep -E '^(PATH|CC|CXX|.*_PATH|SDKROOT|SWIFT_EXEC|TOOLCHAINS|MOYA_OTHER_LIBCURL)=' | sort
        [ -z "${MOYA_OTHER_LIBCURL:-}" ] || "$MOYA_OTHER_LIBCURL" curl-config --version --prefix --features --configure
    } 2>/dev/null | git hash-object --stdin
}

# Runs the checks of a function beside those that follow, until `join`.
beside() { # function
    # A process group of its own, which `finish` can end.
    set -m
    "$1" </dev/null >"$report/$1" 2>&1 &
    lanes[$!]="$1"
    set +m
}

# Waits for the checks beside others, and prints their results.
join() {
    local lane status
    for lane in "${!lanes[@]}"; do
        wait "$lane"
        status=$?
        cat "$report/${lanes[lane]}"
        unset "lanes[lane]"
        [ $status -eq 0 ] || exit 1
    done
}

# Runs built tests: those of XCTest after the others, whose events are for the report. `swift test` would plan the build
# again, for ten seconds. Each wait in a test has a limit; this one is for a test that waits for ever nevertheless.
tests() { # title, program
    rm -rf "${2%/debug/*}/profiles"
    step "$1" env -u SWIFT_DETERMINISTIC_HASHING LLVM_PROFILE_FILE="$PWD/${2%/debug/*}/profiles/%p.profraw" "${with[@]}" bash -c '
        timeout --foreground --kill-after=10 "$0" "$1" --testing-library swift-testing --event-stream-output-path "$2" \
            --event-stream-version 6.3 "${@:3}"
        status=$?
        timeout --foreground 5m "$1" && exit $status' \
        "$limit" "$PWD/$2" "$report/${1//[^A-Za-z0-9]/-}.events" "${options[@]}"
}

# Selects the traits whose packages can be fetched: all, or those after them.
find_traits() { # traits, traits without others, options of swift package...
    traits=(--traits "$1")
    swift package "${@:3}" "${traits[@]}" resolve >"$report/resolve.log" 2>&1 && return
    left_out "traits" "the packages that these traits need cannot be fetched, so their tests are not built: $1 ($(grep -am 1 'error:' "$report/resolve.log"))"
    traits=(${2:+--traits "$2"})
}
