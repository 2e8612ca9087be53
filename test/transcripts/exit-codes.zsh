== B23 prompt hooks that fail or change the status
rc: precmd() { false }
rc: precmd_functions=(hook); hook() { return 3 }
$ false
= 1
$ true
$ exit_code_test(){ return 42; }; exit_code_test
= 42

== B23 the user's prompt hooks still see the command's status
rc: precmd() { echo $? >> "$HOME/seen" }
$ (exit 7)
= 7
$ true
$ tail -n 2 ~/seen
| 7
| 0

== B25 B49 the shell's own end is its own code, and the next command comes in a new shell
$ exit 3
= ended 3
$ echo ok
| ok
? ended with exit code 3; a new one was started

== B25 the shell is killed
$ kill -9 $$
= ended SIGKILL 137
$ echo ok
| ok
? ended by SIGKILL

== B25 an interactive shell does not heed SIGTERM
$ kill -TERM $$
$ echo ok
| ok

== B49 exit with a job in the background: the shell refuses, and that is said
$ sleep 300 & exit 42
~ \[2\] \d+
| zsh: you have running jobs.
= 1
? refused to exit
$ echo ok
| ok
? a background job may have written into this output: \[2\] sleep 300

== B49 set -e: a failure ends the shell, and that is said
$ set -e
$ false
= ended 1
$ echo ok
| ok
? ended with exit code 1

== B49 a script that is sourced and exits
$ echo 'exit 5' > s.sh
$ . ./s.sh
= ended 5
$ echo ok
| ok
? ended with exit code 5

== B35 B49 an EXIT trap runs at the end of the shell, and only there
$ trap 'echo bye' EXIT
$ echo before
| before
$ exit 4
| bye
= ended 4
$ echo ok
| ok
? ended with exit code 4

== D1 IFS that holds a digit of the exit code
$ IFS=1
$ false
= 1
$ (exit 111)
= 111
$ echo ok
| ok

== D5 $? and $! of the command before, the positional parameters
$ set -- a b
$ echo $1 $#
| a 2
$ false
= 1
$ echo $?
| 1
$ (exit 77)
= 77
$ true
$ echo $?
| 0
$ sleep 1 & echo $! > pid
~ \[2\] \d+
$ [ $! = "$(cat pid)" ]

== D7 cd without HOME, cd -
$ cd /usr; cd /tmp
$ cd -
| /usr
$ (unset HOME; cd)
...
$ echo ok
| ok

== pipestatus
$ false | true
$ setopt pipefail
$ false | true
= 1
