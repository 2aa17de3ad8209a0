// Ordering constraints between the statements of a body: what a statement must stay behind.
//
//     let (ys: [n]f64) = screma n (xs) ..        the producer
//     let (k: i64) = index is [0]                stays where it is
//     let (y: f64) = index ys [k]                needs the producer: goes behind the consumer
//     let (s: f64) = screma n (ys) ..            the consumer
//
// Note [Order].  When two statements are merged, the result is placed where the second was.
// Statements in between that depend on the first, directly or indirectly, are moved behind it in
// their old order, which is wrong only if the second depends on one of them.  Dependences are:
// variables, certificates, arrays that are read here and consumed later, and the order of traces.
// Nothing moves up, and assertions without certificates do not move, so no statement moves past a
// check.
#include "opt/order.h"

#include "opt/opt.h"

Subs *soac_inputs(Exp *e)
{
	return form_has(e->form, FORM_SOAC) ? &e->soac.arrs : NULL;
}

typedef struct { Order *o; Node *node; } Collect;

static void note_use(Visit *v, Sub *s)
{
	Collect *c = v->ctx;
	if (s->kind != S_VAR || c->o->seen[s->var.id] == c->o->stamp)
		return;
	c->o->seen[s->var.id] = c->o->stamp;
	VEC_PUSH(&c->node->uses, s->var);
}

static void note_consumption(Visit *v, Body *b)
{
	Collect *c = v->ctx;
	for EACH(Stm, s, b->stms) {
		SubVec out = {0};
		exp_consumed(s->exp, &out);
		for EACH(Sub, x, out)
			if (x->kind == S_VAR)
				VEC_PUSH(&c->node->consumes, x->var);
		if (form_has(s->exp->form, FORM_NEST))
			exp_visit(s->exp, v);
	}
}

// May anything consume an array that shares memory with it?
static bool is_watched(Order *o, Var v)
{
	Type t = vars[v.id].type;
	return !type_is_scalar(t) && (v.id >= o->n_aliased || alias_ever(&o->alias, v));
}

static void note_watched(Order *o, Node *n)
{
	for EACH(Var, x, n->uses)
		if (is_watched(o, *x))
			VEC_PUSH(&n->reads, *x);
}

static VarVec grown_by(VarVec a, VarVec b)
{
	VEC_APPEND(&a, b);
	return a;
}

// The other's list is the longer one in a chain, so it is the one that grows.
void order_take_in(Node *n, Node *other)
{
	n->uses = grown_by(other->uses, n->uses);
	n->reads = grown_by(other->reads, n->reads);
	n->consumes = grown_by(other->consumes, n->consumes);
	other->dead = true;
}

Node *order_node(Order *o, const Stm *s)
{
	Node *n = NEW(Node, .stm = *s);
	o->stamp++;
	Collect c = {o, n};
	Visit uses = {.sub = note_use, .ctx = &c};
	Stm t = *s;
	if (s->exp->form == E_prim) { // as below, for most statements
		stm_visit(&t, &uses);
		return n;
	}
	if (soac_inputs(t.exp)) {
		t.exp = exp_dup(t.exp);
		*soac_inputs(t.exp) = (Subs){0};
	}
	stm_visit(&t, &uses);
	note_watched(o, n);
	Visit consumption = {.body = note_consumption, .ctx = &c};
	Body alone = {.stms = {&n->stm, 1}};
	note_consumption(&consumption, &alone);
	o->consumes |= n->consumes.len > 0;
	n->has_trace = o->traces && s->exp->form != E_assert_ && exp_has_effect(s->exp);
	n->is_lone = s->exp->form == E_assert_ && !o->count[s->pat.at[0].id];
	return n;
}

// ---- What depends on what ----

static void taint(Order *o, const Node *n)
{
	for EACH(Var, x, n->stm.pat)
		o->tainted[x->id] = o->stamp;
}

static void note_read(Order *o, Var v)
{
	o->read[alias_class(&o->alias, v)] = o->stamp;
}

static void note_reads(Order *o, const Node *n)
{
	if (!o->asked) // so nobody asks
		return;
	for EACH(Var, x, n->reads)
		note_read(o, *x);
	Subs *in = soac_inputs(n->stm.exp);
	if (in)
		for EACH(Sub, x, *in)
			if (x->kind == S_VAR && is_watched(o, x->var))
				note_read(o, x->var);
}

static bool uses_tainted(const Order *o, const Node *n)
{
	for EACH(Var, x, n->uses)
		if (o->tainted[x->id] == o->stamp)
			return true;
	return false;
}

static bool is_tainted(const Order *o, Sub s)
{
	return s.kind == S_VAR && o->tainted[s.var.id] == o->stamp;
}

static bool has_tainted_input(const Order *o, const Node *n)
{
	Subs *in = soac_inputs(n->stm.exp);
	if (in)
		for EACH(Sub, x, *in)
			if (is_tainted(o, *x))
				return true;
	return false;
}

bool order_consumes_read(Order *o, const Node *n)
{
	for EACH(Var, x, n->consumes)
		if (o->read[alias_class(&o->alias, *x)] == o->stamp)
			return true;
	return false;
}

bool order_is_tainted(const Order *o, Var v)
{
	return o->tainted[v.id] == o->stamp;
}

// Does c, or what is between the two, consume anything?
static bool consumes_after(const Order *o, Node **order, const Node *p, const Node *c)
{
	bool found = c->consumes.len > 0;
	for (int k = p->pos + 1; o->consumes && !found && k < c->pos; k++)
		found = !order[k]->dead && order[k]->consumes.len;
	return found;
}

bool *order_between(Order *o, Node **order, Node *p, Node *c)
{
	bool *after = NEW_ARRAY(bool, c->pos - p->pos);
	o->stamp++;
	o->asked = consumes_after(o, order, p, c);
	taint(o, p);
	note_reads(o, p);
	bool trace = false;
	for (int k = p->pos + 1; k < c->pos; k++) {
		Node *n = order[k];
		if (n->dead)
			continue;
		bool moves = uses_tainted(o, n) || has_tainted_input(o, n) ||
		             order_consumes_read(o, n) || (trace && n->has_trace);
		if (!moves)
			continue;
		if (n->is_lone)
			return NULL;
		after[k - p->pos - 1] = true;
		trace |= n->has_trace;
		taint(o, n);
		note_reads(o, n);
	}
	return after;
}

// Statements that must come after the producer go behind the consumer.
void order_merge(Node **order, int from, int to, const bool *after)
{
	Node **moved = NEW_ARRAY(Node *, to - from);
	int n_moved = 0, at = from;
	Node *c = order[to];
	for (int k = from; k < to; k++) {
		if (order[k]->dead)
			continue;
		if (k > from && after[k - from - 1])
			moved[n_moved++] = order[k];
		else
			order[at++] = order[k];
	}
	// What is dead makes room at the front, so that all others keep or lower their places.
	int gap = to + 1 - at - 1 - n_moved;
	memmove(order + from + gap, order + from, (size_t)(at - from) * sizeof *order);
	static Node nothing = {.dead = true};
	for (int k = from; k < from + gap; k++)
		order[k] = &nothing;
	at += gap;
	order[at++] = c;
	for (int k = 0; k < n_moved; k++)
		order[at++] = moved[k];
	for (int k = from + gap; k <= to; k++)
		order[k]->pos = k;
}

// ---- Programs ----

static void count_use(Visit *v, Sub *s)
{
	if (s->kind == S_VAR)
		((Order *)v->ctx)->count[s->var.id]++;
}

static void *grown(void *at, size_t size, uint32_t from, uint32_t to)
{
	return table_grow(at, from * size, to * size);
}

static void know_all(Order *o)
{
	if (o->cap == n_vars)
		return;
	o->count = grown(o->count, sizeof *o->count, o->cap, n_vars);
	o->seen = grown(o->seen, sizeof *o->seen, o->cap, n_vars);
	o->tainted = grown(o->tainted, sizeof *o->tainted, o->cap, n_vars);
	o->read = grown(o->read, sizeof *o->read, o->cap, n_vars);
	o->made = grown(o->made, sizeof *o->made, o->cap, n_vars);
	o->cap = n_vars;
}

Order order_new(const Prog *prog)
{
	return (Order){.traces = prog_has_traces(prog)};
}

void order_fun(Order *o, const Fun *f)
{
	know_all(o);
	o->consumes = false;
	alias_fun(&o->alias, f);
	o->n_aliased = n_vars;
	Visit counts = {.sub = count_use, .ctx = o};
	body_walk(&f->body, &counts);
}

Node *order_new_node(Order *o, const Stm *s)
{
	know_all(o);
	Visit counts = {.sub = count_use, .ctx = o};
	stm_walk(s, &counts);
	return order_node(o, s);
}

void order_free(Order *o)
{
	table_free(o->count);
	table_free(o->seen);
	table_free(o->tainted);
	table_free(o->read);
	table_free(o->made);
}

// ---- What surely depends on what ----

// Note [Tree].  In a long chain of statements most attempts to merge two fail because the second
// needs something that needs the first, and to find that out all between them is looked at.  So
// the statements of a body form a tree: the parent of one is the last of those that it needs.
// What is below a statement in the tree depends on it; a statement's subtree is numbered
// [tree, tree + tree_size), and so is that of each body, apart from all others.  That two
// statements were merged changes nothing: what depends on one of them depends on both.
static Node *parent_of(const Order *o, const Node *n, int64_t first)
{
	Node *last = NULL;
	Subs none = {0}, *rows = soac_inputs(n->stm.exp), in = rows ? *rows : none;
	for EACH(Var, x, n->uses) {
		Node *m = o->made[x->id];
		last = m && m->tree >= first && (!last || m->pos > last->pos) ? m : last;
	}
	for EACH(Sub, x, in) {
		Node *m = x->kind == S_VAR ? o->made[x->var.id] : NULL;
		last = m && m->tree >= first && (!last || m->pos > last->pos) ? m : last;
	}
	return last;
}

static void make_tree(Order *o, Node **all, int n)
{
	int64_t first = o->n_tree + 1, next = first;
	Node **parent = NEW_ARRAY(Node *, n);
	int64_t *free = NEW_ARRAY(int64_t, n);
	for (int i = 0; i < n; i++) {
		parent[i] = parent_of(o, all[i], first);
		all[i]->tree = first;
		all[i]->tree_size = 1;
		for EACH(Var, y, all[i]->stm.pat)
			o->made[y->id] = all[i];
	}
	for (int i = n; i-- > 0; )
		if (parent[i])
			parent[i]->tree_size += all[i]->tree_size;
	for (int i = 0; i < n; i++) {
		int64_t *at = parent[i] ? &free[parent[i]->pos] : &next;
		all[i]->tree = *at;
		*at += all[i]->tree_size;
		free[i] = all[i]->tree + 1;
	}
	o->n_tree += n;
}

static bool is_below(const Order *o, Var x, const Node *p)
{
	const Node *m = x.id < o->cap ? o->made[x.id] : NULL;
	return m && m->tree > p->tree && m->tree < p->tree + p->tree_size;
}

bool order_needs_between(const Order *o, const Node *p, const Node *c)
{
	for EACH(Var, x, c->uses)
		if (is_below(o, *x, p))
			return true;
	const Subs *in = soac_inputs(c->stm.exp);
	for (int i = 0; in && i < in->len; i++)
		if (in->at[i].kind == S_VAR && is_below(o, in->at[i].var, p))
			return true;
	return false;
}

Node **order_nodes(Order *o, Stms stms)
{
	Node **all = NEW_ARRAY(Node *, stms.len);
	know_all(o);
	for (int i = 0; i < stms.len; i++) {
		all[i] = order_node(o, &stms.at[i]);
		all[i]->pos = i;
	}
	make_tree(o, all, stms.len);
	return all;
}

Stms order_stms(Node *const *order, int n)
{
	Stms out = {NEW_ARRAY(Stm, n), 0};
	for (int i = 0; i < n; i++)
		if (!order[i]->dead)
			out.at[out.len++] = order[i]->stm;
	return out;
}
