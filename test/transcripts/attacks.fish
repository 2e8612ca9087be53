== T35 a child that gets the nonce from the shell's variables and prints the end while it has the terminal
$ python3 -c "
> import sys, time
> nonce, id = sys.argv[1:3]
> for mark in ('D;0', 'P'):
>     sys.stdout.write('\x1b]133;%s;aid=%s;id=%s\x07' % (mark, nonce, id))
> sys.stdout.flush(); time.sleep(0.3); print('still here'); sys.exit(7)
> " $__sk_n $__sk_i
~ .*still here
= 7
$ echo ok
| ok

== T35 a forged end, after which the shell itself is busy
$ python3 -c "
> import sys
> for mark in ('D;0', 'P'): sys.stdout.write('\x1b]133;%s;aid=%s;id=%s\x07' % (mark, *sys.argv[1:3]))
> " $__sk_n $__sk_i; for i in (seq 30000); true; end; echo after; sh -c 'exit 7'
| after
= 7

== T37 our functions are removed: the command that did it goes on for ever
$ set -gx KEPT 1
@ timeout=300
$ functions -e __sk_start __sk_end __sk_ready
...
= running

== T37 the shell stops itself
@ timeout=300
$ kill -STOP $fish_pid; echo on
= running
^
...
= (0|130)
$ echo ok
| ok

== T37 a prompt that runs programs and fails
$ function fish_prompt; sleep 0.05; echo prompt; false; end
$ false
= 1
$ echo ok
| ok

== T37 fish_trace
$ set -g fish_trace 1
...
$ false
...
= 1
$ set -e fish_trace
...
$ echo ok
| ok

== T37 the directory of the session's own files is removed
$ rm -rf $__sk_dir
...
? the state of the shell could not be read
$ echo ok
| ok
