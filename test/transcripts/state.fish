== B34 variables, functions, aliases and abbreviations stay
$ set -gx A 1; function f; echo F; end; alias ll 'ls -l'
$ echo $A; f; type -q ll; and echo al
| 1
| F
| al

== B35 declarations are global
$ set X 1; set -l Y 2; set list a b
$ echo "$X $list[2]"
| 1 b

== B38 B97 an interrupted command leaves the session as it was
$ set -gx K 1; cd /tmp
@ timeout=200 interrupt
$ sleep 60
| ^C
% no newline
= 130
? interrupted after 200 ms
$ echo "$K $PWD"
| 1 /tmp
$ echo alive
| alive

== D4 functions named as builtins
$ function echo; builtin echo HIJACK; end; function printf; end; function cat; end; function pwd; end; function jobs; end
$ true
$ false
= 1
$ echo x
| HIJACK

== D4 aliases named as builtins
$ alias jobs 'false'; alias cat 'false'; alias printf 'false'
$ true
$ false
= 1
$ jobs
= 1

== D8 no trace of the framing in the environment, the history or the files
$ env | grep -c sk_
| 0
= 1
$ history
$ ls -A ~/.local/share/fish | grep history
= 1

== abbreviations do not change what is typed
rc: abbr --add echo false
$ echo ok
| ok
