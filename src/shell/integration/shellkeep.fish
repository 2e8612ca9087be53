# shellkeep's part of an interactive fish (3.4 and later). The session's init file sets
#   __sk_dir    private folder of the session: command texts in, state reports out
#   __sk_step   full | no_theme | no_rc: how much of the user's startup files is kept
#   __sk_i      the id of the start, which the first report carries; __sk_n its nonce
# and sources this file after config.fish, by `fish -C`.

# What a command typed by the server does first: ` __sk_start NONCE ID STATUS [FLAGS]`. Reads the command's text into
# __sk_c, prints the C mark and returns the status of the command before, so that the text sees it as $status.
# Flags: e = there are variables for this command only; f = the names of functions may change.
function __sk_start
    set -q __sk_tty; or __sk_set_modes
    set -eg __sk_code __sk_shown
    set -g __sk_n $argv[1]
    set -g __sk_i $argv[2]
    set -g __sk_f "$argv[4]"
    builtin read -gz __sk_c <$__sk_dir/text
    builtin string match -q '*e*' -- $__sk_f; and source $__sk_dir/env
    builtin printf '\e]133;C;aid=%s;id=%s\a' $__sk_n $__sk_i >/dev/tty
    return $argv[3]
end

# noflsh: Ctrl-C would throw away what the server has not read yet, output and our marks. The rest is what a killed program has
# switched off. fish keeps what is set by a command, not what its startup files or its handlers of events set.
function __sk_set_modes
    command stty noflsh icanon echo isig icrnl iexten opost </dev/tty 2>/dev/null
    set -g __sk_tty set
end

# The end of the command: state to a file, then the D mark. It is over only at the prompt that follows (__sk_ready): a
# shell that dies in between has ended, not the command alone.
function __sk_end --on-event fish_postexec
    set -l code $status
    set -q __sk_code; or __sk_report $code
end

# Its local names are ours, so that none hides an exported variable of the user's.
function __sk_report -a __sk_status
    test -e $__sk_dir/input; and __sk_discard
    test $__sk_status -gt 128; and set -eg __sk_tty # a program that was killed has left the terminal as it had it: raw, most of all
    set -g __sk_c
    builtin string match -q '*e*' -- $__sk_f; and source $__sk_dir/back
    begin
        builtin printf '%s\0' $__sk_i $__sk_status $PWD
        builtin string match -q '*f*' -- $__sk_f; and builtin functions -n
        builtin printf '\0'
        builtin jobs
        builtin printf '\0'
        # the listing is quick and cannot be read back exactly, values one by one take a millisecond: only when it has changed
        set -l __sk_listed (builtin set -xL)
        if test "$__sk_listed" != "$__sk_x"
            set -g __sk_x $__sk_listed
            for __sk_name in (builtin set -xn)
                builtin printf '%s=%s\0' $__sk_name "$$__sk_name"
            end
        end
        builtin printf '%s\0' $__sk_i # the report is whole
    end >$__sk_dir/state 2>/dev/null
    builtin printf '\e]133;D;%s;aid=%s;id=%s\a' $__sk_status $__sk_n $__sk_i >/dev/tty
    set -g __sk_code $__sk_status
end

# What was sent to the command and not read by it would be run as commands. The wait (a tenth of a second) is longer than the
# server's pause between two tries to write.
function __sk_discard
    builtin printf '%s\0' $__sk_i >$__sk_dir/state # says that the command is over: it is not the one that reads
    set -l modes (command stty -g </dev/tty)
    command stty -icanon -echo min 0 time 1 </dev/tty
    command cat </dev/tty >/dev/null
    command stty $modes </dev/tty
end

# At the very first prompt nothing has told the end, nor after an interruption that came in between. A prompt without a new
# command tells all again: at its prompt fish lets Ctrl-C throw away what the server has not read yet.
function __sk_ready --on-event fish_prompt
    set -l code $status
    set -q __sk_code; or __sk_report $code
    set -q __sk_shown; and builtin printf '\e]133;D;%s;aid=%s;id=%s\a' $__sk_code $__sk_n $__sk_i >/dev/tty
    builtin printf '\e]133;P;aid=%s;id=%s\a' $__sk_n $__sk_i >/dev/tty
    set -g __sk_shown yes
end

if test $__sk_step = no_theme
    for __sk_name in (functions --handlers-type fish_prompt 2>/dev/null | string match -rv '^Event|^__sk_|^$')
        functions -e (string split ' ' -- $__sk_name)[-1]
    end
    set -eg __sk_name
    function fish_prompt
        echo '> '
    end
    functions -e fish_right_prompt
end
# fish's own prompt asks git before every command and its own title is computed twice a command, which took longer than all
# else here; nobody sees either. The user's stay. (fish 4 carries its functions inside: "embedded:".)
function __sk_is_stock -a __sk_name
    string match -q -- "$__fish_data_dir/*" (functions --details $__sk_name); or string match -q -- 'embedded:*' (functions --details $__sk_name)
end
if __sk_is_stock fish_prompt
    function fish_prompt
        echo -n '> '
    end
end
if __sk_is_stock fish_title
    function fish_title
    end
end
# Notices of background jobs that end would come in the middle of another command's output; `background` tells of jobs.
functions -q fish_job_summary; and functions -c fish_job_summary __sk_job_summary
function fish_job_summary
    test "$argv[2]" = 1; and functions -q __sk_job_summary; and __sk_job_summary $argv
end
test -r $__sk_dir/restore; and source $__sk_dir/restore
# Nothing of the session is read from or written to the user's history, and nothing is guessed while the server types.
set -g fish_history ''
set -g fish_greeting
set -g fish_autosuggestion_enabled 0
set -g __sk_f f
true # the status that the first command sees
