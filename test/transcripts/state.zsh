== B31 what a subshell or a pipe does stays there
$ (cd /usr)
$ cd /usr | cat
$ pwd
| {{work}}

== B34 variables, functions, aliases and options stay
$ export A=1; f(){ echo F; }; alias ll='ls -l'; setopt nullglob
$ echo $A; f; type ll >/dev/null && echo al; [[ -o nullglob ]] && echo ng
| 1
| F
| al
| ng

== B35 declarations are global
$ typeset -A m=(a 1); typeset X=1; typeset -i n=5; typeset -a list=(1 2); declare Y=2
$ echo "$m[a] $X $n $list[2] $Y"
| 1 1 5 2 2

== B53 noclobber
$ setopt noclobber
$ echo one
| one
$ echo two > file
$ echo three > file
| zsh: file exists: file
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

== B52 no question about spelling, even if it is asked for
$ setopt correct correct_all; nosuchcommnd
...
= 127
$ ech x
...
= 127
$ echo ok
| ok

== B52 rm with a star asks, which the terminal shows
$ touch a b
@ timeout=5000
$ rm *
~ zsh: sure you want to delete .*
% no newline
= awaiting keys
< n
...
= 1
$ ls -1
| a
| b

== D4 functions named as builtins
$ echo(){ builtin echo HIJACK; }; printf(){ :; }; eval(){ :; }; read(){ :; }; cat(){ :; }; pwd(){ :; }; umask(){ :; }; print(){ :; }; source(){ :; }
$ true
$ false
= 1
$ echo x
| HIJACK

== D4 aliases named as builtins and keywords
$ alias printf='echo ALIAS' echo='builtin echo ALIAS' eval='false' pwd='false' export='false' print='false' local='false'
$ true
$ false
= 1
$ echo x
| ALIAS x

== D4 print switched off
$ disable print printf
$ true
$ false
= 1
$ whence -w print
| print: command
$ enable print
$ print ok
| ok

== D8 no trace of the framing in the environment, the history or the files
$ env | grep -c sk_; history; printenv HISTFILE
| 0
...
= 1
$ ls -A ~ | grep history
= 1
$ echo "[$HISTFILE]"
| []

== options that change how everything is read
$ setopt sh_word_split ksh_arrays no_unset extended_glob null_glob rc_quotes
$ false
= 1
$ echo ok
| ok
$ cd /tmp
$ pwd
| /tmp
$ export NEW=1
$ echo $NEW
| 1

== emulation of other shells
$ emulate sh
$ false
= 1
$ echo $?
| 1
$ emulate ksh
$ echo ok
| ok
$ cd /tmp; pwd
| /tmp
