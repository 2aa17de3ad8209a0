// Sums of neighbours: rows that add to the elements next to their own number.  Each element is
// computed from the rows that would add to it instead, so nothing is read back, the array needs no
// zeros before, and neither vectors nor threads get into each other's way.
//
//     zs = replicate [n] 0                            ys = screma n (iota n) map=\j ->
//     ys = withacc input=[n] (zs) (+)                   a = if 1 <= j then {f(j - 1)} else {0}
//       fn=\t acc -> screma (n - 1) (iota, acc)         b = if j < n - 1 then {g(j)} else {0}
//         map=\i a ->                            ->     in a + b
//           a' = upd_acc a [i + 1] (f i)
//           in upd_acc a' [i] (g i)
//
// This is what derivatives of stencils are.  The conditions hold but for the ends, which the pass
// `peel` makes loops of their own.  An element adds what the rows give in their order.
//
// What several of the updates need is computed for each: it has to be cheap.
//
// Requires nothing; ensures nothing that other passes rely on.
#include "opt/acc.h"
#include "opt/simplify.h"

enum { MAX_REACH = 4, MAX_UPDATES = 12, MAX_STMS = 60 }; // as far as `peel` goes

typedef struct {
	Map zeros;                              // arrays of zeros -> Vars *: certificates
	Map counts;                             // likewise of arrays 0, 1, 2, ...
	Map defs;                               // variable -> Exp *: of i64
} Near;

typedef struct { int64_t off; Sub val; } Added; // to the element that many after the row
typedef struct {
	Near *near;
	const Stm *rows;                        // the screma
	Sub size;                               // of the array
	int64_t less;                           // how many more elements than rows
	VEC(Added) added;                       // in order
} Sums;

// ---- Indices ----

static const Exp *number_def(const Near *q, Sub x)
{
	return x.kind == S_VAR ? map_get(&q->defs, var_key(x.var)) : NULL;
}

// x = of + *by, for a small constant?
static bool is_sum_of(const Near *q, Sub x, Sub of, int64_t *by)
{
	const Exp *e = number_def(q, x);
	*by = 0;
	if (sub_eq(x, of))
		return true;
	if (!e || (e->prim.op != P_add && e->prim.op != P_sub) || !sub_eq(e->prim.x[0], of) ||
	    e->prim.x[1].kind != S_CONST)
		return false;
	*by = e->prim.op == P_add ? e->prim.x[1].val.i : -e->prim.x[1].val.i;
	return *by >= -MAX_REACH && *by <= MAX_REACH;
}

static bool is_counted(const Near *q, Sub arr)
{
	return arr.kind == S_VAR && map_has(&q->counts, var_key(arr.var));
}

// The place of an update, from the number of its row.
static bool is_near(const Sums *s, Sub index, int64_t *off)
{
	const Exp *e = s->rows->exp;
	for (int k = 0; k < e->screma.arrs.len; k++)
		if (is_counted(s->near, e->screma.arrs.at[k]) &&
		    is_sum_of(s->near, index, sub_var(e->screma.map->params.at[k]), off))
			return true;
	return false;
}

// ---- Which accumulations ----

static bool is_scalar_stm(const Stm *s)
{
	Form f = s->exp->form;
	return s->pat.len == 1 && type_is_scalar(vars[s->pat.at[0].id].type) && !s->attrs.len &&
	       (f == E_prim || f == E_convert || f == E_index || f == E_atom);
}

static void note_number(Near *q, const Stm *s)
{
	if (s->exp->form == E_prim && s->exp->prim.at == PT_I64)
		map_put(&q->defs, var_key(s->pat.at[0]), s->exp);
}

// All updates of a row, one after the other; everything else is scalars.
static bool read_row(Sums *s)
{
	const Lambda *f = s->rows->exp->screma.map;
	Sub acc = {0};
	for EACH(Var, p, f->params) {
		if (vars[p->id].type.kind == T_ACC)
			acc = sub_var(*p);
		else if (!type_is_scalar(vars[p->id].type))
			return false;
	}
	for EACH(Stm, st, f->body.stms) {
		const Exp *e = st->exp;
		int64_t off;
		note_number(s->near, st);
		if (e->form != E_upd_acc) {
			if (!is_scalar_stm(st))
				return false;
			continue;
		}
		if (!sub_eq(e->upd_acc.acc, acc) || st->attrs.len ||
		    !is_near(s, e->upd_acc.idx.at[0], &off) || s->less - off > MAX_REACH)
			return false;
		acc = sub_var(st->pat.at[0]);
		VEC_PUSH(&s->added, (Added){off, e->upd_acc.vals.at[0]});
	}
	return sub_eq(f->body.res.at[0], acc) && s->added.len && s->added.len <= MAX_UPDATES &&
	       f->body.stms.len <= MAX_STMS;
}

// ---- What an element needs of a row ----

typedef struct { const Body *body; bool *of; } Needed;

static void need(Visit *v, Sub *x)
{
	Needed *q = v->ctx;
	for (int i = 0; x->kind == S_VAR && i < q->body->stms.len; i++)
		if (q->body->stms.at[i].pat.at[0].id == x->var.id)
			q->of[i] = true;
}

// The row without updates, for those `off` before the element: what is added, and what that needs.
static Lambda *part_of_row(const Sums *s, int64_t off, bool *needed)
{
	const Lambda *f = s->rows->exp->screma.map;
	Needed q = {&f->body, needed};
	Visit v = {.sub = need, .ctx = &q};
	SubVec res = {0};
	VEC(Stm) stms = {0};
	for EACH(Added, a, s->added)
		if (a->off == off) {
			Sub x = a->val;
			need(&v, &x);
			VEC_PUSH(&res, x);
		}
	for (int i = f->body.stms.len; i-- > 0;)
		if (needed[i]) {
			Stm copy = f->body.stms.at[i];
			stm_visit(&copy, &v); // a walk: writes nothing
		}
	for (int i = 0; i < f->body.stms.len; i++)
		if (needed[i])
			VEC_PUSH(&stms, f->body.stms.at[i]);
	Lambda *out = mem_dup(f, sizeof *f);
	out->body = (Body){.stms = VEC_SLICE(Stms, stms), .res = VEC_SLICE(Subs, res)};
	out->ret = (Types){NEW_ARRAY(Type, res.len), res.len};
	for (int i = 0; i < res.len; i++)
		out->ret.at[i] = sub_type(res.at[i]);
	return lambda_rename(out);
}

static bool has_offset(const Sums *s, int64_t off)
{
	for EACH(Added, a, s->added)
		if (a->off == off)
			return true;
	return false;
}

static bool pays(const Sums *s)
{
	const Body *b = &s->rows->exp->screma.map->body;
	bool *before = NEW_ARRAY(bool, b->stms.len + 1);
	for (int64_t off = -MAX_REACH; off <= MAX_REACH; off++) {
		bool *needed = NEW_ARRAY(bool, b->stms.len + 1);
		if (has_offset(s, off))
			part_of_row(s, off, needed);
		for (int i = 0; i < b->stms.len; i++) {
			const Exp *e = b->stms.at[i].exp;
			if (needed[i] && before[i] && e->form != E_index && e->form != E_atom &&
			    e->form != E_convert && !exp_is_cheap_scalar(e))
				return false;
			before[i] |= needed[i];
		}
	}
	return true;
}

static bool find_sums(Near *q, const Stm *st, Sums *s)
{
	const Exp *e = st->exp;
	if (e->form != E_withacc || e->withacc.inputs.len != 1 || e->withacc.fn->ret.len != 1)
		return false;
	const AccInput *in = &e->withacc.inputs.at[0];
	const Body *b = &e->withacc.fn->body;
	if (!acc_is_sum(in) || in->space.len != 1 || in->arrs.at[0].kind != S_VAR ||
	    !map_has(&q->zeros, var_key(in->arrs.at[0].var)) || b->stms.len != 1 ||
	    b->stms.at[0].exp->form != E_screma || b->stms.at[0].attrs.len ||
	    !sub_eq(b->res.at[0], sub_var(b->stms.at[0].pat.at[0])))
		return false;
	*s = (Sums){.near = q, .rows = &b->stms.at[0], .size = in->space.at[0]};
	const Exp *rows = s->rows->exp;
	int64_t by;
	if (rows->screma.scans.len || rows->screma.reds.len || rows->screma.map->ret.len != 1)
		return false;
	if (is_sum_of(q, rows->screma.n, s->size, &by))
		s->less = -by;
	else if (is_sum_of(q, s->size, rows->screma.n, &by))
		s->less = by;
	else
		return false;
	return read_row(s) && pays(s);
}

// ---- Elements ----

// What the row `off` before element j adds to it, if there is one.
static Sub emit_part(Build *b, const Sums *s, Sub j, int64_t off)
{
	const Exp *rows = s->rows->exp;
	Lambda *f = part_of_row(s, off, NEW_ARRAY(bool, rows->screma.map->body.stms.len + 1));
	Sub i = b_sub(b, j, sub_i64(off));
	for (int k = 0; k < f->params.len; k++) {
		Sub arr = rows->screma.arrs.at[k];
		if (sub_type(arr).kind == T_ACC)
			continue;
		Sub x = is_counted(s->near, arr) ? i : b_index(b, arr, subs_of(1, i));
		b_stm(b, vars_of(1, f->params.at[k]), NEW(Exp, .form = E_atom, .atom = {x}));
	}
	for EACH(Stm, st, f->body.stms)
		b_emit(b, *st);
	Sub sum = f->body.res.at[0];
	for (int k = 1; k < f->body.res.len; k++)
		sum = b_add(b, sum, f->body.res.at[k]);
	return sum;
}

static Sub emit_added(Build *b, const Sums *s, Sub j, int64_t off)
{
	Sub cond = sub_bool(true);
	if (off > 0)
		cond = b_le(b, sub_i64(off), j);
	if (off < s->less) {
		Sub before_end = b_lt(b, j, b_sub(b, s->size, sub_i64(s->less - off)));
		cond = off > 0 ? b_prim2(b, P_and, cond, before_end) : before_end;
	}
	if (cond.kind == S_CONST)
		return emit_part(b, s, j, off);
	b_open(b);
	Sub sum = emit_part(b, s, j, off);
	Body yes = b_close(b, subs_of(1, sum));
	Type t = sub_type(s->added.at[0].val);
	Sub zero = sub_const(scalar_int(t.elem, 0));
	return b_let(b, "sum", t, NEW(Exp, .form = E_if_, .if_ = {cond, yes, {.res = subs_of(1, zero)}}));
}

// What was checked for the rows is still: also what their numbers needed.
static Vars certs_of(const Sums *s, const Stm *with)
{
	Vars out = vars_cat(with->certs, s->rows->certs);
	const Vars *of = map_get(&s->near->zeros, var_key(with->exp->withacc.inputs.at[0].arrs.at[0].var));
	out = vars_cat(out, *of);
	for EACH(Sub, a, s->rows->exp->screma.arrs)
		if (is_counted(s->near, *a))
			out = vars_cat(out, *(const Vars *)map_get(&s->near->counts, var_key(a->var)));
	return out;
}

static void emit_sums(Build *b, const Sums *s, const Stm *with)
{
	b->where = s->rows->where;
	Sub count = b_iota(b, s->size), sum = {0};
	Var j = var_new(name_of("j"), type_scalar(PT_I64));
	b_open(b);
	bool first = true;
	for (int64_t off = MAX_REACH; off >= -MAX_REACH; off--) // the rows in their order
		if (has_offset(s, off)) {
			Sub part = emit_added(b, s, sub_var(j), off);
			sum = first ? part : b_add(b, sum, part);
			first = false;
		}
	Lambda *f = b_lambda(b, vars_of(1, j), subs_of(1, sum));
	b->certs = certs_of(s, with);
	b_stm(b, with->pat, NEW(Exp, .form = E_screma, .screma = {.n = s->size,
		.arrs = subs_of(1, count), .map = f}));
	b->certs = (Vars){0};
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
	if (e->form == E_iota && e->iota.type == PT_I64 && sub_eq(e->iota.start, sub_i64(0)) &&
	    sub_eq(e->iota.step, sub_i64(1)))
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
		note_array(q, &s);
		note_number(q, &s);
		if (find_sums(q, &s, &sums) && may_rewrite()) {
			emit_sums(&out, &sums, &s);
			continue;
		}
		if (form_has(s.exp->form, FORM_NEST) || s.exp->form == E_call)
			s.exp = exp_visit(s.exp, v);
		b_emit(&out, s);
	}
	*b = b_close(&out, b->res);
}

Prog *gather_sums(Prog *prog)
{
	if (!prog_has_accs(prog))
		return prog;
	Near q = {0};
	Map funs = {0};
	Prog *out = prog_copy(prog, &funs);
	Visit v = {.body = near_body, .funs = &funs, .copy = true, .ctx = &q};
	for EACH(Fun *, f, out->funs)
		fun_rewrite(*f, &v);
	return out;
}
