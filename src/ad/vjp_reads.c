// Reads of branches that update arrays come before the branch, in while loops.
//
//     loop (a = ..) while .. do                     u = if c then {a[i]} else {0}
//       a = if c then {                             a = if c then {
//         u = a[i]                         ->         a with [i] = u * v
//         a with [i] = u * v                        } else {a}
//       } else {a}
//
// Values that are read of an array may be kept instead of what is overwritten (vjp_values.c), one
// for each iteration; a value of a branch is there in some of them only.
#include "ad/vjp_loop.h"

// The statements of a branch that a read needs, itself the last; false: they are not numbers alone,
// or too many to be done twice.
static bool part_of_read(const Body *b, const Stm *read, Body *out)
{
	enum { MOST = 8 };
	Map needed = {0};
	if (read->exp->form != E_index || stm_index(b, read->exp->index.arr) >= 0 ||
	    !type_is_scalar(vars[read->pat.at[0].id].type) ||
	    !is_float(vars[read->pat.at[0].id].type.elem))
		return false;
	*out = body_part(b, subs_of_vars(read->pat), &needed);
	for EACH(Stm, s, out->stms)
		if (s->pat.at[0].id != read->pat.at[0].id && s->exp->form != E_prim &&
		    s->exp->form != E_convert && s->exp->form != E_assert_)
			return false;
	return out->stms.len <= MOST;
}

static Body without_reads(Build *b, Body branch, Sub cond, bool yes)
{
	branch.stms = SLICE_DUP(Stms, branch.stms);
	for EACH(Stm, s, branch.stms) {
		Body part;
		if (!part_of_read(&branch, s, &part))
			continue;
		Type t = vars[s->pat.at[0].id].type;
		Body read = body_rename(part),
		     none = {.res = subs_of(1, sub_const(scalar_int(t.elem, 0)))};
		Sub x = b_let(b, "read", t, EXP(if_, cond, yes ? read : none, yes ? none : read));
		s->exp = EXP(atom, x);
		s->certs = (Vars){0};
	}
	return branch;
}

Exp *reads_before(Build *b, const Exp *branch)
{
	Sub cond = branch->if_.cond;
	Body yes = without_reads(b, branch->if_.yes, cond, true),
	     no = without_reads(b, branch->if_.no, cond, false);
	return EXP(if_, cond, yes, no);
}
