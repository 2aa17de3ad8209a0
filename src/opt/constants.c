// The pass `store_constants`: evaluates expensive constants of the program once, when a context is
// created, and passes them to entry points as parameters.
//
//     #[constant] fun table () : (t: [1000]f64) = {..}
//     entry "main" fun main (i: i64) : (r: f64) = {
//       let (t1: [1000]f64) = call table ()
//       let (x: f64) = index t1 [i] ..
//   ->
//     entry "constant table" #[constant] fun table () : (t: [1000]f64) = {..}
//     entry "main" #[given(table)] fun main (t1: [1000]f64, i: i64) : (r: f64) = {
//       let (x: f64) = index t1 [i] ..
//
// Requires: no call is inlined yet, constants are called by entry points only, and the parameters
// of a constant are the results of other constants, named by its attributes given(NAME).  Ensures:
// a function marked #[constant] has such attributes for all of its parameters, is an entry point
// (so that passes keep it) and has no callers; and the first parameters of a function with
// attributes given(NAME) are the results of these functions.  Since they are not unique, they are
// neither consumed nor overwritten.
//
// A constant is stored if it may fail (so that the failure is reported when the context is
// created), if it traces (so that the trace is printed once), or if it takes many
// operations after simplification.  Literals, iotas and replicated scalars count as one operation,
// whatever their size.  All other constants are inlined, since their definitions enable constant
// folding in their uses.
//
// The interpreter usually runs programs without this pass and evaluates constants in each call; in
// programs with it, it evaluates them before the first call that needs them.
#include "opt/opt.h"

enum { MANY = 1 << 20 };

// ---- What a constant costs ----

static int body_cost(const Body *);

static int at_most_many(int64_t n)
{
	return n < 0 || n > MANY ? MANY : (int)n;
}

static int n_elements(Type t)
{
	int n = 1;
	for EACH(Sub, d, t.dims)
		n = d->kind == S_CONST ? at_most_many((int64_t)n * at_most_many(d->val.i)) : MANY;
	return n;
}

static int times(Sub n, int cost)
{
	return n.kind == S_CONST ? at_most_many(at_most_many(n.val.i) * (int64_t)(1 + cost)) : MANY;
}

static int screma_cost(const Exp *e)
{
	int each = body_cost(&e->screma.map->body);
	for EACH(Reduction, r, e->screma.scans)
		each = at_most_many(each + body_cost(&r->op->body));
	for EACH(Reduction, r, e->screma.reds)
		each = at_most_many(each + body_cost(&r->op->body));
	return times(e->screma.n, each);
}

static int choice_cost(const Exp *e)
{
	int64_t all = 1;
	for (int i = 0; i < n_branches(e); i++)
		all += body_cost(branch_at(e, i));
	return at_most_many(all);
}

static int stm_cost(const Stm *s)
{
	const Exp *e = s->exp;
	Sub result = s->pat.len ? sub_var(s->pat.at[0]) : sub_i64(0);
	switch (e->form) {
	case E_atom: case E_prim: case E_convert: case E_index: case E_slice: case E_iota:
	case E_scratch: case E_reshape: case E_rearrange: case E_opaque:
		return 1;
	case E_array:
		return type_is_scalar(e->array.elem_type) ? 1 : n_elements(sub_type(result));
	case E_replicate:
		return type_is_scalar(sub_type(e->replicate.x))
		     ? 1 : n_elements(sub_type(result));
	case E_copy: case E_concat:
		return n_elements(sub_type(result));
	case E_update:
		return n_elements(sub_type(e->update.val));
	case E_if_: case E_match:
		return choice_cost(e);
	case E_loop:
		return e->loop.is_while ? MANY : times(e->loop.n, body_cost(&e->loop.body));
	case E_screma:
		return screma_cost(e);
	case E_hist:
		return times(e->hist.n, body_cost(&e->hist.map->body));
	case E_scatter:
		return times(e->scatter.n, body_cost(&e->scatter.map->body));
	case E_assert_: case E_trace: // may fail, is to be seen once
	case E_call: case E_flatmap: case E_withacc: case E_upd_acc: case E_jvp: case E_vjp:
	case E_with_vjp: case E_alloc: case E_release: case N_FORM:
		return MANY;
	}
	bug("not a form");
}

static int body_cost(const Body *b)
{
	int64_t n = 0;
	for EACH(Stm, s, b->stms)
		n += stm_cost(s);
	return at_most_many(n);
}

// ---- Which are stored ----

typedef struct {
	Prog *prog;             // the functions that are made; constants that are stored are marked
	Map old;                // Fun * -> Fun *: before that
	Map deps;               // Fun *, of a constant -> Funs *: what its parameters are
	Map known;              // Fun *, of a constant -> Subs *: what it is, if that is known
} Store;

static Subs *boxed_subs(Subs s)
{
	return mem_dup(&s, sizeof s);
}

static Funs *boxed_funs(Funs f)
{
	return mem_dup(&f, sizeof f);
}

static bool is_constant(const Fun *f)
{
	return has_attr(f->attrs, ATTR_CONSTANT);
}

// The constants and what they call, as if they were all of the program, simplified.
static Prog *constants_alone(const Prog *prog)
{
	Map reached = {0};
	Visit v = {.fun = reach_fun, .ctx = &reached};
	for EACH(Fun *, f, prog->funs)
		if (is_constant(*f))
			reach_fun(&v, f);
	VEC(Fun *) funs = {0};
	for EACH(Fun *, f, prog->funs)
		if (map_has(&reached, *f))
			VEC_PUSH(&funs, *f);
	Prog *out = NEW(Prog, .funs = VEC_SLICE(Funs, funs), .stage = prog->stage);
	return pass_within(PASS_simplify, pass_within(PASS_inline_calls, out));
}

static bool is_known(const Body *b)
{
	for EACH(Sub, r, b->res)
		if (r->kind != S_CONST)
			return false;
	return !b->stms.len;
}

// Takes the mark from those that are not worth it.
static void choose(Store *st, const Prog *old)
{
	const Prog *trial = constants_alone(old);
	for EACH(Fun *, f, st->prog->funs) {
		if (!is_constant(*f))
			continue;
		const Body *b = &fun_named(trial, (*f)->name)->body;
		map_put(&st->deps, *f, boxed_funs(given_to(st->prog, *f)));
		if (body_cost(b) > threshold(AT_constant_cost))
			continue;
		(*f)->attrs = without_attr((*f)->attrs, ATTR_CONSTANT);
		if (is_known(b))
			map_put(&st->known, *f, boxed_subs(b->res));
	}
}

static bool has_size(const Fun *f, Var v)
{
	for EACH(Var, r, f->res)
		for EACH(Sub, d, vars[r->id].type.dims)
			if (d->kind == S_VAR && d->var.id == v.id)
				return true;
	return false;
}

// Parameters have sizes that are parameters: so what those of a stored constant are is stored.
static void store_sizes(Store *st)
{
	for (int i = st->prog->funs.len - 1; i >= 0; i--) {
		Fun *f = st->prog->funs.at[i];
		const Funs *deps = map_get(&st->deps, f);
		if (!deps || !is_constant(f))
			continue;
		const Var *p = f->params.at;
		for EACH(Fun *, d, *deps)
			for (int k = 0; k < (*d)->res.len; k++, p++)
				if (has_size(f, *p) && !map_has(&st->known, *d))
					(*d)->attrs = with_attr((*d)->attrs, ATTR_CONSTANT);
	}
}

// ---- Functions that are given constants ----

// A function as it becomes.
typedef struct {
	Store *st;
	Fun *fun;
	Map vals;               // Fun *, of a constant -> Subs *: its results here
	VEC(Var) params;        // results of constants that are stored
	Build b;                // calls of those that are not
} Home;

static Subs value_here(Home *, Fun *constant);

static Subs values_here(Home *h, const Funs *constants)
{
	Subs out = {0};
	for EACH(Fun *, c, *constants)
		out = subs_cat(out, value_here(h, *c));
	return out;
}

// Variables like the results of a constant, whose own parameters have the values `args` here.
static Vars like_results(const Store *st, const Fun *constant, Subs args)
{
	const Fun *c = map_get(&st->old, constant);
	Map to = {0};
	Visit v = {.sub = subst_operand, .ctx = &to};
	Vars out = {NEW_ARRAY(Var, c->res.len + 1), c->res.len};
	for (int i = 0; i < args.len; i++)
		subst_put(&to, c->params.at[i], args.at[i]);
	for (int i = 0; i < out.len; i++) {
		VarInfo r = vars[c->res.at[i].id];
		r.type.dims = SLICE_DUP(Subs, r.type.dims);
		r.type.unique = false;
		type_visit(&r.type, &v);
		out.at[i] = var_new(r.hint, r.type);
		subst_put(&to, c->res.at[i], sub_var(out.at[i]));
	}
	return out;
}

static Subs make_value(Home *h, Fun *c)
{
	static const Funs none;
	const Subs *known = map_get(&h->st->known, c);
	if (known)
		return *known;
	const Funs *deps = map_get(&h->st->deps, c);
	Subs args = values_here(h, deps ? deps : &none);
	Vars vs = like_results(h->st, c, args);
	if (is_constant(c)) {
		VEC_APPEND(&h->params, vs);
		h->fun->attrs = with_attr_text(h->fun->attrs, text(ATTR_GIVEN "(%s)", c->name));
	} else {
		b_stm(&h->b, vs, EXP(call, c, args));
	}
	return subs_of_vars(vs);
}

static Subs value_here(Home *h, Fun *c)
{
	const Subs *made = map_get(&h->vals, c);
	if (!made) {
		made = boxed_subs(make_value(h, c));
		map_put(&h->vals, c, (void *)made);
	}
	return *made;
}

static Stm name_stm(Var name, Sub val, const Where *where)
{
	return (Stm){.pat = vars_of(1, name), .where = where, .exp = EXP(atom, val)};
}

// Calls of constants become names of their values; functions that are given some get them.
static void give_in_body(Visit *v, Body *b)
{
	Home *h = v->ctx;
	VEC(Stm) out = {0};
	for EACH(Stm, s, b->stms) {
		Fun *callee = s->exp->form == E_call ? s->exp->call.fn : NULL;
		if (callee && map_has(&h->st->deps, callee)) {
			Subs vals = value_here(h, callee);
			for (int i = 0; i < s->pat.len; i++)
				VEC_PUSH(&out, name_stm(s->pat.at[i], vals.at[i], s->where));
			continue;
		}
		Stm t = *s;
		Funs given = callee ? given_to(h->st->prog, callee) : (Funs){0};
		if (form_has(t.exp->form, FORM_NEST)) {
			t.exp = exp_visit(t.exp, v);
		} else if (given.len) {
			t.exp = exp_dup(t.exp);
			t.exp->call.args = subs_cat(values_here(h, &given), t.exp->call.args);
		}
		VEC_PUSH(&out, t);
	}
	b->stms = VEC_SLICE(Stms, out);
}

// Its values come first: as parameters, then calls, then what were parameters of a constant.
static void finish(Home *h, Vars names, Subs vals)
{
	Fun *f = h->fun;
	for (int i = 0; i < names.len; i++)
		b_emit(&h->b, name_stm(names.at[i], vals.at[i], f->where));
	b_emit_all(&h->b, f->body.stms);
	f->body = b_close(&h->b, f->body.res);
	f->params = vars_cat(VEC_SLICE(Vars, h->params),
	                     (Vars){f->params.at + names.len, f->params.len - names.len});
	f->simple = f->lean = f->distinct = f->reduced = f->callless = NULL;
}

static Attributes without_given(Attributes attrs)
{
	Attributes out = {.marks = attrs.marks};
	for EACH(Name, a, attrs)
		if (!str_starts(*a, ATTR_GIVEN "("))
			out = with_attr_text(out, *a);
	return out;
}

static void give(Store *st, Fun *f)
{
	Home h = {.st = st, .fun = f};
	Visit v = {.body = give_in_body, .copy = true, .ctx = &h};
	const Funs *deps = map_get(&st->deps, f);
	b_open(&h.b);
	h.b.where = f->where;
	f->attrs = without_given(f->attrs);
	if (deps && !is_constant(f)) { // it stays as it is
		b_close(&h.b, (Subs){0});
		return;
	}
	Vars names = deps ? f->params : (Vars){0};
	Subs vals = deps ? values_here(&h, deps) : (Subs){0};
	give_in_body(&v, &f->body);
	finish(&h, names, vals);
	if (!deps)
		return;
	f->res = like_results(st, f, vals);
	f->entry_name = name_of(text("constant %s", f->name)); // no name of the program's
	f->entry = NEW(EntryInfo, .result = NEW(EntryType, .kind = ET_RECORD, .name = "()",
	                                        .is_tuple = true, .n_values = f->res.len));
}

// Constants that no entry point needs are functions like others.
static void drop_unused(Prog *prog)
{
	Map needed = {0};
	for (int i = prog->funs.len - 1; i >= 0; i--) { // a constant stands before what needs it
		Fun *f = prog->funs.at[i];
		if (is_constant(f) && !map_has(&needed, f)) {
			f->entry = NULL;
			f->attrs = without_attr(f->attrs, ATTR_CONSTANT);
		}
		if (!f->entry)
			continue;
		Map called = {0};
		Visit v = {.fun = reach_fun, .ctx = &called};
		reach_fun(&v, &f);
		for MAP_EACH(e, called) {
			Funs given = given_to(prog, (const Fun *)e->key);
			for EACH(Fun *, c, given)
				map_put(&needed, *c, f);
		}
	}
}

Prog *store_constants(Prog *prog)
{
	bool any = false;
	for EACH(Fun *, f, prog->funs)
		any |= is_constant(*f);
	if (!any)
		return prog;
	Map funs = {0};
	Store st = {.prog = prog_copy(prog, &funs)};
	for MAP_EACH(e, funs)
		map_put(&st.old, e->val, (void *)e->key);
	for EACH(Fun *, f, st.prog->funs)
		fun_new_callees(*f, &funs);
	choose(&st, prog);
	store_sizes(&st);
	for EACH(Fun *, f, st.prog->funs)
		give(&st, *f);
	drop_unused(st.prog);
	return st.prog;
}
