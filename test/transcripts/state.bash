== B31 what a subshell or a pipe does stays there
$ (cd /usr)
$ cd /usr | cat
$ pwd
| {{work}}

== B34 variables, functions, aliases and options stay
$ export A=1; f(){ echo F; }; alias ll='ls -l'; shopt -s nullglob
$ echo $A; f; type ll >/dev/null && echo al; shopt -q nullglob && echo ng
| 1
| F
| al
| ng

== B35 declarations are global
$ declare -A m=([a]=1); declare X=1; declare -i n=5; local_test() { local y=2; }; declare -a list=(1 2)
$ echo "${m[a]} $X $n ${list[1]} ${y-none}"
| 1 1 5 2 none

== B53 noclobber
$ set -C
$ echo one
| one
$ echo two > file
$ echo three > file
~ bash: file: cannot overwrite existing file
= 1
$ echo four
| four
$ cat file
| two

== B56 backslashes in a quoted heredoc
$ cat <<'EOF'
> one:  C:\Users
> two:  C:\\Users
> EOF
| one:  C:\Users
| two:  C:\\Users

== B52 rm with a star does not ask
$ touch a b; rm *; ls

== D4 functions named as builtins
$ echo(){ builtin echo HIJACK; }; printf(){ :; }; eval(){ :; }; read(){ :; }; cat(){ :; }; pwd(){ :; }; umask(){ :; }; return_(){ :; }
$ true
$ false
= 1
$ echo x
| HIJACK

== D4 aliases named as builtins and keywords
$ alias printf='echo ALIAS' echo='builtin echo ALIAS' eval='false' pwd='false' export='false' alias_='x'
$ true
$ false
= 1
$ echo x
| ALIAS x

== D4 printf switched off
$ enable -n printf
$ true
$ false
= 1
$ type printf | head -n 1
~ printf is /.*

== D8 no trace of the framing in the environment, the history or the files
$ env | grep -c sk_; history; fc -l; printenv PROMPT_COMMAND
| 0
...
= 1
$ ls -A ~ | grep history
= 1
$ declare -F | grep -vc __sk_
| 0
= 1
$ echo "[$HISTFILE]"
| []

== what a command prints with set
$ set | grep -c '^__sk_c='
~ \d+

== the shell is an interactive one
$ echo "$-" | grep -c i
| 1
