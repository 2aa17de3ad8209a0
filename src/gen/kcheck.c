// Which kernels have to check whether an earlier kernel has failed.
//
// After a failure, arrays may contain garbage.  A kernel that runs regardless must neither access
// memory out of bounds nor loop forever.  Therefore a kernel first waits for and checks the failure
// record if values loaded from memory determine an address, the length of a loop or the size of an
// allocation.  All other kernels run, and their results are discarded.
#include "gen/kgen.h"

typedef struct {
	Map data;                       // variables that come out of memory, in any way
	bool minds;
} Check;

static bool is_data(const Check *c, Sub x)
{
	return x.kind == S_VAR && map_has(&c->data, var_key(x.var));
}

static void note(Check *c, Vars pat)
{
	vars_put(&c->data, pat, c);
}

// Also in the sizes of what it makes.
static bool depends(const Check *c, const Stm *s)
{
	return stm_mentions(s, &c->data);
}

static void check_body(Check *c, const Body *b);

static void check_loop(Check *c, const Stm *s)
{
	const Exp *e = s->exp;
	c->minds |= e->loop.is_while || is_data(c, e->loop.n);
	for (bool more = true; more && !c->minds; ) {
		more = false;
		for (int k = 0; k < e->loop.params.len; k++) {
			Var p = e->loop.params.at[k];
			bool data = is_data(c, e->loop.inits.at[k]) ||
			            is_data(c, e->loop.body.res.at[k]);
			if (data && !map_has(&c->data, var_key(p))) {
				map_put(&c->data, var_key(p), c);
				more = true;
			}
		}
		int before = c->data.len;
		check_body(c, &e->loop.body);
		more |= c->data.len > before;
	}
	for (int k = 0; k < s->pat.len; k++)
		if (is_data(c, sub_var(e->loop.params.at[k])))
			map_put(&c->data, var_key(s->pat.at[k]), c);
}

static void check_if(Check *c, const Stm *s)
{
	const Exp *e = s->exp;
	check_body(c, &e->if_.yes);
	check_body(c, &e->if_.no);
	for (int k = 0; k < s->pat.len; k++)
		if (is_data(c, e->if_.cond) || is_data(c, e->if_.yes.res.at[k]) ||
		    is_data(c, e->if_.no.res.at[k]))
			map_put(&c->data, var_key(s->pat.at[k]), c);
}

// An operator on scalars.
static bool only_computes(const Fun *f)
{
	for EACH(Stm, s, f->body.stms)
		if (!is_pure_scalar(s) || s->exp->form == E_index)
			return false;
	return true;
}

static void check_place(Check *c, const Exp *e)
{
	if (e->form == E_index)
		for EACH(Sub, i, e->index.idx)
			c->minds |= is_data(c, *i);
	else
		for EACH(DimSlice, at, e->update.at)
			c->minds |= is_data(c, at->start) ||
			            (!at->fixed && (is_data(c, at->len) || is_data(c, at->step)));
}

static void check_body(Check *c, const Body *b)
{
	for (int i = 0; i < b->stms.len && !c->minds; i++) {
		const Stm *s = &b->stms.at[i];
		switch (s->exp->form) {
		case E_index:
			check_place(c, s->exp);
			note(c, s->pat);
			break;
		case E_update: check_place(c, s->exp); break;
		case E_loop: check_loop(c, s); break;
		case E_if_: check_if(c, s); break;
		case E_call:
			c->minds |= !only_computes(s->exp->call.fn);
			note(c, s->pat);
			break;
		case E_prim: case E_convert: case E_atom: case E_opaque:
			if (depends(c, s))
				note(c, s->pat);
			break;
		case E_assert_: break;
		case E_match: c->minds = true; break;
		default: c->minds |= depends(c, s); break;
		}
	}
}

bool minds_failures(const Kernel *k)
{
	Check c = {0};
	check_body(&c, &k->fun->body);
	return c.minds;
}
