// Checked mode, floats: bodies in segments, and what is tested of each (checked_float.c).
//
//     let (a: f64) = div.f64 x y         a is handed on to b, which alone is tested:
//     let (b: f64) = mul.f64 a z         if it is finite, so is a
//     let (ys: [n]f64) = screma ..       a nested body: another segment begins after it
//
// Operations of a segment that nothing in it hands on are tested, after its last statement: by an
// assertion, or by a flag, the sum of all that is tested times 0.
#include "opt/checked_float.h"

void assert_fine(Build *b, Sub fine, Body no)
{
	Body yes = {.res = subs_of(1, sub_bool(true))};
	Sub ok = b_let(b, "fine", type_scalar(PT_BOOL), EXP(if_, fine, yes, no));
	MsgVec m = {0};
	msg_say(&m, "A value is not finite.");
	b_assert(b, ok, msg_of(m));
}

Sub opaque_true(Build *b, Vars certs, Subs needs)
{
	Vars outer = b->certs;
	b->certs = certs;
	Subs xs = subs_cat(subs_of(1, sub_bool(true)), needs);
	Types ts = types_plain(types_of_subs(xs));
	Sub ok = b_lets(b, "ok", ts, EXP(opaque, xs)).at[0];
	b->certs = outer;
	return ok;
}

static bool is_lossy(const Stm *s)
{
	const Exp *e = s->exp;
	return (e->form == E_prim && is_float(e->prim.at)) ||
	       (e->form == E_convert && is_float(sub_type(e->convert.x).elem));
}

static bool is_nest(const Stm *s)
{
	return form_has(s->exp->form, FORM_NEST) || s->exp->form == E_call;
}

static void find_segments(Plan *p)
{
	int n = 0;
	bool lossy = false;
	for (int i = 0; i < p->b->stms.len; i++) {
		const Stm *s = &p->b->stms.at[i];
		bool breaks = is_nest(s) || (s->exp->form == E_assert_ && lossy);
		n += breaks;
		lossy = (lossy && !breaks) || (is_lossy(s) && !is_float_operation(s));
		p->segment[i] = n;
		n += is_nest(s);
	}
}

// Operations that nothing in their segment hands on, nor the combinator around it.
Plan segments_of(const Floats *f, const Body *b)
{
	Plan p = {b, NEW_ARRAY(int, b->stms.len + 1), NEW_ARRAY(bool, b->stms.len + 1)};
	find_segments(&p);
	Map handed = {0};                       // variable -> the last segment where it is, + 1
	for (int i = b->stms.len; i-- > 0; ) {
		const Stm *s = &b->stms.at[i];
		if (!is_float_operation(s) || is_trusted(s))
			continue;
		const void *key = var_key(s->pat.at[0]);
		p.tested[i] = (intptr_t)map_get(&handed, key) != p.segment[i] + 1 &&
		              !is_seen(&f->cover, sub_var(s->pat.at[0]));
		for (int k = 0; k < n_float_operands(s->exp); k++) {
			Sub x = float_operand(s->exp, k);
			if (x.kind == S_VAR && hands_on(s->exp, k))
				map_put(&handed, var_key(x.var),
				        (void *)(intptr_t)(p.segment[i] + 1));
		}
	}
	return p;
}

bool creates_one(const Stm *s)
{
	return is_float_operation(s) && can_create(s->exp) && !is_trusted(s);
}

// After the statements `from` .. `to` - 1, a segment: are those that are tested finite?
static Sub segment_is_fine(Build *b, const Plan *p, int from, int to)
{
	Sub fine = sub_bool(true);
	bool creates = false;
	for (int i = from; i < to; i++)
		creates |= creates_one(&p->b->stms.at[i]);
	for (int i = from; creates && i < to; i++)
		if (p->tested[i])
			fine = b_and(b, fine, b_finite(b, sub_var(p->b->stms.at[i].pat.at[0])));
	return fine;
}

PrimType flag_type;

Sub join_flags(Build *b, Sub x, Sub y)
{
	return x.kind == S_CONST ? y : y.kind == S_CONST ? x : b_add(b, x, y);
}

Sub no_flag(void)
{
	return sub_const(scalar_float(flag_type, 0));
}

static Sub flag_of(Build *b, Var x)
{
	Sub sum = vars[x.id].type.dims.len ? b_sum_of_zeros(b, sub_var(x)) : sub_var(x);
	return b_mul(b, b_convert(b, flag_type, sum), no_flag());
}

// The flag of an operation; of operands that are infinite as is meant, NaNs alone count.
static Sub flag_of_stm(const Floats *f, Build *b, const Stm *s)
{
	Sub flag = flag_of(b, s->pat.at[0]), counts = sub_bool(true);
	for (int i = 0; i < n_float_operands(s->exp); i++) {
		Sub x = float_operand(s->exp, i);
		if (x.kind == S_VAR && may_be_infinite(&f->infinite, x))
			counts = b_and(b, counts, b_finite(b, x));
	}
	if (counts.kind == S_CONST)
		return flag;
	Sub nan = b_prim1(b, P_isnan, sub_var(s->pat.at[0]));
	return b_select(b, b_or(b, counts, nan), flag, no_flag());
}

Sub flag_watched(const Floats *f, Build *b, const Stm *s)
{
	Sub flag = no_flag();
	for EACH(Var, x, s->pat)
		if (is_watched(&f->cover, *x))
			flag = join_flags(b, flag, flag_of(b, *x));
	return flag;
}

Sub flag_segment(const Floats *f, Build *b, const Plan *p, int from, int to)
{
	Sub flag = no_flag();
	bool creates = false;
	for (int i = from; i < to; i++)
		creates |= creates_one(&p->b->stms.at[i]);
	for (int i = from; creates && i < to; i++)
		if (p->tested[i])
			flag = join_flags(b, flag, flag_of_stm(f, b, &p->b->stms.at[i]));
	return flag;
}

void test_segment(Build *b, const Plan *p, int from, int to, const At *at)
{
	int start = b_len(b);
	Sub fine = segment_is_fine(b, p, from, to);
	if (fine.kind == S_CONST)
		return;
	b_open(b);
	Vars certs = {0};
	for (int i = from; i < to; i++)
		if (creates_one(&p->b->stms.at[i]))
			certs = vars_cat(certs, vars_of(1, assert_innocent(b, &p->b->stms.at[i],
				at)));
	assert_fine(b, fine, b_close(b, subs_of(1, opaque_true(b, certs, (Subs){0}))));
	mark_checks(b, start);
}
