== B23 prompt hooks that fail or change the status
rc: function hook --on-event fish_prompt; false; end
rc: function after --on-event fish_postexec; false; end
$ false
= 1
$ true
$ function exit_code_test; return 42; end; exit_code_test
= 42

== B23 a prompt with its own status
rc: function fish_prompt; false; echo -n 'prompt> '; false; end
$ true
$ sh -c 'exit 42'
= 42

== B25 B49 the shell's own end is its own code, and the next command comes in a new shell
$ exit 3
= ended 3
$ echo ok
| ok
? ended with exit code 3; a new one was started

== B25 the shell is killed
$ kill -9 $fish_pid
= ended SIGKILL 137
$ echo ok
| ok
? ended by SIGKILL

== B49 exit with a job in the background: the shell refuses, and that is said
$ sleep 300 & 
$ exit 42
= 42
? refused to exit
$ echo ok
| ok
? a background job may have written into this output: \[1\] sleep 300

== B49 a script that is sourced and exits: in fish that ends the script only
$ echo 'exit 5' > s.fish
$ . ./s.fish
= 5

== B49 what an exit handler writes belongs to the command that ended the shell
$ function bye --on-event fish_exit; echo bye; end
$ exit 4
| bye
= ended 4
$ echo ok
| ok
? ended with exit code 4

== D5 $status of the command before, $last_pid
$ false
= 1
$ echo $status
| 1
$ sh -c 'exit 77'
= 77
$ true
$ echo $status
| 0
$ set -g argv a b
$ echo $argv[1] (count $argv)
| a 2
$ sleep 1 & echo $last_pid > pid
$ test $last_pid = (cat pid)

== D7 cd without HOME, cd -
$ cd /usr; cd /tmp
$ cd -
$ pwd
| /usr
$ set -e HOME; cd
...
= 1

== the status of a pipe
$ false | true
$ true | false
= 1
