// Strip-mines loops before reverse mode: `#[stripmine(k)]` turns a loop into a nest of k loops.
//
//     loop p for i < n do body
//
//     m = about the k-th root of n                                     k = 2
//     loop p for a < ceil (n / m) do
//       loop p for b < min m (n - a * m) do let i = a * m + b in body
//
// The return sweep re-executes an inner loop in each iteration of the outer one, so only the log
// of one execution is live at a time.  Thus k * m values of p are stored instead of n, and each
// iteration is executed k + 1 times instead of twice.  The last block is shorter if m does not
// divide n, so that no separate loop is needed for the remainder.
#include "ad/vjp_loop.h"

typedef struct {
	const Stm *s;
	int levels;
	Sub *block;                             // by level: the iterations of one of its rounds
} Strip;

static bool is_fixed_telescope(Vars params)
{
	for EACH(Var, p, params)
		for EACH(Sub, d, vars[p->id].type.dims)
			for EACH(Var, q, params)
				if (sub_eq(*d, sub_var(*q)))
					return false;
	return true;
}

Vars fresh_like(Vars from, bool unique)
{
	Vars out = {NEW_ARRAY(Var, from.len + 1), from.len};
	for (int i = 0; i < from.len; i++) {
		Type t = vars[from.at[i].id].type;
		t.unique &= unique;
		out.at[i] = var_new(vars[from.at[i].id].hint, t);
	}
	return out;
}

static Sub rounds_of(Build *b, Sub n, Sub block)
{
	Sub up = b_add(b, n, b_sub(b, block, sub_i64(1)));
	return b_prim2(b, P_quot, up, block);
}

// The loop of the innermost level has the body.
static void emit_innermost(Build *b, const Strip *strip, Vars pat, Subs inits, Sub from, Sub n)
{
	const Exp *e = strip->s->exp;
	Var k = var_i64("k");
	b_open(b);
	Sub i = b_convert(b, vars[e->loop.i.id].type.elem, b_add(b, from, sub_var(k)));
	b_name(b, e->loop.i, i);
	b_emit_all(b, e->loop.body.stms);
	Body body = b_close(b, e->loop.body.res);
	b_stm(b, pat, EXP(loop, .params = e->loop.params, .inits = inits, .i = k, .n = n,
	                  .body = body));
}

static void emit_level(Build *b, const Strip *strip, int level, Vars pat, Subs inits, Sub from,
                       Sub n)
{
	if (level + 1 == strip->levels) {
		emit_innermost(b, strip, pat, inits, from, n);
		return;
	}
	Sub block = strip->block[level];
	Var k = var_i64("k");
	Vars params = fresh_like(strip->s->exp->loop.params, true);
	Vars inner = fresh_like(strip->s->exp->loop.params, false);
	Sub rounds = rounds_of(b, n, block);
	b_open(b);
	Sub done = b_mul(b, sub_var(k), block);
	Sub some = b_prim2(b, P_min, block, b_sub(b, n, done));
	emit_level(b, strip, level + 1, inner, subs_of_vars(params), b_add(b, from, done), some);
	Body body = b_close(b, subs_of_vars(inner));
	b_stm(b, pat, EXP(loop, .params = params, .inits = inits, .i = k, .n = rounds,
	                  .body = body));
}

// The number of rounds at each level: at least one, and their product at least n.
static Sub root_of(Build *b, Sub n, int k)
{
	Sub x = b_convert(b, PT_F64, n), y = sub_const(scalar_float(PT_F64, 1.0 / k));
	Sub root = b_prim1(b, P_ceil, b_prim2(b, P_pow, x, y));
	return b_prim2(b, P_max, sub_i64(1), b_convert(b, PT_I64, root));
}

bool strip_loop(Build *b, const Stm *s)
{
	enum { MOST = 16 };
	const Exp *e = s->exp;
	int64_t k = 0;
	for EACH(Name, a, s->attrs)
		attribute_number(*a, "stripmine", &k);
	if (e->form != E_loop || e->loop.is_while || k < 2 || !is_fixed_telescope(e->loop.params))
		return false;
	Strip strip = {.s = s, .levels = k < MOST ? (int)k : MOST};
	Vars certs = b->certs;
	b->certs = s->certs;
	b->where = s->where;
	Sub n = at_least_zero(b, e->loop.n), m = root_of(b, n, strip.levels);
	strip.block = NEW_ARRAY(Sub, strip.levels + 1);
	strip.block[strip.levels - 1] = sub_i64(1);
	for (int i = strip.levels - 1; i-- > 0;)
		strip.block[i] = b_mul(b, strip.block[i + 1], m);
	emit_level(b, &strip, 0, s->pat, e->loop.inits, sub_i64(0), n);
	b->certs = certs;
	return true;
}
