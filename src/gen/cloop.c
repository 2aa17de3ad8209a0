// Loops.
//
//     let (s: f64) = loop (acc: f64 = 0.0) for i: i64 < n do {   double acc = 0.0;
//       let (x: f64) = index xs [i]                              for (int64_t i = 0; i < n; i++) {
//       let (a: f64) = add.f64 acc x                        ->       acc = acc + xs[i];
//       in a                                                     }
//     }
//
// A loop that does nothing but reduce floats has several partial results, for compilers may not
// reorder the operations themselves: see gen_partial.
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
void declare_params(Gen *g, const Exp *e)
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
		const char *name = shown(g, p).text;
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
void next_params(Gen *g, const Exp *e)
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

// Its statements, then the parameters' next values.
void loop_body(Gen *g, const Exp *e)
{
	Outer outer = enter_body(g, &e->loop.body);
	for EACH(Var, p, e->loop.params)
		if (is_block(*p))
			point_to(g, *p);
	gen_stms(g, &e->loop.body);
	next_params(g, e);
	leave_body(g, outer);
}

// ---- Independent iterations ----

typedef struct { Var i; bool good; } Independence;

static void note_stores(Visit *v, Body *b);

// Does an iteration store only at outer index i of arrays?  Temporary blocks that iterations share
// are stored to in other ways.
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

// An innermost loop whose iterations store only at their own places, where no other reads.
bool is_independent(const Stm *s)
{
	const Exp *e = s->exp;
	if (e->loop.is_while || !has_attr(s->attrs, ATTR_PARALLEL))
		return false;
	Independence in = {e->loop.i, true};
	Visit v = {.body = note_stores, .ctx = &in};
	note_stores(&v, (Body *)&e->loop.body);
	return in.good;
}

// ---- Reductions with partial results ----

enum { MAX_STMS = 24 };

static bool is_associative(Prim op, PrimType t)
{
	if (t == PT_F32 || t == PT_F64)
		return op == P_add || op == P_mul || op == P_min || op == P_max;
	return is_int(t) && (op == P_add || op == P_mul || op == P_or || op == P_xor);
}

// x for which op x y = y; with min and max that is what is no number.
static const char *neutral(Prim op, PrimType t)
{
	if (op == P_min || op == P_max)
		return "NAN";
	double x = op == P_mul ? 1 : -0.0;
	return c_literal(is_float(t) ? scalar_float(t, x) : scalar_int(t, (int64_t)x));
}

static bool is_plain_body(const Stm *s)
{
	bool independent = is_independent(s);
	for EACH(Stm, inner, s->exp->loop.body.stms)
		if (!is_pure_scalar(inner) &&
		    !(independent && inner->exp->form == E_update && !stm_is_in_place(inner) &&
		      type_is_scalar(sub_type(inner->exp->update.val))))
			return false;
	return s->exp->loop.body.stms.len <= MAX_STMS;
}

// How many partial results there are; 1: the loop is written as it is.  Compilers manage integers
// themselves.
static int n_partial(Gen *g, const Stm *s)
{
	const Exp *e = s->exp;
	int n = 1;
	if (g->counting || g->plain || e->loop.is_while || sub_type(e->loop.n).elem != PT_I64)
		return 1;
	if (e->loop.n.kind == S_CONST && e->loop.n.val.i < 32)
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
		if (is_float(t))
			n = t == PT_F32 || n == 16 ? 16 : 8;
	}
	return n > 1 && is_plain_body(s) ? n : 1;
}

// The partial results of parameter p: an array, with neutral elements.
static const char *declare_partial(Gen *g, const Exp *e, int p, int n)
{
	Prim op;
	PrimType t;
	loop_reduction(e, p, &op, &t);
	const char *part = fresh_name(g, "part");
	line(g, "%s %s[%d];", c_scalar_type(t), part, n);
	line(g, "for (int l = 0; l < %d; l++)", n);
	line(g, "\t%s[l] = %s;", part, neutral(op, t));
	return part;
}

// Halves are combined with halves, and what is left with the parameter's own C variable.
static void combine(Gen *g, const Exp *e, int p, const char *part, int n)
{
	Prim op;
	PrimType t;
	loop_reduction(e, p, &op, &t);
	const char *name = shown(g, e->loop.params.at[p]).text;
	CExp x[3] = {c_atom(text("%s[l]", part)), c_atom(text("%s[l + half]", part))};
	line(g, "for (int half = %d; half > 0; half /= 2)", n / 2);
	line(g, "\tfor (int l = 0; l < half; l++)");
	line(g, "\t\t%s = %s;", x[0].text, c_prim(g->rts, op, t, x).text);
	x[0] = c_atom(name);
	x[1] = c_atom(text("%s[0]", part));
	line(g, "%s = %s;", name, c_prim(g->rts, op, t, x).text);
}

// n iterations at a time, each with a partial result of its own; then the rest.
static void gen_partial(Gen *g, const Exp *e, const char *bound, int n)
{
	int n_params = e->loop.params.len;
	const char **parts = NEW_ARRAY(const char *, n_params);
	CExp *own = NEW_ARRAY(CExp, n_params);
	const char *i = bind_name(g, e->loop.i);
	for (int p = 0; p < n_params; p++) {
		Var v = e->loop.params.at[p];
		own[p] = shown(g, v);
		if (!is_scalar(v) || !is_needed(g, v))
			continue;
		parts[p] = declare_partial(g, e, p, n);
		show_as(g, v, c_atom(text("%s[l]", parts[p])));
	}
	line(g, "int64_t %s = 0;", i);
	open_brace(g, "for (; %s < %s - %s %% %d; %s += %d)", i, bound, bound, n, i, n);
	lanes_of(g, e, i, n);
	close_brace(g);
	for (int p = 0; p < n_params; p++) {
		show_as(g, e->loop.params.at[p], own[p]);
		if (parts[p])
			combine(g, e, p, parts[p], n);
	}
	if (e->loop.n.kind == S_CONST && e->loop.n.val.i % n == 0)
		return;
	open_brace(g, "for (; %s < %s; %s++)", i, bound, i);
	loop_body(g, e);
	close_brace(g);
}

// ---- The loop itself ----

// The bound is evaluated once, and written in the loop's head each time.
const char *loop_bound(Gen *g, Sub n)
{
	CExp x = operand(g, n);
	if (x.prec == PREC_ATOM && !strpbrk(x.text, "[("))
		return x.text;
	const char *name = fresh_name(g, "n");
	line(g, "%s %s = %s;", c_scalar_type(sub_type(n).elem), name, x.text);
	return name;
}

// The results of a loop are the C variables of its parameters.
void bind_results(Gen *g, const Stm *s)
{
	for (int k = 0; k < s->pat.len; k++) {
		Var v = s->pat.at[k], p = s->exp->loop.params.at[k];
		state_of(g, v)->rep = p.id + 1;
		state_of(g, v)->bound_in = g->body;
		if (is_scalar(v) || is_block(v))
			show_as(g, v, shown(g, p));
		if (is_block(v))
			point_to(g, v);
	}
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
	loop_body(g, e);
	close_brace(g);
}

void gen_loop(Gen *g, const Stm *s)
{
	const Exp *e = s->exp;
	const char *bound = e->loop.is_while ? NULL : loop_bound(g, e->loop.n);
	declare_params(g, e);
	settle_loads(g);
	int n = n_partial(g, s);
	if (e->loop.is_while) {
		open_brace(g, "while (%s)", operand_text(g, sub_var(e->loop.while_cond)));
		loop_body(g, e);
		close_brace(g);
	} else if (n > 1) {
		gen_partial(g, e, bound, n);
	} else if (!gen_in_lanes(g, s, bound)) {
		gen_for(g, s, bound);
	}
	bind_results(g, s);
}
