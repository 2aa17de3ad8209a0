// As much of the editor's interface as the extension uses: values remember what they are made of,
// providers and commands are kept to be called by try.js.
'use strict';

const make = (...fields) => class {
	constructor(...args) {
		fields.forEach((f, i) => { this[f] = args[i]; });
	}
};
const Uri = { parse: (text) => ({ toString: () => text }) };
const event = () => {
	const heard = [];
	const on = (f) => { heard.push(f); return { dispose() {} }; };
	return { on, fire: (x) => heard.forEach((f) => f(x)) };
};

const opened = event(), changed = event(), closed = event(), saved = event(), configured = event();
const state = { providers: {}, commands: {}, diagnostics: new Map(), messages: [], errors: [],
	opened, changed, closed, settings: { server: true, path: process.env.RAIDO } };

class WorkspaceEdit {
	constructor() { this.all = {}; }

	set(uri, list) { this.all[uri.toString()] = list; }
}

const languages = new Proxy({}, { get: (_, name) =>
	name === 'createDiagnosticCollection'
		? () => ({ set: (uri, list) => state.diagnostics.set(uri.toString(), list),
			delete: (uri) => state.diagnostics.delete(uri.toString()), dispose() {} })
		: (...args) => {
			// for workspace symbols there is no selector
			state.providers[name.replace(/^register|Provider$/g, '')] =
				args.find((a) => Object.keys(a).some((k) => k.startsWith('p')));
			return { dispose() {} };
		} });

module.exports = {
	state, Uri, WorkspaceEdit, languages,
	Position: make('line', 'character'), Range: make('start', 'end'),
	Location: make('uri', 'range'), TextEdit: make('range', 'newText'),
	MarkdownString: make('value'), Diagnostic: make('range', 'message', 'severity'),
	Hover: make('contents', 'range'), DocumentHighlight: make('range'),
	CompletionItem: make('label', 'kind'), CompletionList: make('items', 'isIncomplete'),
	DocumentSymbol: make('name', 'detail', 'kind', 'range', 'selectionRange'),
	SignatureHelp: make(), SignatureInformation: make('label', 'documentation'),
	ParameterInformation: make('label'), InlayHint: make('position', 'label', 'kind'),
	CodeAction: make('title', 'kind'), CodeActionKind: { Empty: { append: (k) => k } },
	FoldingRange: make('start', 'end'), SemanticTokensLegend: make('types', 'modifiers'),
	SemanticTokens: make('data'), SymbolInformation: make('name', 'kind', 'container', 'location'),
	commands: { registerCommand: (name, f) => { state.commands[name] = f; return { dispose() {} }; } },
	window: { showInformationMessage: (m) => state.messages.push(m),
		showErrorMessage: (m) => state.errors.push(m) },
	workspace: { textDocuments: [], workspaceFolders: [],
		getConfiguration: () => ({ get: (k) => state.settings[k] }),
		onDidOpenTextDocument: opened.on, onDidChangeTextDocument: changed.on,
		onDidCloseTextDocument: closed.on, onDidSaveTextDocument: saved.on,
		onDidChangeConfiguration: configured.on },
};
