// Errors, warnings, and our own bugs; the only code that prints about them.
//
// Diagnostics are collected in `diags`, which like their texts is in the arena: who releases
// the arena calls diag_reset as well, or diag_move before.  Printing one looks like this:
//
//     Error at a.fut:3:5-9:
//     Unknown name "foob".
//        3 |     foob + 1
//          |     ^^^^
//     Hint: did you mean "foo"?
//
//     For more information, run: raido explain unknown-name
#include "base/base.h"

#include <stdlib.h>
#include <unistd.h>

Diags diags;
const char *current_pass = "start";

// Each thread has its own guards: unwinding cannot cross from one stack to another.
static _Thread_local Guard *innermost;

// ---- Collecting ----

static int errors_made;

static Diag *add(DiagKind kind, Span at, const char *anchor, const char *fmt, va_list ap)
{
	Diag *d = NEW(Diag, .kind = kind, .span = at, .anchor = anchor, .message = vtext(fmt, ap));
	VEC_PUSH(&diags, d);
	errors_made += kind == D_ERROR;
	return d;
}

int diag_errors_made(void)
{
	return errors_made;
}

Diag *diag_error(Span at, const char *anchor, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	Diag *d = add(D_ERROR, at, anchor, fmt, ap);
	va_end(ap);
	return d;
}

Diag *diag_warn(Span at, const char *anchor, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	Diag *d = add(D_WARNING, at, anchor, fmt, ap);
	va_end(ap);
	return d;
}

void diag_note(Diag *d, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	const char *line = vtext(fmt, ap);
	va_end(ap);
	d->notes = d->notes ? text("%s\n%s", d->notes, line) : line;
}

int diag_count(DiagKind kind)
{
	int n = 0;
	for EACH(Diag *, d, diags)
		n += (*d)->kind == kind;
	return n;
}

void diag_reset(void)
{
	diags = (Diags){0};
}

static const char *kept(const char *s)
{
	return s ? mem_dup(s, strlen(s) + 1) : NULL;
}

void diag_move(void)
{
	Diags before = diags;
	diag_reset();
	for EACH(Diag *, at, before) {
		const Diag *d = *at;
		VEC_PUSH(&diags, NEW(Diag, .kind = d->kind, .span = d->span,
		                     .anchor = kept(d->anchor), .message = kept(d->message),
		                     .notes = kept(d->notes)));
	}
}

void diag_forget_unnamed(void)
{
	int n = 0;
	for EACH(Diag *, d, diags)
		if ((*d)->kind == D_ERROR || (*d)->anchor)
			diags.at[n++] = *d;
	diag_forget(n);
}

void diag_forget(int n)
{
	diags.len = n < diags.len ? n : diags.len;
}

// ---- Unwinding ----

void guard_push(Guard *g)
{
	g->up = innermost;
	innermost = g;
}

void guard_pop(Guard *g)
{
	if (innermost != g)
		bug("guards are not nested");
	innermost = g->up;
}

NORETURN void fail_diag(Diag *d)
{
	(void)d;
	Guard *g = innermost;
	if (!g) {
		diag_print(stderr, stream_is_terminal(stderr));
		exit(2);
	}
	innermost = g->up;
	leave_frames(g);
	longjmp(g->env, 1);
}

NORETURN void fail(Span at, const char *anchor, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	Diag *d = add(D_ERROR, at, anchor, fmt, ap);
	va_end(ap);
	fail_diag(d);
}

// ---- Printing ----

#define BOLD "\033[1m"
#define RED "\033[1;31m"
#define YELLOW "\033[1;33m"
#define PLAIN "\033[0m"

static const char *colour_of(const Diag *d, bool colour)
{
	return !colour ? "" : d->kind == D_ERROR ? RED : YELLOW;
}

// Prints `body`, each line after `indent`; trailing newlines are dropped.
static void print_lines(FILE *f, const char *body, const char *indent)
{
	size_t n = strlen(body);
	while (n && body[n - 1] == '\n')
		n--;
	for (const char *end = body + n; body < end; ) {
		const char *stop = memchr(body, '\n', (size_t)(end - body));
		stop = stop ? stop : end;
		if (stop > body)
			fprintf(f, "%s%.*s", indent, (int)(stop - body), body);
		putc('\n', f);
		body = stop + 1;
	}
}

// A line of source as shown: tabs expanded to multiples of 8, and of a very long line
// only the part around the span.  Columns are display columns, from 0.
typedef struct {
	Str line;
	int from, to;                   // the columns to underline
} Excerpt;

enum { WIDEST = 200, CONTEXT = 60 };

static int width_at(const char *p, int col)
{
	return ((unsigned char)*p & 0xC0) == 0x80 ? 0 : *p == '\t' ? 8 - col % 8 : 1;
}

static Excerpt excerpt(const char *line, const char *end, const char *lo, const char *hi)
{
	int col = 0, from = 0, to = 0;
	for (const char *p = line; p < end; p++) {
		from = p == lo ? col : from;
		to = p == hi ? col : to;
		col += width_at(p, col);
	}
	from = lo >= end ? col : from;
	to = hi >= end ? col : to;
	int first = col > WIDEST && from > CONTEXT ? from - CONTEXT : 0, last = first + WIDEST;
	Excerpt e = {.from = from - first, .to = (to < last ? to : last) - first};
	if (e.to <= e.from)
		e.to = e.from + 1;
	col = 0;
	for (const char *p = line; p < end && col <= last; p++) {
		int w = width_at(p, col);
		bool control = (unsigned char)*p < 32 || *p == 127;
		for (int i = 0; i < (w ? w : 1); i++)
			if (col + i >= first && (col + i < last || !w))
				str_putc(&e.line, *p == '\t' ? ' ' : control ? '?' : *p);
		col += w;
	}
	return e;
}

static void print_source_line(FILE *f, const Diag *d, bool colour)
{
	const Source *s = source_of(d->span.lo);
	if (!s || !s->len)
		return;
	int number = loc_pos(d->span.lo).line;
	const char *line = s->text + s->lines[number - 1], *stop = s->text + s->len;
	const char *end = memchr(line, '\n', (size_t)(stop - line));
	end = end ? end : stop;
	if (end > line && end[-1] == '\r')
		end--;
	const char *lo = s->text + (d->span.lo - s->start);
	const char *hi = d->span.hi - s->start < s->len ? s->text + (d->span.hi - s->start) : stop;
	Excerpt e = excerpt(line, end, lo, hi > lo ? hi : lo);
	fprintf(f, "%4d | %s\n", number, str_text(&e.line));
	fprintf(f, "     | %*s%s", e.from, "", colour_of(d, colour));
	for (int i = e.from; i < e.to; i++)
		putc('^', f);
	fprintf(f, "%s\n", colour ? PLAIN : "");
}

static void diag_print_one(FILE *f, const Diag *d, bool colour)
{
	const char *kind = d->kind == D_ERROR ? "Error" : "Warning";
	fprintf(f, "%s%s%s", colour_of(d, colour), kind, colour ? PLAIN BOLD : "");
	if (source_of(d->span.lo))
		fprintf(f, " at %s", show_span(d->span));
	fprintf(f, ":%s\n", colour ? PLAIN : "");
	// A warning's text is indented, except beside errors.
	const char *indent = d->kind == D_WARNING && !diag_count(D_ERROR) ? "  " : "";
	print_lines(f, d->message, indent);
	print_source_line(f, d, colour);
	if (d->notes)
		print_lines(f, d->notes, indent);
	if (d->anchor)
		fprintf(f, "\nFor more information, run: raido explain %s\n", d->anchor);
}

typedef struct { const Diag *d; int order; } Ranked;

static int by_source(const void *a, const void *b)
{
	const Ranked *x = a, *y = b;
	if (x->d->span.lo != y->d->span.lo)
		return x->d->span.lo < y->d->span.lo ? -1 : 1;
	return x->order - y->order;
}

static bool same_diag(const Diag *a, const Diag *b)
{
	return a->kind == b->kind && a->span.lo == b->span.lo && a->span.hi == b->span.hi &&
	       strcmp(a->message, b->message) == 0 &&
	       strcmp(a->notes ? a->notes : "", b->notes ? b->notes : "") == 0;
}

static bool is_repeat(const Ranked *all, int i)
{
	for (int j = i - 1; j >= 0 && all[j].d->span.lo == all[i].d->span.lo; j--)
		if (same_diag(all[j].d, all[i].d))
			return true;
	return false;
}

// Nobody reads more than that; a hundred thousand on one long line would also take long.
enum { MOST_SHOWN = 200 };

void diag_print(FILE *f, bool colour)
{
	int shown = 0, more = 0;
	if (!diags.len)
		return;
	Ranked *all = NEW_ARRAY(Ranked, diags.len);
	for (int i = 0; i < diags.len; i++)
		all[i] = (Ranked){diags.at[i], i};
	qsort(all, (size_t)diags.len, sizeof *all, by_source);
	for (int i = 0; i < diags.len; i++) {
		if (is_repeat(all, i))
			continue;
		if (shown == MOST_SHOWN) {
			more++;
			continue;
		}
		if (shown++)
			putc('\n', f);
		diag_print_one(f, all[i].d, colour);
	}
	if (more)
		fprintf(f, "\n%d more messages are not shown.\n", more);
}

bool stream_is_terminal(FILE *f)
{
	return isatty(fileno(f)) == 1;
}

// ---- Our own bugs ----

NORETURN void bug_at(const char *file, int line, const char *fmt, ...)
{
	static bool again;              // a bug while reporting a bug must not recurse
	if (!again) {
		again = true;
		fflush(stdout);
		diag_print(stderr, stream_is_terminal(stderr));
	}
	fprintf(stderr, "Internal compiler error (%s): ", current_pass);
	va_list ap;
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fprintf(stderr, " at %s:%d. This is a bug in Raido; please report it.\n", file, line);
	exit(1);
}
