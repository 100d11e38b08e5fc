"""What Jupyter's messaging protocol (5.4) says, asked of moonpod-kernel over bare sockets: nothing here is Jupyter's.

    protocol.py PROGRAM... [--cells N] [--late-signals]
        PROGRAM with the words that the connection file comes behind; N cells in one session, whose memory stays flat
        (default 500). Late signals are ThreadSanitizer's, which holds them back until the program calls the system:
        loops that never do are left out
"""

import argparse
import hashlib
import hmac
import json
import os
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import uuid

import zmq

KEY = b"a key of the test"
PATIENCE = 60000  # milliseconds: only what never comes takes so long


def free_ports(count):
    found = [socket.socket() for _ in range(count)]
    for one in found:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in found]
    for one in found:
        one.close()
    return ports


class Kernel:
    """A kernel and sockets to it."""

    def __init__(self, program, folder, transport="tcp", key=KEY):
        self.key = key
        for _ in range(5):
            if self.begin(program, folder, transport):
                return
        raise AssertionError("there are no free ports: " + self.read_log())

    def begin(self, program, folder, transport):
        """False where somebody else has taken a port between its choice and the kernel's use of it."""
        names = ["shell", "iopub", "stdin", "control", "hb"]
        ports = free_ports(5) if transport == "tcp" else [1, 2, 3, 4, 5]
        ip = "127.0.0.1" if transport == "tcp" else os.path.join(folder, "sockets")
        file = {f"{name}_port": port for name, port in zip(names, ports)}
        file.update(transport=transport, ip=ip, key=self.key.decode(), signature_scheme="hmac-sha256")
        self.path = os.path.join(folder, f"{transport}-{uuid.uuid4().hex}.json")
        with open(self.path, "w") as out:
            json.dump(file, out)
        self.log = open(self.path + ".log", "w+")
        self.ports = ports
        began = time.monotonic()
        self.process = subprocess.Popen([*program, self.path], stderr=self.log, stdout=self.log, start_new_session=True)
        self.context = zmq.Context()
        kinds = dict(shell=zmq.DEALER, iopub=zmq.SUB, stdin=zmq.DEALER, control=zmq.DEALER, hb=zmq.REQ)
        for name, port in zip(names, ports):
            one = self.context.socket(kinds[name])
            one.linger = 0
            if kinds[name] == zmq.DEALER:
                one.identity = b"the client"
            one.connect(f"tcp://{ip}:{port}" if transport == "tcp" else f"ipc://{ip}-{port}")
            setattr(self, name, one)
        self.iopub.subscribe(b"")
        self.count = 0
        for where in (self.iopub, self.shell, self.control):
            if where != self.iopub:
                self.send(where, "kernel_info_request", {})
            while not where.poll(100):
                if self.process.poll() is not None and "Address already in use" in self.read_log():
                    self.context.destroy(linger=0)
                    return False
                assert self.process.poll() is None and time.monotonic() - began < PATIENCE / 1000, self.read_log()
            if where != self.iopub:
                assert self.receive(where)["type"] == "kernel_info_reply"
        welcome = self.receive(self.iopub)
        assert welcome["type"] == "iopub_welcome" and welcome["content"] == {"subscription": ""}, welcome
        return True

    def stranger(self, name):
        """Another socket to one of the kernel's, with all its messages in its own memory until they are sent."""
        one = self.context.socket(zmq.DEALER)
        one.linger = 0
        one.connect(getattr(self, name).last_endpoint)
        return one

    def sign(self, parts):
        made = hmac.new(self.key, digestmod=hashlib.sha256)
        for part in parts:
            made.update(part)
        return made.hexdigest().encode() if self.key else b""

    def send(self, where, kind, content, parent=None):
        self.count += 1
        header = {"msg_id": f"m{self.count}", "session": "s", "username": "u", "date": "2026-01-01T00:00:00Z",
                  "msg_type": kind, "version": "5.4"}
        parts = [json.dumps(one).encode() for one in (header, parent or {}, {}, content)]
        self.sent = [self.sign(parts)] + parts
        where.send_multipart([b"<IDS|MSG>"] + self.sent)
        return header["msg_id"]

    def receive(self, where, patience=PATIENCE):
        if not where.poll(patience):
            raise TimeoutError(self.read_log())
        frames = where.recv_multipart()
        at = frames.index(b"<IDS|MSG>")
        signature, parts = frames[at + 1], frames[at + 2:at + 6]
        assert signature == self.sign(parts), "a signature is wrong"
        header, parent, metadata, content = (json.loads(part) for part in parts)
        for name, kind in dict(msg_id=str, session=str, username=str, date=str, msg_type=str, version=str).items():
            assert isinstance(header[name], kind), (name, header)
        return dict(type=header["msg_type"], parent=parent.get("msg_id"), content=content, metadata=metadata)

    def published(self, request):
        """What belongs to a request, from busy to idle."""
        found = []
        while True:
            message = self.receive(self.iopub)
            if message["parent"] != request:
                continue
            if message["type"] == "status":
                state = message["content"]["execution_state"]
                assert state == ("idle" if found or self.is_busy else "busy"), state
                if state == "idle":
                    self.is_busy = False
                    return found
                self.is_busy = True
            else:
                assert self.is_busy, "a message before busy"
                found.append(message)

    is_busy = False

    def ask(self, kind, content, where=None):
        where = where or self.shell
        request = self.send(where, kind, content)
        reply = self.receive(where)
        assert reply["type"] == kind.replace("_request", "_reply") and reply["parent"] == request, reply
        return reply["content"], self.published(request)

    def execute(self, code, **options):
        content = dict(code=code, silent=False, store_history=True, user_expressions={}, allow_stdin=False,
                       stop_on_error=True)
        content.update(options)
        return self.ask("execute_request", content)

    def read_log(self):
        with open(self.log.name) as text:
            return text.read()

    def wait_log(self, text):
        end = time.time() + PATIENCE / 1000
        while text not in self.read_log():
            assert time.time() < end, f"'{text}' is not in the log: {self.read_log()}"
            time.sleep(0.01)

    def memory(self):
        with open(f"/proc/{self.process.pid}/statm") as text:
            return int(text.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def shut_down(self):
        request = self.send(self.control, "shutdown_request", {"restart": False})
        reply = self.receive(self.control)
        assert reply["type"] == "shutdown_reply" and reply["parent"] == request
        assert reply["content"] == {"status": "ok", "restart": False}, reply
        assert self.process.wait(PATIENCE / 1000) == 0
        self.context.destroy(linger=0)


def check_info(kernel):
    for where in (kernel.shell, kernel.control):
        info, _ = kernel.ask("kernel_info_request", {}, where)
        assert info["status"] == "ok" and info["protocol_version"] == "5.4" and info["implementation"] == "moonpod"
        language = info["language_info"]
        assert language["name"] == "lua" and language["file_extension"] == ".lua" and language["version"][:2] == "5."
        assert language["codemirror_mode"] == language["pygments_lexer"] == "lua"
        assert isinstance(info["banner"], str) and info["help_links"] == []
    kernel.hb.send(b"are you there")
    assert kernel.hb.poll(PATIENCE) and kernel.hb.recv() == b"are you there"


def outputs(messages, kind):
    return [one["content"] for one in messages if one["type"] == kind]


def text_of(messages, name):
    return "".join(one["text"] for one in outputs(messages, "stream") if one["name"] == name)


def check_execute(kernel):
    reply, seen = kernel.execute('print "to see" x = 20\n2 * x + 2')
    assert reply == dict(status="ok", execution_count=1, payload=[], user_expressions={}), reply
    assert [one["type"] for one in seen] == ["execute_input", "stream", "execute_result"], seen
    assert seen[0]["content"] == dict(code='print "to see" x = 20\n2 * x + 2', execution_count=1)
    assert seen[2]["content"] == dict(execution_count=1, data={"text/plain": "42"}, metadata={}), seen[2]
    reply, seen = kernel.execute("x = x + 1; print(x)", silent=True)
    assert reply["execution_count"] == 1 and outputs(seen, "execute_input") == [], (reply, seen)
    reply, seen = kernel.execute("x", store_history=False)
    assert reply["execution_count"] == 1 and outputs(seen, "execute_result")[0]["data"] == {"text/plain": "21"}
    reply, seen = kernel.execute("y = 1", user_expressions={"a": "x + 1", "b": "error 'bad'"})
    a, b = reply["user_expressions"]["a"], reply["user_expressions"]["b"]
    assert a["status"] == "ok" and a["data"] == {"text/plain": "22"}, a
    assert b["status"] == "error" and "bad" in b["evalue"] and isinstance(b["traceback"], list), b
    reply, seen = kernel.execute("local t = nil\nlocal u = t.field")
    error = outputs(seen, "error")[0]
    assert reply["status"] == "error" and reply["execution_count"] == 3 and "cell 3:2:" in reply["evalue"], reply
    assert {name: reply[name] for name in ("ename", "evalue", "traceback")} == error, (reply, error)
    reply, seen = kernel.execute("pod.display(pod.plot.line { 1, 2 }); x = 3")
    data = outputs(seen, "display_data")[0]["data"]
    assert data["image/svg+xml"].startswith("<svg") and data["text/plain"], data.keys()
    reply, seen = kernel.execute("os.exit(3)")
    assert reply["status"] == "error" and kernel.process.poll() is None, reply


def check_streams(kernel):
    reply, seen = kernel.execute('io.write "a" io.flush() os.execute "echo b; echo c >&2" '
                                 'io.stderr:write "d" print "\\255\\n\\226"')
    assert text_of(seen, "stdout") == "ab\n\N{REPLACEMENT CHARACTER}\n\N{REPLACEMENT CHARACTER}\n", seen
    assert text_of(seen, "stderr") == "c\nd", seen
    reply, seen = kernel.execute('for i = 1, 20000 do print(("\\226\\130\\172"):rep(10)) end')
    assert text_of(seen, "stdout") == ("\N{EURO SIGN}" * 10 + "\n") * 20000
    assert len(outputs(seen, "stream")) < 2000, len(seen)  # not one for each line


def check_order(kernel):
    """Requests behind one that fails are aborted, unless it says otherwise; what comes later is run."""
    def many(stop, damaged=False):
        content = dict(silent=False, store_history=True, user_expressions={}, allow_stdin=False, stop_on_error=stop)
        # The first one fails when all have been sent, and the kernel has had time to take them.
        mark = kernel.path + ".sent"
        codes = [f"local f repeat f = io.open '{mark}' until f f:close() "
                 "local s = os.clock() while os.clock() - s < 0.3 do end error 'first'", "z = 1", "z = 2"]
        requests = [kernel.send(kernel.shell, "execute_request", dict(content, code=codes[0]))]
        if damaged:
            kernel.shell.send_multipart([b"<IDS|MSG>", b"0" * 64, b"{}", b"{}", b"{}", b"{}"])
        requests += [kernel.send(kernel.shell, "execute_request", dict(content, code=code)) for code in codes[1:]]
        open(mark, "w").close()
        replies = [kernel.receive(kernel.shell)["content"] for _ in requests]
        assert "first" in replies[0].get("evalue", ""), replies  # not another error
        states = [one["status"] for one in replies]
        for request in requests:
            kernel.published(request)
        os.remove(mark)
        return states
    assert many(True) == ["error", "aborted", "aborted"]
    assert many(True, damaged=True) == ["error", "aborted", "aborted"]
    assert many(False) == ["error", "ok", "ok"]
    assert kernel.execute("z")[0]["status"] == "ok"


def check_input(kernel):
    content = dict(code="name = io.read() print('hello ' .. name)", silent=False, store_history=True, allow_stdin=True)
    request = kernel.send(kernel.shell, "execute_request", content)
    question = kernel.receive(kernel.stdin)
    assert question["type"] == "input_request" and question["parent"] == request, question
    assert question["content"] == {"prompt": "", "password": False}
    kernel.send(kernel.stdin, "input_reply", {"value": "Ada", "status": "ok"})
    assert kernel.receive(kernel.shell)["content"]["status"] == "ok"
    assert text_of(kernel.published(request), "stdout") == "hello Ada\n"
    for code in ("io.read()", "input 'how many? '"):
        reply, _ = kernel.execute(code, allow_stdin=False)
        assert reply["status"] == "error" and "allow_stdin" in reply["evalue"], reply
    for code, prompt, password in (("input 'how many? '", "how many? ", False), ("input()", "", False),
                                   ("input('\\255', { password = true })", "\N{REPLACEMENT CHARACTER}", True)):
        request = kernel.send(kernel.shell, "execute_request", dict(content, code=code))
        question = kernel.receive(kernel.stdin)
        assert question["content"] == {"prompt": prompt, "password": password}, question
        kernel.send(kernel.stdin, "input_reply", {"value": "\N{EURO SIGN} 3", "status": "ok"})
        assert kernel.receive(kernel.shell)["content"]["status"] == "ok"
        shown = outputs(kernel.published(request), "execute_result")
        assert shown[0]["data"] == {"text/plain": '"\N{EURO SIGN} 3"'}, shown
    assert kernel.execute("input = 3")[0]["status"] == "ok"
    assert outputs(kernel.execute("input")[1], "execute_result")[0]["data"] == {"text/plain": "3"}
    assert kernel.execute("input = nil")[0]["status"] == "ok"
    request = kernel.send(kernel.shell, "execute_request", content)
    kernel.receive(kernel.stdin)
    kernel.send(kernel.control, "interrupt_request", {})
    assert kernel.receive(kernel.control)["content"] == {"status": "ok"}
    assert kernel.receive(kernel.shell)["content"]["status"] == "error"
    kernel.published(request)


def check_texts(kernel):
    for code, status, indent in [("x = 1", "complete", None), ("for i = 1, 2 do", "incomplete", "  "), ("x = = 1",
                                 "invalid", None), ("f({\n", "incomplete", "    "), ("%who", "complete", None)]:
        reply, _ = kernel.ask("is_complete_request", {"code": code})
        assert reply["status"] == status and reply.get("indent") == indent, (code, reply)
    code = 's = "\N{EURO SIGN}\U0001F600" string.up'
    reply, _ = kernel.ask("complete_request", {"code": code + " .. 1", "cursor_pos": len(code)})
    assert reply["matches"] == ["upper"] and reply["status"] == "ok", reply
    assert code[:reply["cursor_start"]] + "upper" == code[:-2] + "upper" and reply["cursor_end"] == len(code), reply
    reply, _ = kernel.ask("complete_request", {"code": "pod.layers.dense(3, { activation = \"re", "cursor_pos": 37})
    assert "relu" in reply["matches"], reply
    short, _ = kernel.ask("inspect_request", {"code": "pod.layers.dense(", "cursor_pos": 17, "detail_level": 0})
    long, _ = kernel.ask("inspect_request", {"code": "pod.layers.dense(", "cursor_pos": 12, "detail_level": 1})
    assert short["found"] and "units" in short["data"]["text/plain"], short
    assert long["found"] and long["data"] != short["data"], long
    none, _ = kernel.ask("inspect_request", {"code": "no_such_thing", "cursor_pos": 3, "detail_level": 0})
    assert none == dict(status="ok", found=False, data={}, metadata={}), none
    last, _ = kernel.ask("history_request", dict(hist_access_type="tail", n=1, output=True, raw=True))
    assert last["status"] == "ok" and len(last["history"]) == 1 and len(last["history"][0][2]) == 2, last
    found, _ = kernel.ask("history_request", dict(hist_access_type="search", pattern="x = 20*", n=5))
    assert found["history"] == [], found
    for pattern, count in (("print(? .. 'none')", 0), ("*2 ? x + 2", 1), ("print*x = 20?2*", 1), ("*", 5),
                           ("*" + "p*?" * 60 + "!", 0)):
        found, _ = kernel.ask("history_request", dict(hist_access_type="search", pattern=pattern, n=5))
        assert len(found["history"]) == count and (count != 1 or found["history"][0][1] == 1), (pattern, found)
    found, _ = kernel.ask("inspect_request", {"code": "x" * 100000, "cursor_pos": 3, "detail_level": 0})
    assert not found["found"], found


def check_comms(kernel):
    reply, _ = kernel.ask("comm_info_request", {})
    assert reply == {"status": "ok", "comms": {}}, reply
    request = kernel.send(kernel.shell, "comm_open", {"comm_id": "c", "target_name": "none", "data": {}})
    seen = kernel.published(request)
    assert [one["type"] for one in seen] == ["comm_close"] and seen[0]["content"]["comm_id"] == "c", seen


def check_background(kernel):
    began, updates = time.monotonic(), 0  # updates may wait before the reply is read
    reply, seen = kernel.execute('m = pod.models.sequential { pod.layers.dense(1, { input_shape = { 2 } }) }\n'
                                 'm:compile { optimizer = "sgd", loss = "mse" }\n'
                                 'r = m:fit(pod.ones { 64, 2 }, pod.ones { 64, 1 }, '
                                 '{ background = true, epochs = 1000000, verbose = 0 })')
    shown = outputs(seen, "display_data")[0]
    name = shown["transient"]["display_id"]
    while updates < 5:
        message = kernel.receive(kernel.iopub)
        assert message["type"] == "update_display_data", message
        assert message["content"]["transient"]["display_id"] == name
        updates += 1
    assert updates <= (time.monotonic() - began) * 10 + 1, "more than ten updates a second"
    assert kernel.execute("1 + 1")[0]["status"] == "ok"
    # Another thread answers the interrupt: the run may have told that it stopped before that answer is whole.
    request = kernel.send(kernel.control, "interrupt_request", {})
    reply = kernel.receive(kernel.control)
    assert reply["type"] == "interrupt_reply" and reply["parent"] == request, reply
    text = ""
    while "stopped" not in text:
        message = kernel.receive(kernel.iopub)
        text = message["content"].get("data", {}).get("text/plain", "")
    assert outputs(kernel.execute("r.state")[1], "execute_result")[0]["data"] == {"text/plain": '"stopped"'}


ENDLESS = {
    "a loop": "while true do end",
    "a loop with pcall": "while true do pcall(function() while true do end end) end",
    "fit": "m:fit(pod.ones { 64, 2 }, pod.ones { 64, 1 }, { epochs = 10000000, verbose = 0 })",
}


def check_interrupts(kernel, has_late_signals):
    for name, code in ENDLESS.items():
        if has_late_signals and name != "fit":
            continue
        for how in ("message", "SIGINT"):
            content = dict(code=code, silent=False, store_history=True, allow_stdin=False, stop_on_error=True)
            request = kernel.send(kernel.shell, "execute_request", content)
            while kernel.receive(kernel.iopub)["parent"] != request:  # it is busy with it
                pass
            time.sleep(0.4)
            began = time.time()
            if how == "message":
                kernel.send(kernel.control, "interrupt_request", {})
                assert kernel.receive(kernel.control)["content"] == {"status": "ok"}
            else:
                os.kill(kernel.process.pid, signal.SIGINT)
            reply = kernel.receive(kernel.shell)["content"]
            print(f"interrupt of {name} by {how}: {(time.time() - began) * 1000:.0f} ms")
            assert reply["status"] == "error" and reply["ename"] == "Interrupted", reply
            seen = []
            while not (seen and seen[-1]["type"] == "status" and seen[-1]["parent"] == request
                       and seen[-1]["content"]["execution_state"] == "idle"):
                seen.append(kernel.receive(kernel.iopub))
    assert kernel.execute("1")[0]["status"] == "ok"


def check_early_interrupts(kernel):
    """An interrupt right behind busy stops the cell that has not begun."""
    for _ in range(30):
        content = dict(code="while true do end", silent=False, store_history=True, allow_stdin=False)
        request = kernel.send(kernel.shell, "execute_request", content)
        while kernel.receive(kernel.iopub)["parent"] != request:
            pass
        os.kill(kernel.process.pid, signal.SIGINT)
        assert kernel.receive(kernel.shell)["content"]["ename"] == "Interrupted"
        while kernel.receive(kernel.iopub)["content"].get("execution_state") != "idle":
            pass


def check_hostile(kernel):
    good = [b'{"msg_id":"h","session":"s","username":"u","date":"","msg_type":"kernel_info_request","version":"5.4"}',
            b"{}", b"{}", b"{}"]
    deep = b"[" * 100000 + b"]" * 100000
    cases = [([b"<IDS|MSG>", b"0" * 64] + good, "its signature is wrong"), ([b"<IDS|MSG>", b""] + good, "signature"),
             ([b"<IDS|MSG>"], "it is cut"), ([b"<IDS|MSG>", kernel.sign(good)] + good[:3], "it is cut"),
             ([b"nothing", b"of it"], "no <IDS|MSG>"), ([b""] * 100, "too many frames"),
             ([b"<IDS|MSG>", b"0" * 64] + good[:2] + [b"x" * 20000000] * 2, "too many frames or bytes"),
             ([b"<IDS|MSG>", kernel.sent[0]] + kernel.sent[1:], "sends it again")]
    for parts, text in [([b"{", b"{}", b"{}", b"{}"], "its header"), ([b"[]", b"{}", b"{}", b"{}"], "its header"),
                        ([deep, b"{}", b"{}", b"{}"], "its header"), (good[:3] + [deep], "its content"),
                        ([b"{}", b"{}", b"{}", b"{}"], "'msg_type' must be a text"),
                        (good[:2] + [b"\xff"] + good[3:], "metadata"),
                        ([good[0].replace(b"kernel_info", b"no_such"), b"{}", b"{}", b"{}"], "no_such_request")]:
        cases.append(([b"<IDS|MSG>", kernel.sign(parts)] + parts, text))
    for number, where in enumerate((kernel.shell, kernel.control)):
        for frames, text in cases:
            if frames[0] == b"<IDS|MSG>" and frames[1:2] == [kernel.sign(frames[2:])] and text != "sends it again":
                frames = frames[:3] + [b'{"number": %d}' % number] + frames[4:]  # the same one is refused
                frames[1] = kernel.sign(frames[2:])
            where.send_multipart(frames)
            kernel.wait_log(text)
            kernel.log.truncate(0)
    for content in ({}, {"code": 3}, {"code": "1", "silent": "no", "user_expressions": [1]}):
        reply, _ = kernel.ask("execute_request", content)
        assert reply["status"] in ("ok", "error"), reply
    assert kernel.execute("6 * 7")[0]["status"] == "ok"


def check_unsigned(kernel, count):
    """What nobody has signed waits nowhere while a cell runs; a frame that is too large ends its connection. So many
    MB are sent to each of three sockets."""
    mark = kernel.path + ".sent"
    before = kernel.memory()
    request = kernel.send(kernel.shell, "execute_request", dict(
        code=f"local f repeat f = io.open '{mark}' until f f:close()", silent=False, store_history=True,
        allow_stdin=False))
    strangers = [kernel.stranger(name) for name in ("shell", "stdin", "control")]
    for stranger in strangers:
        for _ in range(count):
            stranger.send_multipart([b"<IDS|MSG>", b"0" * 64, b"{}", b"{}", b"{}", b"x" * 1000000])
        stranger.send_multipart([b"x" * 40000000])
        stranger.send_multipart([b"the last one"])
    for name in ("shell", "stdin", "control"):
        kernel.wait_log(f"a message on {name} is dropped: no <IDS|MSG>")
    grown = kernel.memory() - before
    print(f"{3 * count} MB that are not signed, while a cell runs: memory grew by {grown / 1024:.0f} KiB")
    assert count < 50 or grown < 60 << 20, "frames that nobody has signed are kept"
    for stranger in strangers:
        stranger.close()
    open(mark, "w").close()
    assert kernel.receive(kernel.shell)["content"]["status"] == "ok"
    kernel.published(request)


def listening(pid):
    inodes = set()
    for name in os.listdir(f"/proc/{pid}/fd"):
        target = os.readlink(f"/proc/{pid}/fd/{name}")
        if target.startswith("socket:["):
            inodes.add(target[8:-1])
    found = set()
    for kind in ("tcp", "tcp6"):
        with open(f"/proc/{pid}/net/{kind}") as lines:
            for line in lines.readlines()[1:]:
                words = line.split()
                if words[3] == "0A" and words[9] in inodes:
                    found.add((words[1].split(":")[0], int(words[1].split(":")[1], 16)))
    return found


def check_cells(kernel, count):
    times, before = [], None
    for i in range(count):
        began = time.perf_counter()
        kernel.execute(f"t = {{}} for i = 1, 100 do t[i] = ('%d'):format(i) end\nprint({i})\n#t")
        times.append(time.perf_counter() - began)
        if i == count // 5:
            before = kernel.memory()
    grown = kernel.memory() - before
    print(f"{count} cells: {statistics.median(times) * 1000:.2f} ms each (median), {min(times) * 1000:.2f} ms at best; "
          f"memory grew by {grown / 1024:.0f} KiB over the last four fifths")
    assert grown < 4 << 20, "memory grows with cells"


def main():
    words = argparse.ArgumentParser()
    words.add_argument("program", nargs="+")
    words.add_argument("--cells", type=int, default=500)
    words.add_argument("--late-signals", action="store_true")
    given = words.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        kernel = Kernel(given.program, folder)
        try:
            for check in (check_info, check_execute, check_streams, check_order, check_input, check_texts, check_comms,
                          check_background, check_hostile):
                check(kernel)
                print(check.__name__, "passed")
            check_unsigned(kernel, 50 if given.cells > 100 else 2)  # sanitizers are slow, and have memory of their own
            check_interrupts(kernel, given.late_signals)
            if not given.late_signals:
                check_early_interrupts(kernel)
            assert listening(kernel.process.pid) == {("0100007F", port) for port in kernel.ports}
            check_cells(kernel, given.cells)
            kernel.shut_down()
            for transport, key in (("ipc", KEY), ("tcp", b"")):
                kernel = Kernel(given.program, folder, transport, key)
                assert kernel.execute("1 + 1")[0]["status"] == "ok"
                if transport == "ipc":
                    assert listening(kernel.process.pid) == set()
                kernel.send(kernel.shell, "execute_request", {"code": "while true do pcall(error) end"})
                time.sleep(0.2)
                kernel.shut_down()  # while a cell runs
            print("passed")
        finally:
            if kernel.process.poll() is None:
                print(kernel.read_log(), file=sys.stderr)
                kernel.process.kill()


if __name__ == "__main__":
    main()
