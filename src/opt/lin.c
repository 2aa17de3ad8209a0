// Arithmetic on sums such as 3 + n - 2 * i + n * m, and on numbers that may be unknown.  What
// overflows becomes unknown, or bad; a sum has only a few terms, and one with more is bad too.
#include "opt/lin.h"

static void add_term(Lin *l, Term t)
{
	for (int i = 0; i < l->n; i++) {
		if (l->t[i].v.id != t.v.id || l->t[i].w.id != t.w.id)
			continue;
		Edge k = edge_add((Edge){l->t[i].k, false}, (Edge){t.k, false});
		l->bad |= k.none;
		l->t[i].k = k.v;
		if (k.v == 0)
			l->t[i] = l->t[--l->n];
		return;
	}
	if (l->n == TERMS)
		l->bad = true;
	else if (t.k)
		l->t[l->n++] = t;
}

void lin_add_to(Lin *a, const Lin *b, int64_t k)
{
	Edge c = edge_add((Edge){a->c, false}, edge_mul((Edge){b->c, false}, (Edge){k, false}));
	a->c = c.v;
	a->bad |= b->bad || c.none;
	for (int i = 0; i < b->n && !a->bad; i++) {
		Edge m = edge_mul((Edge){b->t[i].k, false}, (Edge){k, false});
		a->bad |= m.none;
		add_term(a, (Term){b->t[i].v, b->t[i].w, m.v});
	}
}

Lin lin_times(Lin l, Var v)
{
	Lin out = {.bad = l.bad};
	if (l.c)
		add_term(&out, (Term){v, {0}, l.c});
	for (int i = 0; i < l.n; i++) {
		Term t = l.t[i];
		out.bad |= t.w.id != 0;
		bool first = t.v.id <= v.id;
		add_term(&out, (Term){first ? t.v : v, first ? v : t.v, t.k});
	}
	return out;
}

bool lin_same(const Lin *a, const Lin *b)
{
	if (a->c != b->c || a->n != b->n)
		return false;
	Lin d = lin_add(*a, *b, -1);
	return !d.bad && d.c == 0 && d.n == 0;
}
