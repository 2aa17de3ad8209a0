// What a program consists of: how many statements there are of each form, nested ones
// included.  Tests of passes compare these counts rather than whole programs.
//
//     screma 2
//     screma.reduce 1          screma statements that have a reduction
//     screma.scan 1            ... a scan
//     screma.map 1             ... neither
//     prim 12
//
// Only forms that occur are listed, in the order of forms.def.
#include "opt/opt.h"

typedef struct { int forms[N_FORM], reds, scans, maps; } Counts;

static void count_body(Visit *v, Body *b)
{
	Counts *c = v->ctx;
	for EACH(Stm, s, b->stms) {
		const Exp *e = s->exp;
		c->forms[e->form]++;
		if (e->form != E_screma)
			continue;
		c->reds += e->screma.reds.len > 0;
		c->scans += e->screma.scans.len > 0;
		c->maps += !e->screma.reds.len && !e->screma.scans.len;
	}
	body_visit(b, v);
}

static void put_count(Str *out, const char *name, int n)
{
	if (n)
		str_printf(out, "%s %d\n", name, n);
}

const char *show_structure(const Prog *prog)
{
	Counts c = {0};
	Visit v = {.body = count_body, .ctx = &c};
	for EACH(Fun *, f, prog->funs)
		count_body(&v, &(*f)->body);
	Str out = {0};
	put_count(&out, "fun", prog->funs.len);
	for (int i = 0; i < N_FORM; i++) {
		put_count(&out, form_name[i], c.forms[i]);
		if (i != E_screma)
			continue;
		put_count(&out, "screma.reduce", c.reds);
		put_count(&out, "screma.scan", c.scans);
		put_count(&out, "screma.map", c.maps);
	}
	return str_text(&out);
}
