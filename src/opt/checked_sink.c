// Sinks float operations into the branches that use them before they are checked, so that values of
// branches that are not taken are not reported.
//
//     let (a: f64) = div.f64 x y                    let (z: f64) = if c then {
//     let (z: f64) = if c then {a} else {0.0}  ->     let (a: f64) = div.f64 x y
//                                                     in a
//                                                   } else {0.0}
//
// Such operations arise because simplification executes cheap branches speculatively, and because
// the derivatives of scalar operations select between values.
#include "opt/checked_float.h"

enum { ARM_NONE, ARM_YES, ARM_NO };
typedef struct { int stm, arm; bool several; } User;
typedef struct { Map users; int stm, arm; } Sink;

static void note_use(Sink *s, Sub x)
{
	if (x.kind != S_VAR)
		return;
	User *u = map_get(&s->users, var_key(x.var));
	if (!u)
		map_put(&s->users, var_key(x.var), NEW(User, s->stm, s->arm, false));
	else if (u->stm != s->stm || u->arm != s->arm)
		u->several = true;
}

static void note_operand_use(Visit *v, Sub *x)
{
	note_use(v->ctx, *x);
}

static void note_stm(Sink *s, Stm *st, int at)
{
	Visit v = {.sub = note_operand_use, .ctx = s};
	s->stm = at;
	s->arm = ARM_NONE;
	if (st->exp->form != E_if_) {
		stm_visit(st, &v);
		return;
	}
	note_use(s, st->exp->if_.cond);
	for EACH(Var, c, st->certs)
		note_use(s, sub_var(*c));
	for EACH(Var, p, st->pat)
		for EACH(Sub, d, vars[p->id].type.dims)
			note_use(s, *d);
	s->arm = ARM_YES;
	body_visit(&st->exp->if_.yes, &v);
	s->arm = ARM_NO;
	body_visit(&st->exp->if_.no, &v);
}

static void prepend(Body *b, Stm s)
{
	Stms out = {NEW_ARRAY(Stm, b->stms.len + 1), b->stms.len + 1};
	out.at[0] = s;
	if (b->stms.len)
		memcpy(out.at + 1, b->stms.at, (size_t)b->stms.len * sizeof(Stm));
	b->stms = out;
}

Body sink_floats(Body b)
{
	Sink s = {.stm = b.stms.len};
	bool *moved = NEW_ARRAY(bool, b.stms.len + 1), any = false;
	b.stms = SLICE_DUP(Stms, b.stms);
	for EACH(Sub, r, b.res)
		note_use(&s, *r);
	for (int i = b.stms.len; i-- > 0; ) {
		Stm *st = &b.stms.at[i];
		const User *u = is_float_operation(st) && !is_trusted(st)
			? map_get(&s.users, var_key(st->pat.at[0])) : NULL;
		if (!u || u->several || u->arm == ARM_NONE) {
			note_stm(&s, st, i);
			continue;
		}
		Stm *to = &b.stms.at[u->stm];
		to->exp = exp_dup(to->exp);
		prepend(u->arm == ARM_YES ? &to->exp->if_.yes : &to->exp->if_.no, *st);
		s.stm = u->stm;
		s.arm = u->arm;
		Visit v = {.sub = note_operand_use, .ctx = &s};
		stm_visit(st, &v);
		moved[i] = any = true;
	}
	int n = 0;
	for (int i = 0; any && i < b.stms.len; i++)
		if (!moved[i])
			b.stms.at[n++] = b.stms.at[i];
	if (any)
		b.stms.len = n;
	return b;
}
