== B04 a heredoc whose end is the last line, without a newline after it
$ cat <<EOF
> hello
> EOF
| hello
$ cat <<'EOF'
> $HOME `x`
> EOF
| $HOME `x`
$ cat <<-EOF
> {{U+0009}}hello
> {{U+0009}}EOF
| hello

== B05 what follows a heredoc is run
$ cat > t.py <<'PY'
> print('first')
> PY
> python3 t.py
> echo second
| first
| second
$ python3 - <<'PY'
> print('first')
> PY
> echo second
| first
| second

== B07 what is not complete is an error at once
$ cat <<EOF
> hello
>   EOF
| hello
|   EOF
% no newline
$ echo "abc
~ zsh: unmatched "
= 1
$ if true; then
~ zsh: parse error near .*
= 1
$ for
~ zsh: parse error near .*
= 1
$ echo ok
| ok

== B08 syntax that only the live session knows is no error
$ setopt ksh_glob no_bare_glob_qual
$ cd /tmp && echo !(zzz*) >/dev/null; echo ran
| ran

== B10 an empty array before the command that fails
$ A=(); false
= 1

== B11 errors that leave a command in its middle are its end, with their exit code
$ set -u
$ echo $nope
~ zsh: nope: parameter not set
= 1
$ echo ok
| ok
$ set +u
$ echo ${x:?boom}; echo not reached
~ zsh: x: boom
= 1
$ echo $((1/0)); echo not reached
~ zsh: division by zero
= 1
$ readonly r=1; r=2; echo not reached
~ zsh: read-only variable: r
= 1
$ echo ok
| ok

== B11 set -euo pipefail: every command still ends
$ set -euo pipefail
$ echo ok
| ok
$ ! true
= 1
$ echo $?
| 1
$ true && true
$ false || echo saved
| saved
$ if false; then echo no; fi
$ false | true
= ended 1
$ [[ -o errexit || -o nounset ]]; echo $?
| 1
? a new one was started

== B13 an assignment has no output
$ x=1
$ echo $x
| 1

== B16 read takes what is sent, and nothing else
@ timeout=5000
$ read x
= awaiting line
< hello world
| hello world
$ echo "[$x]"
| [hello world]

== B19 a decorated PS2 does not show in a command of many lines
rc: PS2='>>> '
$ for i in 1 2; do
>   echo $i
> done
| 1
| 2

== B61 a multi-line function; an alias is known from the next command on, since zsh reads the whole text first
$ f() {
>   echo "in f: $1"
> }
> f x
| in f: x
$ alias hi='echo hi there'
$ hi
| hi there

== B55 a comment within a line
$ echo a # b
| a
$ echo a#b
| a#b
