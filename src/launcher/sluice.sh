#!/bin/sh
# Sluice's launcher: what Stash runs. Stash makes the person who saves wait until this script is over, and starting
# Node costs 25 to 100 ms where a shell costs 1. So a hook is handled here, without Node:
#
#   1. stdin is copied as it is into one new file of the inbox (synced, then renamed to its final name),
#   2. a worker is started in the background, unless one is alive,
#   3. {"output": ...} is printed, and that is all.
#
# Everything else (tasks, operations) is handed over to Node with exec, so that Stash's kill reaches it.
#
# The state folder's path is in the JSON, which a shell should not parse: Node leaves it in the file `state-dir`
# beside this script, with the Node that wrote it in the second line. Without it, and on Windows, hooks go to Node too.
# With neither, events are kept in data/inbox in the plugin's folder, and Node's first run takes them over.
#
# The protocol of inbox, `alive` and `starting-*` is described in src/queue/inbox.ts and src/queue/wake.ts; both
# sides must leave the same files. Plain POSIX sh: dash, busybox, bash, zsh.
#
# shellcheck disable=SC3013 # all of these know -nt and -ef

set -C # an output redirection creates a new file or fails; >| overwrites
umask 077

case $0 in
*/*) here=${0%/*} ;;
*) here=. ;;
esac

say() { # level, message: a line in Stash's log
  printf '\001%s\002%s\n' "$1" "$2" >&2
}

json_text() { # whatever the path holds, the answer stays JSON
  printf '%s' "$1" | tr '\000-\037' ' ' | sed 's/[\\"]/\\&/g'
}

fail() { # message [path]
  printf '{"error":"%s"}\n' "$1${2+ $(json_text "$2")}"
  exit 1
}

# --- Node ---

is_new_enough() {
  "$1" -e 'var v=process.versions.node.split(".");process.exit(v[0]>20||v[0]==20&&v[1]>=17?0:1)' \
    </dev/null >/dev/null 2>&1
}

# Sets `node` to a Node that is new enough, or fails. The one of the pointer has proved it by writing the pointer.
find_node() {
  if [ -n "${SLUICE_NODE-}" ]; then
    [ "$SLUICE_NODE" = "$pointed_node" ] && [ -x "$SLUICE_NODE" ] && node=$SLUICE_NODE && return 0
    node=$SLUICE_NODE
    is_new_enough "$node"
    return
  fi
  if [ -n "$pointed_node" ] && [ -x "$pointed_node" ]; then
    node=$pointed_node
    return 0
  fi
  for node in "$(command -v node)" "$(command -v nodejs)" /usr/local/bin/node /usr/bin/node /opt/homebrew/bin/node \
    /opt/local/bin/node /opt/bin/node /snap/bin/node "${HOME-}"/.volta/bin/node "${HOME-}"/.local/bin/node \
    "${HOME-}"/.nvm/versions/node/*/bin/node /var/packages/Node.js_v*/target/usr/local/bin/node; do
    [ -n "$node" ] && [ -x "$node" ] && is_new_enough "$node" && return 0
  done
  return 1
}

node_missing='Sluice needs Node.js 20.17 or newer, which was not found. Install it (Docker: apk add nodejs), or set the environment variable SLUICE_NODE to its path.'

# --- step 1: the event is on disk ---

# record <inbox>: stdin becomes one new file; sets `event` to its path without the ending. Fails and leaves nothing
# when it cannot be written whole.
record() {
  n=0
  while :; do
    # A pid comes round again while files wait, hence the count. Creating the .part file owns the name.
    event=$1/h$$-$n
    if [ ! -e "$event.json" ] && { true >"$event.part"; } 2>/dev/null; then
      break
    fi
    [ -e "$event.json" ] || [ -e "$event.part" ] || return 1
    n=$((n + 1))
  done
  if ! dd bs=65536 conv=fsync >|"$event.part" 2>/dev/null; then
    # A dd that does not know conv=fsync refuses before it reads: then all of stdin is still there.
    if [ -s "$event.part" ] || dd bs=65536 conv=fsync </dev/null >|"$event.part" 2>/dev/null ||
      ! { cat >|"$event.part"; } 2>/dev/null; then
      rm -f "$event.part"
      return 1
    fi
  fi
  mv -f "$event.part" "$event.json" 2>/dev/null && return 0
  rm -f "$event.part"
  return 1
}

# --- step 2: somebody will take it ---

# is_running <pid> [<ticks>]: neither gone, nor a zombie, nor another process with that pid.
is_running() {
  case $1 in
  '' | 0* | *[!0-9]* | ??????????*) return 1 ;; # zsh would make another number of so many digits
  esac
  kill -0 "$1" 2>/dev/null || return 1
  [ -r "/proc/$1/stat" ] || return 0
  { IFS= read -r stat <"/proc/$1/stat"; } 2>/dev/null || return 1
  # shellcheck disable=SC2086 # the fields behind the name: state first, start time twentieth
  set -- "${2-}" ${stat##*) }
  [ "$2" != Z ] && [ "$2" != X ] && { [ -z "$1" ] || [ "$1" = "${21-}" ]; }
}

is_taken_care_of() {
  [ -e "$event.json" ] || return 0
  [ "$state/alive" -nt "$event.json" ] || return 1
  pid='' ticks=''
  { read -r pid ticks <"$state/alive"; } 2>/dev/null
  # A pid that runs the worker's own Node (a zombie runs nothing) is enough. `read` takes a byte at a time, so the look
  # at when it began would be a tenth of all that a save waits for.
  [ -n "$pointed_node" ] && [ "/proc/$pid/exe" -ef "$pointed_node" ] && return 0
  is_running "$pid" "$ticks"
}

# Sets `claim` to the file that makes this process the one that starts a worker. Fails when somebody else is at it.
claim_start() {
  slot=$(($(date +%s) / 20))
  n=0
  while [ "$n" -lt 20 ]; do
    claim=$state/starting-$slot-$n
    { echo $$ >"$claim"; } 2>/dev/null && return 0
    pid=''
    { read -r pid <"$claim"; } 2>/dev/null
    if [ -z "$pid" ] || is_running "$pid"; then return 1; fi
    n=$((n + 1))
  done
  return 1
}

wake() {
  is_taken_care_of && return
  claim_start || return
  if is_taken_care_of; then
    rm -f "$claim"
  elif find_node; then
    "$node" "$here/sluice.js" start "$state" "$claim" </dev/null >/dev/null 2>&1 &
    echo $! >|"$claim"
  else
    rm -f "$claim"
    say w "Your edit is recorded, but not sent to Plex: $node_missing"
  fi
}

# What the worker wants a person to read, once per change of it. A change makes a new file, so a hard link to the one
# that was shown tells. Where there are no hard links its time has to do, which busybox compares by whole seconds.
pass_on_notice() {
  [ -s "$state/notice" ] || return
  [ "$state/notice" -ef "$state/notice.shown" ] && return
  [ -e "$state/notice.shown" ] && [ ! -s "$state/notice.shown" ] &&
    [ ! "$state/notice" -nt "$state/notice.shown" ] && return
  ln -f "$state/notice" "$state/notice.shown" 2>/dev/null || { true >|"$state/notice.shown"; } 2>/dev/null
  while IFS= read -r line; do say w "$line"; done <"$state/notice"
}

# --- what was asked for ---

state='' pointed_node=''
if [ -r "$here/state-dir" ]; then
  {
    IFS= read -r state
    IFS= read -r pointed_node
  } <"$here/state-dir"
fi

if [ "${1-}" = hook ] && [ "${OS-}" != Windows_NT ]; then
  if [ -n "$state" ] && [ -d "$state/inbox" ]; then
    record "$state/inbox" ||
      fail 'Sluice could not record this edit: the disk is full, or Stash may not write there. Make room or mend the permissions, then save again. Folder:' "$state/inbox"
    wake
    pass_on_notice
    printf '{"output":"queued"}\n'
    exit 0
  fi
  if ! find_node; then
    # An old Node still runs the hook, which records the event and says what to install.
    [ -n "${SLUICE_NODE-}" ] || node=$(command -v node)
    if [ -z "$node" ] || ! "$node" -e 0 </dev/null >/dev/null 2>&1; then
      spare=$here/../data/inbox
      mkdir -p "$spare" 2>/dev/null
      record "$spare" ||
        fail 'Sluice could not record this edit: Node.js was not found, and this folder cannot be written to. Install Node.js 20.17 or newer, then save again. Folder:' "$spare"
      say w "Your edit is recorded, but not sent to Plex: $node_missing"
      printf '{"output":"queued"}\n'
      exit 0
    fi
  fi
elif ! find_node; then
  fail "$node_missing"
fi

exec "$node" "$here/sluice.js" "$@"
