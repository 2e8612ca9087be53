== T35 a child that gets the nonce from the shell's variables and prints the end while it has the terminal
$ set | python3 -c "
> import re, sys
> text = sys.stdin.read()
> nonce = re.search(r'^__sk_n=(\w+)', text, re.M).group(1); id = re.search(r'^__sk_i=(\w+)', text, re.M).group(1)
> sys.stdout.write('\x1b]133;D;0;aid=%s;id=%s\x07' % (nonce, id)); sys.stdout.flush()
> import time; time.sleep(0.3); print('still here'); sys.exit(7)
> "
...
~ .*still here
= 7
$ echo ok
| ok

== T35 a forged end, after which the shell itself is busy
$ set | python3 -c "
> import re, sys
> text = sys.stdin.read()
> nonce = re.search(r'^__sk_n=(\w+)', text, re.M).group(1); id = re.search(r'^__sk_i=(\w+)', text, re.M).group(1)
> sys.stdout.write('\x1b]133;D;0;aid=%s;id=%s\x07' % (nonce, id))
> "; for ((i = 0; i < 150000; i++)); do :; done; echo after; (exit 7)
| after
= 7

== T37 the hooks of the prompt are taken away
$ precmd_functions=()
$ false
= 1
$ unset precmd_functions
$ false
= 1
@ timeout=300 interrupt
$ precmd_functions=(); echo ${x:?}
...
= 130
? interrupted after
$ precmd_functions=()
@ timeout=200 interrupt
$ sleep 60
...
= 130
? interrupted after
$ echo ok
| ok

== T37 our functions are removed: nothing can be run, so a new shell is started
$ export KEPT=1
@ timeout=300 interrupt
$ unset -f __sk_start __sk_arm __sk_end __sk_prompt __sk_hook __sk_tell __sk_be_first
...
= ended unknown
? how the command ended is not known: .*ended
? interrupted after
$ echo ok $KEPT
| ok 1
? a new one was started

== T37 a DEBUG trap that prints
$ trap 'echo DBG' DEBUG
...
$ true
...
$ trap - DEBUG
...
$ false
= 1
$ echo ok
| ok

== T37 a prompt that runs programs
$ setopt promptsubst; PS1='$(sleep 0.05; echo -n prompt; exit 3) '
$ false
= 1
$ echo ok
| ok

== T37 exec >/dev/null
$ exec >/dev/null
$ echo lost
$ echo ok >/dev/tty
| ok
$ exec >/dev/tty
$ echo ok
| ok

== T37 exec with all descriptors closed
$ exec <&- >&- 2>&-
= (ended )?0
until ended
$ echo ok
| ok
? a new one was started

== T37 the shell stops itself
@ timeout=300
$ kill -STOP $$; echo on
= running
^
...
= (0|130)
$ echo ok
| ok

== T37 read-only names of ours
@ timeout=300 interrupt
$ readonly __sk_c
...
= ended unknown
? how the command ended is not known
? interrupted after
$ echo ok
| ok
? a new one was started

== T37 the directory of the session's own files is removed
$ rm -rf $__sk_dir
? the state of the shell could not be read
$ echo ok
| ok
