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

== T35 the same, with a report of the state written beside it
$ python3 -c "
> import sys, time, pathlib
> folder, nonce, id = sys.argv[1:4]
> pathlib.Path(folder, 'state').write_text('\0'.join([id, '0', '', '', '', '/forged\n', '0000\n', '', '', '', '', id]) + '\0')
> sys.stdout.write('\x1b]133;D;0;aid=%s;id=%s\x07' % (nonce, id)); sys.stdout.flush()
> time.sleep(0.3); print('still here'); sys.exit(7)
> " $__sk_dir $__sk_n $__sk_i
~ .*still here
= 7
$ pwd
| {{work}}

== T35 a forged end, after which the shell itself is busy
$ set | python3 -c "
> import re, sys
> text = sys.stdin.read()
> nonce = re.search(r'^__sk_n=(\w+)', text, re.M).group(1); id = re.search(r'^__sk_i=(\w+)', text, re.M).group(1)
> sys.stdout.write('\x1b]133;D;0;aid=%s;id=%s\x07' % (nonce, id))
> "; for ((i = 0; i < 150000; i++)); do :; done; echo after; (exit 7)
| after
= 7

== T35 a forged end, and output without end after it
$ set | (python3 -c "
> import re, sys
> text = sys.stdin.read()
> nonce = re.search(r'^__sk_n=(\w+)', text, re.M).group(1); id = re.search(r'^__sk_i=(\w+)', text, re.M).group(1)
> sys.stdout.write('\x1b]133;D;0;aid=%s;id=%s\x07' % (nonce, id))
> "; yes | head -c 1000000); (exit 7)
| y
...
= 7

== T37 PROMPT_COMMAND and the functions of the prompt are taken away
$ PROMPT_COMMAND=
$ false
= 1
$ unset PROMPT_COMMAND
$ false
= 1
$ PROMPT_COMMAND=(); set -u; echo $nope
...
= 1
$ set +u
$ PROMPT_COMMAND=
@ timeout=200 interrupt
$ sleep 60
...
= 130
? interrupted after
$ unset -f __sk_prompt
$ echo ok
| ok
$ false
= 1

== T37 our functions are removed: nothing can be run, so a new shell is started
$ export KEPT=1
@ timeout=300 interrupt
$ unset -f __sk_start __sk_arm __sk_end __sk_prompt __sk_hook __sk_tell __sk_report
...
= ended unknown
? how the command ended is not known: .*ended
? interrupted after
$ echo ok $KEPT
| ok 1
? a new one was started

== T37 a DEBUG trap that prints, and one that forbids
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

== T37 set -x
$ set -x
$ false
| ++ false
= 1
$ set +x
| ++ set +x
$ echo ok
| ok

== T37 a prompt that runs programs
$ PS1='$(sleep 0.05; echo -n prompt; exit 3) '
$ false
= 1
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

== T37 a shell in a shell, that ends by itself
$ bash -c 'exit 3'
= 3
$ (exit 4)
= 4
$ sh <<'EOF'
> exit 5
> EOF
= 5

== T37 the shell's options are all turned
$ set -o posix; set -f; set -a; set -k; set -m; shopt -s expand_aliases failglob; set -P
$ false
= 1
$ echo ok
| ok
$ cd /tmp; pwd
| /tmp
$ set +m
$ sleep 0.01; false
= 1
@ timeout=200 interrupt
$ sleep 60
...
= 130
? interrupted after
$ echo ok
| ok

== T37 noexec is not for an interactive shell
$ set -n
$ echo ok
| ok

== T37 a restricted PATH
$ PATH=/nonexistent
$ false
= 1
$ ls
...
= 127
$ echo ok
| ok

== T37 the files that a process may write are limited
$ ulimit -f 0
...
= ended SIGXFSZ 153
$ echo ok
| ok
? a new one was started

== T37 the directory of the session's own files is removed
$ rm -rf $__sk_dir
? the state of the shell could not be read
$ echo ok
| ok

== T37 a prompt hook that takes its time, and one that prints much
$ PROMPT_COMMAND='sleep 0.05'
$ echo ok
| ok
$ false
= 1
$ PROMPT_COMMAND='seq 1 20000'
$ echo ok
| ok
$ false
= 1
