# An MCP client without any library, in a language that is not ours: says what it got as one JSON object.
import json
import subprocess
import sys

server = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")
last_id = 0


def send(message):
    server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    server.stdin.flush()


def request(method, params):
    global last_id
    last_id += 1
    send({"id": last_id, "method": method, "params": params})
    for line in server.stdout:
        answer = json.loads(line)
        if answer.get("id") == last_id and "method" not in answer:
            return answer["result"]
    raise SystemExit("the server has gone")


def call(name, **arguments):
    return request("tools/call", {"name": name, "arguments": arguments})["structuredContent"]


hello = request("initialize", {"protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": {"name": "python", "version": "0"}})
send({"method": "notifications/initialized"})
tools = [tool["name"] for tool in request("tools/list", {})["tools"]]
session = call("session_create", shell="bash")["session_id"]
call("session_run", session_id=session, command="cd /tmp; export WORD='é ≤ 你'")
there = call("session_run", session_id=session, command="echo $WORD; pwd; (exit 3)")
run = call("run", command="echo one; exit 5")
task = call("task_spawn", command="echo two")["task_id"]
end = call("task_poll", task_id=task, wait_ms=10000)
call("session_destroy", session_id=session)
server.stdin.close()
print(json.dumps({"server": hello["serverInfo"]["name"], "protocol": hello["protocolVersion"], "tools": tools, "session": there, "run": run, "task": end, "status": server.wait()}))
