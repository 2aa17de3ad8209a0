// Rows without elements: there may be 2^60 of them, since they take no memory.
//
//     screma n (xss) map=\(xs: [m]i64) : ([m]i64) -> {..}        m = 0: one row is run, not n
//
// That holds where nothing but empty arrays results, and where all rows fail if the first does:
// nothing that may fail, or not end, depends on what is different in each row.  What compiled code
// leaves out is in src/gen/cempty.c.
#include "core/interp.h"

static bool is_seen_outside(const Stm *s)
{
	return s->exp->form == E_trace || s->exp->form == E_call; // a call may have one
}

static bool may_fail(const Stm *s)
{
	return s->exp->form == E_assert_ || (s->exp->form == E_loop && s->exp->loop.is_while) ||
	       is_seen_outside(s);
}

static bool operators_fail(Reductions rs)
{
	for EACH(Reduction, r, rs)
		if (body_find(&r->op->body, may_fail))
			return true;
	return false;
}

bool rows_fail_alike(const Exp *e)
{
	const Lambda *l = e->screma.map;
	Map differs = {0};
	if (operators_fail(e->screma.scans) || operators_fail(e->screma.reds) ||
	    body_find(&l->body, is_seen_outside))
		return false;
	vars_put(&differs, l->params, &differs);
	for EACH(Stm, s, l->body.stms) {
		if (!stm_mentions(s, &differs))
			continue;
		if (may_fail(s) || exp_find(s->exp, may_fail))
			return false;
		vars_put(&differs, s->pat, &differs);
	}
	return true;
}

// Are all results arrays without elements?  `out` has those with a row for each row, `ne` of a
// reduction is as large as its result.
bool gives_nothing(const Frame *f, const IScrema *s, const Args *dst, Arr *const *out)
{
	int k = 0;
	for (int i = 0; i < s->n_scans; i++)
		k += s->scans[i].ne.len;
	for (int i = 0; i < s->n_reds; i++)
		for (int j = 0; j < s->reds[i].ne.len; j++, k++)
			if (dst->at[k].kind != K_ARRAY ||
			    arr_count(slot_of(f, s->reds[i].ne.at[j].o)->raw.arr) > 0)
				return false;
	for (k = 0; k < dst->len; k++)
		if (out[k] ? arr_count(out[k]) > 0 : dst->at[k].kind != K_ARRAY)
			return false;
	return dst->len > 0;
}
