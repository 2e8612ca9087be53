# The user's startup files: kept as they are, and none of them breaks a session.

== B37 a startup file that sources what is not there
rc: . /nonexistent/nvm.sh
rc: export FROM_RC=1
startup: /nonexistent/nvm.sh: No such file
$ echo $FROM_RC
| 1

== B37 the same with set -e: bash ends there, and the session opens without the startup files
rc: set -e
rc: . /nonexistent/nvm.sh
integration: no_rc
start_warning: ended with exit code 1 before its first prompt; it printed: .*nvm.sh: No such file
$ echo ok
| ok

== B37 set -e that nothing trips
rc: set -e
$ echo ok
| ok
$ false
= ended 1

== B41 a prompt that runs programs which print
rc: PROMPT_COMMAND='echo PROMPT; (sleep 0.05)'
rc: PS1='$(echo profile; echo noise >&2) \w> '
startup: .*
$ sleep 0.3 && echo bash
| bash
$ echo next
| next

== B43 a shell that logs itself out when it is idle
rc: TMOUT=1; readonly TMOUT; export TMOUT
$ export Z=1
until ended
$ echo $Z
| 1
? ended with exit code 0; a new one was started

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

== B47 a DEBUG trap that functions inherit
rc: shopt -s extdebug; trap 'echo DBG' DEBUG
startup: .*
$ true
...
$ false
...
= 1
$ cd /tmp
...
$ echo ok
...
| ok
...

== B47 an ERR trap
rc: trap 'echo ERR' ERR
startup: .*
$ true
$ false
...
= 1
$ echo ok
| ok

== B47 a startup file that starts the shell again
rc: [ -z "$IN" ] && export IN=1 && exec bash
integration: no_rc
start_warning: replaced by "bash"
$ echo ok
| ok

== B47 a startup file that changes to another shell
rc: exec zsh -f
integration: no_rc
start_warning: replaced by "zsh"
$ echo ok
| ok

== B47 a startup file that changes to fish
rc: exec fish
integration: no_rc
start_warning: replaced by "fish"
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

== a startup file that reads the terminal
start_timeout_ms: 500
rc: read -p 'really? ' answer
integration: no_rc
start_warning: showed no prompt within 500 ms; it printed: really\?
start_warning: showed no prompt within 500 ms; it printed: really\?
$ echo ok
| ok

== a startup file that ends the shell
rc: exit 7
integration: no_rc
start_warning: ended with exit code 7 before its first prompt
$ echo ok
| ok

== B23 a read-only PROMPT_COMMAND: commands, and one that is interrupted
rc: readonly PROMPT_COMMAND='true'
$ echo ok
| ok
$ false
= 1
@ timeout=200 interrupt
$ sleep 60
...
= 130
? interrupted after
$ echo ok
| ok

== B23 a read-only array of hooks
rc: declare -ar PROMPT_COMMAND=('true' 'false')
$ false
= 1
$ set -u; echo $nope
...
= 1
$ echo ok
| ok

== D1 IFS from the startup file
rc: IFS=1
$ false
= 1
$ echo ok
| ok
$ cd /tmp; pwd
| /tmp

== D4 functions named as builtins
rc: printf() { :; }; echo() { builtin echo MINE "$@"; }; eval() { :; }; read() { :; }; cat() { :; }; test() { :; }; pwd() { :; }; export() { :; }; alias() { :; }
$ false
= 1
$ echo x
| MINE x
$ cd /tmp
$ builtin pwd
| /tmp

== D4 aliases named as builtins
rc: alias printf='false' echo='builtin echo MINE' eval='false' read='false' cat='false' builtin='builtin' export='false' set='false' '['='false'
$ false
= 1
$ echo x
| MINE x

== D4 a function named builtin that does nothing: no shell can be framed with it, so the startup files are left out
start_timeout_ms: 500
rc: builtin() { :; }
integration: no_rc
start_warning: showed no prompt within 500 ms
start_warning: showed no prompt within 500 ms
$ echo ok
| ok

== options of the startup file: vi mode, xtrace, nounset, posix, extdebug
rc: set -o vi; set -u; shopt -s extdebug; set -o posix
$ false
= 1
$ echo ok
| ok
$ echo $nope
...
= 1
$ echo ok
| ok

== set -x in the startup file
rc: set -x
startup: .*
$ echo ok
| ++ echo ok
| ok
$ false
| ++ false
= 1

== a startup file that sends the shell's output elsewhere
rc: exec >/dev/null 2>&1
$ echo lost
$ echo seen >/dev/tty
| seen

== the whole of the user's bash: history, prompt, bind, completion
rc: HISTFILE=~/.bash_history; HISTSIZE=1000; shopt -s histappend; PROMPT_COMMAND='history -a'
rc: PS1='\[\e[32m\]\u@\h \w\$ \[\e[0m\]'
rc: bind '"\e[A": history-search-backward'
rc: complete -W 'a b' foo
rc: set -o vi
$ echo secret
| secret
$ false
= 1
$ history

== a login shell reads the profile, not the rc file
login: yes
home .bash_profile: export FROM=profile
home .bashrc: export FROM=bashrc
home .profile: export FROM=other
$ echo $FROM
| profile

== a login shell without a profile of bash's own
login: yes
home .profile: export FROM=profile
$ echo $FROM
| profile

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
