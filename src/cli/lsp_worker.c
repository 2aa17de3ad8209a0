// Workers of the language server: each open document is loaded and checked in a process of its own,
// which then answers all requests about that version.  If it crashes or exits, the server is
// unaffected.  The next change of any document ends it, since documents may import each other.
//
//     server -> worker   length, the message as the editor sent it
//     worker -> server   length, 'R' and the result or 'E' and why there is none
//
// The program is loaded for the first request that needs it.  Memory allocated for an answer is
// released after it.
#include "cli/lsp.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE = 20 };                         // seconds for one answer

// ---- Loading ----

static const Documents *overlay;                // open documents, in place of their files

static const char *read_open_document(const char *path, size_t *len)
{
	Name real = real_path(path);
	const char *body = NULL;
	for EACH(Document, d, *overlay)
		if (strcmp(d->path, real) == 0)
			body = d->body;
	if (!body)
		return read_file(path, len);
	*len = strlen(body);
	return body;
}

Program *load_for_editor(const Documents *documents, const char *name, const char *body, size_t len)
{
	overlay = documents;
	return load_text(name, body, len, (LoadOptions){
		.tolerant = true, .names = true, .read = read_open_document});
}

static int by_place(const void *a, const void *b)
{
	const Use *x = a, *y = b;
	if (x->span.lo != y->span.lo)
		return x->span.lo < y->span.lo ? -1 : 1;
	if (x->defines != y->defines)
		return x->defines ? -1 : 1;
	Loc p = x->definition.lo, q = y->definition.lo;
	return p < q ? -1 : p > q;
}

Uses sorted_uses(const Program *p)
{
	Uses out = {0};
	for EACH(Use, u, p->uses)
		VEC_PUSH(&out, *u);
	if (out.len)
		qsort(out.at, (size_t)out.len, sizeof *out.at, by_place);
	int n = 0;
	for (int i = 0; i < out.len; i++)
		if (!n || by_place(&out.at[n - 1], &out.at[i]) != 0)
			out.at[n++] = out.at[i];
		else if (out.at[i].value && out.at[i].value->scheme.type)
			out.at[n - 1] = out.at[i];      // the later one is of the later phase
	out.len = n;
	return out;
}

const Use *use_at(const Ask *a, Loc at)
{
	const Use *found = NULL;
	int lo = 0, hi = a->uses.len;
	while (lo < hi) {                       // the first that begins after `at`
		int mid = lo + (hi - lo) / 2;
		if (a->uses.at[mid].span.lo <= at)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (int i = lo; i-- > 0 && i > lo - 8; ) {
		const Use *u = &a->uses.at[i];
		if (at < u->span.hi)
			return u;
		if (at == u->span.hi && !found)
			found = u;
	}
	return found;
}

// In the directory of the document, so that imports are found.
static void load(Ask *a)
{
	const char *path = path_of_uri(a->document->uri), *slash = strrchr(path, '/');
	// A document without a folder is a program without imports.
	bool there = slash && chdir(slash == path ? "/" : dir_of(path)) == 0;
	const char *name = there ? slash + 1 : path;
	a->program = load_for_editor(a->documents, name, a->document->body,
	                             strlen(a->document->body));
	a->source = a->program && a->program->root ? a->program->root->source : NULL;
	if (a->source)
		a->uses = sorted_uses(a->program);
}

// ---- The worker ----

static const char *answer_message(Ask *a, Answer *f, const Json *params)
{
	a->params = params;
	a->refused = NULL;
	if (!f || (needs_program(f) && !a->source))
		return "null";
	if (!needs_program(f))
		return f(a);
	size_t at = offset_of(a->source->text, a->source->len,
	                      member_int(a->params, "position.line"),
	                      member_int(a->params, "position.character"));
	a->at = a->source->start + (Loc)at;
	return f(a);
}

static bool put_framed(int fd, const char *bytes, size_t n)
{
	uint64_t length = n;
	return write_all(fd, &length, sizeof length) && write_all(fd, bytes, n);
}

static char *get_framed(int fd)
{
	uint64_t n;
	if (!read_all(fd, &n, sizeof n))
		return NULL;
	char *bytes = mem_alloc((size_t)n + 1);
	return read_all(fd, bytes, (size_t)n) ? bytes : NULL;
}

NORETURN static void work(const Documents *documents, const Document *d, int in, int out)
{
	Ask a = {.documents = documents, .document = d};
	bool loaded = false;
	int sources = sources_mark(), n_diags = diags.len;
	Diags kept = diags;
	for (MemMark mark = mem_mark();; mem_release(mark)) {
		alarm(0);
		const char *why, *body = get_framed(in);
		if (!body)
			_exit(0);
		alarm(PATIENCE);
		const Json *message = json_parse(body, &why);
		Answer *f = find_answer(member_text(message, "method"));
		if (!loaded && f && needs_program(f)) {
			load(&a);
			loaded = true;
			sources = sources_mark();
			n_diags = diags.len;
			kept = diags;
			mark = mem_mark();
		}
		const char *result = answer_message(&a, f, member(message, "params"));
		Str s = {0};
		str_putc(&s, a.refused ? 'E' : 'R');
		str_puts(&s, a.refused ? a.refused : result);
		if (!put_framed(out, s.at, s.len))
			_exit(1);
		sources_release(sources);
		diags = kept;
		diags.len = diags.cap = n_diags;
	}
}

// ---- The server's side ----

int worker_deaths;

void stop_worker(Document *d)
{
	Worker *w = &d->worker;
	if (!w->pid)
		return;
	close(w->to);
	close(w->from);
	kill(w->pid, SIGKILL);
	while (waitpid(w->pid, NULL, 0) < 0 && errno == EINTR)
		continue;
	*w = (Worker){0};
}

static void close_others(const Documents *documents)
{
	for EACH(Document, d, *documents)
		if (d->worker.pid) {
			close(d->worker.to);
			close(d->worker.from);
		}
}

static bool start_worker(const Documents *documents, Document *d)
{
	int to[2], from[2];
	if (pipe(to) != 0)
		return false;
	if (pipe(from) != 0) {
		close(to[0]);
		close(to[1]);
		return false;
	}
	fflush(stdout);
	pid_t pid = fork();
	if (pid == 0) {
		close(to[1]);
		close(from[0]);
		close_others(documents);
		close(STDIN_FILENO);
		dup2(STDERR_FILENO, STDOUT_FILENO);
		work(documents, d, to[0], from[1]);
	}
	close(to[0]);
	close(from[1]);
	if (pid < 0) {
		close(to[1]);
		close(from[0]);
		return false;
	}
	d->worker = (Worker){pid, to[1], from[0]};
	return true;
}

Reply ask_worker(const Documents *documents, Document *d, const char *message)
{
	if (!d->worker.pid && !start_worker(documents, d))
		return (Reply){0};
	char *said = put_framed(d->worker.to, message, strlen(message))
	           ? get_framed(d->worker.from) : NULL;
	if (!said) {
		worker_deaths++;
		stop_worker(d);
		return (Reply){0};
	}
	return *said == 'R' ? (Reply){.result = said + 1} : (Reply){.refused = said + 1};
}
