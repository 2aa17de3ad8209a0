// Simplification of assertions.
//
//     assert true ("...")                        ->   nothing
//     let (c: cert) = assert p ("...")
//     let (d: cert) = assert p ("...")           ->   d is c
//     loop .. for i: i64 < n do {.. assert (0 <= i and i < n) ("...") ..}   ->   nothing
//
// What is known about integers from loops, branches, iotas and earlier assertions is collected by
// range.c.
//
// The certificate of a removed assertion is replaced by those on which the proof depends; see
// Note [Certificates] in simplify.c.
#include "opt/simplify.h"

static void proves(Simp *s, Var cert, Vars by)
{
	s_replace(s, cert, sub_bool(true), by);
}

// What is proved by an assertion names its certificate, so that it never moves before it.  One that
// nothing named until now must not vanish with what names it from now on.
static Vars named(Simp *s, Vars certs)
{
	for EACH(Var, c, certs)
		if (!s_uses(s, sub_var(*c)))
			note_kept(&s->kept, vars_of(1, *c));
	return certs;
}

static void note_proof(Simp *s, Sub cond, Var cert)
{
	range_assume(&s->range, cond, true, cert);
	Info *i = s_info(s, cond.var);
	if (i->proof.id)
		return;
	i->proof = cert;
	VEC_PUSH(&s->proved, cond.var);
}

bool simp_assert(Simp *s, Stm *st)
{
	Sub cond = st->exp->assert_.cond;
	Var cert = st->pat.at[0];
	if (cond.kind == S_CONST) {
		if (!cond.val.u || !s_rewrite(s))
			return false;
		proves(s, cert, (Vars){0});
		return true;
	}
	Var proof = s_info(s, cond.var)->proof;
	if (proof.id && s_rewrite(s)) {
		proves(s, cert, named(s, vars_of(1, proof)));
		return true;
	}
	VarVec by = {0};
	if (range_proves(&s->range, cond, &by) && s_rewrite(s)) {
		proves(s, cert, named(s, VEC_SLICE(Vars, by)));
		return true;
	}
	note_proof(s, cond, cert);
	return false;
}
