// What two bodies compute in common, for passes that join them.
//
//     x = mul.f64 a b               y = mul.f64 b a              y is x
//     s = loop (p = 0) for i < n    t, l = loop (q = 0, m = z)   t is s, since p and q are the
//       u = add.f64 p xs[i]           for j < n                  same as long as they were before
//       in u                          v = add.f64 q xs[j]
//                                     w = update m [j] q
//                                     in v, w
//
// Statements of two bodies are held against each other, those of nested bodies where what is around
// them is the same.  Parameters of loops are taken to be the same if they start from the same
// value; those of which the next values are not the same then are taken back, and the bodies are
// compared again.
//
// A statement is the same only if all its certificates are those of the other one as well: what
// takes its place makes the same checks.
#include "opt/same.h"

#include "core/key.h"

enum { MOST_STEPS = 1 << 20, ALL_STEPS = 1 << 24 };     // of two bodies, of a program

Same same_new(bool loops)
{
	return (Same){.to = NEW_TABLE(Sub, n_vars), .has = NEW_TABLE(bool, n_vars), .cap = n_vars,
	              .later = ALL_STEPS, .loops = loops};
}

void same_free(Same *s)
{
	table_free(s->to);
	table_free(s->has);
}

static void undo(Same *s, int height)
{
	while (s->trail.len > height)
		s->has[s->trail.at[--s->trail.len].id] = false;
}

void same_clear(Same *s)
{
	undo(s, 0);
	int64_t all = s->later + (s->steps > 0 ? s->steps : 0);
	s->steps = all < MOST_STEPS ? all : MOST_STEPS;
	s->later = all - s->steps;
}

void same_put(Same *s, Var v, Sub x)
{
	if (v.id >= s->cap)
		return;
	if (!s->has[v.id])
		VEC_PUSH(&s->trail, v);
	s->has[v.id] = true;
	s->to[v.id] = x;
	s->found++;
}

bool is_known(const Same *s, Var v)
{
	return v.id < s->cap && s->has[v.id];
}

bool is_same(const Same *s, Sub a, Sub b)
{
	return sub_eq(a, b.kind == S_VAR && is_known(s, b.var) ? s->to[b.var.id] : b);
}

static bool are_same(const Same *s, Subs a, Subs b)
{
	if (a.len != b.len)
		return false;
	for (int i = 0; i < a.len; i++)
		if (!is_same(s, a.at[i], b.at[i]))
			return false;
	return true;
}

// ---- Expressions ----

static bool is_same_prim(const Same *s, const Exp *a, const Exp *b)
{
	if (a->prim.op != b->prim.op || a->prim.at != b->prim.at)
		return false;
	int n = prim_arity(a->prim.op);
	Subs x = {(Sub *)a->prim.x, n}, y = {(Sub *)b->prim.x, n};
	return are_same(s, x, y) || (prim_commutes(a->prim.op) && is_same(s, x.at[0], y.at[1]) &&
	                             is_same(s, x.at[1], y.at[0]));
}

static bool is_comparable(Form form)
{
	return form_has(form, FORM_PURE) || form == E_update || form == E_scratch ||
	       form == E_screma || form == E_if_ || form == E_match || form == E_loop;
}

static bool have_same_heads(const Exp *a, const Exp *b)
{
	enum { ROOM = 32 };
	uint64_t x[ROOM], y[ROOM];
	Key k = {.words = x, .room = ROOM}, m = {.words = y, .room = ROOM};
	key_head(&k, a);
	key_head(&m, b);
	return k.len == m.len && k.len <= ROOM && memcmp(x, y, (size_t)k.len * sizeof *x) == 0;
}

// What an expression is made of, in order: operands, variables that it binds, bodies.
typedef struct { enum { OPERAND, BINDER, BODY } kind; Sub x; const Body *body; } Part;
typedef VEC(Part) Parts;

static void part_operand(Visit *v, Sub *x)
{
	VEC_PUSH((Parts *)v->ctx, ((Part){OPERAND, *x, NULL}));
}

static void part_binder(Visit *v, Var *x)
{
	VEC_PUSH((Parts *)v->ctx, ((Part){BINDER, sub_var(*x), NULL}));
}

static void part_body(Visit *v, Body *b)
{
	VEC_PUSH((Parts *)v->ctx, ((Part){BODY, .body = b}));
}

static Parts parts_of(const Exp *e)
{
	Parts parts = {0};
	Visit v = {.sub = part_operand, .bind = part_binder, .body = part_body, .ctx = &parts};
	exp_walk(e, &v);
	return parts;
}

static bool is_same_body(Same *s, const Body *a, const Body *b)
{
	if (a->stms.len != b->stms.len)
		return false;
	for (int i = 0; i < a->stms.len; i++) {
		const Stm *x = &a->stms.at[i], *y = &b->stms.at[i];
		if (x->pat.len != y->pat.len || !is_same_exp(s, x->exp, y->exp))
			return false;
		for (int k = 0; k < x->pat.len; k++)
			same_put(s, y->pat.at[k], sub_var(x->pat.at[k]));
	}
	return are_same(s, a->res, b->res);
}

static bool is_same_part(Same *s, const Part *a, const Part *b)
{
	if (a->kind != b->kind)
		return false;
	if (a->kind == BINDER)
		same_put(s, b->x.var, a->x);
	return a->kind == BODY ? is_same_body(s, a->body, b->body) : is_same(s, a->x, b->x);
}

bool is_same_exp(Same *s, const Exp *a, const Exp *b)
{
	if (a->form != b->form)
		return false;
	if (a->form == E_prim)
		return is_same_prim(s, a, b);
	if (a->form == E_assert_)               // that of the first has held
		return is_same(s, a->assert_.cond, b->assert_.cond);
	if (!is_comparable(a->form) || !have_same_heads(a, b))
		return false;
	Parts x = parts_of(a), y = parts_of(b);
	if (x.len != y.len)
		return false;
	for (int i = 0; i < x.len; i++)
		if (!is_same_part(s, &x.at[i], &y.at[i]))
			return false;
	return true;
}

// ---- Combinators ----

static bool is_same_reduction(const Same *s, const Reduction *a, const Reduction *b)
{
	const Exp *x = lambda_prim(a->op), *y = lambda_prim(b->op);
	return x && y && x->prim.op == y->prim.op && x->prim.at == y->prim.at &&
	       are_same(s, a->ne, b->ne);
}

// Reductions of one operator each, then mapped results.
static bool is_same_result(const Same *s, const Exp *a, int i, const Exp *b, int k)
{
	int na = n_folded(a), nb = n_folded(b);
	if (!is_same(s, a->screma.map->body.res.at[i], b->screma.map->body.res.at[k]))
		return false;
	if (i >= na || k >= nb)
		return i >= na && k >= nb;
	return na == a->screma.reds.len && nb == b->screma.reds.len &&
	       is_same_reduction(s, &a->screma.reds.at[i], &b->screma.reds.at[k]);
}

// What two combinators over the same rows have in common; does each row do any work for it?
static bool share_rows(Same *s, const Stm *a, const Stm *b)
{
	const Exp *x = a->exp, *y = b->exp;
	bool row = false;
	if (!is_same(s, x->screma.n, y->screma.n))
		return false;
	for (int i = 0; i < x->screma.arrs.len; i++)
		for (int k = 0; k < y->screma.arrs.len; k++)
			if (sub_is_data(x->screma.arrs.at[i]) &&
			    is_same(s, x->screma.arrs.at[i], y->screma.arrs.at[k])) {
				same_put(s, y->screma.map->params.at[k],
				         sub_var(x->screma.map->params.at[i]));
				row = true;
			}
	if (!row)
		return false;
	int64_t before = s->found;
	bool works = share_work(s, &x->screma.map->body, &y->screma.map->body);
	works |= s->found > before;
	if (has_own_checks(s, &y->screma.map->body))
		return works;
	for (int i = 0; i < a->pat.len; i++)
		for (int k = 0; k < b->pat.len; k++)
			if (is_same_result(s, x, i, y, k))
				same_put(s, b->pat.at[k], sub_var(a->pat.at[i]));
	return works;
}

// ---- Loops and branches ----

static bool is_same_type(const Same *s, Type a, Type b)
{
	return a.kind == T_DATA && b.kind == T_DATA && a.elem == b.elem && a.unique == b.unique &&
	       are_same(s, a.dims, b.dims);
}

static bool is_condition(const Exp *e, int i)
{
	return e->loop.is_while && e->loop.params.at[i].id == e->loop.while_cond.id;
}

// The parameter of a that starts like parameter k of b and is nobody's yet, or -1.
static int partner(const Same *s, const Exp *a, const Exp *b, int k, const int *pair)
{
	for (int i = 0; i < a->loop.params.len; i++) {
		bool taken = false;
		for (int m = 0; m < k; m++)
			taken |= pair[m] == i;
		if (!taken && is_condition(a, i) == is_condition(b, k) &&
		    is_same(s, a->loop.inits.at[i], b->loop.inits.at[k]) &&
		    is_same_type(s, vars[a->loop.params.at[i].id].type,
		                 vars[b->loop.params.at[k].id].type))
			return i;
	}
	return -1;
}

// False: there are none, or the conditions of two that have one are no partners.
static bool find_partners(Same *s, const Exp *a, const Exp *b, const bool *alone, int *pair)
{
	bool any = false;
	if (!b->loop.is_while)
		same_put(s, b->loop.i, sub_var(a->loop.i));
	for (int k = 0; k < b->loop.params.len; k++) {
		pair[k] = alone[k] ? -1 : partner(s, a, b, k, pair);
		if (pair[k] < 0 && is_condition(b, k))
			return false;
		if (pair[k] < 0)
			continue;
		same_put(s, b->loop.params.at[k], sub_var(a->loop.params.at[pair[k]]));
		any = true;
	}
	return any;
}

// Are those that are taken to be the same also the same in the next iteration?
static bool go_on(const Same *s, const Exp *a, const Exp *b, const int *pair, bool *alone)
{
	bool all = true;
	Subs x = a->loop.body.res, y = b->loop.body.res;
	for (int k = 0; k < y.len; k++)
		if (pair[k] >= 0 && !is_same(s, x.at[pair[k]], y.at[k])) {
			alone[k] = true;
			all = false;
		}
	return all;
}

bool same_loops(Same *s, const Exp *a, const Exp *b, int *pair, bool *works)
{
	if (a->loop.is_while != b->loop.is_while ||
	    (!a->loop.is_while && !is_same(s, a->loop.n, b->loop.n)))
		return false;
	bool *alone = NEW_ARRAY(bool, b->loop.params.len + 1);
	int before = s->trail.len;
	int64_t found = s->found;
	while (find_partners(s, a, b, alone, pair)) {
		*works = share_work(s, &a->loop.body, &b->loop.body);
		if (s->steps > 0 && go_on(s, a, b, pair, alone))
			return true;
		undo(s, before);
		s->found = found;
		if (s->steps <= 0)
			return false;
	}
	undo(s, before);
	s->found = found;
	return false;
}

static bool share_loop(Same *s, const Stm *a, const Stm *b)
{
	int *pair = NEW_ARRAY(int, b->exp->loop.params.len + 1);
	bool works = false;
	if (!same_loops(s, a->exp, b->exp, pair, &works))
		return false;
	if (!has_own_checks(s, &b->exp->loop.body))
		for (int k = 0; k < b->pat.len; k++)
			if (pair[k] >= 0)
				same_put(s, b->pat.at[k], sub_var(a->pat.at[pair[k]]));
	return works || s->loops;
}

static bool share_branches(Same *s, const Stm *a, const Stm *b)
{
	const Exp *x = a->exp, *y = b->exp;
	if (!is_same(s, x->if_.cond, y->if_.cond))
		return false;
	bool works = share_work(s, &x->if_.yes, &y->if_.yes);
	works |= share_work(s, &x->if_.no, &y->if_.no);
	if (has_own_checks(s, &y->if_.yes) || has_own_checks(s, &y->if_.no))
		return works;
	for (int i = 0; i < a->pat.len; i++)
		for (int k = 0; k < b->pat.len; k++)
			if (is_same(s, x->if_.yes.res.at[i], y->if_.yes.res.at[k]) &&
			    is_same(s, x->if_.no.res.at[i], y->if_.no.res.at[k]) &&
			    sub_type(sub_var(a->pat.at[i])).kind == T_DATA)
				same_put(s, b->pat.at[k], sub_var(a->pat.at[i]));
	return works;
}

// ---- Bodies ----

static void note_own_check(Visit *v, Body *b)
{
	Same *s = ((void **)v->ctx)[0];
	bool *found = ((void **)v->ctx)[1];
	for EACH(Stm, x, b->stms) {
		*found |= x->exp->form == E_assert_ && is_kept(x) && !is_known(s, x->pat.at[0]);
		if (form_has(x->exp->form, FORM_NEST))
			exp_walk(x->exp, v);
	}
}

bool has_own_checks(Same *s, const Body *b)
{
	bool found = false;
	void *ctx[] = {s, &found};
	Visit v = {.body = note_own_check, .ctx = ctx};
	note_own_check(&v, (Body *)b);
	return found;
}

static bool has_certs(const Same *s, Vars a, Vars b)
{
	for EACH(Var, y, b) {
		bool found = false;
		for EACH(Var, x, a)
			found |= is_same(s, sub_var(*x), sub_var(*y));
		if (!found)
			return false;
	}
	return true;
}

static bool is_any_known(const Same *s, Vars xs)
{
	for EACH(Var, x, xs)
		if (is_known(s, *x))
			return true;
	return false;
}

// Nothing is known of what is inside when no result is the same.
static bool share_nested(Same *s, const Stm *a, const Stm *b)
{
	int before = s->trail.len;
	bool works = a->exp->form == E_screma ? share_rows(s, a, b)
	           : a->exp->form == E_loop   ? share_loop(s, a, b)
	                                      : share_branches(s, a, b);
	if (!is_any_known(s, b->pat))
		undo(s, before);
	return works;
}

static bool share_stm(Same *s, const Stm *a, const Stm *b)
{
	Form form = a->exp->form;
	if (form != b->exp->form || --s->steps < 0 || !has_certs(s, a->certs, b->certs))
		return false;
	if (form == E_screma || form == E_loop || form == E_if_)
		return share_nested(s, a, b);
	if (!is_same_exp(s, a->exp, b->exp) || is_kept(a) < is_kept(b))
		return false;
	same_put(s, b->pat.at[0], sub_var(a->pat.at[0]));
	return form == E_prim && prim_is_function(a->exp->prim.op);
}

bool share_work(Same *s, const Body *a, const Body *b)
{
	bool works = false;
	for EACH(Stm, y, b->stms)
		for EACH(Stm, x, a->stms) {
			works |= share_stm(s, x, y);
			if (is_any_known(s, y->pat))
				break;
		}
	return works;
}
