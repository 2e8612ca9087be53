== B23 a PROMPT_COMMAND as a string
rc: PROMPT_COMMAND='history -a; true'
$ false
= 1
$ true
$ exit_code_test(){ return 42; }; exit_code_test
= 42

== B23 a PROMPT_COMMAND as an array that fails
rc: PROMPT_COMMAND=('true' 'false')
$ false
= 1
$ true
$ exit_code_test(){ return 42; }; exit_code_test
= 42

== B23 the user's prompt hooks still see the command's status
rc: PROMPT_COMMAND='echo $? >> "$HOME/seen"'
$ (exit 7)
= 7
$ true
$ tail -n 2 ~/seen
| 7
| 0

== B23 the same for an array
rc: PROMPT_COMMAND=('echo a$? >> "$HOME/seen"' 'echo b$? >> "$HOME/seen"')
$ (exit 7)
= 7
$ tail -n 2 ~/seen | tr '\n' ' '
| a7 b7 
% no newline

== B25 B49 the shell's own end is its own code, and the next command comes in a new shell
$ exit 3
| exit
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

== B49 exit with a job in the background
$ sleep 300 & exit 42
~ \[1\] \d+
...
= ended 42
$ echo ok
| ok
? ended with exit code 42

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

== B49 what an EXIT trap writes belongs to the command that ended the shell
$ trap 'echo bye' EXIT
$ echo before; exit 4
| before
...
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
~ \[1\] \d+
$ [ $! = "$(cat pid)" ]

== D7 cd without HOME, cd -
$ cd /usr; cd /tmp
$ cd -
| /usr
$ (unset HOME; cd)
| bash: cd: HOME not set
= 1
$ unset HOME; cd
| bash: cd: HOME not set
= 1

== PIPESTATUS and $_ of the command before
$ false | true
$ echo "${PIPESTATUS[@]}"
~ .*
$ echo last argument
| last argument
