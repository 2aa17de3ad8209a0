// The pass `fuse_kernels`: fuses kernels with the same iteration space.
//
//     #[kernel] let (a) = loop (o = out) for i < n do       #[kernel] let (b, l') = loop .. i < n
//       #[kernel] loop (o) for j < m do {                     #[kernel] loop (p, l) for j < m do {
//         .. o with [i, j] = x }                                .. x ..
//     #[kernel] let (b) = loop (p = other) for i < n do ->      .. y, which is made from x ..
//       #[kernel] loop (p) for j < m do {                       p with [i, j] = y
//         a[i, j] .. p with [i, j] = y }                        l with [t, i, j] = x }
//     let (log') = update log [t, 0:n:1, 0:m:1] a
//
// Only kernels without loops and without branches on arrays qualify: for these, a launch costs as
// much as processing a hundred thousand elements.  The second kernel may read only those results
// of the first that belong to its own iteration; results with no other use are no longer stored.
// A copy of a whole array into rows of another counts as such a kernel if it can be fused with
// one.
//
// Both kernels may add to the same elements of an array if the additions are #[atomic].
//
// A kernel over rows is fused with one over the elements of these rows: see fuse_small.c.
//
// Requires: the passes `flatten` and `seq`.  Ensures nothing that other passes rely on.
#include "opt/alias.h"
#include "device/fuse_kernels.h"

typedef struct { Alias alias; bool rides; } FuseKernels; // rides: those of fuse_small.c, then

// ---- Which statements ----

static bool is_atomic(const Stm *s)
{
	return s->exp->form == E_loop && has_attr(s->attrs, ATTR_ATOMIC);
}

// Is it an indivisible x = p[i]; p with [i] = x + ..?
static bool is_sum_update(const Stm *s)
{
	if (!is_atomic(s) || s->exp->loop.params.len != 1)
		return false;
	const Body *b = &s->exp->loop.body;
	const Exp *put = def_in(b, b->res.at[0]),
		  *add = put && put->form == E_update ? def_in(b, put->update.val) : NULL;
	return b->stms.len == 3 && b->stms.at[0].exp->form == E_index && add &&
	       add->form == E_prim && add->prim.op == P_add;
}

static bool is_simple(const Stm *s)
{
	switch (s->exp->form) {
	case E_prim: case E_convert: case E_atom: case E_assert_:
		return true;
	case E_index:
		return type_is_scalar(vars[s->pat.at[0].id].type);
	case E_update:
		return type_is_scalar(sub_type(s->exp->update.val)) &&
		       !has_attr(s->attrs, ATTR_SHARED);
	case E_if_:
		if (!vars_are_scalars(s->pat))
			return false;
		for EACH(Stm, t, s->exp->if_.yes.stms)
			if (!is_simple(t))
				return false;
		for EACH(Stm, t, s->exp->if_.no.stms)
			if (!is_simple(t))
				return false;
		return true;
	default: // loops and what makes arrays
		return is_atomic(s);
	}
}

// The kernel that is all of the body, but for scalars before it.
static const Stm *inner_of(const Exp *e)
{
	const Body *b = &e->loop.body;
	const Stm *s = b->stms.len ? &b->stms.at[b->stms.len - 1] : NULL;
	Map arrays = {0};
	if (!s || s->exp->form != E_loop || !has_attr(s->attrs, ATTR_KERNEL) || s->certs.len ||
	    s->exp->loop.inits.len != e->loop.params.len)
		return NULL;
	vars_put(&arrays, e->loop.params, s);
	for (const Stm *t = b->stms.at; t < s; t++)
		if (!is_simple(t) || !vars_are_scalars(t->pat) || stm_mentions(t, &arrays))
			return NULL;
	for (int k = 0; k < s->pat.len; k++)
		if (!sub_eq(s->exp->loop.inits.at[k], sub_var(e->loop.params.at[k])) ||
		    !sub_eq(b->res.at[k], sub_var(s->pat.at[k])))
			return NULL;
	return s;
}

static bool is_plain_kernel(const Stm *s)
{
	return s->exp->form == E_loop && has_attr(s->attrs, ATTR_KERNEL) && !s->exp->loop.is_while;
}

static bool nest_of_kernel(const Stm *s, Nest *out)
{
	StmVec all = {0};
	*out = (Nest){.pat = s->pat, .inits = s->exp->loop.inits, .is_perfect = true};
	for (const Stm *l = s; l; l = inner_of(l->exp)) {
		if (out->depth == MAX_DEPTH || l->exp->loop.n.kind == S_CONST)
			return false;
		out->n[out->depth] = l->exp->loop.n;
		out->i[out->depth++] = l->exp->loop.i;
		out->params = l->exp->loop.params;
		out->body = l->exp->loop.body;
		const Stm *inner = inner_of(l->exp);
		for EACH(const Stm, t, out->body.stms)
			if (t != inner)         // what is around is done in each iteration
				VEC_PUSH(&all, *t);
		out->is_perfect &= !inner || out->body.stms.len == 1;
	}
	out->body.stms = VEC_SLICE(Stms, all);
	for EACH(Stm, t, out->body.stms)
		if (!is_simple(t))
			return false;
	return out->body.stms.len <= MAX_STMS;
}

// A copy as the nest that would do it.
static bool nest_of_copy(const Stm *s, Nest *out)
{
	const Exp *e = s->exp;
	Type t = sub_type(e->update.val);
	if (!t.dims.len || t.dims.len > MAX_DEPTH || e->update.val.kind != S_VAR || s->certs.len)
		return false;
	Subs to = {NEW_ARRAY(Sub, e->update.at.len), e->update.at.len},
	     from = {NEW_ARRAY(Sub, t.dims.len), 0};
	*out = (Nest){.pat = s->pat, .inits = subs_of(1, e->update.arr), .is_copy = true,
	              .is_perfect = true};
	Subs dims = sub_type(e->update.arr).dims;
	for (int d = 0; d < e->update.at.len; d++) {
		DimSlice at = e->update.at.at[d];
		if (!at.fixed && (!is_whole_dim(at, dims.at[d]) || at.len.kind == S_CONST))
			return false;
		if (!at.fixed) {
			out->i[out->depth] = var_i64("i");
			out->n[out->depth] = at.len;
			from.at[from.len++] = sub_var(out->i[out->depth++]);
		}
		to.at[d] = at.fixed ? at.start : from.at[from.len - 1];
	}
	Type array = sub_type(e->update.arr);
	array.unique = true;
	out->params = vars_of(1, var_new(name_of("o"), array));
	Build b = {0};
	b_open(&b);
	Sub x = b_index(&b, e->update.val, from);
	Sub end = b_update(&b, sub_var(out->params.at[0]), slices_at(to, (Subs){0}), x);
	out->body = b_close(&b, subs_of(1, end));
	return true;
}

static bool nest_of(const Stm *s, Nest *out)
{
	return s->exp->form == E_update ? nest_of_copy(s, out)
	                                : is_plain_kernel(s) && nest_of_kernel(s, out);
}

static bool same_space(const Nest *a, const Nest *b)
{
	for (int d = 0; a->depth == b->depth && d < a->depth; d++)
		if (!sub_eq(a->n[d], b->n[d]))
			return false;
	return a->depth == b->depth && !(a->is_copy && b->is_copy) &&
	       a->body.stms.len + b->body.stms.len <= MAX_STMS &&
	       a->inits.len + b->inits.len <= MAX_ARRAYS;
}

// ---- What they do with an array ----

static bool are_counters(const Nest *n, Subs idx)
{
	for (int d = 0; idx.len == n->depth && d < n->depth; d++)
		if (!sub_eq(idx.at[d], sub_var(n->i[d])))
			return false;
	return idx.len == n->depth;
}

static Map set_of(Var v)
{
	Map m = {0};
	map_put(&m, var_key(v), vars);
	return m;
}

static int mentions_in(const Body *b, Var v)
{
	Map of = set_of(v);
	int n = 0;
	for EACH(const Stm, s, b->stms)
		n += stm_mentions(s, &of);
	return n;
}

// The value that each iteration stores in array k, at its own place, and does nothing else with it.
static bool stored_in(const Nest *n, int k, Sub *value)
{
	const Exp *e = def_in(&n->body, n->body.res.at[k]);
	if (!e || e->form != E_update || !sub_eq(e->update.arr, sub_var(n->params.at[k])) ||
	    mentions_in(&n->body, n->params.at[k]) != 1 ||
	    mentions_in(&n->body, n->body.res.at[k].var))
		return false;
	Subs idx = {NEW_ARRAY(Sub, e->update.at.len), e->update.at.len};
	for (int d = 0; d < idx.len; d++)
		idx.at[d] = e->update.at.at[d].start;
	*value = e->update.val;
	return are_counters(n, idx);
}

// Are all uses of array k of the nest sums at elements: x = p[i]; p with [i] = x + ..?  Those that
// are not indivisible are counted.
static bool only_sums(const Nest *n, int k, int *plain)
{
	Sub now = sub_var(n->params.at[k]);
	for EACH(Stm, s, n->body.stms) {
		Map of = set_of(now.var);
		if (!stm_mentions(s, &of))
			continue;
		if (is_sum_update(s) && sub_eq(s->exp->loop.inits.at[0], now)) {
			now = sub_var(s->pat.at[0]);
		} else if (s->exp->form == E_index && sub_eq(s->exp->index.arr, now)) {
			// index, add, update: three statements in a row
			const Stm *add = s + 1, *put = s + 2;
			if (put >= n->body.stms.at + n->body.stms.len || add->exp->form != E_prim ||
			    add->exp->prim.op != P_add || put->exp->form != E_update ||
			    !sub_eq(put->exp->update.arr, now) ||
			    !sub_eq(put->exp->update.val, sub_var(add->pat.at[0])) ||
			    (!sub_eq(add->exp->prim.x[0], sub_var(s->pat.at[0])) &&
			     !sub_eq(add->exp->prim.x[1], sub_var(s->pat.at[0]))) ||
			    mentions_in(&n->body, s->pat.at[0]) != 1 ||
			    mentions_in(&n->body, add->pat.at[0]) != 1)
				return false;
			for (int d = 0; d < put->exp->update.at.len; d++)
				if (!sub_eq(put->exp->update.at.at[d].start,
				            s->exp->index.idx.at[d]))
					return false;
			++*plain;
		} else if (s->exp->form == E_update && sub_eq(s->exp->update.arr, now)) {
			now = sub_var(s->pat.at[0]);    // the third of these: seen at the first
			if (s - n->body.stms.at < 2 || s[-2].exp->form != E_index)
				return false;
		} else {
			return false;
		}
	}
	return sub_eq(n->body.res.at[k], now);
}

static int result_of(const Nest *a, Sub x)
{
	for (int k = 0; k < a->pat.len; k++)
		if (sub_eq(x, sub_var(a->pat.at[k])))
			return k;
	return -1;
}

static bool is_fresh(const Body *b, Sub x)
{
	const Exp *e = def_in(b, x);
	return e && (e->form == E_scratch || e->form == E_replicate);
}

// Of what the first makes the second reads only elements of its own iteration, and changes only
// sums.
static bool fits(FuseKernels *f, const Body *around, const Nest *a, const Nest *b, const Stm *first)
{
	for (int k = 0; k < a->pat.len; k++) {
		Sub value;
		bool chained = false;
		for (int j = 0; j < b->inits.len; j++)
			chained |= sub_eq(b->inits.at[j], sub_var(a->pat.at[k]));
		Map of = set_of(a->pat.at[k]);
		for EACH(Stm, s, b->body.stms) {
			if (!stm_mentions(s, &of))
				continue;
			if (chained || s->exp->form != E_index ||
			    !are_counters(b, s->exp->index.idx) || !stored_in(a, k, &value))
				return false;
		}
	}
	for (int j = 0; j < b->inits.len; j++) {
		int k = result_of(a, b->inits.at[j]), plain = 0;
		if (k >= 0 && (!only_sums(a, k, &plain) || !only_sums(b, j, &plain)))
			return false;
		Vars free = free_in_stm(first);
		for EACH(Var, v, free)
			if (k < 0 && !is_fresh(around, b->inits.at[j]) &&
			    vars[v->id].type.kind == T_DATA && vars[v->id].type.dims.len &&
			    alias_class(&f->alias, *v) ==
			            alias_class(&f->alias, b->inits.at[j].var))
				return false;
	}
	return true;
}

// ---- Order ----

// Cheap, and fails nowhere: may be done earlier.
static bool may_move(const Stm *s)
{
	Form f = s->exp->form;
	return !s->certs.len && (f == E_prim || f == E_convert || f == E_atom || f == E_scratch ||
	                         f == E_replicate || f == E_slice || f == E_rearrange ||
	                         f == E_reshape || f == E_iota);
}

static bool shares(FuseKernels *f, const Body *b, const Stm *s, Subs inits)
{
	Vars free = free_in_stm(s);
	for EACH(Var, v, free)
		for EACH(Sub, x, inits)
			if (x->var.id == v->id ||
			    (!is_fresh(b, *x) && vars[v->id].type.kind == T_DATA &&
			     vars[v->id].type.dims.len &&
			     alias_class(&f->alias, *v) == alias_class(&f->alias, x->var)))
				return true;
	return false;
}

// Can statement j be done right after i?  needed: the ones in between that go before i then.
static bool goes_up(FuseKernels *f, const Body *b, const Nest *nb, int i, int j, bool *needed)
{
	Map wanted = {0}, made = {0};
	vars_put(&made, b->stms.at[i].pat, f);
	for (int k = j; k > i; k--) {
		const Stm *s = &b->stms.at[k];
		needed[k] = k == j;
		for EACH(Var, v, s->pat)
			needed[k] |= map_has(&wanted, var_key(*v));
		if (!needed[k])
			continue;
		if (k < j && (!may_move(s) || stm_mentions(s, &made)))
			return false;
		Vars free = free_in_stm(s);
		vars_put(&wanted, free, f);
	}
	for (int k = i + 1; k < j; k++)
		if (!needed[k] && shares(f, b, &b->stms.at[k], nb->inits))
			return false;
	return true;
}

// Can statement i be done right before j?
static bool goes_down(FuseKernels *f, const Body *b, const Nest *na, int i, int j)
{
	Map made = {0};
	Vars free = free_in_stm(&b->stms.at[i]);
	vars_put(&made, b->stms.at[i].pat, f);
	for (int k = i + 1; k < j; k++) {
		const Stm *s = &b->stms.at[k];
		SubVec eaten = {0};
		if (stm_mentions(s, &made) || shares(f, b, s, na->inits) || exp_has_effect(s->exp))
			return false;
		stm_consumed(s, &eaten);
		for EACH(Sub, x, eaten)
			for EACH(Var, v, free)
				if (x->kind == S_VAR && vars[v->id].type.kind == T_DATA &&
				    vars[v->id].type.dims.len && !is_fresh(b, *x) &&
				    alias_class(&f->alias, x->var) == alias_class(&f->alias, *v))
					return false;
	}
	return true;
}

// ---- The new kernel ----

static bool used_elsewhere(const Body *b, int i, int j, Var v)
{
	Map of = set_of(v);
	for (int k = 0; k < b->stms.len; k++)
		if (k != i && k != j && stm_mentions(&b->stms.at[k], &of))
			return true;
	for EACH(Sub, r, b->res)
		if (sub_eq(*r, sub_var(v)))
			return true;
	return false;
}

// index, add, update as one indivisible step.
static Stm indivisible(const Stm *s)
{
	Type t = vars[s[2].pat.at[0].id].type;
	t.unique = true;
	Var dest = var_new(name_of("dest"), t);
	Map to = {0};
	subst_put(&to, s[0].exp->index.arr.var, sub_var(dest));
	Stm *stms = NEW_ARRAY(Stm, 3);
	memcpy(stms, s, 3 * sizeof *s);
	Body body = body_subst(body_rename(
		(Body){.stms = {stms, 3}, .res = subs_of(1, sub_var(s[2].pat.at[0]))}), &to);
	Exp *e = EXP(loop, .params = vars_of(1, dest), .inits = subs_of(1, s[0].exp->index.arr),
	             .i = var_i64("once"), .n = sub_i64(1), .body = body);
	return (Stm){.pat = s[2].pat,
	             .exp = e,
	             .where = s[2].where,
	             .attrs = attr_of(ATTR_ATOMIC)};
}

// The body with all sums into array k indivisible.
static Body with_atomic_sums(const Nest *n, int k)
{
	Sub now = sub_var(n->params.at[k]);
	VEC(Stm) out = {0};
	for (int i = 0; i < n->body.stms.len; i++) {
		const Stm *s = &n->body.stms.at[i];
		if (is_sum_update(s) && sub_eq(s->exp->loop.inits.at[0], now))
			now = sub_var(s->pat.at[0]);
		if (s->exp->form != E_index || !sub_eq(s->exp->index.arr, now)) {
			VEC_PUSH(&out, *s);
			continue;
		}
		now = sub_var(s[2].pat.at[0]);
		VEC_PUSH(&out, indivisible(s));
		i += 2;
	}
	return (Body){.stms = VEC_SLICE(Stms, out), .res = n->body.res};
}

static Stm emit_nest(const Nest *n, const Stm *like)
{
	Body body = n->body;
	Vars params = n->params;
	Exp *e = NULL;
	for (int d = n->depth; d-- > 0; ) {
		Vars outer = {NEW_ARRAY(Var, params.len), params.len},
		     pat = {NEW_ARRAY(Var, params.len), params.len};
		for (int k = 0; k < params.len; k++) {
			Type t = vars[params.at[k].id].type;
			outer.at[k] = var_new(vars[params.at[k].id].hint, t);
			t.unique = false;
			pat.at[k] = var_new(name_of("out"), t);
		}
		e = EXP(loop, .params = params,
		                 .inits = d ? subs_of_vars(outer) : n->inits,
		                 .i = n->i[d],
		                 .n = n->n[d],
		                 .body = body);
		if (!d)
			break;
		Stm *s = NEW(Stm, .pat = pat, .exp = e, .where = like->where,
			.attrs = attr_of(ATTR_KERNEL));
		body = (Body){.stms = {s, 1}, .res = subs_of_vars(pat)};
		params = outer;
	}
	Stm out = *like;
	out.pat = n->pat;
	out.exp = e;
	return out;
}

// Statements i and j as one.
static Stm fused(const Body *b, Nest *na, Nest *nb, int i, int j)
{
	Map to = {0};
	Nest out = *na;
	VEC(Var) pat = {0};
	VEC(Var) params = {0};
	SubVec inits = {0}, res = {0};
	VEC(Stm) stms = {0};
	for (int d = 0; d < na->depth; d++)
		subst_put(&to, nb->i[d], sub_var(na->i[d]));
	bool *gone = NEW_ARRAY(bool, na->pat.len + 1);
	// which array of the second goes on from it; -1: none
	int *after = NEW_ARRAY(int, na->pat.len + 1);
	for (int k = 0; k < na->pat.len; k++) {
		after[k] = -1;
		for (int c = 0; c < nb->inits.len; c++)
			if (result_of(na, nb->inits.at[c]) == k)
				after[k] = c;
		if (after[k] >= 0) {
			na->body = with_atomic_sums(na, k);
			nb->body = with_atomic_sums(nb, after[k]);
			subst_put(&to, nb->params.at[after[k]], na->body.res.at[k]);
		}
	}
	for (int k = 0; k < na->pat.len; k++) {
		Sub value;
		bool stored = after[k] < 0 && stored_in(na, k, &value);
		gone[k] = stored && !used_elsewhere(b, i, j, na->pat.at[k]);
		if (gone[k])
			continue;
		VEC_PUSH(&params, na->params.at[k]);
		VEC_PUSH(&inits, na->inits.at[k]);
		VEC_PUSH(&pat, after[k] >= 0 ? nb->pat.at[after[k]] : na->pat.at[k]);
		VEC_PUSH(&res, after[k] >= 0 ? nb->body.res.at[after[k]] : na->body.res.at[k]);
	}
	for EACH(Stm, s, na->body.stms) {
		bool dead = false;
		for (int k = 0; k < na->pat.len; k++)
			dead |= gone[k] && s->exp->form == E_update &&
			        sub_eq(s->exp->update.arr, sub_var(na->params.at[k]));
		if (!dead)
			VEC_PUSH(&stms, *s);
	}
	for EACH(Stm, s, nb->body.stms) {
		int k = s->exp->form == E_index ? result_of(na, s->exp->index.arr) : -1;
		Sub value;
		Stm t = *s;
		if (k >= 0 && stored_in(na, k, &value))
			t.exp = EXP(atom, value);
		VEC_PUSH(&stms, t);
	}
	for (int c = 0; c < nb->pat.len; c++) {
		if (result_of(na, nb->inits.at[c]) >= 0)
			continue;
		VEC_PUSH(&params, nb->params.at[c]);
		VEC_PUSH(&inits, nb->inits.at[c]);
		VEC_PUSH(&pat, nb->pat.at[c]);
		VEC_PUSH(&res, nb->body.res.at[c]);
	}
	out.pat = VEC_SLICE(Vars, pat);
	out.params = VEC_SLICE(Vars, params);
	out.inits = VEC_SLICE(Subs, inits);
	out.body =
		body_subst((Body){.stms = VEC_SLICE(Stms, stms), .res = VEC_SLICE(Subs, res)}, &to);
	Stm like = na->is_copy || na->rides ? b->stms.at[j] : b->stms.at[i];
	like.certs = vars_cat(b->stms.at[i].certs, b->stms.at[j].certs);
	return emit_nest(&out, &like);
}

// ---- Bodies ----

static bool try_pair(FuseKernels *f, Body *b, int i, int j)
{
	Nest na, nb;
	const Stm *s = &b->stms.at[i], *t = &b->stms.at[j];
	if (!nest_of(s, &na) || !nest_of(t, &nb))
		return false;
	if (f->rides ? !ride_along(&na, &nb) && !ride_along(&nb, &na)
	             : !na.is_perfect || !nb.is_perfect)
		return false;
	if (!same_space(&na, &nb) || !fits(f, b, &na, &nb, s))
		return false;
	bool *needed = NEW_ARRAY(bool, b->stms.len);
	bool up = goes_up(f, b, &nb, i, j, needed);
	if ((!up && !goes_down(f, b, &na, i, j)) || !may_rewrite())
		return false;
	Stm one = fused(b, &na, &nb, i, j);
	Stm *out = NEW_ARRAY(Stm, b->stms.len);
	int n = 0;
	for (int k = 0; k < i; k++)
		out[n++] = b->stms.at[k];
	for (int k = i + 1; up && k < j; k++)
		if (needed[k])
			out[n++] = b->stms.at[k];
	if (up)
		out[n++] = one;
	for (int k = i + 1; k < j; k++)
		if (!up || !needed[k])
			out[n++] = b->stms.at[k];
	if (!up)
		out[n++] = one;
	for (int k = j + 1; k < b->stms.len; k++)
		out[n++] = b->stms.at[k];
	b->stms = (Stms){out, n};
	return true;
}

static void fuse_all(FuseKernels *f, Body *b)
{
	for (int i = 0; i < b->stms.len; i++)
		for (int j = i + 1; j < b->stms.len && j < i + WINDOW; j++)
			if (try_pair(f, b, i, j)) {
				i = -1;         // from the beginning: there is a new kernel
				break;
			}
}

static void fuse_body(Visit *v, Body *b)
{
	FuseKernels *f = v->ctx;
	b->stms = SLICE_DUP(Stms, b->stms);
	for EACH(Stm, s, b->stms)
		if (form_has(s->exp->form, FORM_NEST) && !is_kernel(s))
			s->exp = exp_visit(s->exp, v);
	for (int k = 0; k < 2; k++) {
		f->rides = k;
		fuse_all(f, b);
	}
}

Prog *fuse_kernels(Prog *prog)
{
	FuseKernels f = {.alias = alias_of(prog)};
	Visit v = {.body = fuse_body, .copy = true, .ctx = &f};
	for EACH(Fun *, g, prog->funs)
		fun_rewrite(*g, &v);
	return prog;
}
