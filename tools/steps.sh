# shellcheck shell=bash
# Steps: functions that the scripts of this folder share; each script sources this file first.
#
# A long command is a step: `step "install packages" COMMAND...`. The step's output is written to a
# log, and its progress to standard error: on a terminal one line that is rewritten, otherwise a
# line every ten seconds. A script that fails prints a last line `SCRIPT: STEP failed: WHY; REMEDY`.
# The cause of a failed step is found in its log; `refuse` and `fail` get the cause as arguments;
# any other end is reported by the trap on EXIT.

# The functions below search the output of programs for English texts.
export LC_ALL=C.UTF-8

script=tools/$(basename "$0")
doing="the start"
scratch=    # a folder that is removed when the script ends
step_log=   # log of the present step, in $scratch
tick_every= # seconds between lines of progress; if empty, 1 on a terminal and 10 otherwise
ticker=
told=0
told_here=  # a file that collects the failures of the parts of a script; empty: none

# fail WHY: prints the last line and ends the script with status 1.
fail() {
  told=1
  printf '%s: %s failed: %s\n' "$script" "$doing" "$*" | tee ${told_here:+-a "$told_here"} >&2
  exit 1
}

# refuse WHAT: reports wrong arguments and ends the script with status 2.
refuse() {
  told=1
  printf '%s: %s\n' "$script" "$*" >&2
  exit 2
}

# hand_over COMMAND...: runs a script or program of this project, which reports its own failure.
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

# signal_of STATUS: prints the name of the signal that ended a program with this exit status.
signal_of() { [ "$1" -gt 128 ] && kill -l $(($1 - 128)) 2>/dev/null; }

# build_anew PROGRAM: prints the remedy for a built program that cannot be run.
build_anew() {
  case $1 in build*/*) echo "; remove ${1%%/*} and run $script again" ;; esac
}

# end_by_signal PROGRAM STATUS: prints why a signal may have ended the program, and the remedy.
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

# A new subshell has these traps for an instant, in which a signal may end it: only the main shell
# ($BASHPID = $$) runs them.
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

# step NAME COMMAND...: runs a long command; ends the script if the command fails.
step() {
  try_step "$@" || step_failed $?
}

# try_step NAME COMMAND...: as step, but returns the status of a failed command.
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

# show NAME COMMAND...: a step whose standard output and standard error are printed when it has
# ended.
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

# --- progress -----------------------------------------------------------------------------------
# The process that prints progress ends when descriptor 9 has no writer any more: it needs no signal
# and does not outlive this script.
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

# tick SECONDS BEFORE AFTER: prints the step's time and its last line of output every SECONDS.
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

# --- causes of failures -------------------------------------------------------------------------
# log_says PATTERN: whether the step's log contains the pattern.
log_says() { grep -qiE "$1" "$step_log"; }

# cause_of STATUS: prints why the step failed, by its log and exit status, and the remedy.
cause_of() {
  # If the disk of the log is full, the log may lack the message.
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

# Messages of meson about missing or too old dependencies, and of the linker about libraries.
not_found="ERROR: (Dependency|Program|[^ ]+ (shared or static )?library|Invalid version of dependency)|ld: cannot find -l"

# cause_of_missing: prints what is missing and the package that has it.
cause_of_missing() {
  local said name file package all
  said=$(grep -iE "$not_found" "$step_log" | head -n 1 | sed -E 's/.*(ERROR|ld): //; s/;/,/g; s/[.]$//')
  name=$(sed -E "s/^cannot find -l([^ :]+).*/\\1/; s/^[^'\"]*lookup for ([^ ]+) .*/\\1/;
    s/^[^'\"]*['\"]([^'\"]+)['\"].*/\\1/" <<<"$said")
  case $said in
    Program*) file="bin/$name" ;;
    *ibrary* | cannot*) file="lib$name.so" ;;
    *)
      # The missing package may be one that this package requires.
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

# every_dpdk: prints every DPDK that pkg-config knows as `VERSION in FOLDER`; it uses the first.
every_dpdk() {
  local folder
  tr : '\n' <<<"${PKG_CONFIG_PATH:-}:$(pkg-config --variable pc_path pkg-config 2>/dev/null)" \
    | awk '$0 && !seen[$0]++' | while IFS= read -r folder; do
        sed -n "s|^Version: *\\(.*\\)|\\1 in $folder|p" "$folder/libdpdk.pc" 2>/dev/null || true
      done
}

# The systems on which Sluice is built and tested.
debians="Debian 12 or later"

# debian_release: prints 12 or 13; nothing on testing, which has no number, and on other systems.
debian_release() {
  # shellcheck disable=SC1091
  (. /etc/os-release 2>/dev/null && [ "${ID:-}" = debian ] && echo "${VERSION_ID:-}") || true
}

system_name() {
  # shellcheck disable=SC1091
  (. /etc/os-release 2>/dev/null && echo "${PRETTY_NAME:-unknown}") || echo unknown
}

# --- building -----------------------------------------------------------------------------------
# clang_program NAME: prints the name with the version that tools/packages installs for tests.
clang_program() {
  if [ "$(debian_release)" = 12 ]; then echo "$1-16"; else echo "$1"; fi
}

# jobs: prints how many files are compiled at a time, as cores and memory allow.
jobs() {
  if [ -n "${SLUICE_JOBS:-}" ]; then echo "$SLUICE_JOBS"; return; fi
  local cores most
  cores=$(nproc)
  most=$(($(memory) / 800))
  if [ "$most" -lt 1 ]; then echo 1; elif [ "$most" -lt "$cores" ]; then echo "$most"; else echo "$cores"; fi
}

# memory: prints the available MiB: of the machine, limited by control groups of version 1 or 2.
memory() {
  local group
  {
    awk '/^MemAvailable:/ {print $2 * 1024}' /proc/meminfo || true
    awk -F: '$2 == "" || $2 == "memory" {print $3}' /proc/self/cgroup | while read -r group; do
      # The limit of the process's own group and of all groups above it.
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

# Compilers whose warnings were all reviewed, for tests as well.
looked_at="gcc-12 clang-16"

# compiler_release: prints gcc-12, clang-16 and so on, by predefined macros: $CXX may have any name.
compiler_release() {
  local compiler
  read -ra compiler <<<"${CXX:-c++}"
  "${compiler[@]}" -dM -E -x c++ - </dev/null 2>/dev/null | awk '
    $2 == "__clang_major__" {clang = $3}
    $2 == "__GNUC__" {gcc = $3}
    END {print clang ? "clang-" clang : gcc ? "gcc-" gcc : "unknown"}'
}

# configure_tests FOLDER OPTION...: configures a build with tests and benches. Warnings are errors
# only for the compilers whose warnings were reviewed; another compiler may have more warnings.
configure_tests() {
  local strict=false
  [[ " $looked_at " != *" $(compiler_release) "* ]] || strict=true
  configure "$@" "-Dwerror=$strict"
}

# configure FOLDER OPTION...: makes meson's build folder with these options. The folder is made anew
# if it is incomplete, was moved, or was made with other options, compiler, DPDK or CPU.
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

# build FOLDER TARGET...: builds targets. A machine that crashed may have left truncated files,
# which ninja regards as built. Empty files, the usual case, are rebuilt; if the linker finds other
# truncated files, everything is rebuilt.
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
