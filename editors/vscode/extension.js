// Starts `raido lsp` for Futhark programs.  Without it highlighting still works.
'use strict';

const vscode = require('vscode');
const { Client } = require('./client');

let client;

function failed(reason) {
	client = undefined;
	vscode.window.showErrorMessage(
		`The language server does not run (${reason}). Set raido.path to the program.`);
}

async function start() {
	const settings = vscode.workspace.getConfiguration('raido');
	if (!settings.get('server'))
		return;
	client = new Client(settings.get('path'), failed);
	await client.start().catch(() => {}); // `failed` has said why
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
