# shellcheck shell=sh
# Builds for other systems, and their tests here: a part of ./dev. Each system has a folder build/SYSTEM, whose tools of
# the build stand in build/SYSTEM-root.

systems="linux-arm64 linux-musl windows web macos-arm64 macos-x86_64"

# Sets what is known of a system: the packages, the options of CMake, and what runs its programs.
know_system() { # SYSTEM
    system=$1 emulator=''
    system_root=$root/build/$system-root
    build=$root/build/$system
    case $system in
    linux-arm64)
        system_packages="$build_packages gcc-aarch64-linux-gnu qemu-user"
        system_options="-DCMAKE_TOOLCHAIN_FILE=$root/cmake/aarch64.cmake -DCMAKE_SYSROOT=$system_root"
        emulator="qemu-aarch64 -L $system_root"
        ;;
    linux-musl)
        MOONPOD_ZIG=$root/build/zig/ziglang/zig
        export MOONPOD_ZIG
        system_packages="$build_packages $peers_packages musl-tools lua5.4 dpkg-dev xz-utils python3-zmq"
        system_options="-DCMAKE_TOOLCHAIN_FILE=$root/cmake/musl.cmake -DMOONPOD_STATIC_ROOT=$system_root"
        system_options="$system_options -DMOONPOD_SERVICE=OFF"
        ;;
    windows)
        system_packages="$build_packages clang lld gcc-mingw-w64-x86-64 wine64 lua5.4 dpkg-dev xz-utils python3"
        system_options="-DCMAKE_TOOLCHAIN_FILE=$root/cmake/windows.cmake -DMOONPOD_STATIC_ROOT=$system_root"
        system_options="$system_options -DMOONPOD_SERVICE=OFF"
        ;;
    web)
        system_packages="$build_packages emscripten nodejs lua5.4 dpkg-dev xz-utils chromium python3"
        system_options="-DCMAKE_TOOLCHAIN_FILE=$root/cmake/web.cmake -DMOONPOD_STATIC_ROOT=$system_root"
        # Where Debian has modules of node, which emscripten's own scripts ask for; other nodes do not look there.
        NODE_PATH=/usr/share/nodejs
        export NODE_PATH
        ;;
    macos-*) # built and linked, and looked at: nothing here runs it
        case $system in
        *-arm64) machine=aarch64 ;;
        *-x86_64) machine=x86_64 ;;
        *) no_system ;;
        esac
        MOONPOD_ZIG=$root/build/zig/ziglang/zig
        export MOONPOD_ZIG
        system_packages="$build_packages $peers_packages llvm lua5.4 dpkg-dev xz-utils"
        system_options="-DCMAKE_TOOLCHAIN_FILE=$root/cmake/macos.cmake -DMOONPOD_STATIC_ROOT=$system_root"
        system_options="$system_options -DMOONPOD_ZIG=$MOONPOD_ZIG -DMOONPOD_MAC=$machine"
        system_options="$system_options -DMOONPOD_TESTS=OFF -DMOONPOD_SERVICE=OFF"
        ;;
    linux-x86_64) # this one, as ./dev builds it
        build=$root/build/release system_packages=$build_packages system_options=
        ;;
    *) no_system ;;
    esac
}

no_system() {
    die "there is no system '$system'; --for takes: $systems"
}

# build_system SYSTEM TARGET...
build_system() {
    know_system "$1"
    shift
    need "$system_packages"
    case $system in
    linux-arm64) "$root/tests/tools/arm_root" "$system_root" || die "there are no packages for 64-bit ARM" ;;
    linux-musl | windows | web | macos-*)
        case $system in macos-* | linux-musl) make_python_folder zig ;; esac
        "$root/tests/tools/static_root" "$system" "$system_root" "$root/build/sources" ||
            die "the libraries do not build"
        ;;
    esac
    build_in "$build" "$system_options" "$@"
}

# The tests of base, tensor and kernels, and a training; with a filter, or --long, all tests of C and the specs of Lua
# that have it in their names. On Windows and for the web those of C are no more yet but what people do with the zip or
# the page, sandboxes and damaged files, which a table has, too; for the web there are no specs.
whole=''
test_system() { # SYSTEM FILTER
    test_c_of_system "$1" "$2"
    test_specs_of_system "$1" "$2"
}

# Wine's server ends with its last program, and sends away who comes just then. So one program reads until all have run;
# what the server starts beside it is there before a test, whose output it would hold open.
awake() { # SYSTEM COMMAND...
    waits=$build/awake
    if [ "$1" = windows ]; then
        rm -f "$waits" "$waits.said"
        mkfifo "$waits"
        tail --pid=$$ -f /dev/null >"$waits" 2>/dev/null &
        reader=$!
        "$root/tests/tools/wine" cmd /c "echo reads & set /p line=" <"$waits" >"$waits.said" 2>/dev/null &
        for _ in $(seq 600); do
            [ ! -s "$waits.said" ] || break
            sleep 0.1
        done
    fi
    shift
    "$@"
    [ ! -p "$waits" ] || kill "$reader"
    rm -f "$waits" "$waits.said"
}

test_c_of_system() { # SYSTEM FILTER
    case $1 in
    macos-*)
        look_at_macos "$1"
        return
        ;;
    esac
    tests=core_tests
    if [ -z "$2${MOONPOD_LONG:-}" ]; then
        tests=system_tests wing="system$whole"
    elif [ "$1" = windows ] || [ "$1" = web ]; then
        tests=system_tests wing="system.*"
    fi
    built=yes
    build_system "$1" $tests runtime || {
        built=no
        add_counts 0 1
    }
    awake "$1" run_ctest "$build" "$2"
    wing=''
}

# What was built for macOS cannot be run: what was linked is looked at.
look_at_macos() { # SYSTEM
    built=no looked=
    if build_system "$1" runtime; then
        looked=$(python3 "$root/tests/systems/macos.py" "$build" "${1#macos-}" 2>&1) && built=linked
    fi
    echo "$looked"
    echo "$looked" | sed -n "s/^not ok [0-9]* - /failed: $1: /p" >>"$failures"
    # shellcheck disable=SC2046
    add_counts $(echo "$looked" | tail -n 1 | awk '/^[0-9]+ passed, / { print $1, $3 }' | grep . || echo 0 1)
}

# What has no emulator in front of it where a spec starts it: plugins, peers, and what was built.
of_programs='support[.]plugin|on_plugin|build/release|executable|peers|service[.]start'
test_specs_of_system() { # SYSTEM FILTER
    left=
    [ -n "$2${MOONPOD_LONG:-}" ] || return 0
    case $1 in
    web | macos-*) return ;;
    linux-x86_64)
        run_lua_specs lua5.4 "$2"
        return
        ;;
    windows | linux-musl)
        test_specs_without_modules "$1" "$2"
        return
        ;;
    esac
    specs=$(cd "$root" && specs_of_the_library) of_here="$of_programs|MOONPOD_BUILD|popen.*lua5[.]4"
    leave_out "$1" "$2" "$of_here"
    # Debian's busted runs under whatever is called so.
    printf '#!/bin/sh\nexec %s %s/usr/bin/lua5.4 "$@"\n' "$emulator" "$system_root" >"$build/lua5.4"
    chmod +x "$build/lua5.4"
    # shellcheck disable=SC2046,SC2086
    run_lua_specs "$build/lua5.4" "$2" $(cd "$root" && grep -LE "$of_here" $specs)
}

# Names the specs of $specs that a system cannot run, by what they have in them.
leave_out() { # SYSTEM FILTER PATTERN
    # shellcheck disable=SC2086
    left=$(cd "$root" && grep -lE "$3" $specs | grep -F -- "$2") || true
    [ -z "$left" ] || echo "left out on $1: $(echo "$left" | tr "\n" " ")"
}

# test everywhere: the same as a table, a row a system, with its size and start. --long: of all tests, in the form of
# every day, and examples/fashion_mnist.lua where no emulator runs it. A warning is an error in these builds.
test_everywhere() { # SYSTEM...
    export CI=true
    whole='.*' all=${MOONPOD_LONG:+.} rows=$(mktemp) names=$(mktemp)
    unset MOONPOD_LONG
    echo "system|built, no warning|tests of C|specs of Lua|accuracy|bytes|start" >"$rows"
    for one in "$@"; do
        before=$passed before_failed=$failed
        test_c_of_system "$one" "$all"
        of_c="$((passed - before)) passed, $((failed - before_failed)) failed" before=$passed before_failed=$failed
        test_specs_of_system "$one" "$all"
        of_lua="$((passed - before)) passed, $((failed - before_failed)) failed"
        [ "$of_lua" != "0 passed, 0 failed" ] || of_lua="not run"
        # shellcheck disable=SC2086
        [ -z "$left" ] || echo "left out on $one:" $(basename -a -s _spec.lua $left) >>"$names"
        case $one in
        macos-*) of_c="not run" accuracy="not run" start="not run" ;;
        *)
            accuracy=$(accuracy_of_system "$all")
            start=$(sed -n 's/^# starts in //p' "$build/Testing/Temporary/LastTest.log" | head -n 1)
            start=${start:-$(start_of_system)}
            ;;
        esac
        case $accuracy in *too\ low | none) add_counts 0 1 ;; esac
        echo "$one|$built|$of_c|$of_lua|$accuracy|$(bytes_of_system)|$start" >>"$rows"
    done
    cat "$names"
    awk -F '|' '
        { row[NR] = $0; for (i = 1; i <= NF; i++) if (length($i) > wide[i]) wide[i] = length($i) }
        END {
            for (r = 1; r <= NR; r++) {
                n = split(row[r], cell, "|"); line = ""
                for (i = 1; i <= n; i++) line = line sprintf("%-" wide[i] + 2 "s", cell[i])
                print line
            }
        }' "$rows"
    rm -f "$rows" "$names"
}

# What examples/fashion_mnist.lua reaches; without --long, or where it would take hours, what training.lua does.
accuracy_of_system() { # ALL
    case $1:$system in
    .:linux-x86_64 | .:linux-musl | .:windows)
        reached=$(
            set_lua_paths
            $(program_of_system) "$root/examples/fashion_mnist.lua" 2>/dev/null | tr -d '\r' |
                sed -n 's/^Test accuracy: //p'
        )
        awk -v reached="${reached:-none}" 'BEGIN { print reached (reached + 0 < 0.87 ? ", too low" : "") }'
        ;;
    *)
        reached=$(grep -o 'accuracy [0-9.]*' "$build/Testing/Temporary/LastTest.log" | tail -n 1) || true
        echo "${reached:+smaller one: ${reached#accuracy }}" | grep . || echo none
        ;;
    esac
}

# What a user gets of it.
bytes_of_system() {
    case $system in
    linux-arm64 | linux-x86_64) cat "$build/moonpod" "$build/libmoonpod.so.0" "$build/lua/moonpod/core.so" ;;
    macos-*) cat "$build/moonpod" "$build/libmoonpod.0.dylib" "$build/lua/moonpod/core.so" ;;
    linux-musl) cat "$build/moonpod" ;;
    windows) cat "$build"/moonpod-*.zip ;;
    web) cat "$build/moonpod.js" ;;
    esac | wc -c
}

program_of_system() {
    case $system in
    windows) echo "$root/tests/tools/wine $(echo "$build"/zip/*/moonpod.exe)" ;;
    *) echo "$emulator $build/moonpod" ;;
    esac
}

# How long the executable takes to do nothing, the middle of five times; the page's own test tells its.
start_of_system() {
    program=$(program_of_system)
    for _ in 1 2 3 4 5; do
        began=$(date +%s%N)
        # shellcheck disable=SC2086
        $program -e '' >/dev/null 2>&1 || echo failed
        echo $((($(date +%s%N) - began) / 1000000)) ms
    done | sort -n | sed -n 3p
}

# The specs of Lua that ask nothing of a shell or of Linux, by wine, or of a module in C, by the executable that is one
# file; the others are left out by name.
test_specs_without_modules() { # SYSTEM FILTER
    of_linux="$of_programs|popen|os[.]execute|/tmp|/proc|/usr/|bytes_of"
    case $1 in
    windows) # mingw's sin and cos of huge numbers have few digits
        program="$root/tests/tools/wine $build/lua.exe" modules="$root/lua/?.lua;$root/lua/?/init.lua;"
        of_linux="$of_linux|functions of special values"
        ;;
    *) program=$build/moonpod modules= ;; # which has its own within
    esac
    specs=$(cd "$root" && specs_of_the_library)
    leave_out "$1" "$2" "$of_linux"
    # Busted's modules in C are not there: on_windows.lua has what it asks of them.
    cat >"$build/lua5.4" <<END
#!/bin/sh
LUA_PATH="$modules$root/?.lua;/usr/share/lua/5.4/?.lua;/usr/share/lua/5.4/?/init.lua"
export LUA_PATH LUA_CPATH="$build/lua/?.dll"
exec $program -e "dofile '$root/tests/systems/on_windows.lua'" "\$@"
END
    chmod +x "$build/lua5.4"
    # shellcheck disable=SC2046,SC2086
    awake "$1" run_lua_specs "$build/lua5.4" "$2" $(cd "$root" && grep -LE "$of_linux" $specs)
}
