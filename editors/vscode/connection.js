// A connection to a language server: a process, and JSON-RPC on its standard input and output.
'use strict';

const { spawn } = require('child_process');

class Connection {
	// onNotice(method, params); onEnd(reason) when the process ends without being asked to
	constructor(command, args, onNotice, onEnd) {
		this.onNotice = onNotice;
		this.waiting = new Map();
		this.count = 0;
		this.unread = Buffer.alloc(0);
		this.ended = false;
		this.process = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
		this.process.stdout.on('data', (bytes) => this.read(bytes));
		this.process.stdin.on('error', () => {}); // the end of the process says more
		const end = (reason) => {
			const wanted = this.ended;
			this.ended = true;
			for (const { reject } of this.waiting.values())
				reject(new Error(reason));
			this.waiting.clear();
			if (!wanted)
				onEnd(reason);
		};
		this.process.on('error', (error) => end(error.message));
		this.process.on('exit', (code) => end(`it exited with code ${code}`));
	}

	write(message) {
		const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
		if (!this.ended)
			this.process.stdin.write(Buffer.concat([
				Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]));
	}

	notify(method, params) {
		this.write({ method, params });
	}

	// `token`: a CancellationToken of the editor, or undefined
	ask(method, params, token) {
		if (this.ended)
			return Promise.reject(new Error('the language server is not running'));
		const id = ++this.count;
		this.write({ id, method, params });
		if (token)
			token.onCancellationRequested(
				() => this.waiting.has(id) && this.notify('$/cancelRequest', { id }));
		return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
	}

	read(bytes) {
		this.unread = Buffer.concat([this.unread, bytes]);
		for (;;) {
			const end = this.unread.indexOf('\r\n\r\n');
			if (end < 0)
				return;
			const header = this.unread.subarray(0, end).toString();
			const length = Number(/content-length: *(\d+)/i.exec(header)[1]);
			if (this.unread.length < end + 4 + length)
				return;
			const body = this.unread.subarray(end + 4, end + 4 + length).toString();
			this.unread = this.unread.subarray(end + 4 + length);
			this.receive(JSON.parse(body));
		}
	}

	receive(message) {
		if (message.id === undefined) {
			this.onNotice(message.method, message.params);
			return;
		}
		const asked = this.waiting.get(message.id);
		this.waiting.delete(message.id);
		if (asked && message.error)
			asked.reject(new Error(message.error.message));
		else if (asked)
			asked.resolve(message.result);
	}

	async stop() {
		if (this.ended)
			return;
		const last = this.ask('shutdown').catch(() => {});
		await last;
		this.notify('exit');
		this.ended = true;
	}
}

module.exports = { Connection };
