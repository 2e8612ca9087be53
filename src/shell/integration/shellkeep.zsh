# shellkeep's part of an interactive zsh. The session's own ZDOTDIR holds a .zshenv and a .zshrc that set
#   __sk_dir    private folder of the session: command texts in, state reports out
#   __sk_step   full | no_theme | no_rc: how much of the user's startup files is kept
#   __sk_tag    soft limit that marks the processes of this session
#   __sk_i      the id of the start, which the first report carries; __sk_n its nonce
# and source this file after the user's .zshrc.

# What a command typed by the server does first: ` __sk_start NONCE ID STATUS [FLAGS]`. Reads the command's text into
# __sk_c, prints the C mark and returns the status of the command before, so that the text sees it as $?.
# Flags: e = there are variables for this command only.
# ($(<file) is read by zsh itself, without a child; it drops newlines at the end, which mean nothing there.)
__sk_start() {
  builtin local __sk_flags=$-
  builtin emulate -L zsh
  builtin trap - DEBUG
  builtin typeset -g __sk_n=$1 __sk_i=$2 __sk_f=$4 __sk_c __sk_s
  __sk_c="$(<$__sk_dir/text)"
  [[ $__sk_f != *e* ]] || builtin source $__sk_dir/env
  # errexit: a text that ends in an exempt failure (`! true`) must not kill the shell through eval's own status; the first
  # newline is for a text that ends in a backslash
  __sk_s=
  [[ $__sk_flags != *e* ]] || __sk_c+=$'\n\n''__sk_s=$?'
  __sk_tell "C;aid=$1;id=$2"
  builtin return $3
}

# What it does last. Puts back what the command took away: the hook, and the options that framing rests on.
__sk_arm() {
  __sk_s=${__sk_s:-$?}
  __sk_end $__sk_s
  __sk_hook
  [[ ! -o errexit ]] || builtin return 0
  builtin return $__sk_s
}

# A mark on the terminal itself, whatever the shell's own descriptors are.
__sk_tell() {
  builtin print -rn -- $'\e]133;'"$1"$'\a' >|/dev/tty && builtin return
  builtin enable print
  builtin print -rn -- $'\e]133;'"$1"$'\a' >|/dev/tty
  builtin disable print
}

# Reports the end of the open command: state to a file, then the D mark. At the prompt (from the hook) this is for commands
# that were left before __sk_arm: interrupted ones, `${x:?}`, errors of the parser.
__sk_end() {
  [[ -n $__sk_i ]] || builtin return 0
  builtin local __sk_flags=$- __sk_options="${(kj: :)options[(R)on]}"
  builtin emulate -L zsh
  builtin trap - DEBUG # what it prints would be in the report; for this function only, like the options
  [[ ! -e $__sk_dir/input ]] || __sk_discard
  (( $1 <= 128 )) || __sk_restore
  builtin local __sk_print=on
  builtin print -rn || { builtin enable print; __sk_print=off; }
  __sk_c=
  [[ $__sk_f != *e* ]] || builtin source $__sk_dir/back
  {
    builtin print -rN -- $__sk_i $1 "$__sk_flags" "$__sk_options"
    builtin pwd; builtin print -rN -- ''
    builtin umask; builtin print -rN -- ''
    builtin print -rN -- "${(kj:
:)aliases}
${(kj:
:)galiases}" "${(kj:
:)functions}"
    builtin setopt notify # without it `jobs` first tells the terminal what has ended since the last prompt; until the end of this function
    builtin jobs -l; builtin print -rN -- ''
    builtin local __sk_names="${(kj: :)parameters[(R)*export*]}"
    [[ $__sk_names == $__sk_x ]] || __sk_list $__sk_names
    builtin eval "$__sk_v"
    builtin print -rN -- $__sk_i
  } 1<>$__sk_dir/state 2>/dev/null # written over: making a file short, and long again, takes a disk longer than all else here
  if [[ $+functions[precmd] == 0 && ( $#precmd_functions == 0 || "$precmd_functions" == __sk_prompt ) ]]; then
    __sk_tell "D;$1;aid=$__sk_n;id=$__sk_i"
  else
    __sk_tell "D;$1;aid=$__sk_n;id=$__sk_i;w=1"
    __sk_wait
  fi
  [[ $__sk_print == on ]] || builtin disable print
  __sk_i= __sk_n=
}

# Hooks of the user's follow, and a program in one takes the terminal, as a forger of the mark would have it. So the shell
# keeps the terminal until the server has looked, a second at most.
__sk_wait() {
  [[ -p $__sk_dir/seen ]] || builtin return 0
  builtin local __sk_l=
  while [[ $__sk_l != $__sk_i ]] && builtin read -r -t 1 __sk_l; do :; done <>$__sk_dir/seen
}

# Writes the statement that prints the values of the exported variables, which takes as long as a command does, for these names.
__sk_list() {
  builtin local __sk_name
  __sk_x=$1 __sk_v='\builtin print -rN --'
  for __sk_name in ${(s: :)1}; do __sk_v+=" \"$__sk_name=\$$__sk_name\""; done
}

# A program that was killed has left the terminal as it had it: raw, most of all. bash puts that right by itself.
__sk_restore() {
  command stty icanon echo isig icrnl iexten opost </dev/tty 2>/dev/null
}

# What was sent to the command and not read by it would be run as commands. The wait is longer than the server's pause
# between two tries to write; -k takes the terminal out of canonical mode, so that half a line can be read.
__sk_discard() {
  builtin print -rN -- $__sk_i 1<>$__sk_dir/state # says that the command is over: it is not the one that reads
  while builtin read -s -k 1 -t 0.08 __sk_c; do :; done
}

__sk_hook() {
  builtin unsetopt zle prompt_sp prompt_cr 2>/dev/null
  __sk_be_first
}

__sk_be_first() {
  builtin emulate -L zsh
  [[ $precmd_functions[1] == __sk_prompt ]] || precmd_functions=(__sk_prompt ${precmd_functions:#__sk_prompt})
}

__sk_prompt() {
  builtin local __sk_status=$?
  # 2 is zsh's flag for "interrupted", which eval returns when a loop of builtins was
  [[ -z $__sk_i || $__sk_status != 2 ]] || __sk_status=130
  __sk_end ${__sk_s:-$__sk_status} # an interruption that came in __sk_arm is not the command's status
  builtin unsetopt zle prompt_sp prompt_cr 2>/dev/null
  [[ ! -o errexit ]] || builtin return 0
  builtin return $__sk_status
}

if [[ $__sk_step == no_theme ]]; then
  precmd_functions=() preexec_functions=() PROMPT='%# ' RPROMPT=
  builtin unset -f precmd preexec 2>/dev/null || builtin true
fi
[[ ! -r $__sk_dir/restore ]] || builtin source $__sk_dir/restore
builtin unsetopt bang_hist correct correct_all zle
# History stays in memory and is empty: nothing of the session is written to the user's file.
builtin unset HISTFILE || builtin true
HISTSIZE=0 SAVEHIST=0
# Newlines as they are: the kernel's translation of each newline costs four fifths of the speed of long output. noflsh: Ctrl-C
# would throw away what the server has not read yet, output and our marks.
command stty -onlcr noflsh </dev/tty 2>/dev/null || builtin true
__sk_hook
