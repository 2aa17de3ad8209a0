// The pass `pair_rows`: lets one thread do two rows of a map that compute much in common, because
// their numbers differ in one digit alone.
//
//     ys = screma n (iota) map=\i ->         room = scratch [n]
//       k = i mod d                          ys = withacc input=[n] (room) fn=\t acc ->
//       j = k + d * (i div (2*d))              screma (n div (2*d) * d) (iota, acc) map=\q acc ->
//       w = cos (f k)                            k = q mod d; i = q + (q - k)
//       a = xs[j]; b = w * xs[j + h]     ->      w = cos (f k)
//       if (i div d) mod 2 == 0                  a = xs[q]; b = w * xs[q + h]
//         then a + b                             acc1 = upd_acc acc [i] (a + b)
//         else a - b                             in upd_acc acc1 [i + d] (a - b)
//                                              .. and the rows after the last pair as before
//
// The stages of Fourier and wavelet transforms and of sorting networks are such maps: with
// i = (2*block + digit)*d + k, all that depends on the block and k alone is the same for both
// digits: the roots, the elements that both combine, comparisons.  For q = block*d + k the pair is
// i = q + block*d and i + d.  With d = 1 << e the digit is a bit: i ^ d is the other row of the
// pair, i & d is 0 or d, and i >> s is the same for both if s > e.
//
// Both rows are evaluated symbolically, with these rules and value numbering (pair_rows_eval.c);
// the pair is kept if it costs clearly less than two rows.  Updates of accumulators whose indices
// turn out to be those of the pair, or affine in q, are marked #[owned]: no other pair updates
// these elements, so they need no atomic operations.
//
// A map whose results only such a map reads, at i and at the other row of the pair, is computed
// there, as in the derivative of a step of a sorting network:
//
//     (ps, rs) = screma n .. map=f             pairs: (p0, r0) = f i0; (p1, r1) = f i1
//     ys = screma n (iota, rs)          ->            ys[i0] = r0 + p1
//       map=\i r -> r + ps[i ^ d]                     ys[i1] = r1 + p0
//
// d must be the same for all rows and known without reading memory, so that a host can compute how
// many pairs there are.
//
// Requires: no jvp or vjp.  Ensures: equal results, up to the order of additions.
#include "device/pair_rows.h"
#include "opt/opt.h"
#include "opt/simplify.h"

// ---- Which maps ----

static bool is_pairable_stm(const Stm *s, bool in_branch)
{
	const Exp *e = s->exp;
	if (has_attrs(s->attrs))
		return false;
	switch (e->form) {
	case E_prim: case E_convert: case E_index: case E_atom: case E_assert_:
		return true;
	case E_upd_acc:
		return !in_branch;
	case E_if_:
		return is_pairable_body(&e->if_.yes, true) && is_pairable_body(&e->if_.no, true);
	default: // what makes arrays, or takes long
		return false;
	}
}

bool is_pairable_body(const Body *b, bool in_branch)
{
	for EACH(const Stm, s, b->stms)
		if (!is_pairable_stm(s, in_branch))
			return false;
	return b->stms.len <= MOST_STMS;
}

// A map of rows of numbers to numbers or accumulators, but not to both.
static bool is_pairable(const Stm *s)
{
	const Exp *e = s->exp;
	if (!is_map(e) || has_attrs(s->attrs) || !e->screma.map->ret.len ||
	    !is_pairable_body(&e->screma.map->body, false))
		return false;
	int accs = 0;
	for EACH(Type, t, e->screma.map->ret) {
		accs += t->kind == T_ACC;
		if (t->kind != T_ACC && !type_is_scalar(*t))
			return false;
	}
	for EACH(Var, p, e->screma.map->params)
		if (vars[p->id].type.kind != T_ACC && !var_is_scalar(*p))
			return false;
	return !accs || accs == e->screma.map->ret.len;
}

// The divisor or bit that a statement takes the number of the row apart by.
static bool digit_of(const Stm *s, Var row, Sub *d)
{
	const Exp *e = s->exp;
	if (e->form != E_prim || e->prim.at != PT_I64)
		return false;
	Sub x = e->prim.x[0], y = e->prim.x[1];
	bool bits = e->prim.op == P_and || e->prim.op == P_xor;
	if (bits && sub_eq(y, sub_var(row)))
		y = x;
	else if ((!bits && !prim_divides(e->prim.op)) || !sub_eq(x, sub_var(row)))
		return false;
	*d = y;
	return y.kind == S_VAR;
}

static bool stm_is_digit_map(const Stm *s)
{
	Sub d;
	if (!is_pairable(s))
		return false;
	for EACH(const Stm, t, s->exp->screma.map->body.stms)
		for EACH(Var, p, s->exp->screma.map->params)
			if (digit_of(t, *p, &d))
				return true;
	return false;
}

// The parameter that is the number of the row, or -1.
static int number_of_row(const Pairs *p, const Exp *e)
{
	for (int i = 0; i < e->screma.arrs.len; i++) {
		Sub a = e->screma.arrs.at[i];
		if (a.kind == S_VAR && is_count(map_get(&p->defs, var_key(a.var))))
			return i;
	}
	return -1;
}

// ---- What a host knows ----

typedef struct { const Exp *loop; int k; } Carried;

// Is the number computed from parameters of the function and counters, without a look at memory?
// `assumed`: what loops carry, and is being asked about.
static bool is_uniform(const Pairs *p, Sub x, Map *assumed, int depth)
{
	if (x.kind == S_CONST || map_has(assumed, var_key(x.var)))
		return true;
	if (!depth || !sub_is_scalar(x))
		return false;
	if (map_has(&p->given, var_key(x.var)))
		return true;
	const Sub *limit = map_get(&p->counters, var_key(x.var));
	if (limit)
		return is_uniform(p, *limit, assumed, depth - 1);
	const Carried *c = map_get(&p->carried, var_key(x.var));
	if (c) {
		map_put(assumed, var_key(x.var), (void *)c);
		return is_uniform(p, c->loop->loop.inits.at[c->k], assumed, depth - 1) &&
		       is_uniform(p, c->loop->loop.body.res.at[c->k], assumed, depth - 1) &&
		       (c->loop->loop.is_while
		          ? is_uniform(p, sub_var(c->loop->loop.while_cond), assumed, depth - 1)
		          : is_uniform(p, c->loop->loop.n, assumed, depth - 1));
	}
	const Exp *e = map_get(&p->defs, var_key(x.var));
	if (!e || (e->form != E_prim && e->form != E_convert && e->form != E_atom))
		return false;
	int n = e->form == E_prim ? prim_arity(e->prim.op) : 1;
	for (int i = 0; i < n; i++) {
		Sub y = e->form == E_prim    ? e->prim.x[i]
		      : e->form == E_convert ? e->convert.x
		                             : e->atom.x;
		if (!is_uniform(p, y, assumed, depth - 1))
			return false;
	}
	return true;
}

static void note_body(Visit *v, Body *b)
{
	Pairs *p = v->ctx;
	for EACH(Stm, s, b->stms) {
		const Exp *e = s->exp;
		if (s->pat.len == 1)
			map_put(&p->defs, var_key(s->pat.at[0]), (void *)e);
		if (e->form != E_loop)
			continue;
		if (!e->loop.is_while)
			map_put(&p->counters, var_key(e->loop.i), mem_dup(&e->loop.n, sizeof(Sub)));
		for (int k = 0; k < e->loop.params.len; k++)
			if (var_is_scalar(e->loop.params.at[k]))
				map_put(&p->carried, var_key(e->loop.params.at[k]),
				        NEW(Carried, .loop = e, .k = k));
	}
	body_visit(b, v);
}

// ---- What pairs cost ----

// By instructions, roughly: of a device, where an access takes as long as a few operations.
// Integers count for nothing: taking the number of a row apart is not worth a second map for the
// rows that are left.
static int cost_of_exp(const Exp *e)
{
	enum { FUNCTION = 16, DIVISION = 6, ACCESS = 4, CHECK = 2 };
	switch (e->form) {
	case E_prim:
		return prim_is_function(e->prim.op) ? FUNCTION
		     : !is_float(e->prim.at) ? 0 : prim_divides(e->prim.op) ? DIVISION : 1;
	case E_index: case E_upd_acc:
		return ACCESS;
	case E_assert_:
		return CHECK;
	default: // conversions
		return 1;
	}
}

static int cost_of(const Body *b, Map *used);

static int cost_of_stm(const Stm *s, Map *used)
{
	int cost = 0;
	Visit note = {.sub = note_operand, .ctx = used};
	if (s->exp->form == E_if_) {
		int yes = cost_of(&s->exp->if_.yes, used), no = cost_of(&s->exp->if_.no, used);
		cost = yes > no ? yes + 1 : no + 1;
		note_operand(&note, &s->exp->if_.cond);
	} else {
		stm_walk(s, &note);
		cost = cost_of_exp(s->exp);
	}
	for EACH(Var, c, s->certs)
		map_put(used, var_key(*c), used);
	return cost;
}

// Of what is used.
static int cost_of(const Body *b, Map *used)
{
	int cost = 0;
	for EACH(Sub, r, b->res)
		if (r->kind == S_VAR)
			map_put(used, var_key(r->var), used);
	for (int i = b->stms.len - 1; i >= 0; i--) {
		const Stm *s = &b->stms.at[i];
		bool is_used = s->exp->form == E_assert_;
		for EACH(Var, v, s->pat)
			is_used = is_used || map_has(used, var_key(*v));
		if (is_used)
			cost += cost_of_stm(s, used);
	}
	return cost;
}

// With the reads of its inputs, and the writes of its results.
static int cost_of_rows(const Pairs *p, const Exp *e)
{
	enum { ACCESS = 4 };
	Map used = {0};
	int cost = cost_of(&e->screma.map->body, &used);
	for EACH(Var, x, e->screma.map->params)
		if (var_is_scalar(*x) && map_has(&used, var_key(*x)))
			cost += ACCESS;
	if (number_of_row(p, e) >= 0)
		cost -= ACCESS;
	for EACH(Type, t, e->screma.map->ret)
		cost += t->kind == T_ACC ? 0 : ACCESS;
	return cost;
}

// ---- The maps that take the place of one ----

// The accumulator among these that result k of the map is.
static Sub acc_of(const Exp *e, int k)
{
	Var token = e->screma.map->ret.at[k].acc->token;
	return e->screma.arrs.at[vars_find_acc(e->screma.map->params, token)];
}

// Of n rows; `held`: the accumulators at hand, those of the map or of its results.
static Subs emit_rows(Rows *r, Sub n, Subs held, bool pair, int *cost)
{
	Build *b = &r->p->b;
	Subs arrs = subs_cat(subs_of(1, b_iota(b, n)), held);
	Vars params = vars_new("acc", types_of_subs(arrs));
	params.at[0] = var_i64("q");
	Subs accs = subs_of_vars(vars_part(params, 1, held.len));
	b_open(b);
	Subs out = pair ? eval_pair(r, sub_var(params.at[0]), accs)
	                : eval_rest(r, sub_var(params.at[0]), accs);
	Lambda *f = b_lambda(b, params, out);
	Map used = {0};
	*cost = cost_of(&f->body, &used);
	return b_lets(b, "acc", f->ret, EXP(screma, .n = n, .arrs = arrs, .map = f));
}

// The pairs, then the rows that are left.
static Subs emit_all(Rows *r, Subs held, int *cost)
{
	int rest;
	held = emit_rows(r, r->n_pairs, held, true, cost);
	return r->failed ? held : emit_rows(r, r->n_rest, held, false, &rest);
}

// Results that are arrays are new memory that both maps write to.
static Subs emit_into_new(Rows *r, int *cost)
{
	Build *b = &r->p->b;
	const Stm *s = r->map;
	int n = s->pat.len;
	AccInputs inputs = {NEW_ARRAY(AccInput, n), n};
	Vars params = {NEW_ARRAY(Var, 2 * n), 2 * n};
	Types types = {NEW_ARRAY(Type, n), n};
	for (int k = 0; k < n; k++) {
		Type row = type_plain(s->exp->screma.map->ret.at[k]);
		types.at[k] = type_of_rows(r->n, row);
		Sub room = b_let(b, "room", types.at[k], EXP(scratch, row.elem, types.at[k].dims));
		inputs.at[k] = (AccInput){subs_of(1, r->n), subs_of(1, room), NULL, {0}};
		params.at[k] = var_new(name_of("token"), type_cert());
		AccType *acc = NEW(AccType, params.at[k], subs_of(1, r->n),
		                   {mem_dup(&row, sizeof row), 1});
		params.at[n + k] = var_new(name_of("acc"), (Type){.kind = T_ACC, .acc = acc});
	}
	b_open(b);
	Subs out = emit_all(r, subs_of_vars(vars_part(params, n, n)), cost);
	Lambda *fn = b_lambda(b, params, out);
	return b_lets(b, "pairs", types, EXP(withacc, .inputs = inputs, .fn = fn));
}

// No more than n / (2*d) blocks, and none if d is no size that fits.
static void count_pairs(Rows *r)
{
	Build *b = &r->p->b;
	Sub fits = b_prim2(b, P_and, b_lt(b, sub_i64(0), r->d), b_le(b, r->d, r->n));
	Sub twice = b_select(b, fits, b_mul(b, r->d, sub_i64(2)), sub_i64(1));
	Sub blocks = b_select(b, fits, b_prim2(b, P_quot, r->n, twice), sub_i64(0));
	r->n_pairs = b_mul(b, blocks, r->d);
	r->base = b_mul(b, r->n_pairs, sub_i64(2));
	r->n_rest = b_sub(b, r->n, r->base);
}

typedef struct { Body body; int cost; } Trial;

// All that takes the place of the map, as a body of its own.
static Trial try_pairs(Rows *r)
{
	Trial t = {.cost = 0};
	const Exp *e = r->map->exp;
	Subs held = {NEW_ARRAY(Sub, r->map->pat.len), 0};
	bool output = e->screma.map->ret.at[0].kind != T_ACC;
	b_open(&r->p->b);
	count_pairs(r);
	for (int k = 0; k < r->map->pat.len && !output; k++)
		held.at[held.len++] = acc_of(e, k);
	Subs out = output ? emit_into_new(r, &t.cost) : emit_all(r, held, &t.cost);
	t.body = b_close(&r->p->b, out);
	return t;
}

// The exponent of which d is the power of two, if it is one.
static bool log_of(const Pairs *p, Sub d, Sub *out)
{
	const Exp *e = d.kind == S_VAR ? map_get(&p->defs, var_key(d.var)) : NULL;
	if (!e || e->form != E_prim || e->prim.op != P_shl || !sub_eq(e->prim.x[0], sub_i64(1)))
		return false;
	*out = e->prim.x[1];
	return true;
}

// The map that alone makes some inputs of this one, for it alone; NULL: there is none.
static const Stm *maker_of(Pairs *p, const Stm *s)
{
	Map here = {0};
	Visit count = {.sub = count_operand, .ctx = &here};
	const Maker *m = NULL;
	Vars free = free_in_stm(s);
	for EACH(Var, v, free)
		if (!m && map_has(&p->makers, var_key(*v)))
			m = map_get(&p->makers, var_key(*v));
	if (!m || m->epoch != p->epoch || m->stm->exp->screma.map->ret.at[0].kind == T_ACC ||
	    !sub_eq(m->stm->exp->screma.n, s->exp->screma.n))
		return NULL;
	exp_walk(s->exp, &count);
	for EACH(Var, v, m->stm->pat)
		if (n_counted(&here, *v) != n_counted(&p->uses, *v))
			return NULL;
	return m->stm;
}

static bool pair_by(Pairs *p, const Stm *s, const Stm *maker, Sub d, Trial *best)
{
	Map assumed = {0};
	enum { DEPTH = 12 };
	if (!is_uniform(p, d, &assumed, DEPTH))
		return false;
	Rows r = {.p = p, .map = s, .maker = maker, .n = s->exp->screma.n, .d = d,
	          .at = number_of_row(p, s->exp),
	          .maker_at = maker ? number_of_row(p, maker->exp) : -1};
	r.is_bit = log_of(p, d, &r.e);
	Trial t = try_pairs(&r);
	if (r.failed || (best->body.stms.len && best->cost <= t.cost))
		return false;
	*best = t;
	return true;
}

// By the digit for which it costs least.
static Trial best_pairs(Pairs *p, const Stm *s, const Stm *maker)
{
	const Lambda *f = s->exp->screma.map;
	Trial best = {.cost = 0};
	SubVec tried = {0};
	for EACH(const Stm, t, f->body.stms) {
		Sub d;
		if (!digit_of(t, f->params.at[number_of_row(p, s->exp)], &d) ||
		    subs_find(VEC_SLICE(Subs, tried), d) >= 0 || tried.len == MOST_DIGITS)
			continue;
		VEC_PUSH(&tried, d);
		pair_by(p, s, maker, d, &best);
	}
	return best;
}

static bool pays(const Trial *t, int rows)
{
	enum { PERCENT = 75 };
	return t->body.stms.len && t->cost * 100 <= 2 * rows * PERCENT;
}

static bool pair_map(Pairs *p, const Stm *s)
{
	Build *b = &p->b;
	if (number_of_row(p, s->exp) < 0)
		return false;
	const Stm *maker = maker_of(p, s);
	int rows = cost_of_rows(p, s->exp);
	Trial t = {.cost = 0};
	if (maker)
		t = best_pairs(p, s, maker);
	if (!maker || !pays(&t, rows + cost_of_rows(p, maker->exp)))
		t = best_pairs(p, s, NULL);
	else
		rows += cost_of_rows(p, maker->exp);
	if (!pays(&t, rows) || !may_rewrite())
		return false;
	int from = b_len(b);
	b_emit_all(b, t.body.stms);
	b_add_certs(b, from, s->certs);
	b_names(b, s->pat, t.body.res);
	return true;
}

// ---- All of them ----

// Between a map and what reads its results nothing may write to what the map reads.
static bool writes_nothing(const Stm *s)
{
	const Exp *e = s->exp;
	return e->form == E_prim || e->form == E_convert || e->form == E_atom ||
	       e->form == E_assert_ || e->form == E_iota || e->form == E_index ||
	       (e->form == E_screma && !lambda_consumes(e->screma.map));
}

static void note_tokens(Pairs *p, const Exp *e)
{
	for (int i = 0; i < e->withacc.inputs.len; i++)
		map_put(&p->tokens, var_key(e->withacc.fn->params.at[i]),
		        NEW(Token, .op = e->withacc.inputs.at[i].op, .level = p->level));
}

static void pair_in_body(Visit *v, Body *body)
{
	Pairs *p = v->ctx;
	Build *b = &p->b;
	int epoch = ++p->epochs, level = p->level;
	b_open(b);
	for EACH(Stm, old, body->stms) {
		Stm s = *old;
		if (s.exp->form == E_withacc)
			note_tokens(p, s.exp);
		if (form_has(s.exp->form, FORM_SOAC))
			p->level = ++p->levels;
		if (form_has(s.exp->form, FORM_NEST) || s.exp->form == E_call)
			s.exp = exp_visit(s.exp, v);
		p->level = level;
		p->epoch = epoch;
		b->where = s.where;
		if (!stm_is_digit_map(&s) || !pair_map(p, &s))
			b_emit(b, s);
		if (!writes_nothing(&s))
			epoch = ++p->epochs;
		if (is_pairable(&s))
			for EACH(Var, x, s.pat)
				map_put(&p->makers, var_key(*x),
				        NEW(Maker, .stm = mem_dup(&s, sizeof s), .epoch = epoch));
	}
	*body = b_close(b, body->res);
}

Prog *pair_rows(Prog *prog)
{
	Pairs p = {.epoch = 0};
	if (!prog_find(prog, stm_is_digit_map))
		return prog;
	Visit note = {.body = note_body, .ctx = &p}, count = {.sub = count_operand, .ctx = &p.uses};
	for EACH(Fun *, f, prog->funs) {
		vars_put(&p.given, (*f)->params, &p);
		note_body(&note, &(*f)->body); // walks: nothing is written
		body_walk(&(*f)->body, &count);
	}
	Visit v = {.body = pair_in_body, .copy = true, .ctx = &p};
	return prog_rewrite_where(prog, stm_is_digit_map, &v);
}
