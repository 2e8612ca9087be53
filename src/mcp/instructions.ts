// What a model reads once, before any tool: which tool when.

/** Below 1.5 KB. */
export const INSTRUCTIONS = `Shells on this machine. Choose by what must last:
- run: one command, nothing carried over. Returns when it ends or at its timeout.
- session_create + session_run: the user's real shell. cd, export, functions, venvs and jobs persist from call to call. Open one for a piece of work, reuse it, session_destroy it at the end.
- task_spawn: servers, watchers, long builds. Returns a task_id at once; task_poll or task_wait get output and exit_code. Poll whatever you spawn; terminate (task_poll terminate) what is no longer needed.
exit_code is always the real one; non-zero is a result, not an error. A tool error says what to do next in its second line.
session_run with state "running": the command is still going and the session busy; it was not killed. Wait with session_read (timeout_ms), stop it with session_interrupt. "awaiting_input", "full_screen": answer with session_send.
until ends a wait early: {"output": RE2 pattern}, {"quiet_ms": n} without output, {"port": n} or {"http": url} answers on localhost.
Independent work goes on in parallel; one command at a time in a session.
run and task_spawn take session_id to start in a session's directory with its exported variables.
Long output is cut and says where the rest is: read on with a cursor instead of running the command again. Prefer quiet flags, and a file for large data.
Pagers and editors are off by default (PAGER=cat, GIT_EDITOR). stdin of run is empty: commands that ask need flags like --yes, or a session.`;
