// Arithmetic on sums such as 3 + n - 2 * i + n * m, and on numbers that may be unknown.  What
// overflows becomes unknown, or bad; a sum has only a few terms, and one with more is bad too.
#include "opt/lin.h"

// ---- Numbers without overflow ----

Edge edge_add(Edge a, Edge b)
{
	int64_t x;
	if (a.none || b.none || __builtin_add_overflow(a.v, b.v, &x))
		return no_edge;
	return (Edge){x, false};
}

// INT64_MIN is taken for an overflow as well: nothing has its magnitude.
Edge edge_mul(Edge a, Edge b)
{
	int64_t x;
	if (a.none || b.none || __builtin_mul_overflow(a.v, b.v, &x) || x == INT64_MIN)
		return no_edge;
	return (Edge){x, false};
}

// ---- Sums ----

Lin lin_const(int64_t c)
{
	return (Lin){.c = c};
}

Lin lin_var(Var v)
{
	return (Lin){.n = 1, .t = {{v, {0}, 1}}};
}

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

Lin lin_add(Lin a, Lin b, int64_t k)
{
	Edge c = edge_add((Edge){a.c, false}, edge_mul((Edge){b.c, false}, (Edge){k, false}));
	a.c = c.v;
	a.bad |= b.bad || c.none;
	for (int i = 0; i < b.n && !a.bad; i++) {
		Edge m = edge_mul((Edge){b.t[i].k, false}, (Edge){k, false});
		a.bad |= m.none;
		add_term(&a, (Term){b.t[i].v, b.t[i].w, m.v});
	}
	return a;
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
