# The user's startup files: kept as they are, and none of them breaks a session.

== B37 a startup file that sources what is not there
rc: source /nonexistent/nvm.fish
rc: set -gx FROM_RC 1
startup: /nonexistent/nvm.fish
$ echo $FROM_RC
| 1

== B41 a prompt that runs programs which print
rc: function fish_prompt; echo PROMPT; echo noise >&2; sleep 0.05; end
rc: function fish_right_prompt; date +%T; end
startup: .*
$ sleep 0.3; and echo fish
| fish
$ echo next
| next

== B40 a theme with marks of its own
rc: function mark_prompt --on-event fish_prompt; printf '\e]133;A\a\e]133;D\a'; end
rc: function mark_exec --on-event fish_preexec; printf '\e]133;C\a'; end
startup: .*
$ echo n
| n
$ echo n
| n
$ false
= 1

== B47 a startup file that changes to another shell
rc: exec bash --norc
integration: no_rc
start_warning: replaced by "bash"
$ echo ok
| ok

== a startup file that never ends
start_timeout_ms: 1500
rc: echo waiting; sleep 300
integration: no_rc
start_warning: showed no prompt within 1500 ms; it printed: waiting
start_warning: showed no prompt within 1500 ms; it printed: waiting
$ echo ok
| ok

== a startup file with exit: in fish that ends the file only
rc: exit 7
$ echo ok
| ok

== a syntax error in the startup file
rc: if true
startup: .*
$ echo ok
| ok

== D4 functions named as builtins
rc: function printf; end; function echo; builtin echo MINE $argv; end; function cat; end; function pwd; end; function jobs; end
$ false
= 1
$ echo x
| MINE x

== the vi mode and a greeting
rc: fish_vi_key_bindings; function fish_greeting; echo welcome; end
startup: .*
$ echo ok
| ok
$ false
= 1

== what the startup files print is told once
rc: echo hello from rc
startup: ^hello from rc$
$ echo ok
| ok

== the environment given at the creation wins over the startup files
env GIVEN: from the call
rc: set -gx GIVEN 'from rc'; set -gx OTHER rc
$ echo "$GIVEN $OTHER"
| from the call rc

== a login shell
login: yes
rc: status is-login; and set -g FROM login
$ echo $FROM
| login

== a prompt and a title of the user's own are kept
rc: function fish_prompt; echo ran >>~/prompts; end
rc: function fish_title; echo ran >>~/titles; end
startup: .*
$ functions fish_prompt fish_title | string match '*echo ran*' | count
| 2
$ test -s ~/prompts -a -s ~/titles

== fish's own prompt, which asks git before every command, is not computed
$ functions fish_prompt fish_title | string match -r 'git|vcs|prompt_pwd' | count
| 0
= 1
