# shellkeep's part of an interactive bash (5.x; 4.x and 3.2 with what is noted). The session's init file sets
#   __sk_dir    private folder of the session: command texts in, state reports out
#   __sk_step   full | no_theme | no_rc: how much of the user's startup files is kept
#   __sk_login  1 for a login shell
#   __sk_tag    soft limit that marks the processes of this session
#   __sk_i      the id of the start, which the first report carries; __sk_n its nonce
# and sources this file. Functions are defined before any file of the user's is read, so no alias can get into them.

# What a command typed by the server does first: ` __sk_start NONCE ID STATUS [FLAGS]`. Reads the command's text into
# __sk_c, prints the C mark and returns the status of the command before, so that the text sees it as $?.
# Flags: e = there are variables for this command only.
__sk_start() {
  __sk_n=$1 __sk_i=$2 __sk_f=${4-}
  if [[ ${BASH_VERSINFO[0]} -gt 4 || ${BASH_VERSION-} == 4.4* ]]; then
    builtin mapfile -d '' -n 1 __sk_c <"$__sk_dir/text"
  else
    IFS= builtin read -r -d '' __sk_c <"$__sk_dir/text"
  fi
  [[ $__sk_f != *e* ]] || builtin . "$__sk_dir/env"
  # errexit: a text that ends in an exempt failure (`! true`) must not kill the shell through eval's own status; the first
  # newline is for a text that ends in a backslash
  __sk_s=
  [[ $- != *e* ]] || __sk_c=$__sk_c$'\n\n''__sk_s=$?'
  # xtrace: the server's line is typed with the trace thrown away; the text turns it on again for itself
  [[ $- != *x* ]] || { builtin set +x; __sk_c="builtin set -x;$__sk_c"; }
  [[ -z ${!-} ]] || builtin jobs -n >/dev/tty # a job that ended meanwhile: its notice is not the command's
  __sk_tell "C;aid=$1;id=$2"
  builtin return "$3"
}

# What it does last. Puts the prompt hook back if the command took it away.
__sk_arm() {
  __sk_s=${__sk_s:-$?}
  builtin eval : # after an unclosed quote bash takes no `{` at the beginning of what it parses next
  __sk_end "$__sk_s"
  __sk_hook
  [[ $- != *e* ]] || builtin return 0
  builtin return "$__sk_s"
}

# A mark on the terminal itself, whatever the shell's own descriptors are. `enable -n printf` is undone for the moment.
# (Its complaint is thrown away by whoever typed the call: all of them have `2>/dev/null`.)
__sk_tell() {
  builtin printf '\e]133;%s\a' "$1" >/dev/tty && builtin return
  builtin enable printf
  builtin printf '\e]133;%s\a' "$1" >/dev/tty
  builtin enable -n printf
}

# Reports the end of the open command: state to a file, then the D mark. At the prompt (from the hook) this is for commands
# that were left before __sk_arm: interrupted ones, `set -u`, `${x:?}`.
__sk_end() {
  [[ -n ${__sk_i-} ]] || builtin return 0
  if [[ $- != *T* ]]; then
    __sk_report "$1"
  else
    builtin set +T # what a DEBUG trap prints would be in the report
    __sk_report "$1"
    builtin set -T
  fi
}

__sk_report() {
  [[ ! -e $__sk_dir/input ]] || __sk_discard
  __sk_c=
  builtin printf -v __sk_p '' || { builtin enable printf; __sk_p=off; }
  [[ ${__sk_f-} != *e* ]] || builtin . "$__sk_dir/back"
  { # bash writes line by line: what can be told without a newline is
    builtin printf '%s\0' "$__sk_i" "$1" "$-" "${SHELLOPTS-}" "${BASHOPTS-}"
    builtin umask
    builtin pwd; builtin printf '\0'
    builtin alias -p; builtin printf '\0'
    builtin declare -F; builtin printf '\0'
    builtin export -p; builtin printf '\0'
    builtin jobs -l; builtin printf '\0%s\0' "$__sk_i"
  } 1<>"$__sk_dir/state" || builtin true # written over: making a file short, and long again, takes a disk longer than all else here
  if [[ -z ${PROMPT_COMMAND[*]-} || ${PROMPT_COMMAND[*]-} == "$__sk_hook_text" ]]; then
    __sk_tell "D;$1;aid=$__sk_n;id=$__sk_i"
  else
    __sk_tell "D;$1;aid=$__sk_n;id=$__sk_i;w=1"
    __sk_wait
  fi
  [[ -z $__sk_p ]] || builtin enable -n printf
  __sk_i= __sk_n=
}

# Hooks of the user's follow, and a program in one takes the terminal, as a forger of the mark would have it. So the shell
# keeps the terminal until the server has looked, a second at most.
__sk_wait() {
  [[ -p $__sk_dir/seen ]] || builtin return 0
  builtin local __sk_l=
  while [[ $__sk_l != "$__sk_i" ]] && IFS= builtin read -r -t 1 __sk_l; do :; done <>"$__sk_dir/seen"
}

# What was sent to the command and not read by it would be run as commands. The wait is longer than the server's pause
# between two tries to write; -N takes the terminal out of canonical mode, so that half a line can be read.
__sk_discard() {
  builtin printf '%s\0' "$__sk_i" 1<>"$__sk_dir/state" # says that the command is over: it is not the one that reads
  builtin local __sk_d= __sk_k=0 # a name that is read-only is never empty: counted, too
  while IFS= builtin read -r -s -N 4096 -t 0.08 __sk_d; [[ -n $__sk_d && $(( __sk_k += 1 )) -le 512 ]]; do __sk_d=; done </dev/tty
}

# Makes the prompt hook the first to run. Later hooks of the user's still see the command's $?: bash 5.1 keeps it between
# the elements of the array; older versions know only a string, which the hook leaves with that status.
__sk_hook() {
  [[ -z ${__sk_no_hook-} ]] || builtin return 0
  if [[ $__sk_hooks_are_array == 1 ]]; then
    [[ ${PROMPT_COMMAND[0]-} == "$__sk_hook_text" ]] || PROMPT_COMMAND=("$__sk_hook_text" "${PROMPT_COMMAND[@]}")
  else
    [[ ${PROMPT_COMMAND-} == "$__sk_hook_text"* ]] || PROMPT_COMMAND="$__sk_hook_text${PROMPT_COMMAND:+; $PROMPT_COMMAND}"
  fi
}

__sk_prompt() {
  __sk_end "${__sk_s:-$1}" # an interruption that came in __sk_arm is not the command's status
  [[ $- != *e* ]] || builtin return 0
  builtin return "$1"
}

# Reads the user's startup files as bash would. /etc/bash.bashrc, where bash was built with it, bash itself has read.
__sk_rc() {
  builtin unset -f __sk_rc
  [[ $__sk_step != no_rc ]] || builtin return 0
  if [[ -n $__sk_login ]]; then __sk_files=(/etc/profile "$HOME/.bash_profile" "$HOME/.bash_login" "$HOME/.profile"); else __sk_files=("$HOME/.bashrc"); fi
}

[[ -z $__sk_tag ]] || builtin ulimit -S -R "$__sk_tag" 2>/dev/null
__sk_hooks_are_array=$(( BASH_VERSINFO[0] > 5 || (BASH_VERSINFO[0] == 5 && BASH_VERSINFO[1] >= 1) ))
__sk_hook_text='{ __sk_prompt "$?"; } 2>/dev/null'
__sk_files=()
__sk_rc
for __sk_file in "${__sk_files[@]}"; do
  [[ -r $__sk_file ]] || builtin continue
  builtin . "$__sk_file"
  [[ $__sk_file == /etc/profile ]] || builtin break # of the personal ones, the first that is there
done
builtin unset __sk_files __sk_file
[[ $__sk_step != no_theme ]] || { builtin unset PROMPT_COMMAND PS0; PS1='$ '; }
[[ ! -r $__sk_dir/restore ]] || builtin . "$__sk_dir/restore"
builtin set +o history +o histexpand +o emacs +o vi
builtin unset HISTFILE || builtin true
# Newlines as they are: the kernel's translation of each newline costs four fifths of the speed of long output. noflsh: Ctrl-C
# would throw away what the server has not read yet, output and our marks.
command stty -onlcr noflsh </dev/tty 2>/dev/null || builtin true
# A read-only PROMPT_COMMAND (hardened hosts) keeps the hook out; then only interrupted commands need the server's help.
[[ $__sk_hooks_are_array != 1 || ${PROMPT_COMMAND[*]@a} != *r* ]] || __sk_no_hook=1
__sk_hook
[[ -z ${__sk_no_hook-} ]] || __sk_end 0 2>/dev/null
