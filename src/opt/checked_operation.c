// One operation on floats: whether it can make what is not finite of what is, whether what is not
// finite shows in its result, and the assertion that it has not made any.
//
//     let (a: f64) = div.f64 x y
//   ->
//     let (c: cert) = assert (not (x and y are finite and a is not)) ("..", x, " / ", y, ..)
//
// checked_float.c says where such assertions are.
#include "opt/checked_float.h"

bool is_float_operation(const Stm *s)
{
	const Exp *e = s->exp;
	return e->form == E_prim ? is_float(prim_result(e->prim.op, e->prim.at))
	     : e->form == E_convert && is_float(e->convert.to);
}

int n_float_operands(const Exp *e)
{
	return e->form == E_convert ? 1 : prim_arity(e->prim.op);
}

Sub float_operand(const Exp *e, int i)
{
	return e->form == E_convert ? e->convert.x : e->prim.x[i];
}

bool can_create(const Exp *e)
{
	if (e->form == E_convert) {
		PrimType from = sub_type(e->convert.x).elem;
		return is_float(from) ? primtype_size(e->convert.to) < primtype_size(from)
		                      : e->convert.to == PT_F16;
	}
	switch (e->prim.op) {
	case P_neg: case P_abs: case P_sgn: case P_min: case P_max: case P_ceil: case P_floor:
	case P_round: case P_trunc: case P_copysign: case P_from_bits:
		return false;
	default: // arithmetic and functions
		return true;
	}
}

bool hands_on(const Exp *e, int i)
{
	if (e->form == E_convert)
		return true;
	// Of infinities exp, tanh and quotients make something finite.
	return prim_spreads(e->prim.op) || (e->prim.op == P_div && i == 0);
}

// ---- One operation ----

static void msg_at(MsgVec *m, const At *at)
{
	if (!at)
		return;
	if (at->up) {
		msg_at(m, at->up);
		msg_say(m, ", ");
	}
	msg_show(m, at->i);
}

// Does it not make what is not finite of what is?
static Sub is_innocent(Build *b, const Stm *s)
{
	const Exp *e = s->exp;
	Sub r = sub_var(s->pat.at[0]), any_nan = sub_bool(false), any_bad = sub_bool(false);
	for (int i = 0; i < n_float_operands(e); i++) {
		Sub x = float_operand(e, i);
		if (!is_float(sub_type(x).elem))
			continue;
		any_nan = b_or(b, any_nan, b_prim1(b, P_isnan, x));
		any_bad = b_or(b, any_bad, b_not(b, b_finite(b, x)));
	}
	Sub nan = b_prim1(b, P_isnan, r);
	return b_select(b, nan, any_nan, b_or(b, b_finite(b, r), any_bad));
}

static const char *infix(Prim op)
{
	return op == P_add ? " + " : op == P_sub ? " - " : op == P_mul ? " * "
	     : op == P_div ? " / " : op == P_pow ? " ** " : NULL;
}

static void msg_operation(MsgVec *m, const Exp *e)
{
	const char *sign = e->form == E_prim ? infix(e->prim.op) : NULL;
	if (!sign)
		msg_say(m, "%s", e->form == E_prim ? prim_name[e->prim.op]
		                                   : primtype_name[e->convert.to]);
	for (int i = 0; i < n_float_operands(e); i++) {
		msg_say(m, "%s", i && sign ? sign : i || !sign ? " " : "");
		msg_show(m, float_operand(e, i));
	}
}

Var assert_innocent(Build *b, const Stm *s, const At *at)
{
	MsgVec m = {0};
	b->where = s->where;
	Sub ok = is_innocent(b, s);
	msg_say(&m, "The first value that is not finite%s: ",
	        s->where && s->where->derived ? ", in a derivative" : "");
	msg_operation(&m, s->exp);
	msg_say(&m, " is ");
	msg_show(&m, sub_var(s->pat.at[0]));
	if (at) {
		msg_say(&m, " at [");
		msg_at(&m, at);
		msg_say(&m, "]");
	}
	msg_say(&m, ".");
	return b_assert(b, ok, msg_of(m));
}
