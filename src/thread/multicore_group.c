// Which scan shares a region with what takes its results; see multicore_scan.c.
#include "thread/multicore.h"

#include "opt/alias.h"

// ---- Mentions of the results of a scan ----

int result_of_scan(const Group *g, Sub x)
{
	for (int r = 0; x.kind == S_VAR && r < g->scan->pat.len; r++)
		if (g->scan->pat.at[r].id == x.var.id)
			return r;
	return -1;
}

void note_definition(Multicore *m, const Stm *s)
{
	const Exp *e = s->exp;
	bool less = e->form == E_prim && e->prim.at == PT_I64 && e->prim.x[1].kind == S_CONST &&
	            ((e->prim.op == P_sub && e->prim.x[1].val.i == 1) ||
	             (e->prim.op == P_add && e->prim.x[1].val.i == -1));
	if (less)
		map_put(&m->less, var_key(s->pat.at[0]), mem_dup(&e->prim.x[0], sizeof(Sub)));
	if (is_count(e))
		map_put(&m->counts, var_key(s->pat.at[0]), m);
	if (e->form == E_scratch)
		map_put(&m->scratches, var_key(s->pat.at[0]), m);
	int rank = e->form == E_rearrange ? e->rearrange.perm.len : 0;
	if (rank > 1 && e->rearrange.perm.at[0] == rank - 1)
		map_put(&m->columns, var_key(s->pat.at[0]), m);
}

int last_of_scan(const Group *g, const Exp *e)
{
	if (e->form != E_index || e->index.idx.len != 1)
		return -1;
	int r = result_of_scan(g, e->index.arr);
	Sub i = e->index.idx.at[0], n = g->scan->exp->screma.n;
	if (r < 0 || r >= g->job.n_scan)
		return -1;
	if (n.kind == S_CONST)
		return i.kind == S_CONST && i.val.i == n.val.i - 1 ? r : -1;
	const Sub *of = i.kind == S_VAR ? map_get(&g->m->less, var_key(i.var)) : NULL;
	return of && sub_eq(*of, n) ? r : -1;
}

typedef struct { const Group *g; int *mentions, *lasts; } Mentions;

static void count_mention(Visit *v, Sub *x)
{
	Mentions *c = v->ctx;
	int r = result_of_scan(c->g, *x);
	if (r >= 0)
		c->mentions[r]++;
}

static void count_in_body(Visit *v, Body *b)
{
	Mentions *c = v->ctx;
	for EACH(Stm, s, b->stms) {
		int r = last_of_scan(c->g, s->exp);
		if (r >= 0)
			c->lasts[r]++;
	}
	body_visit(b, v);
}

// How often the results of the scan are mentioned, and how often only for the last element.
static void count_mentions(const Group *g, const Stm *s, int *mentions, int *lasts)
{
	Mentions c = {g, mentions, lasts};
	Visit v = {.sub = count_mention, .body = count_in_body, .ctx = &c};
	Stm copy = *s;
	Body b = {.stms = {&copy, 1}};
	count_in_body(&v, &b);
}

static bool only_lasts(const Group *g, const Stm *s)
{
	int n = g->scan->pat.len, *mentions = NEW_ARRAY(int, n), *lasts = NEW_ARRAY(int, n);
	count_mentions(g, s, mentions, lasts);
	return !memcmp(mentions, lasts, (size_t)n * sizeof *lasts);
}

// ---- Which statements may be one region ----

static void note_definitions(Visit *v, Body *b)
{
	for EACH(Stm, s, b->stms)
		note_definition(v->ctx, s);
	body_visit(b, v);
}

// Once for a body.
static void know_body(Multicore *m, const Body *b, BodyNeeds *n)
{
	if (n->needs)
		return;
	Body copy = *b;
	note_definitions(&(Visit){.body = note_definitions, .ctx = m}, &copy);
	n->mentions = stms_by_mention(b->stms);
	n->needs = NEW_ARRAY(StmNumbers, b->stms.len + 1);
	n->consumed = NEW_ARRAY(SubVec, b->stms.len + 1);
	for (int i = 0; i < b->stms.len; i++) {
		stm_consumed(&b->stms.at[i], &n->consumed[i]);
		for EACH(Var, x, b->stms.at[i].pat)
			for EACH(int, user, *stms_with(&n->mentions, *x))
				if (*user > i)
					VEC_PUSH(&n->needs[*user], i);
	}
}

// Does statement k need `at`, by way of the last of what each one needs?
static bool surely_needs(const BodyNeeds *n, int k, int at)
{
	while (k > at && n->needs[k].len)
		k = n->needs[k].at[n->needs[k].len - 1];
	return k == at;
}

static bool any_in(StmNumbers some, const bool *marked)
{
	for EACH(int, i, some)
		if (marked[*i])
			return true;
	return false;
}

static bool same_class(Multicore *m, Var a, Var b)
{
	return type_is_array(vars[a.id].type) && type_is_array(vars[b.id].type) &&
	       alias_class(m->alias, a) == alias_class(m->alias, b);
}

static bool touches(Multicore *m, Vars free, const SubVec *consumed)
{
	for EACH(Sub, x, *consumed)
		for EACH(Var, y, free)
			if (x->kind == S_VAR && same_class(m, x->var, *y))
				return true;
	return false;
}

// A scan reads later than before, and what depends on it comes later still.
static bool order_allows(const Group *g, Stms stms, int i, int k, const BodyNeeds *body)
{
	const SubVec *by_user = &body->consumed[k];
	Vars by_scan = free_in_stm(&stms.at[i]);
	if (touches(g->m, by_scan, by_user))
		return false;
	for (int at = i + 1; at < k; at++) {
		const SubVec *consumed = &body->consumed[at];
		bool later = g->depends[at] && !g->needed[at];
		if (touches(g->m, by_scan, consumed) || (later && consumed->len) ||
		    (later && by_user->len && touches(g->m, free_in_stm(&stms.at[at]), by_user)))
			return false;
	}
	return true;
}

static bool is_input(const Group *g, Subs arrs)
{
	for EACH(Sub, a, arrs)
		if (result_of_scan(g, *a) >= 0)
			return true;
	return false;
}

// Row by row, and nowhere else: not in its functions, nor as what it scatters to.
static bool takes_rows_of(const Group *g, const Stm *s)
{
	const Exp *e = s->exp;
	Sub n = e->form == E_scatter ? e->scatter.n : e->screma.n;
	Subs arrs = e->form == E_scatter ? e->scatter.arrs : e->screma.arrs;
	if (!sub_eq(n, g->scan->exp->screma.n) || !is_input(g, arrs))
		return false;
	int *mentions = NEW_ARRAY(int, g->scan->pat.len),
	    *ignored = NEW_ARRAY(int, g->scan->pat.len);
	count_mentions(g, s, mentions, ignored);
	for EACH(Sub, a, arrs) {
		int r = result_of_scan(g, *a);
		if (r >= 0)
			mentions[r]--;
	}
	for (int r = 0; r < g->scan->pat.len; r++)
		if (mentions[r])
			return false;
	return true;
}

// Which of the statements between depend on the scan, and which of these the other needs.
static void mark_between(Group *g, const BodyNeeds *body, int i, int k)
{
	g->depends = NEW_ARRAY(bool, k + 1);
	g->needed = NEW_ARRAY(bool, k + 1);
	g->depends[i] = g->needed[k] = true;
	for (int at = i + 1; at < k; at++)
		g->depends[at] = any_in(body->needs[at], g->depends);
	for (int at = k; at > i; at--)
		if (g->needed[at])
			for EACH(int, p, body->needs[at])
				if (*p > i)
					g->needed[*p] = g->depends[*p];
}

// The statements after the scan that mention one of its results, once each, in order.
static StmNumbers users_of(const BodyNeeds *body, Vars pat, int i)
{
	StmNumbers out = {0};
	Map seen = {0};
	for EACH(Var, x, pat)
		for EACH(int, k, *stms_with(&body->mentions, *x)) {
			const void *key = (const void *)((uintptr_t)*k + 1);
			if (*k <= i || map_has(&seen, key))
				continue;
			map_put(&seen, key, &seen);
			int at = out.len;
			VEC_PUSH(&out, *k);
			for (; at > 0 && out.at[at - 1] > *k; at--)
				out.at[at] = out.at[at - 1];
			out.at[at] = *k;
		}
	return out;
}

// What the statements between need of the scan; false if that cannot be had in time.
static bool plan(Group *g, Stms stms, int i, int k, StmNumbers users, const BodyNeeds *body)
{
	int n = g->scan->pat.len;
	int *mentions = NEW_ARRAY(int, n), *lasts = NEW_ARRAY(int, n);
	for EACH(int, at, users) // most that fail do so here
		if (*at < k && surely_needs(body, k, *at) && !only_lasts(g, &stms.at[*at]))
			return false;
	mark_between(g, body, i, k);
	for EACH(int, at, users) {
		int *before = NEW_ARRAY(int, n), *of_them = NEW_ARRAY(int, n);
		if (*at == k)
			continue;
		count_mentions(g, &stms.at[*at], before, of_them);
		bool needed = *at < k && g->needed[*at];
		for (int r = 0; r < n; r++) {
			if (needed && before[r] != of_them[r])
				return false;
			g->total_before |= needed && of_them[r];
			mentions[r] += before[r];
			lasts[r] += *at < k ? of_them[r] : 0;
		}
	}
	for (int r = 0; r < n; r++) {
		g->last[r] = lasts[r] > 0;
		g->keep[r] = mentions[r] > lasts[r] || is_among(g->results, g->scan->pat.at[r]);
	}
	return order_allows(g, stms, i, k, body);
}

static bool is_scan(const Multicore *m, const Stm *s)
{
	const Exp *e = s->exp;
	return e->form == E_screma && e->screma.scans.len && !e->screma.reds.len &&
	       suits(m, s) && is_simple(m, e) && !has_loops(&e->screma.map->body) &&
	       e->screma.n.kind == S_VAR;
}

static bool may_follow(const Multicore *m, const Stm *s)
{
	const Exp *e = s->exp;
	if (e->form == E_scatter)
		return !exp_has_traces(e) && !has_attrs(s->attrs);
	return e->form == E_screma && !e->screma.scans.len && suits(m, s) && is_simple(m, e);
}

bool find_group(Multicore *m, const Body *b, BodyNeeds *body, int i, Group *g, int *user)
{
	const Stm *s = &b->stms.at[i];
	if (m->in_nest || !is_scan(m, s)) // of the aliases in copies nothing is known
		return false;
	know_body(m, b, body);
	int n = s->pat.len;
	*g = (Group){.m = m, .scan = s, .results = b->res, .keep = NEW_ARRAY(bool, n),
	             .last = NEW_ARRAY(bool, n), .job = {.m = m, .e = s->exp, .flat = true,
	             .n_scan = n_reduced(s->exp->screma.scans)}};
	StmNumbers users = users_of(body, s->pat, i);
	for EACH(int, k, users)
		if (may_follow(m, &b->stms.at[*k]) && takes_rows_of(g, &b->stms.at[*k])) {
			*user = *k;
			return plan(g, b->stms, i, *k, users, body);
		}
	return false;
}
