# The user's startup files: kept as they are, and none of them breaks a session.

== B37 a startup file that sources what is not there
rc: source /nonexistent/nvm.sh
rc: export FROM_RC=1
startup: no such file or directory: /nonexistent/nvm.sh
$ echo $FROM_RC
| 1

== B37 the same with set -e: no reason for zsh to end
rc: set -e
rc: source /nonexistent/nvm.sh
startup: nvm.sh
$ echo ok
| ok

== B37 set -e that nothing trips
rc: set -e
$ echo ok
| ok
$ false
= ended 1

== B40 a theme with marks of its own, a prompt of two lines and one on the right
rc: precmd(){ print -Pn "\e]133;D\a\e]133;A\a"; }; PROMPT=$'\n%F{blue}%~%f\n> '; RPROMPT='%T'; setopt promptsubst
startup: .*
$ echo n
| n
$ echo n
| n
$ echo n
| n
$ echo n
| n
$ echo n
| n

== B41 a prompt that runs programs which print
rc: setopt promptsubst
rc: PROMPT='$(git_prompt_info 2>/dev/null) $(echo profile; echo noise >&2)> '
startup: .*
$ sleep 0.3 && echo zsh
| zsh
$ echo next
| next

== B43 TMOUT: without its line editor zsh does not log itself out
rc: TMOUT=1; readonly TMOUT; export TMOUT
$ export Z=1
$ sleep 1.2; echo $Z
| 1

== B44 a startup file full of functions and aliases
rc: alias cd=z; z(){ __z "$@"; }; __z(){ builtin cd "$@"; }; _h(){ echo H; }; my(){ _h; }; autoload -Uz make; omz(){ local mark='_.!~*'"'"'()-'; }; alias run-help=man
$ cd /tmp; pwd; my
| /tmp
| H

== B47 a DEBUG trap
rc: trap 'echo DBG' DEBUG
startup: .*
$ true
...
$ false
...
= 1
$ echo ok
...
| ok
...

== B47 a startup file that starts the shell again
rc: [[ -z $IN ]] && export IN=1 && exec zsh
integration: no_rc
start_warning: replaced by "zsh"
$ echo ok
| ok

== B47 a startup file that changes to another shell
rc: exec bash --norc
integration: no_rc
start_warning: replaced by "bash"
$ echo ok
| ok

== a startup file that never ends
start_timeout_ms: 500
rc: echo waiting; sleep 300
integration: no_rc
start_warning: showed no prompt within 500 ms; it printed: waiting
start_warning: showed no prompt within 500 ms; it printed: waiting
$ echo ok
| ok

== a prompt hook that never ends: the startup files without their prompt
start_timeout_ms: 500
rc: export FROM_RC=1; precmd() { sleep 300 }
integration: no_theme
start_warning: showed no prompt within 500 ms
$ echo $FROM_RC
| 1

== a startup file that ends the shell
rc: exit 7
integration: no_rc
start_warning: ended with exit code 7 before its first prompt
$ echo ok
| ok

== D1 IFS from the startup file
rc: IFS=1
$ false
= 1
$ echo ok
| ok

== D4 functions named as builtins
rc: printf() { :; }; echo() { builtin echo MINE "$@"; }; eval() { :; }; read() { :; }; cat() { :; }; test() { :; }; pwd() { :; }; print() { :; }; emulate() { :; }; source() { :; }
$ false
= 1
$ echo x
| MINE x
$ cd /tmp
$ builtin pwd
| /tmp

== D4 aliases named as builtins
rc: alias printf='false' echo='builtin echo MINE' eval='false' read='false' cat='false' print='false' source='false' emulate='false'
$ false
= 1
$ echo x
| MINE x

== D4 aliases of everything that our functions are made of
rc: alias builtin='false' emulate='false' typeset='false' local='false' trap='false' return='false' unsetopt='false' setopt='false' command='false'
rc: alias -g on=off -- -L=-x zsh=sh DEBUG=INT
$ false
= 1
$ echo ok
| ok

== D4 global aliases
rc: alias -g G='| grep' L='| less' dev=/nowhere
$ echo a; echo b
| a
| b
$ printf 'a\nb\n' G b
| b

== D4 a function named builtin that does nothing
start_timeout_ms: 500
rc: builtin() { :; }
integration: no_rc
start_warning: .*
start_warning: .*
$ echo ok
| ok

== options of the startup file
rc: setopt vi sh_word_split ksh_arrays no_unset extended_glob null_glob rc_quotes err_return no_multios csh_null_glob
$ false
= 1
$ echo ok
| ok
$ echo $nope
...
= 1
$ echo ok
| ok

== the options of the startup file that make plain expansions errors
rc: setopt ksh_arrays no_unset no_match
$ false
= 1
$ echo ok
| ok
$ emulate sh; setopt no_unset
$ false
= 1
$ echo ok
| ok

== the options that framing rests on are put back when they are changed
$ setopt zle prompt_sp prompt_cr bang_hist interactive_comments correct
$ echo a
| a
$ printf b
| b
% no newline
$ false
= 1

== set -x in the startup file
rc: set -x
startup: .*
$ echo ok
~ \+.*eval 'echo ok'
~ \+.*> echo ok
| ok
$ false
~ \+.*eval false
~ \+.*> false
= 1

== a startup file that sends the shell's output elsewhere
rc: exec >/dev/null 2>&1
$ echo lost
$ echo seen >/dev/tty
| seen

== the whole of the user's zsh: history, prompt, key bindings, hooks
rc: HISTFILE=~/.zsh_history; HISTSIZE=1000; SAVEHIST=1000; setopt inc_append_history share_history
rc: autoload -Uz add-zsh-hook compinit colors; colors; bindkey -v; bindkey '^R' history-incremental-search-backward
rc: add-zsh-hook precmd hook; hook() { print -n '\e]0;title\a' }; add-zsh-hook preexec before; before() { print -n '\e]0;busy\a' }
$ echo secret
| secret
$ false
= 1
$ exit
= ended 1
$ echo ok
| ok
? a new one was started

== ZDOTDIR of the user's own
home .zshenv: export ZDOTDIR=$HOME/zsh
home zsh/.zshrc: export FROM=zdotdir
$ echo "$FROM $ZDOTDIR"
| zdotdir {{home}}/zsh

== ZDOTDIR is not left behind where the user has none
$ echo "[${ZDOTDIR-unset}]"; zsh -c 'echo "[${ZDOTDIR-unset}]"'
| [unset]
| [unset]

== a login shell reads its files in order
login: yes
home .zshenv: export ORDER=env
home .zprofile: ORDER+=,profile
home .zshrc: ORDER+=,rc
home .zlogin: ORDER+=,login
$ echo $ORDER
| env,profile,rc,login

== what the startup files print is told once
rc: echo hello from rc
startup: ^hello from rc$
$ echo ok
| ok

== the environment given at the creation wins over the startup files
env GIVEN: from the call
rc: export GIVEN='from rc' OTHER=rc
$ echo "$GIVEN $OTHER"
| from the call rc
