// The evaluation of expressions for the REPL: in the interpreter, which Ctrl-C interrupts.
//
// What takes the interpreter longer than PATIENCE is compiled as well (behind.c), and the first
// result counts.  At breakpoints the names in scope there are given to the expression.
#include "cli/repl.h"

#include <signal.h>
#include <sys/time.h>
#include <time.h>

enum { PATIENCE = 300000 };             // microseconds

void repl_print_diags(void)
{
	diag_print(stdout, stream_is_terminal(stdout));
	diag_reset();
}

bool repl_check(Repl *r, Expr *e)
{
	Scope *scope = r->program->scope;
	int mark = scope_mark(scope);
	if (r->stopped)
		for EACH(Binding *, b, r->stopped->names)
			scope_bind(scope, *b);
	bool ok = program_type_expr(r->program, e);
	scope_leave(scope, mark, 0);
	if (!ok) {
		repl_print_diags();
		return false;
	}
	if (r->options.no_warnings)
		diag_reset();
	diag_forget_unnamed();
	repl_print_diags();
	return true;
}

// What is called: a program of one entry point, and the flat values for its parameters.
typedef struct { Prog *prog; const Fun *fun; Values args; uint32_t first; } Call;

// Lowers an expression; with abstract numbers, if `names` are those.
static bool make_call(Repl *r, Expr *e, bool stops, Bindings names, const Values *values,
                      Call *out)
{
	Name name = name_of("repl'it");
	UsedConstants used = {0};
	DeclOptions options = {.stops = stops, .at_nan = stops && r->at_nan, .given = names,
	                       .known = r->known, .used = &used};
	*out = (Call){.first = n_vars};
	out->prog = lower_decl(entry_of_expr(e, name), &options);
	out->fun = out->prog ? find_entry(out->prog, name) : NULL;
	VEC_APPEND(&out->args, *values);
	for EACH(const Binding *, b, used)
		VEC_APPEND(&out->args, *(const Values *)map_get(&r->known, *b));
	return out->fun;
}

// An evaluation in the interpreter, and what happens meanwhile.
typedef struct {
	Repl *r;
	const Expr *expr;
	Call again;                     // likewise, to be compiled
	bool begun, found;
	Values result;                  // of compiled code, where it was found
} Meanwhile;

static volatile sig_atomic_t is_cancelled, is_late;

static void on_signal(int signal)
{
	is_cancelled |= signal == SIGINT;
	is_late |= signal == SIGALRM;
	interp_interrupt();
}

// only_made: nothing is compiled for it.
static void begin_compiled(Meanwhile *m, bool only_made)
{
	Repl *r = m->r;
	Bindings also = {0}, names;
	Values given = {0}, values;
	if (r->stopped) {
		also = r->stopped->names;
		given = r->stopped->values;
	}
	Expr *e = abstract_numbers(r->program, m->expr, also, &names, &values);
	VEC(Binding *) all = {0};
	VEC_APPEND(&all, also);
	for (int i = 0; e && i < names.len; i++) {
		VEC_PUSH(&all, names.at[i]);
		VEC_PUSH(&given, values.at[i]);
	}
	bool ok = make_call(r, e ? e : (Expr *)m->expr, false, VEC_SLICE(Bindings, all), &given,
	                    &m->again);
	diag_reset();
	if (ok)
		behind_begin(r->behind, m->again.prog, m->again.first, m->again.fun,
		             &m->again.args, only_made);
}

static bool goes_on(void *ctx)
{
	Meanwhile *m = ctx;
	if (is_cancelled)
		return false;
	if (is_late && !m->begun) {
		m->begun = true;
		begin_compiled(m, false);
	}
	m->found = behind_result(m->r->behind, &m->result);
	return !m->found;
}

static void set_timer(int64_t microseconds)
{
	struct itimerval t = {.it_value = {.tv_usec = (suseconds_t)microseconds}};
	setitimer(ITIMER_REAL, &t, NULL);
}

// Ctrl-C ends the evaluation, not the session.
static RunError interpret(Interp *interp, const Call *c, Meanwhile *m, Values *out)
{
	static const int signals[] = {SIGINT, SIGALRM, SIGCHLD};
	enum { N = sizeof signals / sizeof *signals };
	struct sigaction ours = {.sa_handler = on_signal, .sa_flags = SA_RESTART}, theirs[N];
	bool compiles = m->r->behind && !m->r->at_nan && !prog_has_traces(c->prog);
	is_cancelled = is_late = 0;
	for (int i = 0; i < N; i++)
		sigaction(signals[i], &ours, &theirs[i]);
	if (compiles) {
		interp_on_interrupt(interp, goes_on, m);
		if (behind_has_code(m->r->behind))
			begin_compiled(m, true);
		set_timer(PATIENCE);
	}
	RunError error = interp_call(interp, c->fun, &c->args, out, stdout);
	if (compiles) {
		set_timer(0);
		behind_leave(m->r->behind);
	}
	for (int i = 0; i < N; i++)
		sigaction(signals[i], &theirs[i], NULL);
	return error;
}

bool repl_evaluate(Repl *r, Expr *e, const EntryType **type, Values *out)
{
	static const Values none;
	Call c;
	Meanwhile m = {.r = r, .expr = e};
	double from = seconds();
	bool ok = make_call(r, e, true, r->stopped ? r->stopped->names : (Bindings){0},
	                    r->stopped ? &r->stopped->values : &none, &c);
	repl_print_diags();
	if (!ok)
		return false;
	Interp *interp = interp_new(c.prog);
	interp_on_stop(interp, repl_stop, r, r->at_nan);
	RunError error = interpret(interp, &c, &m, out);
	interp_free(interp);
	if (m.found)
		*out = m.result;
	else if (error.message) {
		if (!r->done)
			puts(show_run_error(&error));
		return false;
	}
	*type = c.fun->entry->result;
	r->took = text("%.3f s, %s", seconds() - from, m.found ? "compiled" : "interpreted");
	return true;
}
