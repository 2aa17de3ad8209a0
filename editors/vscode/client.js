// What Visual Studio Code asks of the language server, and what it makes of the answers.
//
// This is the part of the Language Server Protocol that `raido lsp` speaks, without packages:
// a provider for each kind of request, diagnostics, and documents that are kept the same on both
// sides.  Values of the protocol are those of the editor but for their classes and a few numbers,
// which start from 1 in the protocol and from 0 in the editor.
'use strict';

const vscode = require('vscode');
const { Connection } = require('./connection');

const LANGUAGE = 'futhark';

// ---- From the protocol to the editor ----

const position = (p) => new vscode.Position(p.line, p.character);
const range = (r) => new vscode.Range(position(r.start), position(r.end));
const location = (l) => new vscode.Location(vscode.Uri.parse(l.uri), range(l.range));
const locations = (r) => (!r ? [] : Array.isArray(r) ? r : [r]).map(location);
const edits = (list) => (list || []).map((e) => new vscode.TextEdit(range(e.range), e.newText));

function markdown(text) {
	const value = typeof text === 'string' ? text : text && text.value;
	return value ? new vscode.MarkdownString(value) : undefined;
}

function workspaceEdit(edit) {
	const out = new vscode.WorkspaceEdit();
	for (const [uri, list] of Object.entries((edit && edit.changes) || {}))
		out.set(vscode.Uri.parse(uri), edits(list));
	return out;
}

function diagnostic(d) {
	const out = new vscode.Diagnostic(range(d.range), d.message, d.severity - 1);
	out.source = d.source;
	if (d.tags)
		out.tags = d.tags;
	return out;
}

function completion(i) {
	const out = new vscode.CompletionItem(i.label, i.kind - 1);
	out.detail = i.detail;
	out.documentation = markdown(i.documentation);
	out.sortText = i.sortText;
	out.filterText = i.filterText;
	if (i.textEdit) {
		out.range = range(i.textEdit.range);
		out.insertText = i.textEdit.newText;
	} else {
		out.insertText = i.insertText;
	}
	return out;
}

function symbol(s) {
	const out = new vscode.DocumentSymbol(s.name, s.detail || '', s.kind - 1, range(s.range),
		range(s.selectionRange));
	out.children = (s.children || []).map(symbol);
	return out;
}

function signature(s) {
	const out = new vscode.SignatureInformation(s.label, markdown(s.documentation));
	out.parameters = (s.parameters || []).map((p) => new vscode.ParameterInformation(p.label));
	return out;
}

function action(a) {
	const out = new vscode.CodeAction(a.title, a.kind && vscode.CodeActionKind.Empty.append(a.kind));
	if (a.diagnostics)
		out.diagnostics = a.diagnostics.map(diagnostic);
	if (a.edit)
		out.edit = workspaceEdit(a.edit);
	if (a.command)
		out.command = a.command;
	return out;
}

// ---- The client ----

class Client {
	constructor(command, onEnd) {
		this.disposables = [];
		this.diagnostics = vscode.languages.createDiagnosticCollection('raido');
		this.disposables.push(this.diagnostics);
		this.server = new Connection(command, ['lsp'], (m, p) => this.hear(m, p), onEnd);
	}

	async start() {
		const folders = vscode.workspace.workspaceFolders;
		const said = await this.server.ask('initialize', {
			processId: process.pid,
			rootUri: folders && folders.length ? folders[0].uri.toString() : null,
			capabilities: {},
		});
		this.server.notify('initialized', {});
		this.follow();
		this.provide(said.capabilities);
	}

	async stop() {
		for (const d of this.disposables)
			d.dispose();
		await this.server.stop();
	}

	hear(method, params) {
		if (method === 'textDocument/publishDiagnostics')
			this.diagnostics.set(vscode.Uri.parse(params.uri), params.diagnostics.map(diagnostic));
		else if (method === 'window/showMessage')
			vscode.window.showInformationMessage(params.message);
	}

	// ---- Documents ----

	follow() {
		const ours = (f) => (x) => (x.document || x).languageId === LANGUAGE && f(x);
		const name = (document) => ({ uri: document.uri.toString() });
		const open = ours((d) => this.server.notify('textDocument/didOpen', { textDocument: {
			...name(d), languageId: LANGUAGE, version: d.version, text: d.getText(),
		} }));
		const change = ours((c) => this.server.notify('textDocument/didChange', {
			textDocument: { ...name(c.document), version: c.document.version },
			contentChanges: c.contentChanges.map(({ range: r, text }) => ({ range: r, text })),
		}));
		const close = ours((d) => {
			this.server.notify('textDocument/didClose', { textDocument: name(d) });
			this.diagnostics.delete(d.uri);
		});
		const save = ours((d) => this.server.notify('textDocument/didSave', { textDocument: name(d) }));
		vscode.workspace.textDocuments.forEach(open);
		this.disposables.push(vscode.workspace.onDidOpenTextDocument(open),
			vscode.workspace.onDidChangeTextDocument(change),
			vscode.workspace.onDidCloseTextDocument(close),
			vscode.workspace.onDidSaveTextDocument(save));
	}

	// ---- Requests ----

	// Asks about a document; what is refused, or cancelled, has no answer.
	async ask(method, document, params, token) {
		try {
			return await this.server.ask(`textDocument/${method}`,
				{ textDocument: { uri: document.uri.toString() }, ...params }, token);
		} catch (error) {
			return null;
		}
	}

	provide(can) {
		const on = (what, ...rest) =>
			this.disposables.push(vscode.languages[`register${what}`]({ language: LANGUAGE }, ...rest));
		// A provider of a place in a document.
		const at = (method, make) => async (document, p, token) => {
			const r = await this.ask(method, document, { position: p }, token);
			return r && make(r);
		};
		on('HoverProvider', { provideHover: at('hover',
			(r) => new vscode.Hover(markdown(r.contents), r.range && range(r.range))) });
		on('DefinitionProvider', { provideDefinition: at('definition', locations) });
		on('TypeDefinitionProvider', { provideTypeDefinition: at('typeDefinition', locations) });
		on('DocumentHighlightProvider', { provideDocumentHighlights: at('documentHighlight',
			(r) => r.map((h) => new vscode.DocumentHighlight(range(h.range)))) });
		on('CompletionItemProvider', { provideCompletionItems: at('completion',
			(r) => new vscode.CompletionList(r.items.map(completion), r.isIncomplete)) },
			...can.completionProvider.triggerCharacters);
		on('SignatureHelpProvider', { provideSignatureHelp: at('signatureHelp', (r) => {
			const help = new vscode.SignatureHelp();
			help.signatures = r.signatures.map(signature);
			help.activeSignature = r.activeSignature;
			help.activeParameter = r.activeParameter;
			return help;
		}) }, ...can.signatureHelpProvider.triggerCharacters);
		on('ReferenceProvider', { provideReferences: async (document, p, context, token) =>
			locations(await this.ask('references', document, { position: p, context }, token)) });
		on('RenameProvider', {
			provideRenameEdits: async (document, p, newName, token) => workspaceEdit(
				await this.server.ask('textDocument/rename', {
					textDocument: { uri: document.uri.toString() }, position: p, newName }, token)),
			prepareRename: async (document, p, token) => {
				const r = await this.ask('prepareRename', document, { position: p }, token);
				if (!r)
					throw new Error('This cannot be renamed.');
				return { range: range(r.range), placeholder: r.placeholder };
			},
		});
		this.provideWhole(on, can);
	}

	// What is asked of documents as a whole, or of a part of them.
	provideWhole(on, can) {
		const whole = (method, make) => async (document, ...rest) => {
			const r = await this.ask(method, document, {}, rest[rest.length - 1]);
			return r && make(r);
		};
		const part = (method, make) => async (document, r, ...rest) => {
			const said = await this.ask(method, document,
				{ range: r, context: { diagnostics: [] } }, rest[rest.length - 1]);
			return said && make(said);
		};
		const { tokenTypes, tokenModifiers } = can.semanticTokensProvider.legend;
		const legend = new vscode.SemanticTokensLegend(tokenTypes, tokenModifiers);
		const tokens = (r) => new vscode.SemanticTokens(new Uint32Array(r.data));
		on('DocumentSymbolProvider', { provideDocumentSymbols: whole('documentSymbol',
			(r) => r.map(symbol)) });
		on('FoldingRangeProvider', { provideFoldingRanges: whole('foldingRange',
			(r) => r.map((f) => new vscode.FoldingRange(f.startLine, f.endLine))) });
		on('DocumentFormattingEditProvider', {
			provideDocumentFormattingEdits: whole('formatting', edits) });
		on('DocumentSemanticTokensProvider', {
			provideDocumentSemanticTokens: whole('semanticTokens/full', tokens) }, legend);
		on('DocumentRangeSemanticTokensProvider', {
			provideDocumentRangeSemanticTokens: part('semanticTokens/range', tokens) }, legend);
		on('InlayHintsProvider', { provideInlayHints: part('inlayHint', (r) => r.map(
			(h) => new vscode.InlayHint(position(h.position), h.label, h.kind))) });
		on('CodeActionsProvider', { provideCodeActions: part('codeAction', (r) => r.map(action)) });
		for (const command of can.executeCommandProvider.commands)
			this.disposables.push(vscode.commands.registerCommand(command, (...args) =>
				this.server.ask('workspace/executeCommand', { command, arguments: args })));
		this.disposables.push(vscode.languages.registerWorkspaceSymbolProvider({
			provideWorkspaceSymbols: async (query, token) =>
				((await this.server.ask('workspace/symbol', { query }, token)) || []).map((s) =>
					new vscode.SymbolInformation(s.name, s.kind - 1, s.containerName || '',
						location(s.location))),
		}));
	}
}

module.exports = { Client };
