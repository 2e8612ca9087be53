# Background jobs, stopped ones, what is interrupted.

== B82 an interrupted command drops the rest of its line
@ timeout=200 interrupt
$ sleep 30; echo SHOULD_NOT
| ^C
% no newline
= 130
? interrupted after
$ echo ok
| ok

== B82 a loop
@ timeout=300 interrupt
$ while true; sleep 0.01; end
...
= 130
? interrupted after
$ echo ok
| ok

== B83 a program that ignores the interrupt is killed, the shell is not
@ timeout=300 interrupt
$ bash -c 'trap "" INT; sleep 60'
...
= 143
? interrupted after
$ echo ok
| ok

== B85 a child that detaches itself does not hold the command
$ nohup sleep 30 >/dev/null 2>&1 & echo done
| done
$ setsid sleep 30 & echo OK
| OK

== B86 a background job that writes does not break the framing
$ sh -c 'while :; do echo tick; sleep 0.05; done' & sleep 0.3; echo fg
...
| fg
...
$ sleep 0.2; echo next
...
| next
...
? a background job may have written into this output: \[1\]
$ kill $last_pid; echo killed
...
? a background job may have written into this output: \[1\]
$ echo quiet
...
| quiet

== B92 notices of jobs belong to no command
$ sh -c 'sleep 0.1; echo late' & echo $last_pid > pid
until gone pid
$ echo next
| next
...
$ /bin/echo next
| next

== B94 a stopped program
@ timeout=300
$ sleep 100
= running
<< ctrl-z
...
= 0
? stopped, not ended: \[1\] sleep 100
$ jobs
~ Job.*
~ 1\t\d+\t.*stopped\tsleep 100
@ timeout=300
$ fg
~ Send job 1.* to foreground
= running
^
| ^C
% no newline
$ jobs
| jobs: There are no jobs
= 1

== B106 loops that read
$ printf '1\n2\n3\n' | while read a; cat >/dev/null; echo "$a"; end
| 1
$ while read l; echo $l; end < /etc/hostname | wc -l | tr -d ' '; echo end
| 1
| end

== B16 fish's read
@ timeout=5000
$ read x
...
= awaiting line
< hello world
...
= 0
$ echo "[$x]"
| [hello world]

== B80 a nested shell
@ timeout=5000
$ env HISTFILE= bash --norc
...
= awaiting keys
@ timeout=5000
< echo inner
...
| inner
...
= awaiting keys
< exit 9
...
= 9
$ echo outer
| outer

== B80 T37 exec of another shell: what is typed goes there, and the next command gets a new shell
@ timeout=5000
$ exec bash --norc
...
= awaiting keys
? "bash" took the place of the shell
$ echo ok
| ok
? ended by SIGHUP; a new one was started

== B80 exec of a program: its end is the shell's
$ exec sh -c 'echo in; exit 6'
| in
= ended 6
$ echo ok
| ok
? ended with exit code 6

== the standard error of one command
@ separate
$ echo out; echo err >&2
| out
2| err
@ separate
$ false
= 1
$ echo both; echo err >&2
| both
| err

== variables for one command
$ set -gx OLD before; set -g UNEXPORTED plain
@ env=OLD=now env=NEW=new env=UNEXPORTED=seen
$ echo "$OLD $NEW $UNEXPORTED"; printenv OLD NEW UNEXPORTED
| now new seen
| now
| new
| seen
$ echo "$OLD $UNEXPORTED"; set -q NEW; printenv UNEXPORTED NEW
| before plain
= 1
@ env=OLD=now
$ set OLD changed; true
$ echo $OLD
| changed
@ env=NEW=x
$ set -gx NEW y
$ printenv NEW
| y

== variables that the shell owns are refused
@ env=fish_history=5
$ echo no
= refused INVALID_ARGUMENT
@ env=status=x
$ echo no
= refused INVALID_ARGUMENT
$ echo ok
| ok
