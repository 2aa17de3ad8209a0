# What an editor says to `raido lsp`: for the tests and for bench/lsp.
import json
import subprocess


class Server:
    def __init__(self, raido, **capabilities):
        self.p = subprocess.Popen([raido, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.count = 0
        self.notices = []
        self.capabilities = capabilities

    def raw(self, text):
        self.p.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(text), text))
        self.p.stdin.flush()

    def receive(self):
        length = 0
        for line in iter(self.p.stdout.readline, b"\r\n"):
            if not line:
                raise EOFError("the server ended")
            if line.lower().startswith(b"content-length:"):
                length = int(line[15:])
        m = json.loads(self.p.stdout.read(length))
        assert m["jsonrpc"] == "2.0"
        return m

    def notify(self, method, **params):
        self.raw(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}).encode())

    def send(self, method, **params):
        self.count += 1
        self.raw(json.dumps({"jsonrpc": "2.0", "id": self.count, "method": method,
                             "params": params}).encode())
        return self.count

    # The whole answer; notices that come before it are kept.
    def answer(self, method, **params):
        n = self.send(method, **params)
        while True:
            m = self.receive()
            if "id" in m:
                assert m["id"] == n, (method, m)
                assert ("result" in m) != ("error" in m), (method, m)
                return m
            self.notices.append(m)

    def ask(self, method, **params):
        m = self.answer(method, **params)
        return m["result"] if "result" in m else m["error"]

    def start(self, root=None, **general):
        return self.ask("initialize", processId=None, rootUri=root,
                        capabilities={"general": general})

    # Opens or replaces a document; gives its diagnostics.
    def open(self, uri, text):
        self.notify("textDocument/didOpen", textDocument={
            "uri": uri, "languageId": "futhark", "version": 1, "text": text})
        return self.diagnostics(uri)

    def change(self, uri, text):
        self.notify("textDocument/didChange", textDocument={"uri": uri, "version": 2},
                    contentChanges=[{"text": text}])
        return self.diagnostics(uri)

    def diagnostics(self, uri):
        while True:
            m = self.notices.pop(0) if self.notices else self.receive()
            if m.get("method") == "textDocument/publishDiagnostics" and m["params"]["uri"] == uri:
                return m["params"]["diagnostics"]

    def stop(self):
        self.ask("shutdown")
        self.notify("exit")
        return self.p.wait(timeout=60)
