// Simplification of assertions.
//
//     assert true ("...")                        ->   nothing
//     let (c: cert) = assert p ("...")
//     let (d: cert) = assert p ("...")           ->   d is c
//
// A certificate that is replaced stands for those that the reason needs, see
// Note [Certificates] in simplify.c.
#include "opt/simplify.h"

static void proves(Simp *s, Var cert, Vars by)
{
	s_replace(s, cert, sub_bool(true), by);
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
	Info *i = s_info(s, cond.var);
	if (i->proof.id && s_rewrite(s)) {
		proves(s, cert, vars_of(1, s_info(s, cond.var)->proof));
		return true;
	}
	if (!i->proof.id) {
		i->proof = cert;
		VEC_PUSH(&s->proved, cond.var);
	}
	return false;
}
