// Several iterations of a #[threads] loop at a time, where they store to arrays.
//
//     #[threads] loop (o) for i < n do {      for (; first + 3 * size < n; first += 4 * size) {
//       c = assert i ^ d < n                      float later[4];  bool within = true;
//       x = xs[i ^ d], y = xs[i]         ->       for (u < 4) within = within && (i ^ d) < n;
//       o with [i] = x + y }                      if (!within) break;
//                                                 for (u < 4) later[u] = xs[i ^ d] + xs[i];
//                                                 for (u < 4) o[i] = later[u];
//                                             }
//                                             for (; first < n; first += size) ..one by one..
//
// Compilers move no load over an earlier store, nor over a branch that leaves the loop: each
// iteration would wait for what it loads, and begin no sooner.  Iterations of different threads are
// in no order, with no barrier between them, so that those of one thread need none either: all load
// and compute, then all store.  If a check fails, the iterations go on one by one, and the one that
// fails says so.
//
// What loads nothing has nothing to wait for.
//
// An array that is both read and written is no hindrance if each iteration has its own element.
// (Where threads have elements of their own, by the number of the thread, they may meet one of them
// in several iterations.)
#include "gen/kfold.h"
#include "gen/ktile.h"

enum { LIGHT = 6, MOST = 40 };
typedef struct {
	const Exp *loop;
	VEC(const Stm *) puts;
	VEC(const Stm *) checks;
	Map places;                     // variables that these are computed from
	int weight;
} Apart;

// ---- Which loops ----

static bool is_scalar_body(Apart *a, const Body *b);

static bool is_scalar(Apart *a, const Stm *s)
{
	const Exp *e = s->exp;
	a->weight += !needs_no_code(s);
	if (e->form == E_if_)
		return vars_are_scalars(s->pat) && is_scalar_body(a, &e->if_.yes) &&
		       is_scalar_body(a, &e->if_.no);
	if (e->form == E_prim && prim_is_function(e->prim.op))
		a->weight += MOST; // takes longer than any load
	return is_pure_scalar(s);
}

static bool is_scalar_body(Apart *a, const Body *b)
{
	for EACH(Stm, s, b->stms)
		if (!is_scalar(a, s))
			return false;
	return true;
}

// What the body computes x from, if that takes no load: those variables are added to the set.
static bool from_counter(const Apart *a, Map *set, Sub x)
{
	const Stm *s = x.kind == S_VAR ? stm_in(&a->loop->loop.body, x) : NULL;
	if (!s || map_has(set, var_key(x.var)))
		return true;
	const Exp *e = s->exp;
	int n = e->form == E_prim ? 3 : 1;
	if (s->certs.len || (e->form != E_prim && e->form != E_convert && e->form != E_atom))
		return false;
	for (int i = 0; i < n; i++) {
		Sub y = e->form == E_prim ? e->prim.x[i]
		      : e->form == E_convert ? e->convert.x : e->atom.x;
		if (!from_counter(a, set, y))
			return false;
	}
	map_put(set, var_key(x.var), (void *)s);
	return true;
}

// A store to an element, of the array that the loop carries: what it makes is carried on.
static bool is_put(Apart *a, const Stm *s)
{
	const Exp *e = s->exp;
	const Body *b = &a->loop->loop.body;
	const Stm *before = stm_in(b, e->update.arr);
	if (!type_is_scalar(sub_type(e->update.val)) || has_attr(s->attrs, ATTR_SHARED) ||
	    (before ? before->exp->form != E_update
	            : vars_find(a->loop->loop.params, e->update.arr) < 0))
		return false;
	for EACH(const DimSlice, d, e->update.at)
		if (!d->fixed || !from_counter(a, &a->places, d->start))
			return false;
	Map made = {0};
	map_put(&made, var_key(s->pat.at[0]), a);
	for EACH(const Stm, t, b->stms)
		if (stm_mentions(t, &made) &&
		    (t->exp->form != E_update || sub_eq(t->exp->update.val, sub_var(s->pat.at[0]))))
			return false;
	return true;
}

static bool sort_out(Apart *a)
{
	for EACH(const Stm, s, a->loop->loop.body.stms) {
		Form f = s->exp->form;
		if (f == E_assert_) {
			Map needed = {0};
			VEC_PUSH(&a->checks, s);
			if (!from_counter(a, &needed, s->exp->assert_.cond))
				return false;
		} else if (f == E_update && !stm_is_in_place(s)) {
			VEC_PUSH(&a->puts, s);
			if (!is_put(a, s))
				return false;
		} else if (!needs_no_code(s) && !is_scalar(a, s)) {
			return false;
		}
	}
	return a->puts.len && a->weight <= MOST;
}

// Is what this one loads that of its own iteration, where it is in an array that is stored to?
static bool is_own(const Apart *a, const Exp *load)
{
	Var block = sub_type(load->index.arr).mem->block;
	for EACH(const Stm *, s, a->puts) {
		const Exp *put = (*s)->exp;
		bool own = false;
		if (sub_type(put->update.arr).mem->block.id != block.id)
			continue;
		if (put->update.at.len != load->index.idx.len ||
		    !mem_eq(sub_type(put->update.arr).mem, sub_type(load->index.arr).mem))
			return false;
		for (int d = 0; d < load->index.idx.len; d++) {
			if (!sub_eq(put->update.at.at[d].start, load->index.idx.at[d]))
				return false;
			own |= sub_eq(load->index.idx.at[d], sub_var(a->loop->loop.i));
		}
		if (!own)
			return false;
	}
	return true;
}

typedef struct { const Apart *a; bool ok, any; } Loads;

static void look_at_loads(Visit *v, Body *b)
{
	Loads *l = v->ctx;
	for EACH(Stm, s, b->stms) {
		if (s->exp->form == E_index) {
			l->ok = l->ok && is_own(l->a, s->exp);
			l->any = true;
		}
		exp_walk(s->exp, v);
	}
}

// Blocks of one warp have short rows: one element or two for each thread, and few registers.
static bool find_apart(const Gen *g, const Threads *t, Apart *out)
{
	*out = (Apart){.loop = t->e};
	if (!has_wide_blocks(g) || t->folds.len || !sort_out(out))
		return false;
	Loads l = {out, true, false};
	Visit v = {.body = look_at_loads, .ctx = &l};
	look_at_loads(&v, (Body *)&t->e->loop.body); // a walk: writes nothing
	return l.ok && l.any;
}

// ---- The text ----

// One of the iterations that begin at `first`, in a loop over them.
typedef struct { const Threads *t; const char *first, *u; CExp size; int n; bool is_short; } Group;

static void open_one(Gen *g, const Group *w)
{
	const Exp *e = w->t->e;
	for_few(g, w->u, w->n);
	quote(g->c, "$1 $2 = $3 + $4 * $5;", c_scalar_type(sub_type(e->loop.n).elem),
	      bind_name(g, e->loop.i), w->first, w->u, w->size);
	state_of(g, e->loop.i)->small = 1;
	state_of(g, e->loop.i)->is_short = w->is_short;
}

static void close_one(Gen *g)
{
	settle_all(g);
	s_close(g->c);
}

static void gen_needed(Gen *g, const Apart *a, const Map *needed)
{
	for EACH(const Stm, s, a->loop->loop.body.stms)
		if (s->pat.len == 1 && map_has(needed, var_key(s->pat.at[0])))
			gen_stm(g, s);
}

// Is x not y?
static bool is_negation(const Body *b, Sub x, Sub y)
{
	const Exp *e = def_in(b, x);
	return e && e->form == E_prim && e->prim.op == P_not && sub_eq(e->prim.x[0], y);
}

static const Exp *either(const Body *b, Sub x)
{
	const Exp *e = def_in(b, x);
	return e && e->form == E_prim && e->prim.op == P_or && e->prim.at == PT_BOOL ? e : NULL;
}

// p || c and p || !c, which two branches have checked, are p.
static bool is_split(const Body *b, const Exp *x, const Exp *y, Sub *p)
{
	for (int i = 0; x && y && i < 4; i++) {
		Sub c = x->prim.x[1 - i % 2], d = y->prim.x[1 - i / 2];
		*p = x->prim.x[i % 2];
		if (sub_eq(*p, y->prim.x[i / 2]) && (is_negation(b, c, d) || is_negation(b, d, c)))
			return true;
	}
	return false;
}

static Subs all_checked(const Apart *a)
{
	const Body *b = &a->loop->loop.body;
	SubVec out = {0};
	for (int i = 0; i < a->checks.len; i++) {
		Sub x = a->checks.at[i]->exp->assert_.cond, p;
		if (i + 1 < a->checks.len &&
		    is_split(b, either(b, x), either(b, a->checks.at[i + 1]->exp->assert_.cond),
		             &p)) {
			x = p;
			i++;
		}
		VEC_PUSH(&out, x);
	}
	return VEC_SLICE(Subs, out);
}

// 0 <= x && x < n, in either order.
static bool is_range(const Body *b, Sub cond, Sub *x, Sub *n)
{
	const Exp *e = def_in(b, cond);
	for (int i = 0; e && e->form == E_prim && e->prim.op == P_and && i < 2; i++) {
		const Exp *from = def_in(b, e->prim.x[i]), *to = def_in(b, e->prim.x[1 - i]);
		if (!from || !to || from->form != E_prim || to->form != E_prim ||
		    from->prim.op != P_le || to->prim.op != P_lt || from->prim.at != PT_I64 ||
		    to->prim.at != PT_I64 || !sub_eq(from->prim.x[0], sub_i64(0)) ||
		    !sub_eq(from->prim.x[1], to->prim.x[0]))
			continue;
		*x = to->prim.x[0];
		*n = to->prim.x[1];
		return true;
	}
	return false;
}

static void check_all(Gen *g, const Apart *a, const Group *w)
{
	const char *within = fresh_name(g, "within");
	const Body *b = &a->loop->loop.body;
	Subs conds = all_checked(a);
	Map needed = {0};
	for EACH(Sub, c, conds) {
		Sub x, n;
		bool one = is_range(b, *c, &x, &n) && never_negative(g, n);
		from_counter(a, &needed, one ? x : *c);
	}
	s_declare(g->c, "bool", within, x_const("true"));
	open_one(g, w);
	gen_needed(g, a, &needed);
	for EACH(Sub, c, conds) {
		Sub x, n;
		CExp holds = is_range(b, *c, &x, &n) && never_negative(g, n)
		                     ? is_within(operand(g, x), operand(g, n))
		                     : operand(g, *c);
		quote(g->c, "$1 = $1 && $2;", within, holds);
	}
	close_one(g);
	quote(g->c, "if (!$1) break;", within);
}

// What the values are computed from, without what only checks need.
static void gen_values(Gen *g, const Apart *a)
{
	const Body *b = &a->loop->loop.body;
	Needed needed = {0};
	Visit v = {.sub = need, .ctx = &needed};
	for EACH(const Stm *, s, a->puts)
		need(&v, (Sub *)&(*s)->exp->update.val);
	for (int i = b->stms.len; i-- > 0; )
		if (is_needed_stm(&needed, &b->stms.at[i]))
			need_exp(&needed, b->stms.at[i].exp);
	for EACH(Stm, s, b->stms)
		if (needs_no_code(s) || is_needed_stm(&needed, s))
			gen_stm(g, s);
}

void gen_apart(Gen *g, const Threads *t, const char *first, CExp n, bool is_short)
{
	Apart a;
	if (!find_apart(g, t, &a))
		return;
	Group w = {t, first, fresh_name(g, "u"), x_call_none("rd_local_size"),
	           a.weight <= LIGHT ? 8 : 4, is_short};
	const char **later = NEW_ARRAY(const char *, a.puts.len);
	// not unrolled: compilers would divide, to know how often
	quote(g->c, "RD_NO_UNROLL for (; $1 + $2 * $3 < $4; $1 += $5 * $3)", first, w.n - 1, w.size,
	      n, w.n);
	if (a.checks.len)
		check_all(g, &a, &w);
	for (int k = 0; k < a.puts.len; k++) {
		Sub x = a.puts.at[k]->exp->update.val;
		if (!stm_in(&t->e->loop.body, x))
			continue;
		later[k] = fresh_name(g, "later");
		s_array(g->c, c_scalar_type(sub_type(x).elem), later[k], x_int(w.n), NULL);
	}
	open_one(g, &w);
	gen_values(g, &a);
	for (int k = 0; k < a.puts.len; k++)
		if (later[k])
			s_assign(g->c, x_index(x_name(later[k]), x_name(w.u)),
			         operand(g, a.puts.at[k]->exp->update.val));
	close_one(g);
	open_one(g, &w);
	gen_needed(g, &a, &a.places);
	for (int k = 0; k < a.puts.len; k++) {
		if (later[k])
			show_as(g, a.puts.at[k]->exp->update.val.var,
			        x_index(x_name(later[k]), x_name(w.u)));
		gen_stm(g, a.puts.at[k]);
	}
	close_one(g);
	s_close(g->c);
}
