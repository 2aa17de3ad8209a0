// Nests of maps: which parts become kernels, and with how many levels.
//
//     let (zs: [n]f64) = screma n (xs) map=\(row: [m]f64) : (f64) -> {
//       let (s: f64) = screma m (row) .. reduce ..
//       let (t: f64) = exp.f64 s
//       let (y: [m]f64) = screma m (row) map= .. t ..
//       ..
// With enough rows this is one kernel of n threads, each of which executes the whole body.
// Otherwise the nest is distributed over the statements of its body (spread_body): the reduction
// for all rows (flatten_fold.c), a kernel that computes t for all rows, one of n x m threads for
// y, and so on.  The choice is made at run time (#[threshold]), except if the body consists only
// of another map or of updates, or if the inner rows contain loops of different lengths: threads
// that share such a loop read the same elements, whereas the reads of different outer rows would
// be far apart.
//
// Distribution processes the statements in order.  Cheap ones (views, reads, a few operations) are
// recomputed by each kernel that needs them (K_AGAIN).  Sequential ones are collected until a
// parallel statement needs them; then one kernel computes what is needed later, as arrays over all
// rows (K_SPREAD).  A parallel statement is one of
//     a map            the nest grows by one level
//     scan, reduce     the map function first, if there is parallelism in it; then flatten_fold.c
//     a loop           with the same number of iterations in all rows: a loop at host level that
//                      carries arrays for all rows, around the nest
//     a branch         on the same condition in all rows: likewise
//     hist, scatter, withacc: gpu_acc.c
// Irregular arrays, whose size differs from row to row, stay inside the threads, together with
// everything that depends on them.
#include "device/flatten.h"

enum { MOST_AGAIN = 12 };       // statements that are rather computed again than stored

// ---- Levels ----

void know(Flatten *f, Var v, Known k)
{
	map_put(&f->known, var_key(v), mem_dup(&k, sizeof k));
}

const Known *known_of(const Flatten *f, Sub x)
{
	return x.kind == S_VAR ? map_get(&f->known, var_key(x.var)) : NULL;
}

static void note_inner(Visit *v, Var *x)
{
	Flatten *f = v->ctx;
	map_put(&f->inside, var_key(*x), f);
}

static void note_body(Visit *v, Body *b)
{
	for EACH(Stm, s, b->stms) {
		note_iota(v->ctx, s);
		if (s->exp->form == E_screma)
			note_counting(v->ctx, s->exp);
	}
	body_visit(b, v);
}

// The variables of a map function are inside of a nest.
void note_inside(Flatten *f, const Lambda *l)
{
	Visit v = {.bind = note_inner, .body = note_body, .ctx = f};
	lambda_visit((Lambda **)&l, &v); // a walk: writes nothing
}

static Sub acc_at_host(Flatten *f, Sub acc)
{
	const Known *k = map_get(&f->known, var_key(acc.var));
	return k && k->kind == K_ACC ? k->arr : acc;
}

Level *level_new(Flatten *f, const Level *up, Sub n, Vars params, Subs arrs, Vars certs)
{
	Level *l = NEW(Level, .up = up, .depth = up ? up->depth + 1 : 1, .n = n,
		.i = var_i64("i"), .params = params, .arrs = arrs,
		.certs = certs);
	know(f, l->i, (Known){.kind = K_COUNTER, .level = l});
	map_put(&f->inside, var_key(l->i), l);
	for (int k = 0; k < params.len; k++)
		if (sub_type(arrs.at[k]).kind == T_ACC)
			know(f, params.at[k], (Known){.kind = K_ACC,
				.arr = acc_at_host(f, arrs.at[k])});
		else
			know(f, params.at[k], (Known){.kind = K_ROW, .level = l,
				.arr = arrs.at[k]});
	return l;
}

// The body, with results of just these types: they may name sizes otherwise than what makes them.
Body typed(Flatten *f, Body b, Types ts)
{
	Build *old = &f->b, types = {.where = old->where};
	b_open(&types);
	b_emit_all(&types, b.stms);
	b.res = SLICE_DUP(Subs, b.res);
	for (int i = 0; i < b.res.len; i++) {
		Type from = sub_type(b.res.at[i]), to = ts.at[i];
		bool same = true;
		for (int d = 0; from.kind == T_DATA && d < to.dims.len; d++)
			same &= sub_eq(from.dims.at[d], to.dims.at[d]);
		if (same)
			continue;
		to.unique = false;
		Var v = var_new(name_of("typed"), to);
		map_put(&f->inside, var_key(v), f);
		b_name(&types, v, b.res.at[i]);
		b.res.at[i] = sub_var(v);
	}
	return b_close(&types, b.res);
}

// ---- What is computed again ----

bool is_again_form(const Exp *e)
{
	switch (e->form) {
	case E_prim:
		return !prim_is_function(e->prim.op);
	case E_atom: case E_convert: case E_index: case E_slice: case E_reshape: case E_rearrange:
	case E_assert_:
		return true;
	case E_if_:
		return !e->if_.yes.stms.len && !e->if_.no.stms.len;
	case E_iota:
		return true;
	default: // does work of its own
		return false;
	}
}

// What the statements gathered so far bind.
typedef struct {
	Flatten *f;
	const Level *nest;
	StmVec stms;
	Map bound;
} Pending;

int choice_cost(const Stm *s)
{
	const Exp *e = s->exp;
	int n = 0;
	if (e->form != E_if_ || s->pat.len != 1 || !vars_are_scalars(s->pat))
		return 0;
	for (int k = 0; k < 2; k++) {
		Stms stms = (k ? e->if_.no : e->if_.yes).stms;
		for EACH(const Stm, t, stms)
			if (t->exp->form == E_assert_ || !vars_are_scalars(t->pat) ||
			    !is_again_form(t->exp))
				return 0;
		n += stms.len;
	}
	return n + 1;
}

static Body body_of(Stm *s)
{
	return (Body){.stms = {s, 1}};
}

// Is it a cheap one, of what is known?  *cost: of all that it does again.
static bool is_again(const Pending *p, Stm *s, int *cost)
{
	Body b = body_of(s);
	int of_choice = choice_cost(s);
	if ((!is_again_form(s->exp) && !of_choice) || s->pat.len != 1 ||
	    vars[s->pat.at[0].id].type.kind == T_ACC)
		return false;
	*cost = of_choice ? of_choice : s->exp->form == E_prim || s->exp->form == E_index;
	Vars free = free_in_body(&b);
	for EACH(Var, v, free) {
		const Known *k = map_get(&p->f->known, var_key(*v));
		if (map_has(&p->bound, var_key(*v)))
			return false;
		*cost += k && k->kind == K_AGAIN ? k->cost : 0;
	}
	return *cost <= MOST_AGAIN || vars[s->pat.at[0].id].type.dims.len ||
	       s->exp->form == E_assert_;
}

// ---- What is needed later ----

typedef struct { const Flatten *f; Map seen; } Needs;

static void need(Needs *n, Var v)
{
	if (map_has(&n->seen, var_key(v)))
		return;
	map_put(&n->seen, var_key(v), n);
	const Known *k = map_get(&n->f->known, var_key(v));
	if (!k || k->kind != K_AGAIN)
		return;
	Stm s = *k->stm;
	Body b = body_of(&s);
	Vars free = free_in_body(&b);
	for EACH(Var, x, free)
		need(n, *x);
}

static void need_body(Needs *n, const Body *b)
{
	Vars free = free_in_body(b);
	for EACH(Var, x, free)
		need(n, *x);
}

static Vars all_needed(const Flatten *f, const Body *later)
{
	Needs n = {.f = f};
	need_body(&n, later);
	VEC(Var) out = {0};
	for MAP_EACH(e, n.seen)
		VEC_PUSH(&out, (Var){(uint32_t)(uintptr_t)e->key - 1});
	return VEC_SLICE(Vars, out);
}

static bool needs_pending(const Pending *p, const Stm *s)
{
	Stm t = *s;
	Body b = body_of(&t);
	Needs n = {.f = p->f};
	need_body(&n, &b);
	for MAP_EACH(e, n.seen)
		if (map_has(&p->bound, e->key))
			return true;
	return false;
}

static bool pending_reads(const Pending *p, const Map *gone)
{
	Body b = {.stms = VEC_SLICE(Stms, p->stms)};
	return gone->len && p->stms.len && body_reads_any(p->f, &b, gone);
}

static void gather(Pending *p, const Stm *s)
{
	VEC_PUSH(&p->stms, *s);
	vars_put(&p->bound, s->pat, p);
}

// Of what the statements gathered bind: what `later` needs.
static Vars needed(const Pending *p, const Body *later)
{
	Needs n = {.f = p->f};
	need_body(&n, later);
	VEC(Var) out = {0};
	for EACH(Stm, s, p->stms)
		for EACH(Var, v, s->pat)
			if (map_has(&n.seen, var_key(*v)))
				VEC_PUSH(&out, *v);
	return VEC_SLICE(Vars, out);
}

static bool may_flush(const Pending *p, const Body *later)
{
	Vars vs = needed(p, later);
	for EACH(Var, v, vs)
		if (!is_regular(p->f, vars[v->id].type))
			return false;
	return true;
}

void know_spread(Flatten *f, const Level *nest, Var v, Sub arr)
{
	know(f, v, vars[v.id].type.kind == T_ACC ? (Known){.kind = K_ACC, .arr = arr}
	         : (Known){.kind = K_SPREAD, .level = nest, .arr = arr});
}

// A kernel for the statements gathered.
static void flush(Pending *p, const Body *later)
{
	if (!p->stms.len)
		return;
	Vars vs = needed(p, later);
	VEC(Var) made = {0};
	for EACH(Var, v, vs)
		if (vars[v->id].type.kind == T_CERT)
			know(p->f, *v, (Known){.kind = K_DONE});
		else
			VEC_PUSH(&made, *v);
	Body b = {.stms = VEC_SLICE(Stms, p->stms), .res = subs_of_vars(VEC_SLICE(Vars, made))};
	Subs arrs = emit_leaf(p->f, p->nest, b);
	for (int i = 0; i < made.len; i++)
		know_spread(p->f, p->nest, made.at[i], arrs.at[i]);
	p->stms = (StmVec){0};
	p->bound = (Map){0};
}

// ---- Parallel statements of a nest ----

static Subs spread_loop(Flatten *f, const Level *nest, const Exp *e)
{
	Build *b = &f->b;
	int n = e->loop.params.len;
	Subs inits = spread_values(f, nest, e->loop.inits);
	set_outside(f, e->loop.i, true);
	Vars params = {NEW_ARRAY(Var, n), n}, pat = {NEW_ARRAY(Var, n), n};
	for (int k = 0; k < n; k++) {
		Type t = sub_type(inits.at[k]);
		pat.at[k] = var_new(vars[e->loop.params.at[k].id].hint, t);
		t.unique = vars[e->loop.params.at[k].id].type.unique && t.dims.len;
		params.at[k] = var_new(vars[e->loop.params.at[k].id].hint, t);
		know_spread(f, nest, e->loop.params.at[k], sub_var(params.at[k]));
	}
	b_open(b);
	Body body = b_close(b, spread_body(f, nest,
		typed(f, e->loop.body, types_of_vars(e->loop.params))));
	b_stm(b, pat, EXP(loop, .params = params, .inits = inits, .i = e->loop.i, .n = e->loop.n,
	                  .body = body));
	return subs_of_vars(pat);
}

static Subs spread_if(Flatten *f, const Level *nest, const Stm *s)
{
	Build *b = &f->b;
	Types ts = {NEW_ARRAY(Type, s->pat.len), s->pat.len};
	for (int i = 0; i < ts.len; i++) {
		Type t = vars[s->pat.at[i].id].type;
		ts.at[i] = t.kind == T_ACC ? t : nest_type(nest, t);
	}
	b_open(b);
	Types own = types_of_vars(s->pat);
	Body yes = b_close(b, spread_body(f, nest, typed(f, s->exp->if_.yes, own)));
	b_open(b);
	Body no = b_close(b, spread_body(f, nest, typed(f, s->exp->if_.no, own)));
	return b_lets(b, "r", ts, EXP(if_, s->exp->if_.cond, yes, no));
}

// ---- Any of them ----

// False: the threads do it.
static bool spread_form(Flatten *f, const Level *nest, const Stm *s, Subs *out)
{
	switch (s->exp->form) {
	case E_screma:
		if (!is_scalar_fold(s->exp) && !has_vector_operators(s->exp))
			return false;
		f->attrs = s->attrs;
		*out = flatten_screma(f, nest, s->exp, s->certs);
		return true;
	case E_loop:
		*out = spread_loop(f, nest, s->exp);
		return true;
	case E_if_:
		if (updates_spread(f, nest, s)) {
			*out = subs_of(1, spread_update(f, nest, s));
			return true;
		}
		if (joins_arrays(f, s)) {
			*out = subs_of(1, spread_joined(f, nest, s));
			return true;
		}
		if (in_nest(f, s->exp->if_.cond)) {
			Stm map = map_of_if(f, s);
			return spread_form(f, nest, &map, out);
		}
		*out = spread_if(f, nest, s);
		return true;
	case E_withacc:
		*out = spread_withacc(f, nest, s);
		return true;
	case E_replicate:
		*out = subs_of(1, spread_replicate(f, nest, s->exp));
		return true;
	case E_copy:
		*out = subs_of(1, spread_copy(f, nest, s->exp->copy.arr));
		return true;
	case E_concat: case E_array:
		*out = subs_of(1, spread_joined(f, nest, s));
		return true;
	case E_scratch:
		*out = subs_of(1, b_scratch(&f->b, "scratch", nest_type(nest,
			vars[s->pat.at[0].id].type)));
		return true;
	case E_update:
		*out = subs_of(1, spread_update(f, nest, s));
		return true;
	case E_hist: case E_scatter:
		*out = gpu_acc_nest(f, nest, s);
		return true;
	default: // has no parallelism
		return false;
	}
}

static bool spread_stm(Flatten *f, const Level *nest, const Stm *s)
{
	const Where *where = f->b.where;
	Subs res;
	f->b.where = s->where;
	bool done = spread_form(f, nest, s, &res);
	f->b.where = where;
	for (int i = 0; done && i < s->pat.len; i++)
		know_spread(f, nest, s->pat.at[i], res.at[i]);
	return done;
}

// ---- Bodies of nests ----

// Maybe with other names for its sizes.
Sub without_names(const Flatten *f, Sub x)
{
	const Known *k = known_of(f, x);
	return k && k->kind == K_AGAIN && k->stm->exp->form == E_atom
	             ? without_names(f, k->stm->exp->atom.x)
	             : x;
}

// The array that has a result for all rows already, if no other result has it.
static bool is_spread(Flatten *f, const Level *nest, Subs res, int i, Sub *arr)
{
	Sub x = without_names(f, res.at[i]);
	const Known *k = known_of(f, x);
	if (!k || !((k->kind == K_SPREAD && k->level == nest) || k->kind == K_ACC))
		return false;
	for (int j = 0; j < i; j++)
		if (sub_eq(x, without_names(f, res.at[j])))
			return false;
	*arr = k->arr;
	if (!sub_eq(x, res.at[i]) && k->kind == K_SPREAD) {
		Type t = type_plain(nest_type(nest, sub_type(res.at[i])));
		*arr = b_let(&f->b, "typed", t, EXP(atom, k->arr));
	}
	return true;
}

static Subs results_of(Pending *p, Subs res)
{
	Subs out = {NEW_ARRAY(Sub, res.len), res.len};
	SubVec rest = {0};
	bool *left = NEW_ARRAY(bool, res.len);
	for (int i = 0; i < res.len; i++) {
		Type t = sub_type(res.at[i]);
		if (is_spread(p->f, p->nest, res, i, &out.at[i]))
			continue;
		left[i] = t.kind == T_ACC || !t.dims.len ||
		          map_has(&p->bound, var_key(res.at[i].var));
		if (left[i])
			VEC_PUSH(&rest, res.at[i]);
		else
			out.at[i] = spread_copy(p->f, p->nest, res.at[i]);
	}
	Subs made = emit_leaf(p->f, p->nest, (Body){.stms = VEC_SLICE(Stms, p->stms),
		.res = VEC_SLICE(Subs, rest)});
	for (int i = 0, at = 0; i < res.len; i++)
		if (left[i])
			out.at[i] = made.at[at++];
	return out;
}

Subs spread_values(Flatten *f, const Level *nest, Subs xs)
{
	Pending none = {.f = f, .nest = nest};
	return results_of(&none, xs);
}

// Does a kernel of what comes later make the assertion again?  What is made as a whole names no
// certificates, nor do loops and branches at host level; what is inside of them may.
static bool is_made_later(const Flatten *f, const Body *later, Var cert)
{
	Stms stms = SLICE_DUP(Stms, later->stms);
	for EACH(Stm, s, stms)
		if (makes_array(f, s) || s->exp->form == E_loop || s->exp->form == E_if_)
			s->certs = (Vars){0};
	return n_uses_in(&(Body){.stms = stms, .res = later->res}, cert) > 0;
}

Subs spread_body(Flatten *f, const Level *nest, Body b)
{
	Pending p = {.f = f, .nest = nest};
	b.stms = SLICE_DUP(Stms, b.stms);
	for (int i = 0; i < b.stms.len; i++) {
		Stm *s = &b.stms.at[i];
		int cost;
		Body after = {.stms = {s + 1, b.stms.len - i - 1}, .res = b.res};
		if (s->exp->form == E_assert_ && !is_made_later(f, &after, s->pat.at[0])) {
			gather(&p, s);
			continue;
		}
		if (is_uniform(f, s)) {
			b_emit(&f->b, *s);
			set_outside(f, s->pat.at[0], true);
			continue;
		}
		if (is_again(&p, s, &cost)) {
			know(f, s->pat.at[0], (Known){.kind = K_AGAIN, .stm = s, .cost = cost});
			continue;
		}
		Body rest = {.stms = {s, b.stms.len - i}, .res = b.res};
		bool parallel = goes_apart(f, s) || makes_array(f, s) ||
		                updates_spread(f, nest, s);
		Map gone = parallel ? spread_consumed(f, s) : (Map){0};
		if (parallel && (needs_pending(&p, s) || pending_reads(&p, &gone))) {
			parallel = may_flush(&p, &rest);
			if (parallel)
				flush(&p, &rest);
		}
		if (parallel && gone.len)
			keep_reads(f, nest, &gone, all_needed(f, &after));
		if (!parallel || !spread_stm(f, nest, s))
			gather(&p, s);
	}
	return results_of(&p, b.res);
}
