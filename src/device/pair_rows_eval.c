// Evaluates two rows of a map symbolically, whose numbers differ in one digit (pair_rows.c).
//
// With i0 = 2*d*blk + k, i1 = i0 + d, q = d*blk + k and lo = d*blk, for rows i0 and i1 of n:
//
//     i0 mod d = i1 mod d = k           i0 div d = 2*blk             i1 div d = 2*blk + 1
//     i0 div 2d = i1 div 2d = blk       i0 mod 2d = k                i1 mod 2d = k + d
//     k + lo = q                        0 <= i0 < n                  0 <= i1 < n
//     d > 0
//
// and if d is 1 << e
//
//     i0 xor d = i1                     i1 xor d = i0                i0 and d = 0
//     i0 >> e = 2*blk                   i1 >> s = i0 >> s if s > e   i1 and d = d
//
// What both rows compute is then emitted once, since the builder numbers values.  Reads that both
// branches of an if do are done before it.
#include "device/pair_rows.h"

// ---- Rules ----

static int row_of(const Rows *r, Sub x)         // 0 or 1: i0 or i1; -1
{
	return !r->pair ? -1 : sub_eq(x, r->i[0]) ? 0 : sub_eq(x, r->i[1]) ? 1 : -1;
}

static int quo_of(const Rows *r, Sub x)
{
	return sub_eq(x, r->quo[0]) ? 0 : sub_eq(x, r->quo[1]) ? 1 : -1;
}

static bool is_multiple(const Rows *r, Sub x, int64_t k) // k * d?
{
	AffineDefs defs = defs_in_map(&r->p->defs);
	Affine a = affine_of(defs, x), d = affine_of(defs, r->d), kd = affine_scale(&d, k);
	return affine_same(&a, &kd);
}

static bool is_above(const Rows *r, Sub s)      // s > e?
{
	Map none = {0};
	AffineFacts facts = {defs_in_map(&r->p->defs), &none, &r->p->counters};
	Affine a = affine_of(facts.defs, s), e = affine_of(facts.defs, r->e);
	Affine less = affine_more(affine_add(&a, &e, -1), -1);
	return affine_natural(&facts, &less);
}

static bool either(Sub x, Sub y, Sub a, Sub b)
{
	return (sub_eq(x, a) && sub_eq(y, b)) || (sub_eq(x, b) && sub_eq(y, a));
}

static bool divide(Rows *r, Sub x, Sub y, bool quotient, Sub *out)
{
	int c = row_of(r, x), half = quo_of(r, x);
	if (half >= 0 && is_int_const(y, 2))
		*out = quotient ? r->blk : sub_i64(half);
	else if (c >= 0 && is_multiple(r, y, 1))
		*out = quotient ? r->quo[c] : r->k;
	else if (c >= 0 && is_multiple(r, y, 2))
		*out = quotient ? r->blk : c ? b_add(&r->p->b, r->k, r->d) : r->k;
	else
		return false;
	return true;
}

static bool shift_right(Rows *r, Sub x, Sub y, Sub *out)
{
	int c = row_of(r, x);
	if (!r->is_bit || c < 0)
		return quo_of(r, x) >= 0 && is_int_const(y, 1) && (*out = r->blk, true);
	AffineDefs defs = defs_in_map(&r->p->defs);
	if (affine_equal(defs, y, r->e))
		*out = r->quo[c];
	else if (c && is_above(r, y))
		*out = b_prim2(&r->p->b, P_ashr, r->i[0], y);
	else
		return false;
	return true;
}

static bool bits(Rows *r, Prim op, Sub x, Sub y, Sub *out)
{
	int c = row_of(r, x) >= 0 ? row_of(r, x) : row_of(r, y);
	Sub other = row_of(r, x) >= 0 ? y : x;
	if (op == P_and && quo_of(r, x) >= 0 && is_int_const(y, 1)) {
		*out = sub_i64(quo_of(r, x));
		return true;
	}
	if (c < 0 || !r->is_bit || !sub_eq(other, r->d))
		return false;
	*out = op == P_xor ? r->i[1 - c] : op == P_or ? r->i[1] : c ? r->d : sub_i64(0);
	return true;
}

// Is the number that of a row, or below it?
static bool is_row(const Rows *r, Sub x)
{
	if (!r->pair)
		return sub_eq(x, r->row);
	return row_of(r, x) >= 0 || sub_eq(x, r->q) || sub_eq(x, r->k);
}

static bool rule(Rows *r, Prim op, PrimType at, Sub x, Sub y, Sub *out)
{
	if (at == PT_BOOL && op == P_eq && (x.kind == S_CONST || y.kind == S_CONST)) {
		Sub c = x.kind == S_CONST ? x : y, other = x.kind == S_CONST ? y : x;
		*out = c.val.i ? other : b_prim1(&r->p->b, P_not, other);
		return true;
	}
	if (at != PT_I64)
		return false;
	if ((op == P_lt && is_row(r, x) && sub_eq(y, r->n)) ||
	    (op == P_le && is_int_const(x, 0) && is_row(r, y))) {
		*out = sub_bool(true);
		return true;
	}
	if (!r->pair)
		return false;
	if (op == P_eq && either(x, y, r->d, sub_i64(0))) {
		*out = sub_bool(false);
		return true;
	}
	switch (op) {
	case P_div: case P_quot:
		return divide(r, x, y, true, out);
	case P_mod: case P_rem:
		return divide(r, x, y, false, out);
	case P_ashr:
		return shift_right(r, x, y, out);
	case P_and: case P_or: case P_xor:
		return bits(r, op, x, y, out);
	case P_mul:
		return either(x, y, r->blk, r->d) && (*out = r->lo, true);
	case P_shl:
		return r->is_bit && sub_eq(x, r->blk) && sub_eq(y, r->e) && (*out = r->lo, true);
	case P_add:
		return either(x, y, r->k, r->lo) && (*out = r->q, true);
	default: // nothing is known of it
		return false;
	}
}

// ---- Statements ----

static Subs substituted(const Rows *r, Subs xs)
{
	Subs out = SLICE_DUP(Subs, xs);
	for EACH(Sub, x, out)
		*x = sub_subst(&r->to, *x);
	return out;
}

static Vars certs_of(const Rows *r, Vars certs)
{
	Vars out = SLICE_DUP(Vars, certs);
	for EACH(Var, c, out)
		*c = sub_subst(&r->to, sub_var(*c)).var;
	return out;
}

// What equals it, computed under whatever assertions, or a new statement.
static Sub once(Rows *r, Type t, Exp *e)
{
	Sub known;
	return b_find(&r->p->b, e, t, &known) ? known : b_let(&r->p->b, form_name[e->form], t, e);
}

static Sub eval_prim(Rows *r, const Exp *e)
{
	Build *b = &r->p->b;
	Sub x[3] = {0}, out;
	int n = prim_arity(e->prim.op);
	for (int i = 0; i < n; i++)
		x[i] = sub_subst(&r->to, e->prim.x[i]);
	if ((n == 2 && rule(r, e->prim.op, e->prim.at, x[0], x[1], &out)) ||
	    fold_prim(e->prim.op, e->prim.at, x, &out))
		return out;
	Exp *new = EXP(prim, .op = e->prim.op, .at = e->prim.at, .x = {x[0], x[1], x[2]});
	if (b_find(b, new, type_scalar(prim_result(e->prim.op, e->prim.at)), &out))
		return out;
	out = b_prim(b, e->prim.op, e->prim.at, x[0], x[1], x[2]);
	if (out.kind == S_VAR)
		map_put(&r->p->defs, var_key(out.var), new);
	return out;
}

static Subs eval_body(Rows *, const Body *);

// The results of the maker in that row.
static Subs eval_maker(Rows *r, Sub row)
{
	const Exp *e = r->maker->exp;
	Build *b = &r->p->b;
	for (int i = 0; i < e->screma.arrs.len; i++) {
		Var p = e->screma.map->params.at[i];
		subst_put(&r->to, p, i == r->maker_at ? row : b_row(b, e->screma.arrs.at[i], row));
	}
	return eval_body(r, &e->screma.map->body);
}

// Element `at` of what the maker makes; the row is there already, or it is evaluated now.
static Sub made_element(Rows *r, int k, Sub at)
{
	int c = row_of(r, at);
	if (c >= 0)
		return r->made[c].at[k];
	if (r->pair) {
		r->failed = true;
		return sub_zero(r->maker->exp->screma.map->ret.at[k].elem);
	}
	Sub row = r->row;
	r->row = at;
	Subs all = eval_maker(r, at);
	r->row = row;
	return all.at[k];
}

static Sub eval_index(Rows *r, const Exp *e, Type t)
{
	Subs idx = substituted(r, e->index.idx);
	int k = r->maker ? vars_find(r->maker->pat, e->index.arr) : -1;
	if (k >= 0)
		return made_element(r, k, idx.at[0]);
	return once(r, t, EXP(index, sub_subst(&r->to, e->index.arr), idx));
}

static Msg message_of(const Rows *r, Msg msg)
{
	Msg out = SLICE_DUP(Msg, msg);
	for EACH(MsgPart, m, out)
		if (m->is_val)
			m->val = sub_subst(&r->to, m->val);
	return out;
}

// ---- Branches ----

static bool is_bound_in(const Body *b, Sub x)
{
	return x.kind == S_VAR && stm_index(b, x) >= 0;
}

// Is it a read that could as well be done before the branch?
static bool is_outer_read(const Body *b, const Stm *s)
{
	if (s->exp->form != E_index || is_bound_in(b, s->exp->index.arr))
		return false;
	for EACH(Sub, i, s->exp->index.idx)
		if (is_bound_in(b, *i))
			return false;
	for EACH(Var, c, s->certs)
		if (is_bound_in(b, sub_var(*c)))
			return false;
	return true;
}

static bool is_read_in(const Body *b, const Exp *e)
{
	for EACH(const Stm, s, b->stms)
		if (s->exp->form == E_index && is_outer_read(b, s) &&
		    sub_eq(s->exp->index.arr, e->index.arr) &&
		    subs_eq(s->exp->index.idx, e->index.idx))
			return true;
	return false;
}

static Body eval_branch(Rows *r, const Body *b)
{
	b_open(&r->p->b);
	Subs res = eval_body(r, b);
	return b_close(&r->p->b, res);
}

static void read_before(Rows *r, const Body *yes, const Body *no)
{
	Body a = eval_branch(r, yes), b = eval_branch(r, no);
	for EACH(const Stm, s, a.stms)
		if (is_outer_read(&a, s) && is_read_in(&b, s->exp)) {
			r->p->b.certs = s->certs;
			once(r, vars[s->pat.at[0].id].type, s->exp);
			r->p->b.certs = (Vars){0};
		}
}

static Subs eval_if(Rows *r, const Stm *s)
{
	Build *b = &r->p->b;
	Sub cond = sub_subst(&r->to, s->exp->if_.cond), opposite;
	const Body *yes = &s->exp->if_.yes, *no = &s->exp->if_.no;
	if (cond.kind == S_CONST)
		return eval_body(r, cond.val.i ? yes : no);
	// `not c` was entered with its inverse, so this finds c
	const Exp *not = EXP(prim, .op = P_not, .at = PT_BOOL, .x = {cond});
	if (b_find(b, not, type_scalar(PT_BOOL), &opposite) &&
	    opposite.kind == S_VAR && cond.var.id > opposite.var.id) {
		const Body *held = yes;
		cond = opposite;
		yes = no;
		no = held;
	}
	read_before(r, yes, no);
	Body first = eval_branch(r, yes), second = eval_branch(r, no);
	Types types = {NEW_ARRAY(Type, s->pat.len), s->pat.len};
	for (int k = 0; k < s->pat.len; k++)
		types.at[k] = vars[s->pat.at[k].id].type;
	return b_lets(b, "r", types, EXP(if_, cond, first, second));
}

// ---- Bodies ----

static void put_all(Rows *r, Vars pat, Subs xs)
{
	for (int k = 0; k < pat.len; k++)
		subst_put(&r->to, pat.at[k], xs.at[k]);
}

static void eval_stm(Rows *r, const Stm *s)
{
	Build *b = &r->p->b;
	const Exp *e = s->exp;
	Type t = vars[s->pat.at[0].id].type;
	Vars certs = certs_of(r, s->certs);
	b->where = s->where;
	if (e->form == E_if_) {                 // its certificates are those of what it gives
		int from = b_len(b);
		Subs res = eval_if(r, s);
		b_add_certs(b, from, certs);
		put_all(r, s->pat, res);
		return;
	}
	Sub out = {0};
	b->certs = certs;
	switch (e->form) {
	case E_prim:
		out = eval_prim(r, e);
		break;
	case E_convert:
		out = once(r, t, EXP(convert, e->convert.to, sub_subst(&r->to, e->convert.x)));
		break;
	case E_index:
		out = eval_index(r, e, t);
		break;
	case E_atom:
		out = sub_subst(&r->to, e->atom.x);
		break;
	case E_assert_:
		out = sub_var(b_assert(b, sub_subst(&r->to, e->assert_.cond),
		                       message_of(r, e->assert_.msg)));
		break;
	case E_upd_acc: // in the end, see emit_updates
		out = sub_subst(&r->to, e->upd_acc.acc);
		VEC_PUSH(&r->updates,
		         (Update){subs_find(r->accs, out), substituted(r, e->upd_acc.idx),
		                  substituted(r, e->upd_acc.vals), certs});
		break;
	default:
		bug("%s in a row of a pair", form_name[e->form]);
	}
	b->certs = (Vars){0};
	subst_put(&r->to, s->pat.at[0], out);
}

static Subs eval_body(Rows *r, const Body *b)
{
	for EACH(const Stm, s, b->stms)
		eval_stm(r, s);
	return substituted(r, b->res);
}

// ---- Updates ----

// Of accumulators that this pass makes nothing is noted: they have no operator.
static const Token *token_of(const Rows *r, int acc)
{
	static const Token none = {NULL, 0};
	const Token *t = map_get(&r->p->tokens, var_key(sub_type(r->accs.at[acc]).acc->token));
	return t ? t : &none;
}

// One update of each element: with an operator in any order, else the last one counts.
static void join_updates(Rows *r)
{
	int n = 0;
	for EACH(Update, u, r->updates) {
		const Lambda *op = token_of(r, u->acc)->op;
		Update *same = NULL;
		bool joins = op && is_pairable_body(&op->body, true);
		for (int i = 0; i < n && joins; i++)
			if (r->updates.at[i].acc == u->acc && subs_eq(r->updates.at[i].idx, u->idx))
				same = &r->updates.at[i];
		if (!same) {
			r->updates.at[n++] = *u;
			continue;
		}
		put_all(r, op->params, subs_cat(same->vals, u->vals));
		same->vals = eval_body(r, &op->body);
		same->certs = vars_cat(same->certs, u->certs);
	}
	r->updates.len = n;
}

// Is it half of the rows, n / 2?
static bool is_half(const Rows *r, const Affine *a)
{
	if (a->bad || a->c || a->n != 1 || !term_is_var(a->t) ||
	    (a->t[0].k != 1 && a->t[0].k != -1))
		return false;
	const Exp *e = map_get(&r->p->defs, var_key(a->t[0].v[0]));
	if (!e || e->form != E_prim || e->prim.at != PT_I64 || !sub_eq(e->prim.x[0], r->n))
		return false;
	return e->prim.op == P_ashr ? is_int_const(e->prim.x[1], 1)
	     : (e->prim.op == P_div || e->prim.op == P_quot) && is_int_const(e->prim.x[1], 2);
}

// q plus something that is the same for all pairs?
static bool is_place(const Rows *r, Sub x, Affine *rest)
{
	Affine a = affine_of(defs_in_map(&r->p->defs), x), rate;
	if (!affine_split(&a, r->q.var, &rate, rest) || !affine_is(&rate, 1))
		return false;
	for (int i = 0; i < rest->n; i++)
		for (int k = 0; k < AFFINE_DEGREE && rest->t[i].v[k].id; k++)
			if (rest->t[i].v[k].id >= r->first_var)
				return false;
	return true;
}

// Do two pairs never update the same element?  So it is where all indices are those of the rows,
// or all of them are q + c or q + c + n/2, since there are at most n/2 pairs.
static bool are_owned(const Rows *r, int acc)
{
	bool rows = true, places = true;
	Affine from = {0}, other = {0}, rest;
	int n = 0;                              // of from and other
	for EACH(const Update, u, r->updates) {
		if (u->acc != acc)
			continue;
		if (u->idx.len != 1)
			return false;
		rows = rows && row_of(r, u->idx.at[0]) >= 0;
		places = places && is_place(r, u->idx.at[0], &rest);
		if (!places || (n && affine_same(&rest, &from)) ||
		    (n > 1 && affine_same(&rest, &other)))
			continue;
		Affine by = affine_add(&rest, &from, -1);
		places = !n || (n == 1 && is_half(r, &by));
		*(n ? &other : &from) = rest;
		n++;
	}
	return rows || places;
}

// Is the place that of a row, or q, or q + n/2, where there are as many places as rows?
static bool is_inside(const Rows *r, const Update *u)
{
	const AccType *acc = sub_type(r->accs.at[u->acc]).acc;
	Affine rest;
	if (u->idx.len != 1 || !sub_eq(acc->space.at[0], r->n))
		return false;
	Sub at = u->idx.at[0];
	if (!r->pair)
		return sub_eq(at, r->row);
	return row_of(r, at) >= 0 || (is_place(r, at, &rest) &&
		(affine_is(&rest, 0) || (is_half(r, &rest) && rest.t[0].k == 1)));
}

// What the map gives is stored at the number of the row, by that alone.
static Attributes attrs_of(const Rows *r, const Update *u, bool owned)
{
	if (!owned && r->map->exp->screma.map->ret.at[0].kind == T_ACC)
		return (Attributes){0};
	return with_attr(attr_of(ATTR_OWNED), is_inside(r, u) ? ATTR_INSIDE : ATTR_NONE);
}

static Subs emit_updates(Rows *r)
{
	Build *b = &r->p->b;
	Subs accs = SLICE_DUP(Subs, r->accs);
	join_updates(r);
	bool *owned = NEW_ARRAY(bool, accs.len + 1);
	for (int k = 0; k < accs.len; k++)
		owned[k] = r->pair && token_of(r, k)->op &&
		           token_of(r, k)->level == r->p->level && are_owned(r, k);
	for EACH(const Update, u, r->updates) {
		b->certs = u->certs;
		b->attrs = attrs_of(r, u, owned[u->acc]);
		accs.at[u->acc] = b_let(b, "acc", sub_type(accs.at[u->acc]),
		                        EXP(upd_acc, accs.at[u->acc], u->idx, u->vals));
	}
	b->certs = (Vars){0};
	return accs;
}

// The map in a row; what it gives is stored there, if that is not in the accumulators already.
static void eval_row(Rows *r, Sub row, const Subs *made)
{
	const Exp *e = r->map->exp;
	const Lambda *f = e->screma.map;
	for (int i = 0; i < f->params.len; i++) {
		Var p = f->params.at[i];
		Sub arr = e->screma.arrs.at[i];
		int k = r->maker ? vars_find(r->maker->pat, arr) : -1;
		if (var_is_acc(p))
			continue;
		Sub x = i == r->at ? row : k >= 0 ? made->at[k] : b_row(&r->p->b, arr, row);
		subst_put(&r->to, p, x);
	}
	bool output = f->ret.at[0].kind != T_ACC;
	for (int k = 0; k < f->ret.len && !output; k++)
		subst_put(&r->to, f->params.at[vars_find_acc(f->params, f->ret.at[k].acc->token)],
		          r->accs.at[k]);
	Subs res = eval_body(r, &f->body);
	for (int k = 0; k < res.len && output; k++)
		VEC_PUSH(&r->updates, (Update){k, subs_of(1, row), subs_of(1, res.at[k]), {0}});
}

Subs eval_pair(Rows *r, Sub q, Subs accs)
{
	Build *b = &r->p->b;
	r->pair = true;
	r->accs = accs;
	r->updates.len = 0;
	r->first_var = q.var.id;
	r->q = q;
	r->blk = r->is_bit ? b_prim2(b, P_ashr, q, r->e) : b_prim2(b, P_quot, q, r->d);
	r->lo = r->is_bit ? b_prim2(b, P_and, q, b_prim1(b, P_neg, r->d)) : b_mul(b, r->blk, r->d);
	r->k = b_sub(b, q, r->lo);
	r->i[0] = b_add(b, q, r->lo);
	r->i[1] = b_add(b, r->i[0], r->d);
	r->quo[0] = b_mul(b, r->blk, sub_i64(2));
	r->quo[1] = b_add(b, r->quo[0], sub_i64(1));
	for (int c = 0; c < 2 && r->maker; c++)
		r->made[c] = eval_maker(r, r->i[c]);
	for (int c = 0; c < 2; c++)
		eval_row(r, r->i[c], &r->made[c]);
	return emit_updates(r);
}

Subs eval_rest(Rows *r, Sub q, Subs accs)
{
	r->pair = false;
	r->accs = accs;
	r->updates.len = 0;
	r->row = b_add(&r->p->b, r->base, q);
	Subs made = r->maker ? eval_maker(r, r->row) : (Subs){0};
	eval_row(r, r->row, &made);
	return emit_updates(r);
}
