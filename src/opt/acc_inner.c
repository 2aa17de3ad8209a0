// Lets each row of an outer map sum what it adds to an accumulator by itself.
//
//     withacc zs \acc ->                              withacc zs \acc ->
//       screma b (xs, acc) \(x, acc) ->                 screma b (xs, acc) \(x, acc) ->
//         as = .. an array made of x                      as = ..
//         screma n (as, ds, acc) ..                ->     t = withacc zeros \own ->
//           screma m (..) \(j, ..) ->                           screma n (as, ds, own) ..
//             upd_acc acc [j] (a * d)                     screma m (iota m, t, acc) \(j, x, acc) ->
//                                                           upd_acc acc [j] (x)
//
// The derivative by weights that all samples of a batch share is a sum over the samples and over
// the rows of each.  Arrays that are made for one sample are not there outside of it, and for all
// samples at once they would take much memory.  The sum of one sample, which is a nest of its own
// then (acc_pull.c), usually is a product of matrices.
//
// Requires: the outer dimensions are summed, and the index is that of inner ones for all elements
// of the target.  The inner dimensions that are summed have more than a few rows, as far as is
// known, since zeros and the additions cost as much as some of them.
//
// Ensures: equal results up to the order of additions.
#include "opt/acc.h"

// Is all of the target added to inside of so many dimensions, again and again?
static bool adds_to_all(const Plan *p, int level)
{
	int n = p->site->dims.len, rank = p->site->upd->exp->upd_acc.idx.len;
	bool again = false;
	for (int i = 0; i < rank; i++)
		if (p->target[i] < level)
			return false;
	for (int d = level; d < n; d++)
		again |= !(p->outer >> d & 1) && may_reach(dim_size(p, d), AT_inner_sums);
	return again;
}

// The accumulator as the screma takes it.
static Sub acc_input(const Stm *screma, Var token)
{
	int at = subs_find_acc(screma->exp->screma.arrs, token);
	if (at < 0)
		bug("an accumulator comes from nowhere");
	return screma->exp->screma.arrs.at[at];
}

// Can the sums of the first withacc be pulled out of it?
static bool can_pull(Stms stms, const AccDefs *defs, int depth)
{
	for EACH(Stm, s, stms) {
		if (!is_withacc(s))
			continue;
		Sites sites = sites_of(s);
		for EACH(Site, t, sites) {
			Plan plan;
			Pull p;
			if (!plan_site(&plan, t, defs, depth) || !pull_plan(&p, &plan))
				return false;
		}
		return sites.len > 0;
	}
	return false;
}

// The statement with others in place of number `stop` of the path; `at` is the next one.
static Stm with_others(const Stm *s, const Site *site, int at, int stop, Stms others)
{
	Stm out = *s;
	bool screma = s->exp->form == E_screma;
	out.exp = exp_dup(s->exp);
	Lambda **f = screma ? &out.exp->screma.map : &out.exp->withacc.fn;
	*f = mem_dup(*f, sizeof **f);
	VEC(Stm) stms = {0};
	for EACH(Stm, t, (*f)->body.stms) {
		if (t != site->path.at[at])
			VEC_PUSH(&stms, *t);
		else if (at == stop)
			VEC_APPEND(&stms, others);
		else
			VEC_PUSH(&stms, with_others(t, site, at + 1, stop, others));
	}
	(*f)->body.stms = VEC_SLICE(Stms, stms);
	return out;
}

static bool own_sums_of(Stm *with, const Site *s, AccDefs *defs, int depth)
{
	Plan plan;
	Pull p = {0};
	if (!plan_site(&plan, s, defs, depth) || pull_plan(&p, &plan) || !p.rows ||
	    p.rows >= s->dims.len || !adds_to_all(&plan, p.rows))
		return false;
	const Stm *screma = s->dims.at[p.rows];
	int stop = 0;
	while (s->path.at[stop] != screma)
		stop++;
	Build b = {.where = screma->where};
	b_open(&b);
	Var token = with->exp->withacc.fn->params.at[s->input];
	if (!emit_own_sum(&b, screma, acc_input(screma, token)))
		return false;
	Stms others = b_close(&b, (Subs){0}).stms;
	if (!can_pull(others, defs, depth + p.rows) || !may_rewrite())
		return false;
	*with = with_others(with, s, 0, stop, others);
	return true;
}

bool sum_inner(Stm *with, AccDefs *defs, int depth)
{
	Stm *old = mem_dup(with, sizeof *with);
	Sites sites = sites_of(old);
	for EACH(Site, s, sites)
		if (own_sums_of(with, s, defs, depth))
			return true;            // the others in the next round
	return false;
}
