// Consumption in core: a consumed array must not be used afterwards, under any name; what consume.h
// finds is wrong here.
#include "core/check_core.h"
#include "core/consume.h"

static Check *check_at(const Consume *u)
{
	Check *c = u->ctx;
	c->stm = u->stm;
	return c;
}

static void used_after(Consume *u, Sub s, const Root *root)
{
	const char *shared = root->var.id == s.var.id ? ""
	                   : text(", sharing memory with %s", show_sub(sub_var(root->var)));
	core_wrong(check_at(u), "%s is used after it was consumed%s", show_sub(s), shared);
}

static bool is_consumed(Consume *u, const Sub *s, Roots roots)
{
	for EACH(int, r, roots)
		if (u->roots.at[*r].level < u->level)
			core_wrong(check_at(u), "%s is consumed, but %s is not unique or belongs "
			           "to the outside of the loop or lambda", show_sub(*s),
			           show_sub(sub_var(u->roots.at[*r].var)));
	return true;
}

static void shares(Consume *u, const Sub *s, int i, const Root *root, int j)
{
	(void)s;
	if (root)
		core_wrong(check_at(u), "the unique result %d shares memory with %s, which is not "
		           "unique or belongs to the outside", i + 1,
		           show_sub(sub_var(root->var)));
	core_wrong(check_at(u), "the unique result %d shares memory with result %d", i + 1, j + 1);
}

static void is_wrong(Consume *u, const char *what)
{
	core_wrong(check_at(u), "%s", what);
}

void core_check_use(Check *c, const Fun *f)
{
	if (!c->roots)
		c->roots = NEW_ARRAY(Roots, n_vars);
	Consume u = {.gone = used_after, .may = is_consumed, .shared = shares, .wrong = is_wrong,
	             .ctx = c, .of = c->roots, .stm = c->stm};
	RootSets res = consume_fun(&u, f);
	consume_results(&u, f->res, &f->body, res);
	consume_end(&u);
}
