// The command lsp: answers editors by the Language Server Protocol, on standard input and output.
//
//     lsp_io.c       messages                  lsp_text.c      documents, lines and columns
//     lsp_worker.c   a process per document    lsp_scope.c     the tree at a place
//     lsp_names.c    hover, definitions        lsp_refs.c, lsp_rename.c   all places of a name
//     lsp_symbols.c  outlines                  lsp_tokens.c    colours
//     lsp_complete.c completion, parameters    lsp_hints.c     types in the text
//     lsp_actions.c  diagnostics, quick fixes, derivatives
//
// This file has the loop, the documents that are open, and the table of methods.  Questions are
// answered by the worker of their document, which has loaded it.  Diagnostics wait until nothing
// else is to be read for a while, so that typing does not queue them up.
#include "cli/lsp.h"

#include <signal.h>
#include <stdlib.h>
#include <time.h>

typedef struct {
	Documents documents;
	bool ended, shut_down, initialized;
} Lsp;

// ---- Methods ----

// Of the text alone: a program with errors of types can be formatted as well, and sooner.
static const char *answer_formatting(Ask *a)
{
	Source *source = source_add("", a->document->body, strlen(a->document->body));
	File *f = source ? parse_file(source) : NULL;
	if (!f || f->failed)
		return "null";
	const char *new = format_file(f);
	if (strcmp(new, f->source->text) == 0)
		return "[]";
	Span all = {f->source->start, f->source->start + f->source->len};
	return text("[{\"range\":%s,\"newText\":%s}]", range_json(all), json_string(new));
}

static const struct {
	const char *name;
	Answer *answer;
	Need need;
	const char *otherwise;
} methods[] = {
	{"textDocument/hover", answer_hover, NEEDS_PLACE, "null"},
	{"textDocument/definition", answer_definition, NEEDS_PLACE, "null"},
	{"textDocument/typeDefinition", answer_type_definition, NEEDS_PLACE, "null"},
	{"textDocument/references", answer_references, NEEDS_ALL, "[]"},
	{"textDocument/documentHighlight", answer_highlight, NEEDS_ALL, "[]"},
	{"textDocument/prepareRename", answer_prepare_rename, NEEDS_PLACE, "null"},
	{"textDocument/rename", answer_rename, NEEDS_ALL, "null"},
	{"textDocument/documentSymbol", answer_document_symbols, NEEDS_ALL, "[]"},
	{"textDocument/foldingRange", answer_folding, NEEDS_TREE, "[]"},
	{"textDocument/semanticTokens/full", answer_tokens, NEEDS_ALL, "{\"data\":[]}"},
	{"textDocument/semanticTokens/range", answer_tokens_range, NEEDS_RANGE, "{\"data\":[]}"},
	{"textDocument/completion", answer_completion, NEEDS_PLACE,
	 "{\"isIncomplete\":true,\"items\":[]}"},
	{"textDocument/signatureHelp", answer_signature, NEEDS_PLACE, "null"},
	{"textDocument/inlayHint", answer_inlay_hints, NEEDS_RANGE, "[]"},
	{"textDocument/codeAction", answer_code_actions, NEEDS_RANGE, "[]"},
	{"textDocument/formatting", answer_formatting, NEEDS_TEXT, "null"},
	{"workspace/symbol", answer_workspace_symbols, NEEDS_TREE, "[]"},
	{"raido/derivative", answer_derivative, NEEDS_PLACE, "null"},
	{"raido/diagnostics", answer_diagnostics, NEEDS_ALL, "[]"},
};
enum { N_METHOD = sizeof methods / sizeof *methods };

static int find_method(const char *name)
{
	for (int i = 0; name && i < N_METHOD; i++)
		if (strcmp(methods[i].name, name) == 0)
			return i;
	return -1;
}

Need need_of(Answer *answer)
{
	for (int i = 0; i < N_METHOD; i++)
		if (methods[i].answer == answer)
			return methods[i].need;
	bug("an answer without a method");
}

Answer *find_answer(const char *name)
{
	int i = find_method(name);
	return i < 0 ? NULL : methods[i].answer;
}

// ---- Documents ----

static Document *find_document(Lsp *l, const char *uri)
{
	for EACH(Document, d, l->documents)
		if (uri && strcmp(d->uri, uri) == 0)
			return d;
	return NULL;
}

// Any document may import the one that changes.
static void forget_versions(Lsp *l)
{
	for EACH(Document, d, l->documents)
		d->stale = true;
}

static size_t common_prefix(const char *a, const char *b)
{
	size_t n = 0;
	while (a[n] && a[n] == b[n])
		n++;
	return n;
}

static char *absolute_path(const char *uri)
{
	return must(strdup(real_path(path_of_uri(uri))));
}

static void set_document(Lsp *l, const char *uri, const char *body)
{
	if (!uri || !body)
		return;
	forget_versions(l);
	Document *d = find_document(l, uri);
	if (!d) {
		size_t n = (size_t)l->documents.len++;
		l->documents.at = must(realloc(l->documents.at, (n + 1) * sizeof *d));
		d = &l->documents.at[n];
		*d = (Document){.uri = must(strdup(uri)), .path = absolute_path(uri)};
	}
	char *copy = must(strdup(body));
	d->stays = d->body ? common_prefix(d->body, copy) : 0;
	free(d->body);
	d->body = copy;
	d->dirty = true;
}

static void change_document(Lsp *l, const char *uri, const Json *changes)
{
	const Document *d = find_document(l, uri);
	if (d)
		set_document(l, uri, apply_changes(d->body, changes));
}

static void send_diagnostics(const char *uri, const char *list)
{
	Str s = {0};
	str_printf(&s, "{\"uri\":%s,\"diagnostics\":", json_string(uri));
	str_puts(&s, list);
	str_putc(&s, '}');
	send_notice("textDocument/publishDiagnostics", str_text(&s));
}

static void close_document(Lsp *l, const char *uri)
{
	Document *d = find_document(l, uri);
	if (!d)
		return;
	send_diagnostics(uri, "[]");
	stop_worker(d);
	free(d->uri);
	free(d->path);
	free(d->body);
	*d = l->documents.at[--l->documents.len];
	forget_versions(l);
}

static double milliseconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

enum { LONGEST_WAIT = 200 };

// A question that comes with a change would have to wait for the diagnostics: they are started when
// nothing has come for as long as they took the last time.
static void publish(Lsp *l)
{
	const char *cache = prelude_cache();
	for EACH(Document, d, l->documents) {
		if (!d->dirty)
			continue;
		if (!input_is_idle(d->took < LONGEST_WAIT ? d->took : LONGEST_WAIT))
			return;
		d->dirty = false;
		if (cache && str_starts(d->path, cache))
			continue;               // a copy of the prelude, which is no program
		double start = milliseconds();
		Reply r = ask_worker(&l->documents, d, "{\"method\":\"raido/diagnostics\"}");
		send_diagnostics(d->uri, r.result ? r.result : "[]");
		d->took = (int)(milliseconds() - start);
	}
}

// ---- Requests ----

static const char *initialize(const Json *params)
{
	const Json *encodings = member(params, "capabilities.general.positionEncodings");
	columns_are_bytes = false;
	for (int i = 0; encodings && i < encodings->items.len; i++) {
		const Json *e = encodings->items.at[i];
		columns_are_bytes |= e->kind == JSON_STRING && strcmp(e->string, "utf-8") == 0;
	}
	const char *root = member_text(params, "rootUri");
	const Json *folders = member(params, "workspaceFolders");
	if (!root && folders && folders->items.len)
		root = member_text(folders->items.at[0], "uri");
	free((char *)workspace_root);
	workspace_root = root ? absolute_path(root) : NULL;
	return text("{\"capabilities\":{\"positionEncoding\":\"%s\","
		"\"textDocumentSync\":{\"openClose\":true,\"change\":2,\"save\":true},"
		"\"hoverProvider\":true,\"definitionProvider\":true,"
		"\"typeDefinitionProvider\":true,\"referencesProvider\":true,"
		"\"documentHighlightProvider\":true,\"documentSymbolProvider\":true,"
		"\"workspaceSymbolProvider\":true,\"foldingRangeProvider\":true,"
		"\"inlayHintProvider\":true,\"documentFormattingProvider\":true,"
		"\"renameProvider\":{\"prepareProvider\":true},"
		"\"codeActionProvider\":{\"codeActionKinds\":[\"quickfix\",\"source\"]},"
		"\"executeCommandProvider\":{\"commands\":[\"raido.showDerivative\"]},"
		"\"completionProvider\":{\"triggerCharacters\":[\".\",\"#\",\"\\\"\",\"/\",\"[\"]},"
		"\"signatureHelpProvider\":{\"triggerCharacters\":[\" \",\"(\"]},"
		"\"semanticTokensProvider\":{\"legend\":%s,\"full\":true,\"range\":true}},"
		"\"serverInfo\":{\"name\":\"raido\",\"version\":\"" RAIDO_VERSION "\"}}",
		columns_are_bytes ? "utf-8" : "utf-16", token_legend);
}

static void respond_by_worker(Lsp *l, const Json *id, Document *d, int method,
                              const char *message)
{
	Reply r = ask_worker(&l->documents, d, message);
	if (r.refused)
		send_refusal(id, LSP_FAILED, r.refused);
	else
		send_answer(id, r.result ? r.result : methods[method].otherwise);
}

// Commands are questions on the document they name first.
static void execute_command(Lsp *l, const Json *id, const Json *params)
{
	const char *command = member_text(params, "command");
	const Json *args = member(params, "arguments");
	const Json *first = args && args->items.len ? args->items.at[0] : NULL;
	Document *d = find_document(l, member_text(first, "textDocument.uri"));
	if (!command || strcmp(command, "raido.showDerivative") != 0) {
		send_refusal(id, LSP_INVALID_PARAMS, "There is no such command.");
		return;
	}
	if (!d) {
		send_answer(id, "null");
		return;
	}
	const char *message = text("{\"method\":\"raido/derivative\",\"params\":{\"position\":"
		"{\"line\":%d,\"character\":%d}}}", member_int(first, "position.line"),
		member_int(first, "position.character"));
	Reply r = ask_worker(&l->documents, d, message);
	const char *shown = r.result && r.result[0] == '"' ? r.result : NULL;
	if (shown)
		send_notice("window/showMessage", text("{\"type\":3,\"message\":%s}", shown));
	send_answer(id, r.result ? r.result : "null");
}

static void respond(Lsp *l, const Json *id, const char *method, const Json *params,
                    const char *message)
{
	int i = find_method(method);
	Document *d = find_document(l, member_text(params, "textDocument.uri"));
	if (!d && strcmp(method, "workspace/symbol") == 0 && l->documents.len)
		d = l->documents.at;
	if (strcmp(method, "initialize") == 0) {
		l->initialized = true;
		send_answer(id, initialize(params));
	} else if (!l->initialized) {
		send_refusal(id, LSP_NOT_INITIALIZED, "The first message is \"initialize\".");
	} else if (l->shut_down) {
		send_refusal(id, LSP_INVALID_REQUEST, "The server is shut down.");
	} else if (strcmp(method, "shutdown") == 0) {
		l->shut_down = true;
		send_answer(id, "null");
	} else if (strcmp(method, "raido/deaths") == 0) {
		send_answer(id, text("%d", worker_deaths));
	} else if (strcmp(method, "workspace/executeCommand") == 0) {
		execute_command(l, id, params);
	} else if (i < 0) {
		send_refusal(id, LSP_NO_METHOD, text("There is no method %s.", method));
	} else if (is_cancelled(id)) {
		send_refusal(id, LSP_CANCELLED, "The request was cancelled.");
	} else if (!d) {
		send_answer(id, methods[i].otherwise);
	} else {
		respond_by_worker(l, id, d, i, message);
	}
}

static void notice(Lsp *l, const char *method, const Json *params)
{
	const char *uri = member_text(params, "textDocument.uri");
	if (strcmp(method, "exit") == 0) {
		l->ended = true;
	} else if (strcmp(method, "textDocument/didOpen") == 0) {
		set_document(l, uri, member_text(params, "textDocument.text"));
	} else if (strcmp(method, "textDocument/didChange") == 0) {
		change_document(l, uri, member(params, "contentChanges"));
	} else if (strcmp(method, "textDocument/didClose") == 0) {
		close_document(l, uri);
	} else if (strcmp(method, "textDocument/didSave") == 0 ||
	           strcmp(method, "workspace/didChangeWatchedFiles") == 0) {
		forget_versions(l);
		for EACH(Document, d, l->documents)
			d->dirty = true; // an import of theirs may have changed
	}
}

static void take_message(Lsp *l, const char *body)
{
	const char *why;
	const Json *message = json_parse(body, &why), *id = json_member(message, "id");
	const char *method = message ? member_text(message, "method") : NULL;
	bool is_reply = json_member(message, "result") || json_member(message, "error");
	if (!message)
		send_refusal(NULL, LSP_PARSE_ERROR, why);
	else if (!method && !is_reply)
		send_refusal(id, LSP_INVALID_REQUEST, "The message has no method.");
	else if (method && id)
		respond(l, id, method, json_member(message, "params"), body);
	else if (method)
		notice(l, method, json_member(message, "params"));
}

int cmd_lsp(int argc, char **argv)
{
	const Usage u = {
		"lsp", "", "Runs a language server for editors (Language Server Protocol) on "
		"standard input and output.  See docs/editors.md.", 0, 0, {NULL, 0}, NULL,
	};
	parse_args(&u, argc, argv);
	Lsp l = {0};
	signal(SIGPIPE, SIG_IGN);               // of workers that ended
	prelude_keep();
	const MemMark before = mem_mark();
	for (const char *body; !l.ended && (body = receive_message()); mem_release(before)) {
		take_message(&l, body);
		publish(&l);
	}
	for EACH(Document, d, l.documents)
		stop_worker(d);
	return l.shut_down ? 0 : 1;
}
