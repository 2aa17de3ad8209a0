// Workers of the language server: each open document is loaded and checked in processes of its own.
// If they crash or exit, the server is unaffected.
//
//     server --- stem --- worker        one stem for each document, one worker for its version
//
// The stem has the document checked up to about the place that is edited (check/edit.c) and waits
// there.  For each version it forks a worker, which checks the rest as far as a question needs it
// and answers.  So a change costs what comes after it; where the user goes on further down the stem
// follows, and where a change is above its place, or imports changed, the server starts a new stem.
// What an answer says depends on the text alone, not on the changes that led to it.
//
//     server -> stem     length, 'T' and the documents: a version to answer questions about
//                        length, 'Q' and a message as the editor sent it: passed on to the worker
//     stem -> server     length, 'R' and the result, 'E' and why there is none,
//                        'X': this stem will not do, 'D': the worker died
//
// Memory allocated for an answer is released after it, in the stem that for a version.
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

static const LoadOptions for_editor = {.tolerant = true, .names = true, .read = read_open_document};

Program *load_for_editor(const Documents *documents, const char *name, const char *body, size_t len)
{
	overlay = documents;
	return load_text(name, body, len, for_editor);
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
	VEC_APPEND(&out, p->uses);
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

static int by_span(const void *a, const void *b)
{
	const Diag *x = *(Diag *const *)a, *y = *(Diag *const *)b;
	if (x->span.lo != y->span.lo)
		return x->span.lo < y->span.lo ? -1 : 1;
	return x->span.hi != y->span.hi ? x->span.hi < y->span.hi ? -1 : 1 : 0;
}

// Of equal places in the order in which they were found, syntax errors first.
static Diags sorted_diags(const Program *p)
{
	Diags out = {0};
	VEC_APPEND(&out, p->syntax);
	VEC_APPEND(&out, diags);
	for (int i = 1; i < out.len; i++)
		for (int k = i; k && by_span(&out.at[k - 1], &out.at[k]) > 0; k--) {
			Diag *d = out.at[k];
			out.at[k] = out.at[k - 1];
			out.at[k - 1] = d;
		}
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

Span decl_at(const Ask *a)
{
	Span found = NOWHERE;
	for EACH(Decl *, d, a->program->root->decls)
		if ((*d)->span.lo <= a->at)
			found = (*d)->span;
	return found;
}

// ---- Frames ----

static bool put_framed(int fd, const char *bytes, size_t n)
{
	uint64_t length = n;
	return write_all(fd, &length, sizeof length) && write_all(fd, bytes, n);
}

typedef struct { char *at; size_t len; } Frame; // at NULL: the end

static Frame get_framed(int fd)
{
	uint64_t n;
	if (!read_all(fd, &n, sizeof n))
		return (Frame){0};
	char *bytes = mem_alloc((size_t)n + 1);
	return read_all(fd, bytes, (size_t)n) ? (Frame){bytes, (size_t)n} : (Frame){0};
}

// A version: which document it is of, how much of its text is likely to stay, all documents.
static Str frame_of_version(const Documents *documents, const Document *of)
{
	Str s = {0};
	str_printf(&s, "T%d %zu %d", (int)(of - documents->at), of->stays, documents->len);
	for EACH(Document, d, *documents) {
		const char *parts[] = {d->uri, d->path, d->body};
		str_putc(&s, 0);
		for (int i = 0; i < 3; i++)
			str_putn(&s, parts[i], strlen(parts[i]) + 1);
		s.len--;                        // the next one begins with the zero
	}
	str_putc(&s, 0);
	return s;
}

typedef struct { Documents documents; const Document *own; } Version;

static char *next_part(char **at)
{
	char *part = *at;
	*at += strlen(part) + 1;
	return part;
}

static Version version_of_frame(Frame f)
{
	char *at = f.at + 1, *numbers = next_part(&at);
	int own = (int)strtol(numbers, &numbers, 10);
	size_t stays = strtoull(numbers, &numbers, 10);
	Version v = {{NULL, (int)strtol(numbers, &numbers, 10)}, NULL};
	v.documents.at = NEW_ARRAY(Document, v.documents.len);
	for EACH(Document, d, v.documents) {
		d->uri = next_part(&at);
		d->path = next_part(&at);
		d->body = next_part(&at);
	}
	v.documents.at[own].stays = stays;
	v.own = &v.documents.at[own];
	return v;
}

// ---- Children ----

static bool start_child(Worker *w, void (*run)(void *, int in, int out), void *ctx)
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
		mem_fence();                    // new pages are cheaper than copies of shared ones
		run(ctx, to[0], from[1]);
		_exit(0);
	}
	close(to[0]);
	close(from[1]);
	if (pid < 0) {
		close(to[1]);
		close(from[0]);
		return false;
	}
	*w = (Worker){pid, to[1], from[0]};
	return true;
}

// Whoever leads a group waits for input, or has died: it sees the end of its input, stops its own
// child and exits.  Only what a dead one left behind has to be killed.
static void stop_child(Worker *w, bool group)
{
	siginfo_t info;
	if (!w->pid)
		return;
	close(w->to);
	close(w->from);
	while (group && waitid(P_PID, (id_t)w->pid, &info, WEXITED | WNOWAIT) < 0 && errno == EINTR)
		continue;
	kill(group ? -w->pid : w->pid, SIGKILL);
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

// ---- The worker ----

static Loc loc_at(const Ask *a, const char *path)
{
	const Json *p = member(a->params, path);
	return a->source->start + (Loc)offset_of(a->source->text, a->source->len,
	                                         member_int(p, "line"),
	                                         member_int(p, "character"));
}

static Loc last_needed(const Ask *a, Need need)
{
	switch (need) {
	case NEEDS_TEXT: case NEEDS_TREE:
		return 0;
	case NEEDS_PLACE:
		return a->at;
	case NEEDS_RANGE:
		return member(a->params, "range") ? loc_at(a, "range.end") : UINT32_MAX;
	case NEEDS_ALL:
		return UINT32_MAX;
	}
	bug("need");
}

enum { SHARES = 8 };                            // a document is checked in so many parts at most

// Checks what the answer depends on; whether something new is to be kept.
static bool check_for(Ask *a, Need need)
{
	Loc until = last_needed(a, need), all = a->source->start + a->source->len;
	if (a->checked && (until <= a->checked || a->checked >= all))
		return false;
	if (a->checked && until < a->checked + a->source->len / SHARES)
		until = a->checked + a->source->len / SHARES;
	program_check(a->program, until);
	program_explain(a->program);
	a->uses = sorted_uses(a->program);
	a->diags = sorted_diags(a->program);
	a->checked = until > 0 ? until : 1;
	return true;
}

static const char *answer_message(Ask *a, Answer *f)
{
	a->refused = NULL;
	if (!f || (need_of(f) != NEEDS_TEXT && !a->source))
		return "null";
	if (need_of(f) == NEEDS_TEXT)
		return f(a);
	show_names_begin();
	show_names_for(decl_at(a));
	const char *answer = f(a);
	show_names_end();
	return answer;
}

NORETURN static void work(Ask *a, int in, int out)
{
	int sources = sources_mark(), n_diags = diags.len;
	Diags kept = diags;
	for (MemMark mark = mem_mark();; mem_release(mark)) {
		alarm(0);
		const char *why;
		Frame body = get_framed(in);
		if (!body.at)
			_exit(0);
		alarm(PATIENCE);
		const Json *message = json_parse(body.at + 1, &why);
		Answer *f = find_answer(member_text(message, "method"));
		Need need = f ? need_of(f) : NEEDS_TEXT;
		a->params = member(message, "params");
		if (need != NEEDS_TEXT && a->source)
			a->at = loc_at(a, "position");
		if (need != NEEDS_TEXT && a->source && check_for(a, need)) {
			n_diags = diags.len;
			kept = diags;
			mark = mem_mark();
		}
		const char *result = answer_message(a, f);
		Str s = {0};
		str_putc(&s, a->refused ? 'E' : 'R');
		str_puts(&s, a->refused ? a->refused : result);
		if (!put_framed(out, s.at, s.len))
			_exit(1);
		sources_release(sources);
		diags = kept;
		diags.len = diags.cap = n_diags;
	}
}

// ---- The stem ----

typedef struct {
	Program *program;
	char *body;                             // the text that it has
	const Version *version;                 // the newest
	bool has_version;                       // is the program's text
	Worker worker;
	int in, out;
} Stem;

// The name of the document in its directory, so that imports are found.
static const char *enter_folder(const char *uri)
{
	const char *path = path_of_uri(uri), *slash = strrchr(path, '/');
	// A document without a folder is a program without imports.
	bool there = slash && chdir(slash == path ? "/" : dir_of(path)) == 0;
	return there ? slash + 1 : path;
}

// The program gets the text of the version; false: it cannot.
static bool take_version(Stem *s)
{
	char *body = must(strdup(s->version->own->body));
	size_t len = strlen(body);
	overlay = &s->version->documents;
	bool taken = true;
	if (!s->program)
		s->program = program_open(enter_folder(s->version->own->uri), body, len,
		                          for_editor);
	else
		taken = program_edit(s->program, body, len);
	free(s->body);
	s->body = body;
	return s->has_version = taken;
}

static void start_work(void *ctx, int in, int out)
{
	Stem *s = ctx;
	close(s->in);
	close(s->out);
	alarm(PATIENCE);
	bool taken = s->has_version || take_version(s);
	if (!put_framed(out, taken ? "R" : "X", 1) || !taken)
		_exit(0);
	const File *root = s->program->root;
	Ask a = {.documents = &s->version->documents, .document = s->version->own,
	         .program = s->program, .source = root ? root->source : NULL};
	work(&a, in, out);
}

// Where the declarations end that begin the text, have no syntax errors, and are likely to stay.
static Loc likely_to_stay(const Program *p, size_t stays)
{
	const File *f = p->root;
	Loc end = 0;
	for EACH(Decl *, d, f->decls) {
		if ((*d)->broken || (f->lost && f->lost <= (*d)->span.hi) ||
		    (*d)->span.hi - f->source->start >= stays)
			break;
		end = (*d)->span.hi;
	}
	return end;
}

// Whether much more of the text is likely to stay than what is checked.
static bool should_grow(const Stem *s)
{
	const Program *p = s->program;
	if (!p)
		return true;
	Loc end = p->root ? program_checked(p) : 0;
	size_t has = end ? end - p->root->source->start : 0;
	return p->root && s->version->own->stays > has + strlen(s->version->own->body) / SHARES;
}

// Takes the version, and checks of it what is likely to stay; false: the program cannot take it.
// The memory for it is kept, which the number of shares bounds.
static bool grow(Stem *s)
{
	if (!take_version(s))
		return false;
	Loc end = s->program->root ? likely_to_stay(s->program, s->version->own->stays) : 0;
	if (end)
		program_check(s->program, end - 1);
	return true;
}

// The answer to a version: whether there is a worker for it now.
static Frame serve_version(Stem *s)
{
	if (!start_child(&s->worker, start_work, s))
		return (Frame){"D", 1};
	Frame reply = get_framed(s->worker.from);
	return reply.at ? reply : (Frame){"D", 1};
}

static Frame serve_question(Stem *s, Frame f)
{
	Frame reply = {0};
	if (s->worker.pid && put_framed(s->worker.to, f.at, f.len))
		reply = get_framed(s->worker.from);
	if (reply.at)
		return reply;
	stop_child(&s->worker, false);
	return (Frame){"D", 1};
}

static void run_stem(void *ctx, int in, int out)
{
	close_others(ctx);
	close(STDIN_FILENO);
	dup2(STDERR_FILENO, STDOUT_FILENO);
	setpgid(0, 0);
	Stem s = {.in = in, .out = out};
	for (MemMark mark = mem_mark();; mem_release(mark)) {
		alarm(0);
		Frame f = get_framed(in), reply = {"X", 1};
		if (!f.at)
			break;
		if (f.at[0] == 'Q') {
			reply = serve_question(&s, f);
		} else {
			Version v = version_of_frame(f);
			s.version = &v;
			s.has_version = false;
			stop_child(&s.worker, false);
			alarm(PATIENCE);
			bool more = should_grow(&s), fits = !more || grow(&s);
			if (more)
				mark = mem_mark();
			alarm(0);
			if (fits)
				reply = serve_version(&s);
		}
		if (!put_framed(out, reply.at, reply.len))
			break;
	}
	stop_child(&s.worker, false);
}

// ---- The server's side ----

int worker_deaths;

void stop_worker(Document *d)
{
	stop_child(&d->worker, true);
}

static bool start_stem(const Documents *documents, Document *d)
{
	if (!start_child(&d->worker, run_stem, (void *)documents))
		return false;
	setpgid(d->worker.pid, d->worker.pid);  // whoever of both is first
	d->stale = true;
	return true;
}

static Frame ask(const Worker *w, const char *bytes, size_t n)
{
	return put_framed(w->to, bytes, n) ? get_framed(w->from) : (Frame){0};
}

// Has the stem take the version; false: there is nobody who can.
static bool renew(const Documents *documents, Document *d)
{
	for (int tries = 0; tries < 2; tries++) {
		if (!d->worker.pid && !start_stem(documents, d))
			return false;
		if (!d->stale)
			return true;
		Str s = frame_of_version(documents, d);
		Frame f = ask(&d->worker, s.at, s.len);
		char said = f.at ? f.at[0] : 'D';
		d->stale = said != 'R';
		if (said == 'R')
			return true;
		stop_worker(d);
		if (said == 'D')
			return false;
	}
	return false;
}

Reply ask_worker(const Documents *documents, Document *d, const char *message)
{
	Frame said = {0};
	if (renew(documents, d)) {
		Str s = {0};
		str_putc(&s, 'Q');
		str_puts(&s, message);
		said = ask(&d->worker, s.at, s.len);
	}
	if (!said.at || said.at[0] == 'D') {
		worker_deaths++;
		stop_worker(d);
		return (Reply){0};
	}
	return said.at[0] == 'R' ? (Reply){.result = said.at + 1} : (Reply){.refused = said.at + 1};
}
