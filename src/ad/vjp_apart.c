// Branches that update several arrays become several, one for each array.
//
//     (a', perm') = if c then {              a' = if c then {a with rows p and q swapped} else {a}
//       a with rows p and q swapped,    ->   perm' = if c then {perm with p and q swapped}
//       perm with p and q swapped                    else {perm}
//     } else {a, perm}
//
// Where the return sweep wants one of these again, it would have to execute the branch for both.
// Results are apart if they need no statement in common but for a few operations on numbers.
// Arrays have to be the same one in both branches, as it was or updated, each another one: not so
// in `if c then {b, a'} else {a, b}` where a' overwrites a.  What reads an array that another part
// consumes comes first.
#include "ad/vjp_loop.h"

enum { MOST_RESULTS = 8, MOST_AGAIN = 8 };

// `of`: which part each result belongs to; `eaten`: what a part consumes of what is around.
typedef struct {
	const Stm *s;
	int n, of[MOST_RESULTS];
	Exp *exps[MOST_RESULTS];
	Subs eaten[MOST_RESULTS];
} Parts;

static bool is_number(const Stm *s)
{
	Form f = s->exp->form;
	return f == E_assert_ || (vars_are_scalars(s->pat) && (f == E_prim || f == E_convert ||
	                                                       f == E_index || f == E_atom));
}

static void join(Parts *p, int a, int b)
{
	int from = p->of[a];
	for (int i = 0; i < p->n; i++)
		if (p->of[i] == from)
			p->of[i] = p->of[b];
}

// Which statements each result needs; false: there are others that have to be there.
static bool find_parts(Parts *p, const Body *b)
{
	int again = 0;
	int *first = NEW_ARRAY(int, b->stms.len + 1); // 1 + a result that needs it
	for (int r = 0; r < p->n; r++) {
		Map needed = {0};
		(void)body_part(b, subs_part(b->res, r, 1), &needed);
		for (int i = 0; i < b->stms.len; i++) {
			const Stm *s = &b->stms.at[i];
			if (!vars_any_in(s->pat, &needed))
				continue;
			if (!first[i])
				first[i] = r + 1;
			else if (!is_number(s) || again++ >= MOST_AGAIN)
				join(p, first[i] - 1, r);
		}
	}
	for (int i = 0; i < b->stms.len; i++)
		if (!first[i] && exp_has_effect(b->stms.at[i].exp))
			return false;
	return true;
}

// The array around the branch that a name in it stands for; false: that is not clear.
static bool find_root(const Body *b, Sub x, Sub *root)
{
	const Stm *s = stm_in(b, x);
	const Exp *e = s ? s->exp : NULL;
	*root = x;
	if (!e)
		return true;
	if (e->form == E_update)
		return find_root(b, e->update.arr, root);
	for (int i = 0; e->form == E_loop && i < s->pat.len; i++)
		if (sub_eq(sub_var(s->pat.at[i]), x))
			return find_root(b, e->loop.inits.at[i], root);
	*root = sub_i64(0);
	return form_has(e->form, FORM_FRESH);
}

static bool is_same_array(Alias *alias, Sub x, Sub y)
{
	return x.kind == S_VAR && y.kind == S_VAR &&
	       alias_class(alias, x.var) == alias_class(alias, y.var);
}

// The array around the branch that a result is; a constant: it is none; false: that is not clear.
static bool find_array(Alias *alias, const Exp *e, int r, Sub *root)
{
	Sub yes = e->if_.yes.res.at[r], no = e->if_.no.res.at[r], other;
	*root = sub_i64(0);
	if (!sub_type(yes).dims.len)
		return true;
	return find_root(&e->if_.yes, yes, root) && find_root(&e->if_.no, no, &other) &&
	       is_same_array(alias, *root, other);
}

// Is each result another array, or a number?
static bool are_own_arrays(Alias *alias, const Parts *p)
{
	Sub roots[MOST_RESULTS];
	for (int r = 0; r < p->n; r++) {
		if (!find_array(alias, p->s->exp, r, &roots[r]))
			return false;
		for (int q = 0; q < r; q++)
			if (is_same_array(alias, roots[r], roots[q]))
				return false;
	}
	return true;
}

// Is no result what is consumed for another part?
static bool are_not_eaten(Alias *alias, const Parts *p)
{
	for (int r = 0; r < p->n; r++) {
		Sub root;
		if (!find_array(alias, p->s->exp, r, &root))
			return false;
		for (int part = 0; part < p->n; part++)
			for EACH(Sub, x, p->eaten[part])
				if (p->exps[part] && part != p->of[r] &&
				    is_same_array(alias, root, *x))
					return false;
	}
	return true;
}

static bool find_eaten(const Body *b, Subs *out)
{
	for EACH(Stm, s, b->stms) {
		SubVec eaten = {0};
		stm_consumed(s, &eaten);
		Vars free = free_in_stm(s);
		for EACH(Sub, x, eaten) {
			Sub root;
			if (x->kind != S_VAR || vars_find(free, *x) < 0)
				continue;       // of its own
			if (!find_root(b, *x, &root))
				return false;
			*out = subs_cat(*out, subs_of(1, root));
		}
	}
	return true;
}

// The branch with the results of one part.
static bool find_part(Parts *p, int part)
{
	Exp *e = exp_dup(p->s->exp);
	for (int yes = 0; yes < 2; yes++) {
		Body *b = yes ? &e->if_.yes : &e->if_.no;
		SubVec res = {0};
		Map needed = {0};
		for (int r = 0; r < p->n; r++)
			if (p->of[r] == part)
				VEC_PUSH(&res, b->res.at[r]);
		*b = body_part(b, VEC_SLICE(Subs, res), &needed);
		if (!find_eaten(b, &p->eaten[part]))
			return false;
		*b = body_rename(*b);
	}
	p->exps[part] = e;
	return true;
}

static bool mentions_eaten(Alias *alias, const Parts *p, int part, int by)
{
	Stm s = {.exp = p->exps[part]};
	Vars free = free_in_stm(&s);
	for EACH(Var, f, free)
		for EACH(Sub, x, p->eaten[by])
			if (x->kind == S_VAR && vars[f->id].type.dims.len &&
			    alias_class(alias, *f) == alias_class(alias, x->var))
				return true;
	return false;
}

// Can the part come next, after those that are done?
static bool may_come(Alias *alias, const Parts *p, const bool *done, int part)
{
	for (int other = 0; other < p->n; other++)
		if (other != part && p->exps[other] && !done[other] &&
		    mentions_eaten(alias, p, other, part))
			return false;
	return true;
}

static void emit_part(Build *b, const Parts *p, int part)
{
	Stm t = *p->s;
	VarVec pat = {0};
	for (int r = 0; r < p->n; r++)
		if (p->of[r] == part)
			VEC_PUSH(&pat, p->s->pat.at[r]);
	t.pat = VEC_SLICE(Vars, pat);
	t.exp = p->exps[part];
	b_emit(b, t);
}

bool branch_apart(Build *b, Alias *alias, const Stm *s)
{
	Parts p = {.s = s, .n = s->pat.len};
	const Exp *e = s->exp;
	int order[MOST_RESULTS], n = 0, n_parts = 0, arrays = 0;
	bool done[MOST_RESULTS] = {false};
	if (p.n < 2 || p.n > MOST_RESULTS || vars_have_acc(s->pat) || vars_have_sizes(s->pat))
		return false;
	for (int r = 0; r < p.n; r++)
		p.of[r] = r;
	if (!find_parts(&p, &e->if_.yes) || !find_parts(&p, &e->if_.no) ||
	    !are_own_arrays(alias, &p))
		return false;
	for (int r = 0; r < p.n; r++) {
		bool is_part = false;
		for (int i = 0; i < p.n; i++)
			is_part |= p.of[i] == r;
		if (is_part && !find_part(&p, r))
			return false;
		n_parts += is_part;
		arrays += is_part && p.eaten[r].len;
	}
	if (arrays < 2 || !are_not_eaten(alias, &p))
		return false;
	while (n < n_parts) {
		int next = 0;
		while (next < p.n && (!p.exps[next] || done[next] ||
		                      !may_come(alias, &p, done, next)))
			next++;
		if (next == p.n)
			return false;
		done[next] = true;
		order[n++] = next;
	}
	for (int i = 0; i < n; i++)
		emit_part(b, &p, order[i]);
	return true;
}
