// The pass `gather_sums`: turns scattered sums of neighbours into gathers.  Iterations that add to
// elements near their own index are replaced by a map that computes each element from the
// iterations that would update it.  Nothing is read back, the array needs no initial zeros, and
// neither vectorisation nor threads conflict.
//
//     zs = replicate [n] 0                            ys = screma n (iota n) map=\j ->
//     ys = withacc input=[n] (zs) (+)                   a = if 1 <= j then {f(j - 1)} else {0}
//       fn=\t acc -> screma (n - 1) (iota, acc)         b = if j < n - 1 then {g(j)} else {0}
//         map=\i a ->                            ->     in a + b
//           a' = upd_acc a [i + 1] (f i)
//           in upd_acc a' [i] (g i)
//
// Derivatives of stencils have this form.  In two and more dimensions the result is a nest of maps,
// and interior rows, for which all conditions on the outer index hold, are computed without tests.
// Indices may be clamped, as in max(0, i - 1) and min(n - 1, i + 1), in which case the boundary
// element has additional terms, or wrap around, as in (i + 1) mod n and in the choice between i + k
// and i + k - n that a rotation by k makes.  Within a row the conditions hold except at the ends,
// which the pass `peel` splits off.  An array that is not zero is one more input of the map.
//
// Dimensions of the nest that the index does not have are summed for each element, in one sum of
// all updates (the channels of a convolution); the others may then be in any order.
//
// Values that several updates need are recomputed for each, so they must be cheap; those of some
// outer dimensions that are not, such as sums, become an array that the withacc gives besides.
// Updates in branches are first moved out of them (acc_lift.c).
//
// The pass `gather_kernel_sums` does the same for devices: rows have one version, whose conditions
// kernels decide, and nothing is summed, which flatten_gather.c does.
//
// Requires nothing.  Ensures: equal results up to the order of additions.
#include "opt/acc_near.h"
#include "opt/simplify.h"

// ---- Which accumulations ----

static bool is_scalar_stm(const Stm *s)
{
	Form f = s->exp->form;
	return s->pat.len == 1 && type_is_scalar(vars[s->pat.at[0].id].type) &&
	       !has_attrs(s->attrs) &&
	       (f == E_prim || f == E_convert || f == E_index || f == E_atom);
}

static bool is_scalar_body(const Body *);

// Scalars; views; branches of scalars.
static bool is_row_stm(const Stm *s)
{
	const Exp *e = s->exp;
	if (has_attrs(s->attrs))
		return false;
	if (e->form == E_if_)
		return is_scalar_body(&e->if_.yes) && is_scalar_body(&e->if_.no);
	return is_scalar_stm(s) || e->form == E_iota || e->form == E_slice;
}

static bool is_scalar_body(const Body *b)
{
	for EACH(Stm, s, b->stms)
		if (!is_row_stm(s))
			return false;
	for EACH(Sub, x, b->res)
		if (!type_is_scalar(sub_type(*x)))
			return false;
	return true;
}

static void note_number(Near *q, const Stm *s)
{
	Exp *e = s->exp;
	if (e->form == E_prim ? e->prim.at == PT_I64 : is_select(e) && s->pat.len == 1)
		map_put(&q->defs, var_key(s->pat.at[0]), e);
}

static void note_array(Near *, const Stm *);

// A number of rows that is clamped (acc_sizes.c), as it was.  The conditions on elements are false
// for all of them where it is negative.
static Sub unclamped(const Near *q, Sub n)
{
	const Exp *e = number_def(q, n);
	for (int i = 0; e && e->prim.op == P_max && i < 2; i++)
		if (sub_eq(e->prim.x[i], sub_i64(0)))
			return e->prim.x[1 - i];
	return n;
}

// Is the statement the next screma of the nest?  Its inputs are from outside, or parameters of
// those around.
static bool is_level(Sums *s, const Stm *st)
{
	const Exp *e = st->exp;
	if (e->form != E_screma || has_attrs(st->attrs) || e->screma.scans.len ||
	    s->n_levels == MAX_LEVELS)
		return false;
	for EACH(Sub, x, e->screma.arrs)
		if (x->kind == S_VAR && sub_type(*x).kind != T_ACC && !is_counting(s->near, *x) &&
		    map_has(&s->bound, var_key(x->var)))
			return false;
	vars_put(&s->params, e->screma.map->params, s);
	s->levels[s->n_levels++] = st;
	return true;
}

// Are the rows of the screma, but for a few, those of dimension k?
static bool is_of_dim(Sums *s, int level, int k)
{
	int64_t by;
	Sub n = unclamped(s->near, s->levels[level]->exp->screma.n);
	if (is_sum_of(s->near, n, s->sizes.at[k], &by))
		s->less[k] = -by;
	else if (is_sum_of(s->near, s->sizes.at[k], n, &by))
		s->less[k] = by;
	else
		return false;
	s->level_of[k] = level;
	return true;
}

bool is_summed(const Sums *s, int level)
{
	for (int k = 0; k < s->rank; k++)
		if (s->level_of[k] == level)
			return false;
	return true;
}

// The place of an update in dimension k, which belongs to the same screma in all of them.
static bool find_dim(Sums *s, int k, Sub x, Reach *r)
{
	if (s->level_of[k] >= 0)
		return find_reach(s, k, x, r);
	for (int l = 0; l < s->n_levels; l++) {
		if (is_summed(s, l) && is_of_dim(s, l, k) && find_reach(s, k, x, r))
			return true;
		s->level_of[k] = -1;
	}
	return false;
}

static bool read_update(Sums *s, const Exp *e)
{
	Added a = {.val = e->upd_acc.vals.at[0]};
	for (int k = 0; k < s->rank; k++)
		if (!find_dim(s, k, e->upd_acc.idx.at[k], &a.at[k]))
			return false;
	VEC_PUSH(&s->added, a);
	return true;
}

static bool has_level(const Sums *s, const Body *b)
{
	for EACH(Stm, st, b->stms)
		if (st->exp->form == E_screma && vars_find_acc(st->pat, s->token) >= 0)
			return true;
	return false;
}

static bool read_body(Sums *s, Body body)
{
	bool found = false, inner = !has_level(s, &body);
	int level = s->n_levels;
	if (inner && !lift_all(&body, s->token))
		return false;
	for EACH(Stm, st, body.stms) {
		note_number(s->near, st);
		note_array(s->near, st);
		if (vars_find_acc(st->pat, s->token) >= 0) {
			if (inner ? st->exp->form != E_upd_acc || has_attrs(st->attrs) ||
			                    !read_update(s, st->exp)
			          : found || !is_level(s, st) ||
			                    !read_body(s, st->exp->screma.map->body))
				return false;
			found = true;
		} else if (is_row_stm(st)) {
			VEC_PUSH(&s->stms, *st);
		}
		for EACH(Var, x, st->pat)
			map_put(&s->bound, var_key(*x),
			        NEW(Bind, st, level, !is_row_stm(st), !is_row_stm(st)));
	}
	return found;
}

// The scremas are those of the dimensions, in order, or there are others, which are summed.
static bool has_order(const Sums *s)
{
	for (int k = 0; k < s->rank && s->n_levels == s->rank; k++)
		if (s->level_of[k] != k)
			return false;
	for (int l = 0; l < s->n_levels; l++)
		if (is_summed(s, l) && is_of_nest(s, s->levels[l]->exp->screma.n))
			return false;
	return true;
}

// ---- Arrays of what is costly ----

static bool is_costly(const Sums *, Bind *);

typedef struct { const Sums *s; const Bind *of; bool found; } Costly;

static void look_for_costly(Visit *v, Sub *x)
{
	Costly *c = v->ctx;
	Bind *b = x->kind == S_VAR ? map_get(&c->s->bound, var_key(x->var)) : NULL;
	if (!c->found && b && b->level == c->of->level)
		c->found = is_costly(c->s, b);
}

// Does it need, at the same level, what elements cannot compute?
static bool is_costly(const Sums *s, Bind *b)
{
	Costly c = {s, b, false};
	Visit v = {.sub = look_for_costly, .ctx = &c};
	if (!b->looked_at) {
		b->looked_at = true;
		stm_walk(b->stm, &v);
		b->costly = c.found;
	}
	return b->costly;
}

static bool has_array(const Sums *s, Var x)
{
	for EACH(Kept, k, s->kept)
		if (k->var.id == x.id)
			return true;
	return false;
}

typedef struct { Sums *s; Map seen; } Keep;

// What is costly of what a value needs, and one of few levels, is kept.
static void keep_costly(Visit *v, Sub *x)
{
	Keep *q = v->ctx;
	Bind *b = x->kind == S_VAR ? map_get(&q->s->bound, var_key(x->var)) : NULL;
	if (!b || map_has(&q->seen, var_key(x->var)))
		return;
	map_put(&q->seen, var_key(x->var), q);
	if (!is_costly(q->s, b)) {
		stm_walk(b->stm, v);
		return;
	}
	Type t = vars[x->var.id].type;
	if (b->level && b->level < q->s->n_levels && type_is_scalar(t) && t.kind == T_DATA)
		VEC_PUSH(&q->s->kept, (Kept){.var = x->var, .level = b->level});
}

// Elements that read such arrays come after the withacc, which must leave alone what they read.
static bool find_kept(Sums *s, const Stm *with)
{
	Keep q = {.s = s};
	Visit v = {.sub = keep_costly, .ctx = &q};
	for EACH(Added, a, s->added)
		keep_costly(&v, &a->val);
	return !s->kept.len || !body_find(&with->exp->withacc.fn->body, stm_consumes_data);
}

// ---- Parts ----

static int from_of(Sums *s, int k, From x)
{
	int n = s->sources[k].len;
	for (int i = 0; i < n; i++)
		if (s->sources[k].at[i].kind == x.kind && s->sources[k].at[i].by == x.by &&
		    sub_eq(s->sources[k].at[i].shift, x.shift))
			return i;
	VEC_PUSH(&s->sources[k], x);
	return n;
}

static void add_part(Sums *s, Part p, Sub val)
{
	for EACH(Part, x, s->parts)
		if (!memcmp(x->source, p.source, sizeof p.source)) {
			VEC_PUSH(&x->vals, val);
			return;
		}
	VEC_PUSH(&p.vals, val);
	VEC_PUSH(&s->parts, p);
}

// All rows that the update is of, from dimension k on.
static void add_parts(Sums *s, const Added *a, Part p, int k)
{
	if (k == s->rank) {
		add_part(s, p, a->val);
		return;
	}
	Reach r = a->at[k];
	p.source[k] = from_of(s, k, (From){r.end == WRAPS   ? AROUND
	                                   : r.end == ROTATES ? ROTATED
	                                                      : NEXT, r.off, r.shift});
	add_parts(s, a, p, k + 1);
	for (int64_t i = 0; r.end == STOPS_LOW && i < -r.off; i++) {
		p.source[k] = from_of(s, k, (From){.kind = FIRST, .by = i});
		add_parts(s, a, p, k + 1);
	}
	for (int64_t i = 1; r.end == STOPS_HIGH && i <= r.off; i++) {
		p.source[k] = from_of(s, k, (From){.kind = LAST, .by = i});
		add_parts(s, a, p, k + 1);
	}
}

static bool is_at_end(const Sums *s, const Part *p)
{
	for (int k = 0; k < s->rank; k++)
		if (s->sources[k].at[p->source[k]].kind >= FIRST)
			return true;
	return false;
}

// ---- What an element needs of a row ----

typedef struct { const Sums *s; bool *of; bool fails; } Needed;

static void need(Visit *v, Sub *x)
{
	Needed *q = v->ctx;
	const Bind *b = x->kind == S_VAR ? map_get(&q->s->bound, var_key(x->var)) : NULL;
	if (!b || has_array(q->s, x->var))
		return;
	q->fails |= !is_row_stm(b->stm);
	for (int i = 0; i < q->s->stms.len; i++)
		for EACH(Var, y, q->s->stms.at[i].pat)
			q->of[i] |= y->id == x->var.id;
}

// The statements that the part needs, with names of their own; parameters are those of all levels,
// then what is kept.
// NULL: it needs something else.
Lambda *part_of_row(const Sums *s, const Part *p, bool *needed)
{
	Needed q = {s, needed, false};
	Visit v = {.sub = need, .ctx = &q};
	VEC(Stm) stms = {0};
	for EACH(Sub, x, p->vals)
		need(&v, x);
	for (int i = s->stms.len; i-- > 0;)
		if (needed[i]) {
			Stm copy = s->stms.at[i];
			stm_walk(&copy, &v);
		}
	if (q.fails)
		return NULL;
	for (int i = 0; i < s->stms.len; i++)
		if (needed[i])
			VEC_PUSH(&stms, s->stms.at[i]);
	Lambda *out = NEW(Lambda,
	                  .body = {.stms = VEC_SLICE(Stms, stms), .res = VEC_SLICE(Subs, p->vals)});
	for (int l = 0; l < s->n_levels; l++)
		out->params = vars_cat(out->params, s->levels[l]->exp->screma.map->params);
	for EACH(Kept, k, s->kept)
		out->params = vars_cat(out->params, vars_of(1, k->var));
	out->ret = (Types){NEW_ARRAY(Type, p->vals.len), p->vals.len};
	for (int i = 0; i < p->vals.len; i++)
		out->ret.at[i] = sub_type(p->vals.at[i]);
	return lambda_rename(out);
}

static bool is_cheap(const Stm *s)
{
	const Exp *e = s->exp;
	if (e->form == E_if_) {
		for EACH(Stm, t, e->if_.yes.stms)
			if (!is_cheap(t))
				return false;
		for EACH(Stm, t, e->if_.no.stms)
			if (!is_cheap(t))
				return false;
		return true;
	}
	return e->form == E_index || e->form == E_atom || e->form == E_convert ||
	       e->form == E_slice || e->form == E_iota || exp_is_cheap_scalar(e);
}

// What several parts need is cheap.  Where there are sums, all is: reduce_accs has left those of
// one part as they are, because of what they cost or where they are in memory.
static bool pays(const Sums *s)
{
	bool *before = NEW_ARRAY(bool, s->stms.len + 1), sums = s->n_levels > s->rank;
	if (sums && (s->parts.len < 2 || s->near->kernels))
		return false;
	for EACH(Part, p, s->parts) {
		bool *needed = NEW_ARRAY(bool, s->stms.len + 1);
		if (!part_of_row(s, p, needed))
			return false;
		for (int i = 0; i < s->stms.len && !is_at_end(s, p); i++) {
			if (needed[i] && (before[i] || sums) && !is_cheap(&s->stms.at[i]))
				return false;
			before[i] |= needed[i];
		}
	}
	return true;
}

// What was checked for the rows is still: also what their numbers needed.
static Vars certs_of(const Sums *s, const Stm *with, int input)
{
	const Near *q = s->near;
	Vars out = with->certs;
	const Vars *of =
		map_get(&q->zeros, var_key(with->exp->withacc.inputs.at[input].arrs.at[0].var));
	if (of)
		out = vars_cat(out, *of);
	for (int l = 0; l < s->n_levels; l++) {
		out = vars_cat(out, s->levels[l]->certs);
		for EACH(Sub, a, s->levels[l]->exp->screma.arrs)
			if (is_counting(q, *a))
				out = vars_cat(out,
				               *(const Vars *)map_get(&q->counts, var_key(a->var)));
	}
	return out;
}

static bool find_sums(Near *q, const Stm *st, int input, Sums *s)
{
	const Exp *e = st->exp;
	const AccInput *in = &e->withacc.inputs.at[input];
	if (!acc_is_sum(in) || in->space.len > MAX_RANK || in->arrs.at[0].kind != S_VAR)
		return false;
	*s = (Sums){.near = q, .token = e->withacc.fn->params.at[input], .rank = in->space.len,
	            .level_of = {-1, -1, -1, -1}, .sizes = in->space};
	if (!map_has(&q->zeros, var_key(in->arrs.at[0].var)))
		s->base = in->arrs.at[0];
	if (!read_body(s, e->withacc.fn->body) || s->stms.len > MAX_STMS || !has_order(s) ||
	    !find_kept(s, st))
		return false;
	for EACH(Added, a, s->added)
		add_parts(s, a, (Part){0}, 0);
	s->certs = certs_of(s, st, input);
	for EACH(Var, c, s->certs)
		if (map_has(&s->bound, var_key(*c)))
			return false;
	return s->parts.len && s->parts.len <= MAX_PARTS && pays(s);
}

// ---- Bodies ----

static bool is_zero(Sub x)
{
	return x.kind == S_CONST && type_is_scalar(sub_type(x)) &&
	       scalar_eq_bits(x.val, scalar_int(x.val.type, 0));
}

static void note_array(Near *q, const Stm *s)
{
	const Exp *e = s->exp;
	if (e->form == E_replicate && is_zero(e->replicate.x))
		map_put(&q->zeros, var_key(s->pat.at[0]), mem_dup(&s->certs, sizeof s->certs));
	if (is_count(e))
		map_put(&q->counts, var_key(s->pat.at[0]), mem_dup(&s->certs, sizeof s->certs));
}

static void near_body(Visit *v, Body *b)
{
	Near *q = v->ctx;
	Build out = {0};
	b_open(&out);
	for EACH(Stm, old, b->stms) {
		Stm s = *old;
		Sums sums;
		Build after = {0};
		b_open(&after);
		note_array(q, &s);
		note_number(q, &s);
		for (int i = s.exp->form == E_withacc ? s.exp->withacc.inputs.len : 0; i-- > 0;)
			if (find_sums(q, &s, i, &sums) && may_rewrite())
				emit_sums(&out, &after, &sums, &s, i);
		if (!s.pat.len)
			continue;
		if (form_has(s.exp->form, FORM_NEST) || s.exp->form == E_call)
			s.exp = exp_visit(s.exp, v);
		emit_withacc(&out, &s);
		b_emit_all(&out, b_close(&after, (Subs){0}).stms);
	}
	*b = b_close(&out, b->res);
}

static Prog *gather(Prog *prog, bool kernels)
{
	Near q = {.kernels = kernels};
	Visit v = {.body = near_body, .copy = true, .ctx = &q};
	Prog *out = prog_rewrite_where(prog, is_withacc, &v);
	return q.changed ? out : prog;
}

Prog *gather_sums(Prog *prog)        { return gather(prog, false); }
Prog *gather_kernel_sums(Prog *prog) { return gather(prog, true); }
