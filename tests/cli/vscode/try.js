// The extension for Visual Studio Code against `raido lsp`, with the editor played by vscode.js:
//   RAIDO=path NODE_PATH=tests/cli/vscode node tests/cli/vscode/try.js EXTENSION
'use strict';

const assert = require('assert');
const vscode = require('vscode');
const extension = require(process.argv[2]);

const { state } = vscode;
let text = '-- | Twice.\ndef f (x: f64) (y: f64) = x * y\ndef g = f 1 lenght\n';
const document = { languageId: 'futhark', version: 1, getText: () => text,
	uri: vscode.Uri.parse('file:///nowhere/a.fut') };
const at = (line, character) => new vscode.Position(line, character);
const uri = document.uri.toString();

async function until(holds) {
	for (let i = 0; i < 600 && !holds(); i++)
		await new Promise((go) => setTimeout(go, 50));
	assert(holds());
}

function change(start, end, by) {
	const lines = text.split('\n');
	const line = lines[start.line];
	lines[start.line] = line.slice(0, start.character) + by + line.slice(end.character);
	text = lines.join('\n');
	document.version++;
	state.diagnostics.clear();
	state.changed.fire({ document, contentChanges: [
		{ range: new vscode.Range(start, end), text: by }] });
}

async function main() {
	const context = { subscriptions: [] };
	vscode.workspace.textDocuments.push(document);
	await extension.activate(context);
	const p = state.providers;
	await until(() => state.diagnostics.has(uri));
	const [wrong] = state.diagnostics.get(uri);
	assert.deepStrictEqual([wrong.severity, wrong.range.start.line, wrong.range.start.character],
		[0, 2, 12]);
	const hover = await p.Hover.provideHover(document, at(2, 8));
	assert(/f : f64 -> f64 -> f64[^]*Twice/.test(hover.contents.value));
	const list = await p.CompletionItem.provideCompletionItems(document, at(2, 15));
	assert(list.items.some((i) => i.label === 'length' && i.kind === 2 && i.documentation.value));
	const actions = await p.CodeActions.provideCodeActions(document,
		new vscode.Range(at(2, 0), at(2, 18)));
	assert.deepStrictEqual(actions[0].edit.all[uri].map((e) => e.newText), ['length']);
	change(at(2, 12), at(2, 18), '2');
	await until(() => state.diagnostics.has(uri));
	assert.deepStrictEqual(state.diagnostics.get(uri), []);
	const help = await p.SignatureHelp.provideSignatureHelp(document, at(2, 12));
	assert.strictEqual(help.signatures[0].parameters.length, 2);
	const [to] = await p.Definition.provideDefinition(document, at(2, 8));
	assert.strictEqual(to.range.start.line, 1);
	const renamed = await p.Rename.provideRenameEdits(document, at(1, 4), 'h');
	assert.strictEqual(renamed.all[uri].length, 2);
	assert.strictEqual((await p.Rename.prepareRename(document, at(1, 4))).placeholder, 'f');
	await assert.rejects(p.Rename.provideRenameEdits(document, at(1, 4), 'not a name'));
	assert.strictEqual((await p.Reference.provideReferences(document, at(1, 4),
		{ includeDeclaration: true })).length, 2);
	const symbols = await p.DocumentSymbol.provideDocumentSymbols(document);
	assert.deepStrictEqual(symbols.map((s) => [s.name, s.kind]), [['f', 11], ['g', 13]]);
	const hints = await p.InlayHints.provideInlayHints(document,
		new vscode.Range(at(0, 0), at(3, 0)));
	assert.deepStrictEqual(hints.map((h) => h.label), [': f64', ': f64']);
	const tokens = await p.DocumentSemanticTokens.provideDocumentSemanticTokens(document);
	assert(tokens.data.length > 0 && tokens.data.length % 5 === 0);
	change(at(2, 5), at(2, 6), '     ');
	const [edit] = await p.DocumentFormattingEdit.provideDocumentFormattingEdits(document);
	assert(/def g = f 1 2\n/.test(edit.newText));
	await state.commands['raido.showDerivative'](
		{ textDocument: { uri }, position: at(1, 4) });
	await until(() => state.messages.length);
	assert(/vjp/.test(state.messages[0]));
	state.closed.fire(document);
	await extension.deactivate();
	state.settings.path = '/nowhere/raido';
	await state.commands['raido.restart']();
	await until(() => state.errors.length);
	assert(/Set raido\.path/.test(state.errors[0]));
	console.log(`all answered: ${Object.keys(p).sort().join(' ')}`);
}

main().catch((error) => { console.error(error); process.exit(1); });
