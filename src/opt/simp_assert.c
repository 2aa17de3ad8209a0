// Simplification of assertions.
//
//     assert true ("...")                        ->   nothing
//     let (c: cert) = assert p ("...")
//     let (d: cert) = assert p ("...")           ->   d is c
//     loop .. for i: i64 < n do {.. assert (0 <= i and i < n) ("...") ..}   ->   nothing
//
// What loops, branches, iotas and earlier assertions tell of integers is range.c's.
//
// A certificate that is replaced stands for those that the reason needs, see
// Note [Certificates] in simplify.c.
#include "opt/simplify.h"

static void proves(Simp *s, Var cert, Vars by)
{
	s_replace(s, cert, sub_bool(true), by);
}

// An assertion whose certificate nothing names stays where it is, and all after it in its body
// comes after.  Naming it would let it vanish with what names it.
static Vars named(Simp *s, Var cert)
{
	return s_uses(s, sub_var(cert)) > 0 ? vars_of(1, cert) : (Vars){0};
}

static bool is_unnamed(Counts *c, Var cert, int arg)
{
	(void)arg;
	return c->of[cert.id].nest && !c->of[cert.id].uses;
}

static void note_proof(Simp *s, Sub cond, Var cert)
{
	Vars by = named(s, cert);
	if (by.len)
		s_watch(s, cert, is_unnamed, 0);
	range_assume(&s->range, cond, true, by.len ? cert : (Var){0});
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
		proves(s, cert, named(s, proof));
		return true;
	}
	CertVec by = {0};
	if (range_proves(&s->range, cond, &by) && s_rewrite(s)) {
		proves(s, cert, VEC_SLICE(Vars, by));
		return true;
	}
	note_proof(s, cond, cert);
	return false;
}
