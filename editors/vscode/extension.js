// Starts `raido lsp` for Futhark programs.  Without it highlighting still works.
'use strict';

const vscode = require('vscode');
const { LanguageClient, TransportKind } = require('vscode-languageclient/node');

let client;

function makeClient() {
	const settings = vscode.workspace.getConfiguration('raido');
	const run = { command: settings.get('path'), args: ['lsp'], transport: TransportKind.stdio };
	return new LanguageClient('raido', 'Raido', { run, debug: run }, {
		documentSelector: [{ language: 'futhark' }],
	});
}

async function start() {
	if (!vscode.workspace.getConfiguration('raido').get('server'))
		return;
	client = makeClient();
	try {
		await client.start();
	} catch (error) {
		client = undefined;
		vscode.window.showErrorMessage(
			`The language server did not start (${error.message}). Set raido.path to the program.`);
	}
}

async function stop() {
	const running = client;
	client = undefined;
	if (running)
		await running.stop();
}

async function restart() {
	await stop();
	await start();
}

function activate(context) {
	context.subscriptions.push(
		vscode.commands.registerCommand('raido.restart', restart),
		vscode.workspace.onDidChangeConfiguration(
			(change) => change.affectsConfiguration('raido') && restart()));
	return start();
}

module.exports = { activate, deactivate: stop };
