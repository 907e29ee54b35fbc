# shellcheck shell=bash
# What the scripts of this folder share; each of them reads this file first.
#
# What takes long is a step: `step "install packages" COMMAND...`. Its output goes to a log, and how
# far it is to standard error: on a terminal one line that changes, elsewhere a line every ten
# seconds. No script ends in failure without a last line `SCRIPT: STEP failed: WHY; REMEDY`: a step
# that fails reads its cause out of its log, `refuse` and `fail` give theirs, and whatever else ends
# a script is reported by the trap on its exit.

# What programs say is read below, so they say it in English.
export LC_ALL=C.UTF-8

script=tools/$(basename "$0")
doing="the start"
scratch=    # a folder that goes with the script
step_log=   # in it
tick_every= # seconds; else often on a terminal, and seldom where lines stay
ticker=
told=0
told_here=  # a file that keeps the last lines of those parts of a script that end by themselves

# fail WHY: the last line, and the end with status 1.
fail() {
  told=1
  printf '%s: %s failed: %s\n' "$script" "$doing" "$*" | tee ${told_here:+-a "$told_here"} >&2
  exit 1
}

# refuse WHAT: the words were wrong.
refuse() {
  told=1
  printf '%s: %s\n' "$script" "$*" >&2
  exit 2
}

# hand_over COMMAND...: a script or program of ours, which says by itself why it failed.
hand_over() {
  local status=0
  "$@" || status=$?
  case $status in
    0) ;;
    126 | 127) fail "$1 cannot be run: see the line above$(build_anew "$1")" ;;
    *)
      ! signal_of "$status" >/dev/null || fail "$(end_by_signal "$1" "$status")"
      told=1
      exit "$status" ;;
  esac
}

# signal_of STATUS: the name of the signal that a program with this status was ended by.
signal_of() { [ "$1" -gt 128 ] && kill -l $(($1 - 128)) 2>/dev/null; }

# build_anew PROGRAM: the remedy for one that a build has left and that cannot be run.
build_anew() {
  case $1 in build*/*) echo "; remove ${1%%/*} and run $script again" ;; esac
}

# end_by_signal PROGRAM STATUS
end_by_signal() {
  local name
  name=SIG$(signal_of "$2")
  case $name in
    SIGKILL) echo "$1 was ended by $name, by another process, or by the kernel because memory ran" \
      "out; end other programs and run $script again" ;;
    SIGILL | SIGBUS | SIGSEGV) echo "$1 was ended by $name; it may be damaged or built for another" \
      "CPU$(build_anew "$1"); if it fails again, the fault is in $1" ;;
    *) echo "$1 was ended by $name; run $script again; if it fails again, the fault is in $1" ;;
  esac
}

# A shell that this one has begun has these traps for an instant, and may be ended in it.
at_exit() {
  [ $BASHPID = $$ ] || return 0
  local status=$1
  stop_ticking
  [ -z "$scratch" ] || rm -rf "$scratch"
  if [ "$status" != 0 ] && [ $told = 0 ]; then
    printf '%s: %s failed: status %s; see the lines above\n' "$script" "$doing" "$status" >&2
  fi
}
interrupted() {
  [ $BASHPID = $$ ] || exit "$1"
  told=1
  printf '\n%s: interrupted at %s; run it again to continue; finished parts are kept\n' \
    "$script" "$doing" >&2
  exit "$1"
}
trap 'at_exit $?' EXIT
trap 'interrupted 130' INT
trap 'interrupted 143' TERM

# step NAME COMMAND...
step() {
  try_step "$@" || step_failed $?
}

# try_step NAME COMMAND...: the same, for who goes on where it fails.
try_step() {
  doing=$1
  shift
  new_log
  local status=0
  start_ticking
  "$@" >>"$step_log" 2>&1 </dev/null 9>&- || status=$?
  stop_ticking
  return $status
}

# show NAME COMMAND...: a step whose standard output is the user's, once it has ended; what it says
# else is shown, too.
show() {
  local status=0
  try_step "$1" to_file "${@:2}" || status=$?
  [ $status != 0 ] || cat "$step_log" >&2
  cat "$scratch/shown"
  [ $status = 0 ] || step_failed $status
}
to_file() { "$@" >"$scratch/shown"; }

step_failed() {
  tail -n 40 "$step_log" >&2
  fail "$(cause_of "$1")"
}

new_log() {
  if [ -z "$scratch" ]; then
    scratch=$(mktemp -d 2>/dev/null) \
      || fail "no temporary folder can be created in ${TMPDIR:-/tmp}; make room there, or set TMPDIR"
    step_log=$scratch/log
  fi
  : >"$step_log"
}

# --- how far it is ------------------------------------------------------------------------------
# What shows it ends by itself once nobody writes to descriptor 9 any more: no signal has to find it,
# and it does not outlive this script.
start_ticking() {
  if [ -t 2 ]; then
    exec 9> >(tick "${tick_every:-1}" $'\r\033[K' '')
  else
    exec 9> >(tick "${tick_every:-10}" '' $'\n')
  fi
  ticker=$!
}

stop_ticking() {
  [ -n "$ticker" ] || return 0
  exec 9>&-
  wait "$ticker" || true
  ticker=
  if [ -t 2 ]; then printf '\r\033[K' >&2; fi
}

# tick SECONDS BEFORE AFTER: says every so often how long the step takes and what it did last.
tick() {
  trap - EXIT INT TERM
  local began=$SECONDS last width
  while read -rt "$1"; [ $? -gt 128 ]; do
    width=$({ stty size <&3 | cut -d' ' -f2; } 3>&2 2>/dev/null) || width=
    last=$(tail -c 400 "$step_log" | tr '\r' '\n' | sed '/^[[:space:]]*$/d' | tail -n 1)
    last="$script: $doing, $((SECONDS - began)) s: $last"
    printf '%s%s%s' "$2" "${last:0:$((${width:-100} > 20 ? ${width:-100} - 1 : 99))}" "$3" >&2
  done
}

# --- why it failed ------------------------------------------------------------------------------
# log_says PATTERN: whether the step's log has it.
log_says() { grep -qiE "$1" "$step_log"; }

# cause_of STATUS: what its log says of why a step failed, and what to do.
cause_of() {
  # Where the log itself has no room, it cannot say so.
  if ! echo >>"$step_log" || log_says \
      'no space left on device|quota exceeded|(not|don.t have) enough free (disk )?space|write error'; then
    echo "a disk is full ($(df -Ph . "${TMPDIR:-/tmp}" / /var /var/cache/apt 2>/dev/null \
      | awk 'NR > 1 && !seen[$6]++ {printf "%s%s free on %s", n++ ? ", " : "", $4, $6}'));" \
      "make room (packages take 1 GB, a build 0.2 GB) and run $script again"
  elif log_says 'killed.*(cc1plus|signal)|(cannot|unable to|failed to) (allocate|map) .*memory|out of memory|virtual memory exhausted|std::bad_alloc' \
      || [ "$1" = 137 ]; then
    echo "memory ran out; end other programs, or compile one file at a time with" \
      "SLUICE_JOBS=1 $script"
  elif log_says '^E: (could not get lock|unable to (lock|acquire))'; then
    echo "another program is installing packages" \
      "($(grep -ioE 'held by process [0-9]+( \([^)]*\))?' "$step_log" | tail -n 1));" \
      "wait until it ends and run $script again"
  elif log_says 'dpkg was interrupted|dpkg --configure -a'; then
    echo "an installation was interrupted before; run dpkg --configure -a, then $script again"
  elif log_says 'unable to locate package|has no installation candidate|unable to fetch|failed to fetch|could not resolve|temporary failure resolving'; then
    echo "no package source of this system ($(system_name)) answers, or has the packages of" \
      "$debians; check the network and /etc/apt/sources.list, then run $script again"
  elif log_says "$not_found"; then
    cause_of_missing
  elif log_says 'read-only file system|permission denied'; then
    echo "$(id -un) may not write: see the lines above; run $script as the owner of $PWD, or from a" \
      "copy of your own"
  elif [ "$1" -gt 128 ]; then
    end_by_signal "its program" "$1"
  else
    local keep
    { keep=$(mktemp "${TMPDIR:-/tmp}/sluice-XXXXXX.log" 2>/dev/null) && cp "$step_log" "$keep" \
      && echo "status $1; see the lines above, or the whole log in $keep"; } \
      || echo "status $1; see the lines above"
  fi
}

# What meson says of what it does not find, or finds too old, and the linker of libraries.
not_found="ERROR: (Dependency|Program|[^ ]+ (shared or static )?library|Invalid version of dependency)|ld: cannot find -l"

# cause_of_missing: which package should have it, whose files are not all there.
cause_of_missing() {
  local said name file package all
  said=$(grep -iE "$not_found" "$step_log" | head -n 1 | sed -E 's/.*(ERROR|ld): //; s/;/,/g; s/[.]$//')
  name=$(sed -E "s/^cannot find -l([^ :]+).*/\\1/; s/^[^'\"]*lookup for ([^ ]+) .*/\\1/;
    s/^[^'\"]*['\"]([^'\"]+)['\"].*/\\1/" <<<"$said")
  case $said in
    Program*) file="bin/$name" ;;
    *ibrary* | cannot*) file="lib$name.so" ;;
    *)
      # Or one that it needs.
      file=$(pkg-config --print-errors --exists "$name" 2>&1 \
        | sed -nE "s/^Package '?([^', ]+)'?(, required by .*| was) not found.*/\\1/p" | head -n 1)
      file="${file:-$name}.pc" ;;
  esac
  package=$(dpkg -S "/usr/*$file" 2>/dev/null | head -n 1 | cut -d: -f1) || true
  all=$(every_dpdk)
  if [ "$name" = libdpdk ] && [ "$(wc -l <<<"$all")" -gt 1 ]; then
    echo "$said: two DPDKs are installed, $(head -n 1 <<<"$all"), which is used, and" \
      "$(sed -n 2p <<<"$all"); remove the first, or use the second with" \
      "PKG_CONFIG_PATH=$(sed -n '2s/.* in //p' <<<"$all") $script"
  elif log_says 'invalid version'; then
    echo "$said; upgrade ${package:-it}; Sluice builds on $debians"
  elif [ -n "$package" ]; then
    echo "$said: $file of the package $package is missing; as root:" \
      "apt-get install --reinstall $package, then run $script again"
  else
    echo "$said; run tools/packages build, and $script again"
  fi
}

# every_dpdk: every DPDK that pkg-config knows, the one that it takes first: VERSION in FOLDER.
every_dpdk() {
  local folder
  tr : '\n' <<<"${PKG_CONFIG_PATH:-}:$(pkg-config --variable pc_path pkg-config 2>/dev/null)" \
    | awk '$0 && !seen[$0]++' | while IFS= read -r folder; do
        sed -n "s|^Version: *\\(.*\\)|\\1 in $folder|p" "$folder/libdpdk.pc" 2>/dev/null || true
      done
}

# Where Sluice is built and tested.
debians="Debian 12 or later"

# debian_release: 12, 13; nothing on testing, which has no number, and elsewhere.
debian_release() {
  # shellcheck disable=SC1091
  (. /etc/os-release 2>/dev/null && [ "${ID:-}" = debian ] && echo "${VERSION_ID:-}") || true
}

system_name() {
  # shellcheck disable=SC1091
  (. /etc/os-release 2>/dev/null && echo "${PRETTY_NAME:-unknown}") || echo unknown
}

# --- building -----------------------------------------------------------------------------------
# clang_program NAME: of the version that tools/packages installs for the tests.
clang_program() {
  if [ "$(debian_release)" = 12 ]; then echo "$1-16"; else echo "$1"; fi
}

# How many files are compiled at a time: as many as there are cores, and memory for.
jobs() {
  if [ -n "${SLUICE_JOBS:-}" ]; then echo "$SLUICE_JOBS"; return; fi
  local cores most
  cores=$(nproc)
  most=$(($(memory) / 800))
  if [ "$most" -lt 1 ]; then echo 1; elif [ "$most" -lt "$cores" ]; then echo "$most"; else echo "$cores"; fi
}

# memory: MiB that may be had: of the machine's, and of what control groups of either version allow.
memory() {
  local group
  {
    awk '/^MemAvailable:/ {print $2 * 1024}' /proc/meminfo || true
    awk -F: '$2 == "" || $2 == "memory" {print $3}' /proc/self/cgroup | while read -r group; do
      # Its own limit and those of all groups that it is in.
      while :; do
        cat "/sys/fs/cgroup${group%/}/memory.max" \
          "/sys/fs/cgroup/memory${group%/}/memory.limit_in_bytes" || true
        [ -n "${group%/}" ] || break
        group=${group%/*}
      done
    done
  } 2>/dev/null | awk '/^[0-9.e+]+$/ && (!least || $1 < least) {least = $1}
    END {print int((least ? least : 4 * 2 ^ 30) / 2 ^ 20)}'
}

# Compilers all of whose warnings were looked at, of tests as well.
looked_at="gcc-12 clang-16"

# compiler_release: gcc-12, clang-16 and so on; by what it defines, since its name may be any.
compiler_release() {
  local compiler
  read -ra compiler <<<"${CXX:-c++}"
  "${compiler[@]}" -dM -E -x c++ - </dev/null 2>/dev/null | awk '
    $2 == "__clang_major__" {clang = $3}
    $2 == "__GNUC__" {gcc = $3}
    END {print clang ? "clang-" clang : gcc ? "gcc-" gcc : "unknown"}'
}

# configure_tests FOLDER OPTION...: one with tests and benches in it. Warnings are errors where all
# that its compiler gives were looked at, on whichever system; another one may know more.
configure_tests() {
  local strict=false
  [[ " $looked_at " != *" $(compiler_release) "* ]] || strict=true
  configure "$@" "-Dwerror=$strict"
}

# configure FOLDER OPTION...: meson's build folder with these options; made anew where it was left
# half made, moved, or made with others, by another compiler, DPDK or for another CPU.
configure() {
  local folder=$1 made_with every
  shift
  doing="configuring $folder"
  every=$(every_dpdk)
  if [ "$(wc -l <<<"$every")" -gt 1 ]; then
    echo "$script: uses DPDK $(head -n 1 <<<"$every"), not $(sed -n 2p <<<"$every");" \
      "to use the latter: PKG_CONFIG_PATH=$(sed -n '2s/.* in //p' <<<"$every") $script" >&2
  fi
  made_with=$(printf '%s\n' "$PWD" "$*" "${CXX:-}" "${CXXFLAGS:-}" "${LDFLAGS:-}" \
    "meson $(meson --version)" "$("${CXX:-c++}" --version 2>&1 | head -n 1)" \
    "tests $(cat tests/*.ini | cksum)" "DPDK $(head -n 1 <<<"$every")" \
    "CPU flags $(grep -m 1 ^flags /proc/cpuinfo | cksum)")
  new_log
  if [ "$(cat "$folder/made_with" 2>/dev/null)" = "$made_with" ] \
      && try_step "configuring $folder" ninja -C "$folder" build.ninja; then
    return
  fi
  if [ -e "$folder" ]; then
    [ -d "$folder/meson-private" ] || [ -f "$folder/made_with" ] \
      || [ -z "$(find "$folder" -mindepth 1 ! -type l ! -name '*.deb')" ] \
      || fail "$PWD/$folder is not a build folder of Sluice; move it elsewhere"
    step "clearing $folder" rm -rf "$folder"
  fi
  step "configuring $folder" meson setup "$folder" "$@"
  printf '%s\n' "$made_with" >"$folder/made_with" || fail "$folder cannot be written to"
}

# build FOLDER TARGET...: also where a machine that stopped left files cut short, which ninja takes
# for what was built. Those that are empty, as most of them are, are made again; where the linker
# finds others, all are.
build() {
  local folder=$1
  shift
  find "$folder" -type f \( -name '*.o' -o -name '*.a' -o -perm -u+x \) -size 0 -delete
  local compile=(ninja -C "$folder" -j "$(jobs)" "$@")
  local status=0
  try_step "building in $folder" "${compile[@]}" || status=$?
  [ $status != 0 ] || return 0
  log_says 'file truncated|file format not recognized|malformed archive' || step_failed $status
  step "clearing $folder, where files are damaged" ninja -C "$folder" -t clean
  step "building in $folder" "${compile[@]}"
}
