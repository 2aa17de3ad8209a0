// The command lsp: answers editors by the Language Server Protocol, on standard input and output.
//
//     Content-Length: 52                         a message: JSON-RPC 2.0
//
//     {"jsonrpc":"2.0","id":1,"method":"shutdown"}
//
// Offered are diagnostics, hover, definitions and formatting.  Documents are kept as the editor
// last sent them; each question is answered in a process of its own, which reads the document
// instead of its file, and whose end, however it comes about, leaves the server alone.
// Diagnostics wait until nothing else is to be read, so that typing does not queue them up.
//
// Places have lines and columns from 0; columns count characters, which for those beyond the
// 65,536th is not what the protocol says.
#include "cli/cli.h"

#include <ctype.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

// All that outlives a message is allocated apart: the rest is released after each.
typedef struct { char *uri, *body; bool dirty; } Document;
typedef struct {
	struct { Document *at; int len; } documents;
	struct { char *at; size_t len, cap; } unread;
	bool ended, shut_down;
} Lsp;

// ---- Messages ----

static bool read_more(Lsp *l)
{
	char buffer[1 << 16];
	ssize_t n = 0;
	do
		n = read(STDIN_FILENO, buffer, sizeof buffer);
	while (n < 0 && errno == EINTR);
	if (n <= 0)
		return false;
	size_t need = l->unread.len + (size_t)n + 1;
	if (need > l->unread.cap) {
		l->unread.cap = need + need / 2;
		l->unread.at = must(realloc(l->unread.at, l->unread.cap));
	}
	memcpy(l->unread.at + l->unread.len, buffer, (size_t)n);
	l->unread.len += (size_t)n;
	l->unread.at[l->unread.len] = 0;
	return true;
}

// The length of the header with its end and, in *length, of the body; 0: not all there.
static size_t header_length(const Lsp *l, size_t *length)
{
	const char *start = l->unread.at;
	const char *end = l->unread.len ? strstr(start, "\r\n\r\n") : NULL;
	*length = 0;
	for (const char *at = start; end && at && at < end; ) {
		if (strncmp(at, "Content-Length:", 15) == 0)
			*length = strtoull(at + 15, NULL, 10);
		at = strstr(at, "\r\n");
		at = at ? at + 2 : NULL;
	}
	return end ? (size_t)(end + 4 - start) : 0;
}

// The next message; NULL at the end.
static const char *receive(Lsp *l)
{
	for (;;) {
		size_t length, header = header_length(l, &length);
		if (header && l->unread.len - header >= length) {
			const char *body = text("%.*s", (int)length, l->unread.at + header);
			l->unread.len -= header + length;
			memmove(l->unread.at, l->unread.at + header + length, l->unread.len + 1);
			return body;
		}
		if (!read_more(l))
			return NULL;
	}
}

static bool is_idle(const Lsp *l)
{
	struct pollfd fd = {.fd = STDIN_FILENO, .events = POLLIN};
	return l->unread.len == 0 && poll(&fd, 1, 0) <= 0;
}

static void send_message(const char *body)
{
	printf("Content-Length: %zu\r\n\r\n%s", strlen(body), body);
	fflush(stdout);
}

static const char *show_id(const Json *id)
{
	return !id ? "null" : id->kind == JSON_NUMBER ? text("%.0f", id->number)
	     : id->kind == JSON_STRING ? json_string(id->string) : "null";
}

static void answer(const Json *id, const char *result)
{
	send_message(text("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}", show_id(id), result));
}

static void refuse(const Json *id, int code, const char *why)
{
	send_message(text("{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":%d,\"message\":%s}}",
	                  show_id(id), code, json_string(why)));
}

// The member at a path such as "textDocument.uri".
static const Json *member(const Json *j, const char *path)
{
	while (j && *path) {
		size_t n = strcspn(path, ".");
		j = json_member(j, text("%.*s", (int)n, path));
		path += n + (path[n] == '.');
	}
	return j;
}

static const char *member_text(const Json *j, const char *path)
{
	const Json *m = member(j, path);
	return m && m->kind == JSON_STRING ? m->string : NULL;
}

static int member_int(const Json *j, const char *path)
{
	const Json *m = member(j, path);
	bool fits = m && m->kind == JSON_NUMBER && m->number >= 0 && m->number < 1e9;
	return fits ? (int)m->number : 0;
}

// ---- Documents ----

static Document *find_document(Lsp *l, const char *uri)
{
	for EACH(Document, d, l->documents)
		if (uri && strcmp(d->uri, uri) == 0)
			return d;
	return NULL;
}

static void set_document(Lsp *l, const char *uri, const char *body)
{
	Document *d = find_document(l, uri);
	if (!uri || !body)
		return;
	if (!d) {
		size_t n = (size_t)l->documents.len++;
		l->documents.at = must(realloc(l->documents.at, (n + 1) * sizeof *d));
		d = &l->documents.at[n];
		*d = (Document){.uri = must(strdup(uri))};
	}
	free(d->body);
	d->body = must(strdup(body));
	d->dirty = true;
}

static void send_diagnostics(const char *uri, const char *list)
{
	send_message(text("{\"jsonrpc\":\"2.0\","
	                  "\"method\":\"textDocument/publishDiagnostics\","
	                  "\"params\":{\"uri\":%s,\"diagnostics\":%s}}", json_string(uri), list));
}

static void close_document(Lsp *l, const char *uri)
{
	Document *d = find_document(l, uri);
	if (!d)
		return;
	send_diagnostics(uri, "[]");
	free(d->uri);
	free(d->body);
	*d = l->documents.at[--l->documents.len];
}

// "/a b.fut" of "file:///a%20b.fut".
static const char *path_of_uri(const char *uri)
{
	Str s = {0};
	for (const char *p = str_starts(uri, "file://") ? uri + 7 : uri; *p; p++)
		if (*p == '%' && isxdigit((unsigned char)p[1]) && isxdigit((unsigned char)p[2])) {
			str_putc(&s, (char)strtol(text("%.2s", p + 1), NULL, 16));
			p += 2;
		} else {
			str_putc(&s, *p);
		}
	return str_text(&s);
}

static const char *uri_of_path(const char *path)
{
	Str s = {0};
	str_puts(&s, "file://");
	for (; *path; path++)
		if (isalnum((unsigned char)*path) || strchr("/-_.~", *path))
			str_putc(&s, *path);
		else
			str_printf(&s, "%%%02X", (unsigned char)*path);
	return str_text(&s);
}

// ---- Answers, in a process of their own ----

typedef struct { const Document *document; int line, col; } Question; // from 1

static const char *range(int line, int col, int end_line, int end_col)
{
	return text("{\"start\":{\"line\":%d,\"character\":%d},"
	            "\"end\":{\"line\":%d,\"character\":%d}}", line, col, end_line, end_col);
}

static const char *show_range(Span at)
{
	Pos a = loc_pos(at.lo), b = loc_pos(at.hi);
	return range(a.line - 1, a.col - 1, b.line - 1, b.col - 1);
}

// In the directory of the document, so that imports are found.
static Program *load_document(const Document *d, const char **name)
{
	const char *path = path_of_uri(d->uri), *slash = strrchr(path, '/');
	if (slash && chdir(slash == path ? "/" : dir_of(path)) != 0)
		return NULL;
	*name = slash ? slash + 1 : path;
	return load_text(*name, d->body, strlen(d->body), (LoadOptions){0});
}

// What is wrong in other files is shown at the beginning of this one.
static const char *diagnose(const Question *q)
{
	Str s = {0};
	const char *name = "";
	load_document(q->document, &name);
	str_putc(&s, '[');
	for EACH(Diag *, at, diags) {
		const Diag *d = *at;
		bool here = d->span.lo && strcmp(loc_pos(d->span.lo).file, name) == 0;
		const char *place = here || !d->span.lo ? "" : text("%s: ", show_span(d->span));
		const char *message = text("%s%s%s%s", place, d->message, d->notes ? "\n" : "",
		                           d->notes ? d->notes : "");
		str_printf(&s, "%s{\"range\":%s,\"severity\":%d,\"source\":\"raido\","
		           "\"message\":%s}", s.len > 1 ? "," : "",
		           here ? show_range(d->span) : range(0, 0, 0, 1),
		           d->kind == D_ERROR ? 1 : 2, json_string(message));
	}
	str_putc(&s, ']');
	return str_text(&s);
}

// Also of a program with errors: what was checked of it has types.
static bool name_of_question(const Question *q, NameInfo *out)
{
	const char *name = "";
	Program *p = load_document(q->document, &name);
	return p && p->root && find_name_at(p, q->line, q->col, out) &&
	       (name_type(out) || (out->binding && !out->binding->poisoned));
}

static const char *hover(const Question *q)
{
	NameInfo n;
	if (!name_of_question(q, &n))
		return "null";
	const Decl *d = n.binding ? n.binding->decl : NULL;
	const char *type = name_type(&n), *doc = d ? d->doc : NULL;
	const char *shown = text("```futhark\n%s%s%s\n```%s%s", n.name, type ? " : " : "",
	                         type ? type : "", doc ? "\n\n" : "", doc ? doc : "");
	return text("{\"contents\":{\"kind\":\"markdown\",\"value\":%s},\"range\":%s}",
	            json_string(shown), show_range(n.position));
}

// Nothing for the prelude, which is in no file.
static const char *definition(const Question *q)
{
	NameInfo n;
	if (!name_of_question(q, &n) || !n.binding || !n.binding->span.lo)
		return "null";
	const char *file = loc_pos(n.binding->span.lo).file;
	char *absolute = str_starts(file, "/prelude/") ? NULL : realpath(file, NULL);
	const char *name = strrchr(path_of_uri(q->document->uri), '/');
	bool here = name && strcmp(name + 1, file) == 0;
	if (!absolute && !here)
		return "null";
	return text("{\"uri\":%s,\"range\":%s}",
	            json_string(here ? q->document->uri : uri_of_path(absolute)),
	            show_range(n.binding->span));
}

static const char *format(const Question *q)
{
	Source *source = source_add("", q->document->body, strlen(q->document->body));
	File *f = source ? parse_file(source) : NULL;
	if (!f || f->failed || diag_count(D_ERROR))
		return "null";
	return text("[{\"range\":%s,\"newText\":%s}]", range(0, 0, source->n_lines + 1, 0),
	            json_string(format_file(f)));
}

// What `f` says, by a process of its own; `otherwise` if that fails.
static const char *ask(const char *(*f)(const Question *), const Question *q, const char *otherwise)
{
	int ends[2];
	if (!q->document || pipe(ends) != 0)
		return otherwise;
	pid_t pid = fork();
	if (pid == 0) {
		close(ends[0]);
		const char *said = f(q);
		for (size_t n = strlen(said); n; ) {
			ssize_t k = write(ends[1], said, n);
			if (k < 0 && errno != EINTR)
				_exit(1);
			said += k > 0 ? k : 0;
			n -= k > 0 ? (size_t)k : 0;
		}
		_exit(0);
	}
	close(ends[1]);
	Str said = {0};
	char buffer[4096];
	for (ssize_t n; pid > 0 && (n = read(ends[0], buffer, sizeof buffer)) != 0; )
		if (n > 0)
			str_putn(&said, buffer, (size_t)n);
		else if (errno != EINTR)
			break;
	close(ends[0]);
	int status = 1;
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		continue;
	return status == 0 && said.len ? str_text(&said) : otherwise;
}

static void publish(Lsp *l)
{
	for EACH(Document, d, l->documents) {
		if (!d->dirty)
			continue;
		d->dirty = false;
		send_diagnostics(d->uri, ask(diagnose, &(Question){.document = d}, "[]"));
	}
}

// ---- Methods ----

static void notice(Lsp *l, const char *method, const Json *params)
{
	const char *uri = member_text(params, "textDocument.uri");
	const Json *changes = member(params, "contentChanges");
	if (strcmp(method, "exit") == 0)
		l->ended = true;
	else if (strcmp(method, "textDocument/didOpen") == 0)
		set_document(l, uri, member_text(params, "textDocument.text"));
	else if (strcmp(method, "textDocument/didChange") == 0 && changes && changes->items.len)
		set_document(l, uri,
		             member_text(changes->items.at[changes->items.len - 1], "text"));
	else if (strcmp(method, "textDocument/didClose") == 0)
		close_document(l, uri);
	else if (strcmp(method, "textDocument/didSave") == 0)
		for EACH(Document, d, l->documents)
			d->dirty = true; // an import of theirs may have changed
}

static void respond(Lsp *l, const Json *id, const char *method, const Json *params)
{
	Question q = {find_document(l, member_text(params, "textDocument.uri")),
	              member_int(params, "position.line") + 1,
	              member_int(params, "position.character") + 1};
	if (strcmp(method, "initialize") == 0)
		answer(id, "{\"capabilities\":{\"textDocumentSync\":{\"openClose\":true,"
		           "\"change\":1,\"save\":true},\"hoverProvider\":true,"
		           "\"definitionProvider\":true,\"documentFormattingProvider\":true},"
		           "\"serverInfo\":{\"name\":\"raido\","
		           "\"version\":\"" RAIDO_VERSION "\"}}");
	else if (strcmp(method, "shutdown") == 0)
		answer(id, "null");
	else if (strcmp(method, "textDocument/hover") == 0)
		answer(id, ask(hover, &q, "null"));
	else if (strcmp(method, "textDocument/definition") == 0)
		answer(id, ask(definition, &q, "null"));
	else if (strcmp(method, "textDocument/formatting") == 0)
		answer(id, ask(format, &q, "null"));
	else
		refuse(id, -32601, text("There is no method %s.", method));
	l->shut_down |= strcmp(method, "shutdown") == 0;
}

int cmd_lsp(int argc, char **argv)
{
	const Usage u = {
		"lsp", "", "Answers editors, over standard input and output: errors, types, "
		"definitions, layout, by the Language Server Protocol.", 0, 0, {NULL, 0}, NULL,
	};
	parse_args(&u, argc, argv);
	Lsp l = {0};
	const MemMark before = mem_mark();
	for (const char *body; !l.ended && (body = receive(&l)) != NULL; mem_release(before)) {
		const char *why;
		const Json *message = json_parse(body, &why), *id = json_member(message, "id");
		const char *method = message ? member_text(message, "method") : NULL;
		if (!message)
			refuse(NULL, -32700, why);
		else if (!method && id && !json_member(message, "result") &&
		         !json_member(message, "error"))
			refuse(id, -32600, "The message has no method.");
		else if (method && id)
			respond(&l, id, method, json_member(message, "params"));
		else if (method)
			notice(&l, method, json_member(message, "params"));
		if (is_idle(&l))
			publish(&l);
	}
	return l.shut_down ? 0 : 1;
}
