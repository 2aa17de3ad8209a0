// From a source file to a program that can be called: runs the front end, starts the interpreter,
// and describes the entry points to the commands that call them.
#include "cli/cli.h"

#include <stdlib.h>
#include <time.h>

static bool colour_wanted(void)
{
	return stream_is_terminal(stderr) && !getenv("NO_COLOR");
}

void report_diags(void)
{
	fflush(stdout);
	diag_print(stderr, colour_wanted());
	diag_reset();
}

const char *diags_text(void)
{
	char *bytes = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&bytes, &len);
	if (!f)
		bug("no memory stream");
	diag_print(f, false);
	fclose(f);
	const char *copy = text("%s", bytes);
	free(bytes);
	return copy;
}

const char *set_checks(void *none, const char *list)
{
	(void)none;
	return checks_of_names(list, &checks_wanted);
}

bool driver_check(const char *path, LoadOptions options, Loaded *l)
{
	*l = (Loaded){.program = load_program(path, options)};
	return l->program && !l->program->failed;
}

bool driver_lower(Loaded *l, const LowerOptions *options)
{
	LowerOptions lower = options ? *options : (LowerOptions){0};
	lower.safe |= (checks_wanted & CHECKS_ATTRIBUTES) != 0;
	l->prog = lower_program(l->program, &lower);
	if (l->prog)
		l->interp = interp_new(l->prog);
	return l->prog != NULL;
}

void driver_optimise(Loaded *l, Pipeline pipeline, const PassOptions *o)
{
	if (!pipeline.len)
		return;
	l->prog = run_passes(l->prog, pipeline, o);
	interp_free(l->interp);
	l->interp = interp_new(l->prog);
}

static bool named_pipeline(const char *name, Pipeline *out)
{
	if (strcmp(name, "standard") == 0)
		*out = pipeline_standard;
	else if (strcmp(name, "soac") == 0)
		*out = pipeline_soac;
	else if (strcmp(name, "sequential") == 0)
		*out = pipeline_sequential();
	else if (strcmp(name, "c") == 0)
		*out = pipeline_c;
	else if (strcmp(name, "threads") == 0)
		*out = pipeline_multicore;
	else if (strcmp(name, "gpu") == 0)
		*out = pipeline_gpu;
	else if (strcmp(name, "gpu_mem") == 0)
		*out = pipeline_gpu_mem;
	else
		return false;
	return true;
}

static const char *unknown_pass(const char *name)
{
	const char *names[N_PASS + 1] = {0};
	for (int i = 0; i < N_PASS; i++)
		names[i] = passes[i].name;
	const char *near = nearest(name, names);
	return near ? text("There is no pass \"%s\"; did you mean \"%s\"?", name, near)
	            : text("There is no pass \"%s\".", name);
}

const char *pipeline_of_names(const char *list, Pipeline *out)
{
	VEC(PassId) ids = {0};
	while (*list) {
		size_t n = strcspn(list, ",");
		const char *name = text("%.*s", (int)n, list);
		Pipeline some;
		PassId id;
		if (named_pipeline(name, &some)) {
			VEC_APPEND(&ids, some);
		} else if (pass_of_name(name, &id)) {
			VEC_PUSH(&ids, id);
		} else {
			return unknown_pass(name);
		}
		list += n + (list[n] == ',');
	}
	*out = VEC_SLICE(Pipeline, ids);
	return NULL;
}

const char *set_fuel(void *to, const char *arg)
{
	PassOptions *o = to;
	size_t n = strcspn(arg, ":");
	char *end = NULL;
	long long fuel = arg[n] ? strtoll(arg + n + 1, &end, 10) : 0;
	Pipeline some;
	const char *why = pipeline_of_names(text("%.*s", (int)n, arg), &some);
	if (why || !end || *end || end == arg + n + 1 || some.len != 1)
		return why ? why : "--fuel takes PASS:N, a pass and a number of rewrites.";
	if (passes[some.at[0]].whole)
		return text("The pass %s takes no fuel: what follows relies on all of it.",
		            passes[some.at[0]].name);
	o->limited[some.at[0]] = true;
	o->fuel[some.at[0]] = fuel;
	return NULL;
}

Fun *find_entry(const Prog *p, const char *name)
{
	for EACH(Fun *, f, p->funs)
		if ((*f)->entry && strcmp((*f)->entry_name, name) == 0)
			return *f;
	return NULL;
}

double seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

Names entry_names(const Prog *p)
{
	VEC(Name) names = {0};
	for EACH(Fun *, f, p->funs)
		if ((*f)->entry)
			VEC_PUSH(&names, (*f)->entry_name);
	if (names.len)
		qsort(names.at, (size_t)names.len, sizeof *names.at, by_text);
	return VEC_SLICE(Names, names);
}

// The line of the innermost place that is the user's, as compiled programs show it.
static void put_source(Str *s, const RunError *e)
{
	for EACH(Span, at, e->backtrace) {
		const Source *file = source_of(at->lo);
		if (!file || !file->len || str_starts(file->name, "/prelude/"))
			continue;
		Pos pos = loc_pos(at->lo);
		const char *line = file->text + file->lines[pos.line - 1];
		int n = (int)strcspn(line, "\r\n"), to = loc_pos(at->hi).col;
		if (loc_pos(at->hi).line != pos.line)
			to = n + 1;
		str_printf(s, "\n%4d | ", pos.line);
		for (int i = 0; i < n; i++)
			str_putc(s, (unsigned char)line[i] < ' ' ? ' ' : line[i]);
		str_printf(s, "\n     | %*s^", pos.col - 1, "");
		for (int i = pos.col + 1; i < to; i++)
			str_putc(s, '^');
		return;
	}
}

static bool same_place(Span a, Span b)
{
	return a.lo == b.lo && a.hi == b.hi;
}

// A place that is repeated, by a recursion, is shown once.
const char *show_run_error(const RunError *e)
{
	Str s = {0};
	if (e->backtrace.len)
		str_puts(&s, "Error at\n");
	for (int i = 0, shown = 0; i < e->backtrace.len; shown++) {
		Span at = e->backtrace.at[i];
		int n = 1;
		while (i + n < e->backtrace.len && same_place(at, e->backtrace.at[i + n]))
			n++;
		str_printf(&s, "%s #%-2d %s%s\n", i ? "  " : "->", shown, show_span(at),
		           n > 1 ? " (repeated)" : "");
		i += n;
	}
	str_printf(&s, "%s%s", e->backtrace.len ? "" : "Error: ", e->message);
	put_source(&s, e);
	return str_text(&s);
}

Texts texts_of(TextVec v)
{
	return VEC_SLICE(Texts, v);
}

Names names_of(TextVec v)
{
	Names names = {NEW_ARRAY(Name, v.len), v.len};
	for (int i = 0; i < v.len; i++)
		names.at[i] = name_of(v.at[i]);
	return names;
}

// ---- What can be read from data files ----

bool entry_leaves(const EntryType *t, bool records_too, Leaves *out)
{
	switch (t->kind) {
	case ET_PRIM:
		VEC_PUSH(out, t);
		return true;
	case ET_ARRAY:
		VEC_PUSH(out, t);
		return t->elem->kind == ET_PRIM;
	case ET_RECORD:
		if (!t->is_tuple && !records_too)
			return false;
		for EACH(EntryField, f, t->fields)
			if (!entry_leaves(f->type, records_too, out))
				return false;
		return true;
	case ET_SUM:
	case ET_FUN:
		return false;
	}
	bug("not a kind of surface type");
}

const char *leaves_text(const Leaves *l)
{
	Str s = {0};
	for (int i = 0; i < l->len; i++)
		str_printf(&s, "%s%s", i ? " " : "", l->at[i]->name);
	return str_text(&s);
}

bool leaf_accepts(const EntryType *t, const Value *v)
{
	if (t->kind == ET_ARRAY)
		return v->rank == t->rank && v->type == t->elem->prim;
	return t->kind == ET_PRIM && v->rank == 0 && v->type == t->prim;
}

bool entry_input_leaves(const Fun *f, Leaves *out)
{
	for EACH(EntryParam, p, f->entry->params)
		if (!entry_leaves(p->type, true, out))
			return false;
	return true;
}
