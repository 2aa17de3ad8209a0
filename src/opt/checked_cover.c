// Determines which values of a combinator are visible in its results when they are not finite.
//
//     screma n (xs) map=\x -> {a = div 1.0 x; b = lt a 2.0; c = mul a x; .. in c}
//                                     a shows in c, and c is a result; b does not show a
//
// A visible value needs no check where it is computed: inspecting the results shows whether there
// is anything to look for (checked_float.c).
//
// A value is visible if it is a visible result, or the operand of an operation that propagates
// infinities and NaNs and whose own result is visible.  Values carried by loops and operators are
// visible if they are in every iteration; this is assumed first and withdrawn when refuted (a
// greatest fixed point).
//
// Sums and similar values inside the combinator that are not visible are tested where they are
// computed (watched), so that their operands need not be; not in operators, which have no place for
// what is found.
#include "opt/checked_float.h"

static void cover_body(Cover *, const Body *, Vars params, const bool *res);

// By a statement or the result of a body: only what is the body's own, since what is from outside
// shows only if the body is executed.
static void see(Cover *c, const Body *b, Sub x)
{
	if (x.kind == S_VAR && map_get(&c->homes, var_key(x.var)) == b)
		map_put(&c->seen, var_key(x.var), c);
}

static void unsee(Visit *v, Var *x)
{
	Cover *c = v->ctx;
	if (map_get(&c->seen, var_key(*x)))
		map_put(&c->seen, var_key(*x), NULL);
}

static void forget_body(Cover *c, const Body *b)
{
	Visit v = {.bind = unsee, .ctx = c};
	body_walk(b, &v);
}

static const bool *seen_vars(const Cover *c, Vars vs)
{
	bool *out = NEW_ARRAY(bool, vs.len + 1);
	for (int i = 0; i < vs.len; i++)
		out[i] = is_seen(c, sub_var(vs.at[i]));
	return out;
}

static void watch_var(Cover *c, Var x)
{
	if (is_seen(c, sub_var(x)))
		return;
	map_put(&c->watched, var_key(x), c);
	map_put(&c->seen, var_key(x), c);
}

// What is to be tested if it shows others: not what is infinite as is meant.
static bool may_watch(const Cover *c, Var x)
{
	return !c->in_operator && type_is_float(vars[x.id].type) &&
	       !may_be_infinite(c->infinite, sub_var(x));
}

// Numbers that a loop gives are tested after it, if they show what iterations compute.
static void cover_loop(Cover *c, const Body *b, const Stm *s)
{
	const Exp *e = s->exp;
	int n = e->loop.params.len;
	bool *res = mem_dup(seen_vars(c, s->pat), (size_t)(n + 1) * sizeof(bool));
	for (int i = 0; i < n; i++)
		res[i] |= !is_trusted(s) && !vars[s->pat.at[i].id].type.dims.len &&
		          may_watch(c, s->pat.at[i]);
	for (bool again = true; again; ) {
		again = false;
		forget_body(c, &e->loop.body);
		vars_put(&c->seen, e->loop.params, NULL);
		cover_body(c, &e->loop.body, e->loop.params, res);
		for (int i = 0; i < n; i++)
			if (res[i] && !is_seen(c, sub_var(e->loop.params.at[i]))) {
				res[i] = false;
				again = true;
			}
	}
	for (int i = 0; i < n; i++) {
		if (!res[i])
			continue;
		watch_var(c, s->pat.at[i]);
		see(c, b, e->loop.inits.at[i]);
	}
}

// Which inputs of an operator show, if its results do.
static void cover_operator(Cover *c, const Lambda *op, const bool *pat, bool *in)
{
	int k = op->ret.len;
	bool *res = mem_dup(pat, (size_t)(k + 1) * sizeof(bool));
	c->in_operator++;
	for (bool again = true; again; ) {
		again = false;
		forget_body(c, &op->body);
		vars_put(&c->seen, op->params, NULL);
		cover_body(c, &op->body, op->params, res);
		for (int i = 0; i < k; i++)
			if (res[i] && !(is_seen(c, sub_var(op->params.at[i])) &&
			                is_seen(c, sub_var(op->params.at[k + i])))) {
				res[i] = false;
				again = true;
			}
	}
	c->in_operator--;
	memcpy(in, res, (size_t)k * sizeof(bool));
}

// ---- What nothing needs ----
//
//     let (as: [n]f64, bs: [n]f64) = screma n (xs, ys) .. scan=(1.0, 0.0) \(a, b, x, y) -> {
//       let (p: f64) = mul a x
//       let (q: f64) = mul b x
//       let (r: f64) = add q y
//       in p, r
//     }                                           p, where as is of no use: one element after the
//                                                 other is added, which needs r alone
//
// Dead code is not checked, and this is not even computed where one thread goes through the rows.

// Gives whether a statement or result of the operator needs more of the last result.
static bool needs_more(const Lambda *op, bool *needed, Map *live)
{
	int k = op->ret.len;
	for (int i = 0; i < k; i++)
		if (needed[i] && op->body.res.at[i].kind == S_VAR)
			map_put(live, var_key(op->body.res.at[i].var), live);
	for (int i = op->body.stms.len; i-- > 0; ) {
		const Stm *s = &op->body.stms.at[i];
		bool any = s->exp->form == E_assert_;
		for EACH(Var, v, s->pat)
			any |= map_has(live, var_key(*v));
		if (any)
			vars_put(live, free_in_stm(s), live);
	}
	bool more = false;
	for (int i = 0; i < k; i++)
		if (!needed[i] && map_has(live, var_key(op->params.at[i])))
			needed[i] = more = true;
	return more;
}

// Of results `used` or not.
static bool *needed_of(const Reduction *r, const bool *used, Map *live)
{
	bool *needed = mem_dup(used, (size_t)(r->ne.len + 1) * sizeof(bool));
	while (needs_more(r->op, needed, live))
		continue;
	return needed;
}

static void note_unneeded(Cover *c, const Body *b, const Reduction *r, const Var *pat)
{
	int k = r->ne.len, n_used = 0;
	bool *used = NEW_ARRAY(bool, k + 1);
	for (int i = 0; k > 1 && i < k; i++)
		n_used += used[i] = n_uses_in(b, pat[i]) > 0;
	if (k == 1 || n_used == k)
		return;
	Map live = {0};
	const bool *needed = needed_of(r, used, &live);
	for (int i = 0; i < k; i++)
		if (!needed[i])
			map_put(&c->unneeded, var_key(pat[i]), c);
}

// What only results that nothing needs are made of is as good as seen.
void forgive_unneeded(Cover *c, const Reduction *r, const Var *pat)
{
	int k = r->ne.len, n_needed = 0;
	bool *used = NEW_ARRAY(bool, k + 1);
	for (int i = 0; i < k; i++)
		n_needed += used[i] = !map_has(&c->unneeded, var_key(pat[i]));
	if (n_needed == k)
		return;
	Map live = {0};
	needed_of(r, used, &live);
	for EACH(Stm, s, r->op->body.stms)
		for EACH(Var, v, s->pat)
			if (!map_has(&live, var_key(*v)))
				map_put(&c->seen, var_key(*v), c);
}

static void note_all_unneeded(Cover *c, const Body *b, const Stm *s)
{
	const Var *pat = s->pat.at;
	for EACH(Reduction, r, s->exp->screma.scans) {
		note_unneeded(c, b, r, pat);
		pat += r->ne.len;
	}
	for EACH(Reduction, r, s->exp->screma.reds) {
		note_unneeded(c, b, r, pat);
		pat += r->ne.len;
	}
}

// ---- Combinators ----

// Marks the results of an operator that show its inputs, and are not visible yet.
static void watch_operator(Cover *c, const Reduction *r, const Var *pat)
{
	int k = r->ne.len;
	bool *want = NEW_ARRAY(bool, k), *shows = NEW_ARRAY(bool, k);
	for (int i = 0; i < k; i++)
		want[i] = may_watch(c, pat[i]) && !map_has(&c->unneeded, var_key(pat[i]));
	cover_operator(c, r->op, want, shows);
	for (int i = 0; i < k; i++)
		if (shows[i])
			watch_var(c, pat[i]);
}

static void watch(Cover *c, const Stm *s)
{
	const Exp *e = s->exp;
	const Var *pat = s->pat.at;
	for EACH(Reduction, r, e->screma.scans) {
		watch_operator(c, r, pat);
		pat += r->ne.len;
	}
	for EACH(Reduction, r, e->screma.reds) {
		watch_operator(c, r, pat);
		pat += r->ne.len;
	}
}

static void cover_screma(Cover *c, const Body *b, const Stm *s, const bool *pat)
{
	const Exp *e = s->exp;
	const Lambda *f = e->screma.map;
	bool *res = mem_dup(pat, (size_t)(f->ret.len + 1) * sizeof(bool));
	int at = 0;
	for EACH(Reduction, r, e->screma.scans) {
		cover_operator(c, r->op, pat + at, res + at);
		forgive_unneeded(c, r, s->pat.at + at);
		at += r->ne.len;
	}
	for EACH(Reduction, r, e->screma.reds) {
		cover_operator(c, r->op, pat + at, res + at);
		forgive_unneeded(c, r, s->pat.at + at);
		at += r->ne.len;
	}
	cover_body(c, &f->body, f->params, res);
	for (int i = 0; i < e->screma.arrs.len; i++)
		if (is_seen(c, sub_var(f->params.at[i])))
			see(c, b, e->screma.arrs.at[i]);
}

// What is added to an array shows in it, where the operator hands it on.
static void cover_withacc(Cover *c, const Body *b, const Exp *e, const bool *pat)
{
	const Lambda *f = e->withacc.fn;
	int n = e->withacc.inputs.len;
	bool *res = NEW_ARRAY(bool, f->ret.len + 1);
	for (int i = 0; i < n; i++) {
		AccInput in = e->withacc.inputs.at[i];
		bool *shows = NEW_ARRAY(bool, in.arrs.len + 1);
		if (in.op)
			cover_operator(c, in.op, pat, shows);
		map_put(&c->added, var_key(f->params.at[i]), shows);
		for (int k = 0; k < in.arrs.len; k++)
			if (shows[k])
				see(c, b, in.arrs.at[k]);
		pat += in.arrs.len;
	}
	memcpy(res + n, pat, (size_t)(f->ret.len - n) * sizeof *res);
	cover_body(c, &f->body, f->params, res);
}

// Has the array been made in this body?  Then to look at all of it takes no longer than that.
static bool is_made_in(const Body *b, Sub x)
{
	const Stm *s = b ? stm_in(b, x) : NULL;
	const Exp *e = s ? s->exp : NULL;
	if (e && e->form == E_update)
		return is_made_in(b, e->update.arr);
	return e && (e->form == E_replicate || e->form == E_screma || e->form == E_copy ||
	             e->form == E_concat);
}

// Arrays that show what is added to them are tested after it, if they are made here.
static void watch_sums(Cover *c, const Body *b, const Stm *s)
{
	int at = 0;
	for EACH(AccInput, in, s->exp->withacc.inputs) {
		int k = in->arrs.len;
		bool *want = NEW_ARRAY(bool, k + 1), *shows = NEW_ARRAY(bool, k + 1);
		for (int i = 0; i < k; i++) {
			Var x = s->pat.at[at + i];
			want[i] = may_watch(c, x) && is_made_in(b, in->arrs.at[i]);
		}
		if (in->op)
			cover_operator(c, in->op, want, shows);
		for (int i = 0; i < k; i++)
			if (shows[i])
				watch_var(c, s->pat.at[at + i]);
		at += k;
	}
}

static void cover_added(Cover *c, const Body *b, const Exp *e)
{
	const bool *shows = map_get(&c->added, var_key(sub_type(e->upd_acc.acc).acc->token));
	for (int i = 0; shows && i < e->upd_acc.vals.len; i++)
		if (shows[i])
			see(c, b, e->upd_acc.vals.at[i]);
}

static void cover_all(Cover *c, const Body *b, Subs xs)
{
	for EACH(Sub, x, xs)
		see(c, b, *x);
}

// An array that is written to: what is overwritten must not have been looked at otherwise.
static void cover_update(Cover *c, const Body *b, const Exp *e)
{
	see(c, b, e->update.val);
	if (e->update.arr.kind == S_VAR && n_uses_in(b, e->update.arr.var) == 1)
		see(c, b, e->update.arr);
}

static void cover_stm(Cover *c, const Body *b, const Stm *s)
{
	const Exp *e = s->exp;
	const Vars none = {0};
	bool first = s->pat.len && is_seen(c, sub_var(s->pat.at[0]));
	switch (e->form) {
	case E_prim: case E_convert:
		for (int i = 0; first && is_float_operation(s) && i < n_float_operands(e); i++)
			if (hands_on(e, i))
				see(c, b, float_operand(e, i));
		return;
	case E_if_: case E_match: {
		const bool *res = seen_vars(c, s->pat);
		for (int i = 0; i < n_branches(e); i++)
			cover_body(c, branch_at(e, i), none, res);
		return;
	}
	case E_loop:      cover_loop(c, b, s); return;
	case E_screma:
		note_all_unneeded(c, b, s);
		if (!is_trusted(s))
			watch(c, s);
		cover_screma(c, b, s, seen_vars(c, s->pat));
		return;
	case E_update:
		if (first)
			cover_update(c, b, e);
		return;
	case E_atom:
		if (first)
			see(c, b, e->atom.x);
		return;
	case E_concat:
		if (first)
			cover_all(c, b, e->concat.arrs);
		return;
	case E_array:
		if (first)
			cover_all(c, b, e->array.elems);
		return;
	case E_reshape:
		if (first)
			see(c, b, e->reshape.arr);
		return;
	case E_rearrange:
		if (first)
			see(c, b, e->rearrange.arr);
		return;
	case E_copy:
		if (first)
			see(c, b, e->copy.arr);
		return;
	case E_withacc:
		if (!is_trusted(s))
			watch_sums(c, b, s);
		cover_withacc(c, b, e, seen_vars(c, s->pat));
		return;
	case E_upd_acc:
		cover_added(c, b, e);
		return;
	case E_call: case E_index: case E_slice: case E_iota: case E_replicate: case E_scratch:
	case E_hist: case E_scatter: case E_flatmap: case E_jvp: case E_vjp: case E_with_vjp:
	case E_assert_: case E_trace: case E_opaque: case E_alloc: case E_release: case N_FORM:
		return;
	}
}

static void cover_body(Cover *c, const Body *b, Vars params, const bool *res)
{
	vars_put(&c->homes, params, b);
	for EACH(Stm, s, b->stms)
		vars_put(&c->homes, s->pat, b);
	for (int i = 0; i < b->res.len; i++)
		if (res[i])
			see(c, b, b->res.at[i]);
	for (int i = b->stms.len; i-- > 0; )
		cover_stm(c, b, &b->stms.at[i]);
}

// A value that falls outside shows nowhere: what the operators compute alone does.
static void cover_hist(Cover *c, const Exp *e, const bool *all)
{
	for EACH(HistOp, op, e->hist.ops)
		cover_operator(c, op->op, all, NEW_ARRAY(bool, op->ne.len + 1));
}

void cover_results(Cover *c, const Body *b, const Stm *s)
{
	int n = s->pat.len;
	bool *all = NEW_ARRAY(bool, n + 1);
	if (s->exp->form == E_screma)
		note_all_unneeded(c, b, s);
	for (int i = 0; i < n; i++)
		all[i] = !map_has(&c->unneeded, var_key(s->pat.at[i]));
	if (s->exp->form == E_screma)
		cover_screma(c, NULL, s, all);
	else if (s->exp->form == E_hist)
		cover_hist(c, s->exp, all);
	else
		cover_withacc(c, NULL, s->exp, all);
}
