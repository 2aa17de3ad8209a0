// Counts the statements of each form in a program, including nested ones.  Tests of passes compare
// these counts instead of whole programs.
//
//     screma 2 at 1            the deepest one is in one loop or lambda
//     screma.reduce 1 at 1     screma statements that have a reduction
//     screma.scan 1 at 0       ... a scan
//     screma.map 1 at 0        ... neither
//     loop.kernel 1 at 0       loops with this attribute; likewise blocks, threads, atomic
//     prim 12 at 2
//     copies 1 at 0            with places in memory: arrays that are copied, by whatever form
//
// Only forms that occur are listed, in the order of forms.def.
#include "opt/opt.h"

typedef struct { int n, depth; } Count;
enum { N_LOOPS = 4 };
static const Mark loop_marks[N_LOOPS] = {ATTR_KERNEL, ATTR_BLOCKS, ATTR_THREADS, ATTR_ATOMIC};
typedef struct {
	Count forms[N_FORM], reds, scans, maps, copies, loops[N_LOOPS];
	int depth;
} Counts;

static void add(Count *c, int depth)
{
	c->n++;
	c->depth = depth > c->depth ? depth : c->depth;
}

static bool copies_array(const Stm *s)
{
	if (s->exp->form == E_copy)
		return true;
	return s->exp->form == E_update && !type_is_scalar(sub_type(s->exp->update.val)) &&
	       vars[s->pat.at[0].id].type.mem && !has_attr(s->attrs, ATTR_IN_PLACE);
}

static void count_body(Visit *v, Body *b)
{
	Counts *c = v->ctx;
	for EACH(Stm, s, b->stms) {
		Exp *e = s->exp;
		add(&c->forms[e->form], c->depth);
		if (e->form == E_screma && e->screma.reds.len)
			add(&c->reds, c->depth);
		if (e->form == E_screma && e->screma.scans.len)
			add(&c->scans, c->depth);
		if (e->form == E_screma && !e->screma.reds.len && !e->screma.scans.len)
			add(&c->maps, c->depth);
		for (int i = 0; i < N_LOOPS; i++)
			if (e->form == E_loop && has_attr(s->attrs, loop_marks[i]))
				add(&c->loops[i], c->depth);
		if (copies_array(s))
			add(&c->copies, c->depth);
		bool deeper = e->form != E_if_ && e->form != E_match;
		c->depth += deeper;
		exp_visit(e, v);
		c->depth -= deeper;
	}
}

static void put_count(Str *out, const char *name, Count c)
{
	if (c.n)
		str_printf(out, "%s %d at %d\n", name, c.n, c.depth);
}

const char *show_structure(const Prog *prog)
{
	Counts c = {0};
	Visit v = {.body = count_body, .ctx = &c};
	for EACH(Fun *, f, prog->funs)
		count_body(&v, &(*f)->body);
	Str out = {0};
	put_count(&out, "fun", (Count){prog->funs.len, 0});
	for (int i = 0; i < N_FORM; i++) {
		put_count(&out, form_name[i], c.forms[i]);
		for (int k = 0; k < N_LOOPS && i == E_loop; k++)
			put_count(&out, text("loop.%s", mark_text(loop_marks[k])), c.loops[k]);
		if (i != E_screma)
			continue;
		put_count(&out, "screma.reduce", c.reds);
		put_count(&out, "screma.scan", c.scans);
		put_count(&out, "screma.map", c.maps);
	}
	if (prog->stage == STAGE_MEM)
		put_count(&out, "copies", c.copies);
	return str_text(&out);
}
