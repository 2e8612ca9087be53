== B07 B20 what is not complete, or another shell's syntax, is an error at once
$ cat <<EOF
> hi
> EOF
~ fish: Expected a string, but found a redirection
...
= 123
$ if true
~ fish: Missing end.*
...
= 123
$ echo "abc
~ fish: Unexpected end of string.*
...
= 123
$ for i in 1 2; do echo $i; done
~ fish: .*
...
= 123
$ echo ok
| ok

== B10 an empty list before the command that fails
$ set A; false
= 1

== B11 errors that leave a command in its middle are its end, with their exit code
$ set -g PWD /x
~ set: .*
...
= 1
$ echo ok
| ok

== B13 an assignment has no output
$ set x 1
$ echo $x
| 1

== B19 a command of many lines
$ for i in 1 2
>   echo $i
> end
| 1
| 2
$ function f
>   echo "in f: $argv"
> end
> f x
| in f: x

== a command that ends in a backslash, a pipe or an operator
$ echo a \
~ fish: .*incomplete escape.*
...
= 123
$ echo a |
~ fish: .*
...
= 123
$ echo a &&
~ fish: .*
...
= 123
$ echo ok
| ok
