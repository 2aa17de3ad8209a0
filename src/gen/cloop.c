// Loops.
//
//     let (s: f64) = loop (acc: f64 = 0.0) for i: i64 < n do {     double acc = 0.0;
//       let (x: f64) = index xs [i]                                for (int64_t i = 0; i < n; i++) {
//       let (a: f64) = add.f64 acc x                           ->      acc = acc + xs[i];
//       in a                                                       }
//     }
//
// A loop that does nothing but reduce floats has several partial results, for compilers may not
// reorder the operations themselves: see gen_unrolled.
#include "gen/cgen.h"

#include "mem/mem.h"
#include "par/par.h"

// ---- Parameters ----

static bool is_scalar(Var v)
{
	return type_is_scalar(vars[v.id].type);
}

static bool is_block(Var v)
{
	return vars[v.id].type.kind == T_MEM;
}

// The C variables of the parameters, with their initial values.
static void declare_params(Gen *g, const Exp *e)
{
	for (int k = 0; k < e->loop.params.len; k++) {
		Var p = e->loop.params.at[k];
		if (vars[p.id].type.mem)
			place_hint(g, p);
		if (is_block(p)) {
			declare_block(g, p);
			rts_use(g->rts, "rd_set");
			line(g, "rd_set(%s, &%s, %s);", ctx(g), state_of(g, p)->shown.text,
			     block_name(g, e->loop.inits.at[k].var));
		} else if (is_scalar(p) && is_needed(g, p)) {
			declare(g, p, result_of(g, p, e->loop.inits.at[k]).text);
		}
	}
}

static bool mentions(const char *s, const char *name)
{
	size_t n = strlen(name);
	for (const char *p = strstr(s, name); p; p = strstr(p + n, name)) {
		static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
		bool starts = p == s || !strchr(letters, p[-1]);
		if (starts && (!p[n] || !strchr(letters, p[n])))
			return true;
	}
	return false;
}

typedef struct { Var param; int k; const char *name, *value; } Step;
typedef VEC(Step) Steps;

// The parameters that change, with the expressions of their next values.
static Steps steps_of(Gen *g, const Exp *e)
{
	Steps steps = {0};
	for (int k = 0; k < e->loop.params.len; k++) {
		Var p = e->loop.params.at[k];
		Sub next = e->loop.body.res.at[k];
		if (!is_block(p) && !(is_scalar(p) && is_needed(g, p)))
			continue;
		const char *name = state_of(g, p)->shown.text;
		const char *value = is_block(p) ? block_name(g, next.var) : result_of(g, p, next).text;
		if (strcmp(name, value) != 0)
			VEC_PUSH(&steps, (Step){p, k, name, value});
	}
	return steps;
}

// A value that mentions a parameter which has its next value by then is computed before.
static bool save(Gen *g, Steps *steps, int j, Subs results)
{
	Step *s = &steps->at[j];
	for (int i = 0; i < j; i++) {
		if (!mentions(s->value, steps->at[i].name))
			continue;
		const char *next = fresh_name(g, text("next_%s", s->name));
		if (is_block(s->param)) {
			line(g, "struct rd_block *%s = NULL;", next);
			give_block(g, text("&%s", next), results, s->k);
		} else {
			line(g, "%s %s = %s;", c_scalar_type(vars[s->param.id].type.elem), next, s->value);
		}
		s->value = next;
		return true;
	}
	return false;
}

// All parameters get their next values at once.
static void next_params(Gen *g, const Exp *e)
{
	Steps steps = steps_of(g, e);
	Subs results = e->loop.body.res;
	settle_loads(g);
	bool *saved = NEW_ARRAY(bool, steps.len);
	for (int j = 0; j < steps.len; j++)
		saved[j] = save(g, &steps, j, results);
	for (int j = 0; j < steps.len; j++) {
		const Step *s = &steps.at[j];
		if (!is_block(s->param)) {
			line(g, "%s = %s;", s->name, s->value);
		} else if (saved[j]) {
			rts_use(g->rts, "rd_move");
			line(g, "rd_move(%s, &%s, &%s);", ctx(g), s->name, s->value);
		} else {
			give_block(g, text("&%s", s->name), results, s->k);
		}
	}
}

// The body once: its statements, then the parameters' next values.
static void gen_body(Gen *g, const Exp *e)
{
	const Body *before = g->body;
	g->body = &e->loop.body;
	for EACH(Var, p, e->loop.params)
		if (is_block(*p))
			point_to(g, *p);
	gen_stms(g, &e->loop.body);
	next_params(g, e);
	g->body = before;
}

// ---- Reductions with partial results ----

enum { MAX_STMS = 12 };

static bool is_associative(Prim op, PrimType t)
{
	return (op == P_add || op == P_mul || op == P_min || op == P_max) && (t == PT_F32 || t == PT_F64);
}

// x for which op x y = y; with min and max that is what is no number.
static const char *neutral(Prim op)
{
	return op == P_add ? "-0.0" : op == P_mul ? "1.0" : "NAN";
}

// How many partial results there are; 1: the loop is written as it is.
static int n_partial(Gen *g, const Exp *e)
{
	int n = 1;
	if (g->counting || e->loop.is_while || sub_type(e->loop.n).elem != PT_I64)
		return 1;
	if (e->loop.n.kind == S_CONST && e->loop.n.val.i < 32)
		return 1;
	for EACH(Stm, s, e->loop.body.stms)
		if (!is_pure_scalar(s))
			return 1;
	for (int k = 0; k < e->loop.params.len; k++) {
		Var p = e->loop.params.at[k];
		Prim op;
		PrimType t;
		if (is_block(p))
			return 1;
		if (!is_scalar(p) || !is_needed(g, p))
			continue;
		if (!loop_reduction(e, k, &op, &t) || !is_associative(op, t))
			return 1;
		n = t == PT_F32 || n == 16 ? 16 : 8;
	}
	return e->loop.body.stms.len <= MAX_STMS ? n : 1;
}

// The body for iteration i + k, with the k-th partial results, which are named by `names`
// (n to a parameter).
static void gen_partial(Gen *g, const Exp *e, const char *i, int k, int n, const char **names)
{
	Str outside = g->out;
	g->out = (Str){0};
	g->indent++;
	state_of(g, e->loop.i)->shown = k ? (CExp){text("%s + %d", i, k), PREC_ADD} : c_atom(i);
	for (int p = 0; p < e->loop.params.len; p++)
		if (names[p * n])
			state_of(g, e->loop.params.at[p])->shown = c_atom(names[p * n + k]);
	gen_body(g, e);
	g->indent--;
	Str body = g->out;
	g->out = outside;
	bool one_line = strchr(str_text(&body), '\n') == body.at + body.len - 1;
	if (!one_line)
		line(g, "{");
	str_putn(&g->out, body.at + one_line, body.len - one_line);
	if (!one_line)
		line(g, "}");
}

// All partial results are combined into the first, halves with halves.
static void combine(Gen *g, Prim op, PrimType t, const char **names, int n)
{
	for (int half = n / 2; half > 0; half /= 2)
		for (int k = 0; k < half; k++) {
			CExp x[3] = {c_atom(names[k]), c_atom(names[k + half])};
			line(g, "%s = %s;", names[k], c_prim(g->rts, op, t, x).text);
		}
}

// The partial results of parameter p, of which the first is its own C variable.
static void declare_partial(Gen *g, const Exp *e, int p, int n, const char **names, Prim *op)
{
	PrimType t;
	Str out = {0};
	loop_reduction(e, p, op, &t);
	names[0] = state_of(g, e->loop.params.at[p])->shown.text;
	const char *suffix = t == PT_F32 && *op != P_min && *op != P_max ? "f" : "";
	for (int k = 1; k < n; k++) {
		names[k] = fresh_name(g, names[0]);
		str_printf(&out, "%s%s = %s%s", k > 1 ? ", " : "", names[k], neutral(*op), suffix);
	}
	line(g, "%s %s;", c_scalar_type(t), str_text(&out));
}

// n iterations at a time, each with a partial result of its own; then the rest.
static void gen_unrolled(Gen *g, const Exp *e, const char *bound, int n)
{
	int n_params = e->loop.params.len;
	const char **names = NEW_ARRAY(const char *, n_params * n);
	Prim *ops = NEW_ARRAY(Prim, n_params);
	for (int p = 0; p < n_params; p++)
		if (is_scalar(e->loop.params.at[p]) && is_needed(g, e->loop.params.at[p]))
			declare_partial(g, e, p, n, names + p * n, &ops[p]);
	const char *i = bind_name(g, e->loop.i);
	line(g, "int64_t %s = 0;", i);
	open_brace(g, "for (; %s < %s - %s %% %d; %s += %d)", i, bound, bound, n, i, n);
	for (int k = 0; k < n; k++)
		gen_partial(g, e, i, k, n, names);
	close_brace(g);
	if (e->loop.n.kind != S_CONST || e->loop.n.val.i % n != 0) {
		open_brace(g, "for (; %s < %s; %s++)", i, bound, i);
		gen_partial(g, e, i, 0, n, names);
		close_brace(g);
	}
	for (int p = 0; p < n_params; p++) {
		if (!names[p * n])
			continue;
		Var v = e->loop.params.at[p];
		state_of(g, v)->shown = c_atom(names[p * n]);
		combine(g, ops[p], vars[v.id].type.elem, names + p * n, n);
	}
}

// ---- The loop itself ----

// The bound is evaluated once, and written in the loop's head each time.
static const char *loop_bound(Gen *g, Sub n)
{
	CExp x = operand(g, n);
	if (x.prec == PREC_ATOM && !strpbrk(x.text, "[("))
		return x.text;
	const char *name = fresh_name(g, "n");
	line(g, "%s %s = %s;", c_scalar_type(sub_type(n).elem), name, x.text);
	return name;
}

typedef struct { Var i; bool good; } Independence;

static void note_stores(Visit *v, Body *b);

// Does an iteration store only at outer index i of arrays?  Temporary blocks that iterations share are
// stored to in other ways.
static void note_stores_of(Visit *v, const Stm *s)
{
	Independence *in = v->ctx;
	const Exp *e = s->exp;
	switch (e->form) {
	case E_update:
		in->good &= stm_is_in_place(s) ||
		            (e->update.at.at[0].fixed && sub_eq(e->update.at.at[0].start, sub_var(in->i)));
		break;
	case E_copy: case E_iota: case E_replicate: case E_array: case E_call: case E_loop: case E_alloc:
	case E_release: case E_trace: case E_assert_:
		in->good = false;
		break;
	default: // no store
		break;
	}
}

static void note_stores(Visit *v, Body *b)
{
	for EACH(Stm, s, b->stms) {
		note_stores_of(v, s);
		exp_visit(s->exp, v);
	}
}

// An innermost loop of which the compiler may assume that iterations are independent.
static bool is_independent(const Stm *s)
{
	const Exp *e = s->exp;
	if (e->loop.is_while || !has_attr(s->attrs, ATTR_PARALLEL))
		return false;
	Independence in = {e->loop.i, true};
	Visit v = {.body = note_stores, .ctx = &in};
	note_stores(&v, (Body *)&e->loop.body);
	return in.good;
}

static bool has_stores(const Body *b)
{
	for EACH(Stm, s, b->stms)
		if (s->exp->form == E_update)
			return true;
	return false;
}

static void gen_for(Gen *g, const Stm *s, const char *bound)
{
	const Exp *e = s->exp;
	const char *i = bind_name(g, e->loop.i);
	if (is_independent(s) && has_stores(&e->loop.body)) {
		rts_use(g->rts, "ivdep");
		line(g, "RD_INDEPENDENT");
	}
	open_brace(g, "for (%s %s = 0; %s < %s; %s++)", c_scalar_type(sub_type(e->loop.n).elem), i, i,
	           bound, i);
	gen_body(g, e);
	close_brace(g);
}

void gen_loop(Gen *g, const Stm *s)
{
	const Exp *e = s->exp;
	for (int k = 0; k < s->pat.len; k++)
		state_of(g, s->pat.at[k])->rep = e->loop.params.at[k].id + 1;
	const char *bound = e->loop.is_while ? NULL : loop_bound(g, e->loop.n);
	declare_params(g, e);
	settle_loads(g);
	int n = n_partial(g, e);
	if (e->loop.is_while) {
		open_brace(g, "while (%s)", operand_text(g, sub_var(e->loop.while_cond)));
		gen_body(g, e);
		close_brace(g);
	} else if (n > 1) {
		gen_unrolled(g, e, bound, n);
	} else {
		gen_for(g, s, bound);
	}
	for (int k = 0; k < s->pat.len; k++) {
		VarState *st = state_of(g, s->pat.at[k]);
		st->shown = state_of(g, e->loop.params.at[k])->shown;
		st->bound_in = g->body;
		if (is_block(s->pat.at[k]))
			point_to(g, s->pat.at[k]);
	}
}
