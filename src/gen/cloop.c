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
			declare(g, p, value_for(g, p, e->loop.inits.at[k]).text);
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
		const char *value = is_block(p) ? block_name(g, next.var) : value_for(g, p, next).text;
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
			PrimType t = vars[s->param.id].type.elem;
			line(g, "%s %s = %s;", varies(g, sub_var(s->param)) ? vector_type(g, t) : c_scalar_type(t),
			     next, s->value);
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

// Does one branch keep what parameters there are, and the other give all of them new values?
static bool keeps(const Exp *e, const Stm *choice, Subs same, Subs fresh)
{
	for (int k = 0; k < e->loop.params.len; k++) {
		Var p = e->loop.params.at[k];
		if (!is_scalar(p) || !sub_eq(e->loop.body.res.at[k], sub_var(choice->pat.at[k])) ||
		    !sub_eq(same.at[k], sub_var(p)))
			return false;
		for EACH(Var, other, e->loop.params)
			if (sub_eq(fresh.at[k], sub_var(*other)))
				return false;
	}
	return true;
}

// A loop that looks for the best of something ends with the choice between what it has and what
// is new: that changes rarely, so a branch is foreseen, and then nothing waits for the choice.
//
//     let (a', j') = if better then {x, i} else {a, j}        if (better) {
//     in {a', j'}                                       ->        a = x;
//                                                                 j = i;
//                                                             }
static const Stm *choice_of_next(const Exp *e)
{
	Stms stms = e->loop.body.stms;
	const Stm *s = stms.len ? &stms.at[stms.len - 1] : NULL;
	if (!s || s->exp->form != E_if_ || s->pat.len != e->loop.params.len || s->pat.len < 2)
		return NULL;
	const Body *yes = &s->exp->if_.yes, *no = &s->exp->if_.no;
	if (yes->stms.len || no->stms.len)
		return NULL;
	return keeps(e, s, no->res, yes->res) || keeps(e, s, yes->res, no->res) ? s : NULL;
}

static const Exp *prim_of(const Body *b, Sub x, Prim op)
{
	for EACH(Stm, s, b->stms)
		if (x.kind == S_VAR && s->pat.len == 1 && s->pat.at[0].id == x.var.id)
			return s->exp->form == E_prim && s->exp->prim.op == op ? s->exp : NULL;
	return NULL;
}

// x < y || (x == y && z) mostly fails, as does x <= y, which takes one comparison.
static const char *condition(Gen *g, const Body *b, Sub cond)
{
	const Exp *either = prim_of(b, cond, P_or);
	const Exp *less = either ? prim_of(b, either->prim.x[0], P_lt) : NULL;
	const Exp *both = either ? prim_of(b, either->prim.x[1], P_and) : NULL;
	const Exp *tie = both ? prim_of(b, both->prim.x[0], P_eq) : NULL;
	const Sub *x = less ? less->prim.x : NULL, *y = tie ? tie->prim.x : NULL;
	bool same = x && y && ((sub_eq(x[0], y[0]) && sub_eq(x[1], y[1])) ||
	                       (sub_eq(x[0], y[1]) && sub_eq(x[1], y[0])));
	if (!same || sub_type(x[0]).elem == PT_BOOL)
		return operand_text(g, cond);
	CExp le = c_binary(operand(g, x[0]), "<=", operand(g, x[1]), PREC_COMPARE);
	return c_binary(le, "&&", operand(g, cond), PREC_AND).text;
}

static void choose_next(Gen *g, const Exp *e, const Stm *choice)
{
	const Exp *c = choice->exp;
	bool change_if = keeps(e, choice, c->if_.no.res, c->if_.yes.res);
	const char *cond = change_if ? condition(g, &e->loop.body, c->if_.cond)
	                             : c_binary(operand(g, c->if_.cond), "==", c_atom("0"), PREC_COMPARE).text;
	settle_loads(g);
	rts_use(g->rts, "rarely");
	open_brace(g, "if (RD_UNLIKELY(%s))", cond);
	line(g, "RD_RARELY;");
	for (int k = 0; k < e->loop.params.len; k++) {
		Var p = e->loop.params.at[k];
		if (is_needed(g, p))
			line(g, "%s = %s;", shown(g, p).text,
			     result_of(g, p, (change_if ? c->if_.yes : c->if_.no).res.at[k]).text);
	}
	close_brace(g);
}

// Its statements, then the parameters' next values.
void loop_body(Gen *g, const Exp *e)
{
	Outer outer = enter_body(g, &e->loop.body);
	for EACH(Var, p, e->loop.params)
		if (is_block(*p))
			point_to(g, *p);
	const Stm *choice = choice_of_next(e);
	if (choice) {
		gen_stms(g, &(Body){{e->loop.body.stms.at, e->loop.body.stms.len - 1}, e->loop.body.res});
		choose_next(g, e, choice);
	} else {
		gen_stms(g, &e->loop.body);
		next_params(g, e);
	}
	leave_body(g, outer);
}

// ---- Independent iterations ----

typedef struct { const Exp *loop; Var at; bool good; } Independence; // at: where is stored, or 0

static void note_stores(Visit *v, Body *b);

// The counter, or that of a loop that was peeled (par/peel.c); the same for all stores.
static bool is_own(Independence *in, Sub x)
{
	Sub i = sub_var(in->loop->loop.i);
	const Exp *sum = prim_of(&in->loop->loop.body, x, P_add);
	if (!sub_eq(x, i) && !(sum && sub_eq(sum->prim.x[0], i)))
		return false;
	if (!in->at.id)
		in->at = x.var;
	return in->at.id == x.var.id;
}

// Does an iteration store only at outer index i of arrays?  Temporary blocks that iterations share
// are stored to in other ways.
static void note_stores_of(Visit *v, const Stm *s)
{
	Independence *in = v->ctx;
	const Exp *e = s->exp;
	switch (e->form) {
	case E_update:
		in->good &= stm_is_in_place(s) || (e->update.at.at[0].fixed && is_own(in, e->update.at.at[0].start));
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

// Arrays that are carried along, by their parameters: the dimensions in which all accesses have the
// loop's index.
typedef struct { const Exp *loop; Map roots; uint64_t *dims; bool good; } Accesses;

static uintptr_t root_of(const Accesses *a, Sub x)
{
	return x.kind == S_VAR ? (uintptr_t)map_get(&a->roots, (void *)(uintptr_t)(x.var.id + 1)) : 0;
}

static void set_root(Accesses *a, Var v, uintptr_t root)
{
	map_put(&a->roots, (void *)(uintptr_t)(v.id + 1), (void *)root);
}

static void note_access(Accesses *a, uintptr_t root, int dim, Sub index)
{
	if (dim < 64 && !sub_eq(index, sub_var(a->loop->loop.i)))
		a->dims[root - 1] &= ~((uint64_t)1 << dim);
}

static void note_accesses(Accesses *a, const Body *b)
{
	for EACH(Stm, s, b->stms) {
		const Exp *e = s->exp;
		uintptr_t root = 0;
		if (e->form == E_index && (root = root_of(a, e->index.arr))) {
			for (int d = 0; d < e->index.idx.len; d++)
				note_access(a, root, d, e->index.idx.at[d]);
		} else if (e->form == E_if_ && is_pure_scalar(s)) {
			note_accesses(a, &e->if_.yes);
			note_accesses(a, &e->if_.no);
		} else if (e->form == E_update && (root = root_of(a, e->update.arr)) &&
		           type_is_scalar(sub_type(e->update.val))) {
			for (int d = 0; d < e->update.at.len; d++)
				note_access(a, root, d, e->update.at.at[d].start);
			set_root(a, s->pat.at[0], root);
		} else if (!is_pure_scalar(s)) {
			a->good = false;
		}
	}
}

// Does each iteration read and change what is carried along only where its index tells?  By
// their values, other arrays are not in the same memory.
static bool touches_own_places(const Exp *e)
{
	int n = e->loop.params.len;
	Accesses a = {.loop = e, .dims = NEW_ARRAY(uint64_t, n), .good = true};
	for (int k = 0; k < n; k++) {
		Type t = vars[e->loop.params.at[k].id].type;
		a.dims[k] = t.dims.len >= 64 ? 0 : ((uint64_t)1 << t.dims.len) - 1;
		a.good &= t.kind == T_DATA;
		if (t.dims.len)
			set_root(&a, e->loop.params.at[k], (uintptr_t)k + 1);
	}
	note_accesses(&a, &e->loop.body);
	for (int k = 0; k < n && a.good; k++)
		if (vars[e->loop.params.at[k].id].type.dims.len)
			a.good &= a.dims[k] && root_of(&a, e->loop.body.res.at[k]) == (uintptr_t)k + 1;
	return a.good;
}

// An innermost loop whose iterations store only at their own places, where no other reads.
bool is_independent(const Stm *s)
{
	const Exp *e = s->exp;
	if (e->loop.is_while)
		return false;
	if (!has_attr(s->attrs, ATTR_PARALLEL))
		return touches_own_places(e);
	Independence in = {.loop = e, .good = true};
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
	return is_int(t) && (op == P_add || op == P_mul || op == P_or || op == P_xor || op == P_min ||
	                     op == P_max);
}

// x for which op x y = y; with min and max of floats that is what is no number.
static const char *neutral(Prim op, PrimType t)
{
	if ((op == P_min || op == P_max) && is_int(t)) {
		int bits = 8 * primtype_size(t);
		uint64_t ones = ~(uint64_t)0 >> (64 - bits), top = (uint64_t)1 << (bits - 1);
		uint64_t least = is_signed(t) ? top : 0, most = is_signed(t) ? top - 1 : ones;
		return c_literal(scalar_int(t, (int64_t)(op == P_min ? most : least)));
	}
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

// The partial results of parameter p: an array, or vectors, with neutral elements.
static const char *declare_partial(Gen *g, const Exp *e, int p, const char *n)
{
	Prim op;
	PrimType t;
	loop_reduction(e, p, &op, &t);
	if (g->rates) {
		const char *splat = text("rd_%ssplat_%s", is_int(t) ? "i" : "", primtype_name[g->vector]);
		rts_use(g->rts, splat);
		const char *init = text("%s(%s)", splat, neutral(op, t));
		for (g->row = 0; g->row < g->n_rows; g->row++)
			declare(g, e->loop.params.at[p], init);
		g->row = 0;
		return init;
	}
	const char *part = fresh_name(g, "part");
	line(g, "%s %s[%s];", c_scalar_type(t), part, n);
	line(g, "for (int l = 0; l < %s; l++)", n);
	line(g, "\t%s[l] = %s;", part, neutral(op, t));
	show_as(g, e->loop.params.at[p], c_atom(text("%s[l]", part)));
	return part;
}

// Combines the vectors of parameter p, then the lanes of the one that is left with its own C variable.
static void combine_vectors(Gen *g, const Exp *e, int p, CExp own)
{
	Prim op;
	PrimType t;
	loop_reduction(e, p, &op, &t);
	Var v = e->loop.params.at[p];
	Sub both[2] = {sub_var(v), sub_var(v)};
	for (int half = g->n_rows / 2; half > 0; half /= 2)
		for (g->row = 0; g->row < half; g->row++) {
			CExp x[2] = {state_of(g, v)->rows[g->row], state_of(g, v)->rows[g->row + half]};
			line(g, "%s = %s;", x[0].text, vector_prim(g, op, t, both, x).text);
		}
	g->row = 0;
	CExp x[3] = {own, c_atom(text("%s[l]", shown(g, v).text))};
	line(g, "for (int l = 0; l < %s; l++)", lanes_text(g, 1));
	line(g, "\t%s = %s;", own.text, c_prim(g->rts, op, t, x).text);
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

typedef struct { const char **names; CExp *own; } Parts;

// The parameters stand for partial results until end_partial.
static Parts begin_partial(Gen *g, const Exp *e, const char *n)
{
	int n_params = e->loop.params.len;
	Parts parts = {NEW_ARRAY(const char *, n_params), NEW_ARRAY(CExp, n_params)};
	for (int p = 0; p < n_params; p++) {
		Var v = e->loop.params.at[p];
		parts.own[p] = state_of(g, v)->shown;
		if (is_scalar(v) && is_needed(g, v))
			parts.names[p] = declare_partial(g, e, p, n);
	}
	return parts;
}

// n iterations at a time, each with a partial result of its own, in an array.
static void partial_arrays(Gen *g, const Exp *e, const char *i, const char *bound, int n)
{
	Parts parts = begin_partial(g, e, text("%d", n));
	open_brace(g, "for (; %s + %d <= %s; %s += %d)", i, n, bound, i, n);
	lanes_of(g, e, i, n);
	close_brace(g);
	for (int p = 0; p < e->loop.params.len; p++) {
		show_as(g, e->loop.params.at[p], parts.own[p]);
		if (parts.names[p])
			combine(g, e, p, parts.names[p], n);
	}
}

// The same in vectors: several at a time, then one.
static void partial_vectors(Gen *g, const Exp *e, const char *i, const char *bound, Lanes lanes)
{
	begin_vectors(g, lanes, 1);
	Parts parts = begin_partial(g, e, NULL);
	for (int k = lanes.n_vectors; k > 0; k = k > 1 ? 1 : 0) {
		const char *n = lanes_text(g, k);
		g->n_vectors = g->n_rows = k;
		open_brace(g, "for (; %s + %s <= %s; %s += %s)", i, n, bound, i, n);
		vectors_of(g, e, i);
		close_brace(g);
	}
	g->n_rows = lanes.n_vectors;
	for (int p = 0; p < e->loop.params.len; p++)
		if (parts.names[p])
			combine_vectors(g, e, p, parts.own[p]);
	end_vectors(g);
	for (int p = 0; p < e->loop.params.len; p++)
		show_as(g, e->loop.params.at[p], parts.own[p]);
}

// Several iterations at a time, then the rest.  A short loop is all rest: partial results would take
// longer to make and to combine than they save.
static void gen_partial(Gen *g, const Stm *s, const char *bound, int n)
{
	const Exp *e = s->exp;
	const char *i = bind_name(g, e->loop.i);
	Lanes lanes = lanes_of_reduction(s);
	bool constant = e->loop.n.kind == S_CONST;
	g->vector = lanes.type;
	line(g, "int64_t %s = 0;", i);
	if (!constant)
		open_brace(g, "if (%s >= %s)", bound, lanes.n_vectors ? lanes_text(g, lanes.n_vectors)
		                                                      : text("%d", 2 * n));
	if (lanes.n_vectors)
		partial_vectors(g, e, i, bound, lanes);
	else
		partial_arrays(g, e, i, bound, n);
	if (!constant)
		close_brace(g);
	show_as(g, e->loop.i, c_atom(i));
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
	if (!e->loop.is_while && sub_type(e->loop.n).elem == PT_I64)
		state_of(g, e->loop.i)->small = 1;
	if (is_parallel_region(s)) {
		Region shared = begin_region(g, s);
		gen_parallel_region(g, s);
		end_region(g, s, shared);
		return;
	}
	const char *bound = e->loop.is_while ? NULL : loop_bound(g, e->loop.n);
	declare_params(g, e);
	settle_loads(g);
	Region region = begin_region(g, s);
	int n = n_partial(g, s);
	if (e->loop.is_while) {
		open_brace(g, "while (%s)", operand_text(g, sub_var(e->loop.while_cond)));
		loop_body(g, e);
		close_brace(g);
	} else if (n > 1) {
		gen_partial(g, s, bound, n);
	} else if (!gen_in_lanes(g, s, bound)) {
		gen_for(g, s, bound);
	}
	end_region(g, s, region);
	bind_results(g, s);
}
