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
@ timeout=200 interrupt
$ while true; do sleep 0.01; done
| ^C
% no newline
= 130
? interrupted after
@ timeout=200 interrupt
$ while :; do :; done
| ^C
% no newline
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
~ \[2\] \d+
| done
$ setsid sleep 30 & echo OK
~ \[3\] \d+
| OK
...

== B86 a background job that writes does not break the framing
$ (while :; do echo tick; sleep 0.05; done) & sleep 0.3; echo fg
...
| fg
...
$ sleep 0.2; echo next
...
| next
...
? a background job may have written into this output: \[2\]
$ kill %2; wait; echo killed
...
| killed
? a background job may have written into this output: \[2\]
$ echo quiet
...
| quiet

== B50 B92 notices of jobs belong to no command
$ (sleep 0.1; echo late) & echo $! > pid
~ \[2\] \d+
until gone pid
$ echo next
| next
...
$ /bin/echo next
| next

== B92 B95 what a job writes while a command runs is in its output, and a warning names the job
$ (sleep 0.1; echo late) &
~ \[2\] \d+
$ sleep 0.3; echo end
...
| end
...
? a background job may have written into this output: \[2\] \( sleep 0.1; echo late; \)

== B95 output that comes after its command
$ echo hi > >(sleep 0.2; cat)
...
$ sleep 0.5
...
$ echo next
| next

== B94 a stopped program
@ timeout=200
$ sleep 100
= running
<< ctrl-z
~ \^Z.*
...
= 148
? stopped, not ended: \[\d\] sleep 100
$ jobs
...
~ \[\d\]  \+ suspended  sleep 100
@ timeout=200
$ fg
...
~ \[\d\]  [+-] continued  sleep 100
= running
^
| ^C
...
= 130
$ jobs

== B106 loops that read
$ printf '1\n2\n3\n' | while read a; do cat >/dev/null; echo "$a"; done
| 1
$ while read l; do echo $l; done < /etc/hostname | wc -l | tr -d ' '; echo end
| 1
| end

== B80 a nested shell
@ timeout=5000
$ HISTFILE= bash --norc
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
$ exec zsh -f
...
= awaiting keys
? "zsh" took the place of the shell
$ echo ok
| ok
? a new one was started

== B80 exec of a program: its end is the shell's
$ exec sh -c 'echo in; exit 6'
| in
= ended 6
$ echo ok
| ok
? ended with exit code 6

== D2 the shell's own output goes elsewhere
$ exec >o.log 2>&1
$ echo hi
$ ls nosuchfile
= 2
$ cat o.log >/dev/tty
~ .*hi
~ .*ls: cannot access 'nosuchfile': No such file or directory
...

== the standard error of one command
@ separate
$ echo out; echo err >&2
| out
2| err
@ separate
$ false
= 1
@ separate
$ echo "abc
2~ zsh: unmatched "
= 1
$ echo both; echo err >&2
| both
| err

== variables for one command
$ export OLD=before; UNEXPORTED=plain
@ env=OLD=now env=NEW=new env=UNEXPORTED=seen
$ echo "$OLD $NEW $UNEXPORTED"; printenv OLD NEW UNEXPORTED
| now new seen
| now
| new
| seen
$ echo "$OLD ${NEW-unset} $UNEXPORTED"; printenv UNEXPORTED NEW
| before unset plain
= 1
@ env=OLD=now
$ OLD=changed
$ echo $OLD
| changed
@ env=NEW=x
$ export NEW=y
$ printenv NEW
| y

== variables that the shell owns are refused
@ env=UID=5
$ echo no
= refused INVALID_ARGUMENT
@ env=IFS=x
$ echo no
= refused INVALID_ARGUMENT
$ echo ok
| ok
