// The passes `differentiate`, `diff_in_rows` and `diff_in_order`: turn jvp, vjp and with_vjp into
// ordinary code.
//
//     let (y: f64, dy: f64) = jvp (x) (1.0) \(a: f64) : (f64) -> {       let (a: f64) = x
//       let (b: f64) = sin.f64 a                                   ->    let (b: f64) = sin.f64 a
//       in b                                                             let (c: f64) = cos.f64 a
//     }                                                                  let (y: f64) = b
//                                                                        let (dy: f64) = c
//
// Requires: calls are inlined as far as possible.  Ensures: no derivative forms are left.
// Functions are processed callees first, and innermost forms first, so that code to be
// differentiated contains no derivative forms except with_vjp, which reverse mode needs.  A
// function that is still called inside a derivative gets a derived function for each mode and set
// of active arguments.  Finally, any remaining with_vjp is replaced by its function.
//
// Note [Rounds].  If derivatives are nested, the innermost ones are expanded first, in the whole
// program, and the result is simplified before the next round: derivatives in several directions
// compute the same values, which are then differentiated once instead of once per direction.
// Outermost derivatives wait for the last round.
//
// Note [Fresh results].  The results of a derivative do not alias anything, whereas those of its
// function may alias an argument or each other.  Results that are not known to be fresh are
// copied.
#include "ad/ad.h"

// ---- State ----

typedef struct { Fun *old, *new_; bool open; } Entry;

// The pass at work: one runs at a time, and begins with nothing.
static struct {
	Map entries;            // Fun *, old and new -> Entry *
	Map names;              // of functions
	Map derived;            // key -> Fun *
	VEC(Fun *) made;
	Map sizes;              // variable of a function -> Exp *, of arithmetic on i64
	bool inner;             // only derivatives inside of others, without others inside
	bool around;            // there are derivatives around others, also through calls
	Map seen;               // functions that were looked into for that
	bool warned;            // of derivatives that are zero
	bool changed;
	const Where *where;     // the form being expanded
	Var budget;             // of memory, in the function at hand
	bool budget_used;
	bool deriving;          // a function of its own, which does not have it
	bool in_rows;           // the form at hand is in the function of a combinator
} ad;

static int64_t budget_bytes;
static enum { ON_DEVICES, ON_THREADS, IN_ORDER } runs; // what follows the pass

// ---- Small things ----

Var var_like(Var v, const char *suffix)
{
	return var_new(name_of(text("%s_%s", vars[v.id].hint, suffix)), vars[v.id].type);
}

const Where *derived_place(const Where *w)
{
	return !w || w->derived ? w : NEW(Where, w->span, w->up, .derived = true);
}

Sub ad_zero(Build *b, Type t)
{
	if (t.kind != T_DATA)
		bug("a zero of type %s", show_core_type(t));
	Sub zero = sub_const(scalar_int(t.elem, 0));
	if (!t.dims.len)
		return zero;
	return b_let(b, "zeros", type_array(t.elem, t.dims), EXP(replicate, t.dims, zero));
}

const Exp *size_outside(Var v)
{
	return map_get(&ad.sizes, var_key(v));
}

Subs ad_apply(Build *b, const Lambda *fn, Subs args)
{
	const Lambda *l = lambda_rename(fn);
	for (int i = 0; i < l->params.len; i++) {
		vars[l->params.at[i].id].type.unique = false;
		b_name(b, l->params.at[i], args.at[i]);
	}
	b_emit_all(b, l->body.stms);
	return l->body.res;
}

Subs seed_rows(Subs seeds, VarVec *params)
{
	Subs rows = {seeds.len ? NEW_ARRAY(Sub, seeds.len) : NULL, seeds.len};
	for (int i = 0; i < seeds.len; i++) {
		Type t = type_plain(type_row(sub_type(seeds.at[i])));
		Var p = var_new(name_of("seed"), t);
		VEC_PUSH(params, p);
		rows.at[i] = sub_var(p);
	}
	return rows;
}

Subs own_args(Build *b, const Lambda *fn, Subs args)
{
	args = SLICE_DUP(Subs, args);
	for (int i = 0; i < args.len; i++) {
		Type t = vars[fn->params.at[i].id].type;
		if (t.unique && t.dims.len)
			args.at[i] = b_copy(b, args.at[i]);
	}
	return args;
}

// ---- Derived functions ----

static Name unused_name(const Fun *fn, const char *mode)
{
	for (int i = 0;; i++) {
		Name n = name_of(i ? text("%s_%s%d", fn->name, mode, i)
		                   : text("%s_%s", fn->name, mode));
		if (!map_has(&ad.names, n)) {
			map_put(&ad.names, n, (void *)fn);
			return n;
		}
	}
}

void want_finished(const Fun *fn)
{
	const Entry *e = map_get(&ad.entries, fn);
	if (e && e->open)
		fail(users_place(ad.where), NULL,
		     "A derivative of the recursive function \"%s\" is taken inside of "
		     "that function.\nHow often it is differentiated is not known before it runs.",
		     fn->name);
}

Fun *fun_derived(const Fun *fn, const char *mode, const bool *active, MakeFun *make)
{
	want_finished(fn);
	Str key = {0};
	str_printf(&key, "%s %s ", fn->name, mode);
	for (int i = 0; i < fn->params.len; i++)
		str_putc(&key, active[i] ? '1' : '0');
	Name name = name_of(str_text(&key));
	Fun *known = map_get(&ad.derived, name);
	if (known)
		return known;
	Fun *f = NEW(Fun, .name = unused_name(fn, mode), .attrs = fn->attrs, .where = fn->where);
	map_put(&ad.derived, name, f);
	bool deriving = ad.deriving;
	ad.deriving = true;
	make(f, fn, active);
	ad.deriving = deriving;
	VEC_PUSH(&ad.made, f);
	return f;
}

// ---- Fresh results ----

typedef struct { const Body *body; Map at; } Defs;    // variable -> Stm *

static Defs defs_of(const Body *b)
{
	Defs d = {.body = b};
	for EACH(Stm, s, b->stms)
		vars_put(&d.at, s->pat, s);
	return d;
}

static int place_in(Vars pat, Var v)
{
	for (int i = 0; i < pat.len; i++)
		if (pat.at[i].id == v.id)
			return i;
	bug("a variable is not where it is bound");
}

static bool owner_of(const Defs *, Sub, Var *owner);

static bool branch_is_fresh(const Body *b, int i)
{
	Defs d = defs_of(b);
	Var owner;
	for (int j = 0; j < b->res.len; j++)
		if (j != i && sub_eq(b->res.at[i], b->res.at[j]))
			return false;
	return owner_of(&d, b->res.at[i], &owner);
}

static bool choice_is_fresh(const Exp *e, int i)
{
	for (int k = 0; k < n_branches(e); k++)
		if (!branch_is_fresh(branch_at(e, k), i))
			return false;
	return true;
}

// Is the memory of s made in the body?  Then `owner` is what it was first bound to.
static bool owner_of(const Defs *d, Sub s, Var *owner)
{
	const Stm *st = s.kind == S_VAR ? map_get(&d->at, var_key(s.var)) : NULL;
	if (!st)
		return false;
	const Exp *e = st->exp;
	int i = place_in(st->pat, s.var);
	*owner = s.var;
	switch (e->form) {
	case E_atom:      return owner_of(d, e->atom.x, owner);
	case E_slice:     return owner_of(d, e->slice.arr, owner);
	case E_reshape:   return owner_of(d, e->reshape.arr, owner);
	case E_rearrange: return owner_of(d, e->rearrange.arr, owner);
	case E_trace:     return owner_of(d, e->trace.xs.at[i], owner);
	case E_opaque:    return owner_of(d, e->opaque.xs.at[i], owner);
	case E_if_: case E_match: return choice_is_fresh(e, i);
	case E_loop:      return vars[e->loop.params.at[i].id].type.unique;
	case E_call:      return vars[e->call.fn->res.at[i].id].type.unique;
	case E_withacc:   return i < n_acc_arrays(e);
	case E_update: case E_concat: case E_iota: case E_replicate: case E_scratch: case E_copy:
	case E_array: case E_screma: case E_hist: case E_scatter: case E_flatmap:
		return true;
	case E_prim: case E_convert: case E_index: case E_upd_acc: case E_jvp: case E_vjp:
	case E_with_vjp: case E_assert_: case E_alloc: case E_release: case N_FORM:
		return false;
	}
	bug("no such form: %d", (int)e->form);
}

static void make_fresh(Build *b, const Body *body, Subs res)
{
	Defs d = defs_of(body);
	Map taken = {0};
	for EACH(Sub, r, res) {
		Type t = sub_type(*r);
		Var owner;
		if (t.kind != T_DATA || !t.dims.len)
			continue;
		if (owner_of(&d, *r, &owner) && !map_has(&taken, var_key(owner)))
			map_put(&taken, var_key(owner), &taken);
		else
			*r = b_copy(b, *r);
	}
}

// ---- One form ----

static Subs apply_form(Build *b, const Exp *e)
{
	if (e->form == E_jvp)
		return e->jvp.many
		             ? jvp_apply_many(b, e->jvp.fn, e->jvp.args, e->jvp.seeds, e->jvp.n)
		             : jvp_apply(b, e->jvp.fn, e->jvp.args, e->jvp.seeds);
	return e->vjp.many ? vjp_apply_many(b, e->vjp.fn, e->vjp.args, e->vjp.seeds, e->vjp.n)
	                   : vjp_apply(b, e->vjp.fn, e->vjp.args, e->vjp.seeds);
}

// Statements carry the certificates of what they replace.
static void emit_all(Build *b, const Stm *of, const Body *body, Subs res)
{
	for EACH(Stm, s, body->stms) {
		s->certs = of->certs.len ? vars_cat(s->certs, of->certs) : s->certs;
		if (!s->where)
			s->where = of->where;
		b_emit(b, *s);
	}
	for (int i = 0; i < of->pat.len; i++)
		b_emit(b, (Stm){.pat = vars_of(1, of->pat.at[i]), .certs = of->certs,
		                .where = of->where, .exp = EXP(atom, res.at[i])});
}

static const Lambda *function_of(const Exp *e)
{
	return e->form == E_jvp ? e->jvp.fn : e->vjp.fn;
}

static void expand_form(Build *b, const Stm *s, bool had_forms)
{
	Build inner = {.where = s->where};
	const Where *outer = ad.where;
	ad.where = s->where;
	ad.changed = true;
	if (!had_forms && !ad.warned)
		warn_if_zero(function_of(s->exp), s->where);
	if (!had_forms && !ad.warned && s->exp->form == E_vjp)
		warn_of_captures(function_of(s->exp));
	b_open(&inner);
	Subs res = apply_form(&inner, s->exp);
	res = SLICE_DUP(Subs, res);
	Body body = b_close(&inner, res);
	ad.where = outer;
	b_open(&inner);
	make_fresh(&inner, &body, res);
	Body copies = b_close(&inner, res);
	VEC(Stm) all = {0};
	VEC_APPEND(&all, body.stms);
	VEC_APPEND(&all, copies.stms);
	body.stms = VEC_SLICE(Stms, all);
	emit_all(b, s, &body, res);
}

Types plain_types(Subs xs)
{
	return types_plain(types_of_subs(xs));
}

// ---- Bodies and functions ----

typedef struct {
	Build b;
	bool plain;             // with_vjp too
	int depth;              // derivatives around
	int rows;               // combinators around
} Expand;

static void apply_with_vjp(Build *b, const Stm *s)
{
	Build inner = {.where = s->where};
	b_open(&inner);
	Subs res = ad_apply(&inner, s->exp->with_vjp.fn, s->exp->with_vjp.args);
	Body body = b_close(&inner, res);
	int n = s->exp->with_vjp.n_tape;
	emit_all(b, s, &body, (Subs){res.len > n ? res.at + n : NULL, res.len - n});
}

static bool is_form(const Stm *s)
{
	return s->exp->form == E_jvp || s->exp->form == E_vjp || s->exp->form == E_with_vjp;
}

static bool is_derivative(const Stm *s)
{
	return s->exp->form == E_jvp || s->exp->form == E_vjp;
}

static bool is_nest(const Stm *s)
{
	return is_derivative(s) && body_find(&function_of(s->exp)->body, is_derivative);
}

// What is called may have derivatives of its own: it waits for the last round.
static bool is_outer(const Stm *s)
{
	return is_derivative(s) || s->exp->form == E_call;
}

static void expand_body(Visit *v, Body *body)
{
	Expand *x = v->ctx;
	b_open(&x->b);
	for EACH(Stm, s, body->stms) {
		Stm t = *s;
		if (t.exp->form == E_prim && t.exp->prim.at == PT_I64)
			map_put(&ad.sizes, var_key(t.pat.at[0]), t.exp);
		const Lambda *fn = is_derivative(s) ? function_of(s->exp) : NULL;
		bool rows = form_has(t.exp->form, FORM_SOAC);
		x->depth += fn != NULL;
		x->rows += rows;
		if (t.exp->form == E_call || form_has(t.exp->form, FORM_NEST))
			t.exp = exp_visit(t.exp, v);
		x->depth -= fn != NULL;
		x->rows -= rows;
		ad.in_rows = x->rows > 0;
		if (fn && (!ad.inner || (x->depth && !body_find(&fn->body, is_outer))))
			expand_form(&x->b, &t, body_find(&fn->body, is_form));
		else if (t.exp->form == E_with_vjp && x->plain)
			apply_with_vjp(&x->b, &t);
		else
			b_emit(&x->b, t);
	}
	*body = b_close(&x->b, body->res);
}

static Entry *finish(Fun *);

static void finish_callee(Visit *v, Fun **f)
{
	(void)v;
	*f = finish(*f)->new_;
}

// A function in which nothing is to be done, but for what it calls.
static void finish_plain(Fun *f)
{
	if (!fun_has_calls(f))
		return;
	Body old = f->body;
	Visit v = {.fun = finish_callee, .copy = true};
	body_visit(&f->body, &v);
	fun_same_body(f, old);
}

// ---- The memory budget ----

void set_memory_budget(int64_t bytes)
{
	budget_bytes = bytes;
}

bool memory_budget(Sub *out)
{
	if (!budget_bytes)
		return false;
	ad.budget_used |= !ad.deriving;
	*out = ad.deriving ? sub_i64(budget_bytes) : sub_var(ad.budget);
	return true;
}

// A function that looks at the budget asks for it first of all: what the tuning parameter
// memory_budget is set to.  (gen/params.c: entry points may ask.)
static void ask_for_budget(Fun *f, Var budget)
{
	Build b = {.where = f->where};
	VEC(Stm) all = {0};
	Sub own = sub_i64(budget_bytes);
	b_open(&b);
	if (f->entry) {
		b.attrs = with_attr_text((Attributes){0}, ATTR_PARAM "(memory_budget)");
		Sub set = b_let(&b, "setting", type_scalar(PT_I64),
		                EXP(opaque, subs_of(1, sub_i64(-1))));
		b.attrs = (Attributes){0};
		own = b_select(&b, b_lt(&b, set, sub_i64(0)), own, set);
	}
	b_name(&b, budget, own);
	Body first = b_close(&b, (Subs){0});
	VEC_APPEND(&all, first.stms);
	VEC_APPEND(&all, f->body.stms);
	f->body.stms = VEC_SLICE(Stms, all);
}

static Entry *finish(Fun *f)
{
	Entry *e = map_get(&ad.entries, f);
	if (!e)
		bug("a call of %s, which is not part of the program", f->name);
	if (e->new_)
		return e;
	e->new_ = mem_dup(f, sizeof *f);
	e->open = true;
	map_put(&ad.entries, e->new_, e);
	if (!body_find(&f->body, ad.inner ? is_nest : is_form)) {
		finish_plain(e->new_);
		e->open = false;
		return e;
	}
	Expand x = {0};
	Visit v = {.body = expand_body, .fun = finish_callee, .copy = true, .ctx = &x};
	bool changed = ad.changed, used = ad.budget_used;
	Var budget = ad.budget;
	ad.changed = ad.budget_used = false;
	ad.budget = var_i64("budget");
	expand_body(&v, &e->new_->body);
	if (ad.budget_used)
		ask_for_budget(e->new_, ad.budget);
	ad.budget = budget;
	ad.budget_used = used;
	if (!ad.changed)
		fun_same_body(e->new_, f->body);
	ad.changed |= changed;
	e->open = false;
	return e;
}

bool ad_by_one_thread(bool in_rows)
{
	return runs == IN_ORDER || (runs == ON_THREADS && (in_rows || ad.in_rows));
}

bool ad_is_inner(void)
{
	return ad.around;
}

// A derivative, or a call of a function that has one?
static bool derives(const Stm *s)
{
	const Exp *e = s->exp;
	if (e->form != E_call || map_has(&ad.seen, e->call.fn))
		return is_derivative(s);
	map_put(&ad.seen, e->call.fn, e->call.fn);
	return body_find(&e->call.fn->body, derives);
}

static bool is_around(const Stm *s)
{
	ad.seen = (Map){0};
	return is_derivative(s) && body_find(&function_of(s->exp)->body, derives);
}

static bool is_with_vjp(const Stm *s)
{
	return s->exp->form == E_with_vjp;
}

static void finish_with_vjp(Fun *f)
{
	if (!body_find(&f->body, is_with_vjp))
		return;
	Expand x = {.plain = true};
	Visit v = {.body = expand_body, .copy = true, .ctx = &x};
	expand_body(&v, &f->body);
}

// ---- The pass ----

static Prog *expand_forms(Prog *prog, bool inner, bool warned)
{
	bool by_hand = !inner && prog_find(prog, is_with_vjp);
	memset(&ad, 0, sizeof ad);
	ad.inner = inner;
	ad.around = inner || prog_find(prog, is_around);
	ad.warned = warned;
	active_reset();
	calls_reset();
	for EACH(Fun *, f, prog->funs) {
		map_put(&ad.entries, *f, NEW(Entry, .old = *f));
		map_put(&ad.names, (*f)->name, *f);
	}
	VEC(Fun *) funs = {0};
	for EACH(Fun *, f, prog->funs)
		VEC_PUSH(&funs, finish(*f)->new_);
	VEC_APPEND(&funs, ad.made);
	if (by_hand)
		for EACH(Fun *, f, funs)
			finish_with_vjp(*f);
	return NEW(Prog, .funs = VEC_SLICE(Funs, funs), .stage = prog->stage);
}

// See Note [Rounds].
static Prog *without_forms(Prog *prog)
{
	if (!prog_find(prog, is_form))
		return prog;
	bool nested = prog_find(prog, is_nest), warned = nested;
	if (nested) {
		active_reset();
		warn_of_zeros(prog);
	}
	while (nested) {
		prog = expand_forms(prog, true, true);
		if (!ad.changed)
			break;
		prog = pass_within(PASS_cse, pass_within(PASS_simplify, prog));
		nested = prog_find(prog, is_nest);
	}
	return expand_forms(prog, false, warned);
}

Prog *differentiate(Prog *prog)
{
	runs = ON_DEVICES;
	return without_forms(prog);
}

Prog *diff_in_rows(Prog *prog)
{
	runs = ON_THREADS;
	return without_forms(prog);
}

Prog *diff_in_order(Prog *prog)
{
	runs = IN_ORDER;
	return without_forms(prog);
}
