// Making a failing program smaller.
//
// A change is made in place, tried, and undone unless the program still fails.  Larger pieces come
// first: whole functions' bindings, then expressions from the outside in.
#include "random.h"

typedef struct {
	Random *program;
	bool (*fails)(const Random *, void *);
	void *ctx;
	int left;                       // attempts
	bool progress;
} Shrinking;

static bool still_fails(Shrinking *s)
{
	if (s->left-- <= 0)
		return false;
	bool failed = s->fails(s->program, s->ctx);
	s->progress |= failed;
	return failed;
}

static void shrink_node(Shrinking *s, Node **at);

static void shrink_block(Shrinking *s, Block *b)
{
	for (int i = b->steps.len - 1; i >= 0; i--) {
		Step gone = b->steps.at[i];
		memmove(b->steps.at + i, b->steps.at + i + 1,
		        (size_t)(b->steps.len - i - 1) * sizeof gone);
		b->steps.len--;
		if (still_fails(s))
			continue;
		memmove(b->steps.at + i + 1, b->steps.at + i,
		        (size_t)(b->steps.len - i) * sizeof gone);
		b->steps.at[i] = gone;
		b->steps.len++;
	}
	for EACH(Step, step, b->steps)
		shrink_node(s, &step->value);
	shrink_node(s, &b->result);
}

// Replaces a node by one within it of the same type, the first that will do.
static bool hoist(Shrinking *s, Node **at, Node *in)
{
	Node *old = *at;
	for EACH(Part, p, in->parts) {
		Node *sub = p->node ? p->node : p->block ? p->block->result : NULL;
		if (!sub)
			continue;
		if (shape_equal(sub->type, old->type)) {
			*at = sub;
			if (still_fails(s))
				return true;
			*at = old;
		}
		if (hoist(s, at, sub))
			return true;
	}
	return false;
}

static bool is_simple(const Node *n)
{
	return n->parts.len == 1 && n->parts.at[0].text && strlen(n->parts.at[0].text) < 6;
}

static void shrink_node(Shrinking *s, Node **at)
{
	Node *old = *at;
	if (is_simple(old) || s->left <= 0)
		return;
	*at = simplest(old->type);
	if (strcmp((*at)->parts.at[0].text,
	           old->parts.at[0].text ? old->parts.at[0].text : "") != 0 &&
	    still_fails(s))
		return;
	*at = old;
	while (hoist(s, at, *at))
		continue;
	for EACH(Part, p, (*at)->parts) {
		if (p->node)
			shrink_node(s, &p->node);
		else if (p->block)
			shrink_block(s, p->block);
	}
}

static void shrink_defs(Shrinking *s)
{
	Random *r = s->program;
	if (r->second) {
		r->second = false;
		r->second = !still_fails(s);
	}
	int n = r->defs.len;
	r->defs.len = 0;
	if (!still_fails(s))
		r->defs.len = n;
	for EACH(Def, d, r->defs)
		shrink_block(s, d->body);
}

Random *shrink(Random *r, bool (*fails)(const Random *, void *), void *ctx, int most_tries)
{
	Shrinking s = {r, fails, ctx, most_tries, true};
	while (s.progress && s.left > 0) {
		s.progress = false;
		shrink_block(&s, r->body);
		shrink_defs(&s);
	}
	return r;
}
