// Core as text, to read and to parse back (parse.c; the grammar is in docs/core.md).
//
//     fun norm (n_1: i64, xs_2: [n_1]f64) : (r_3: f64) = {
//       let (s_4: f64) = screma n_1 (xs_2)
//         map=\(x_5: f64) : (f64) -> {
//           let (y_6: f64) = mul.f64 x_5 x_5
//           in y_6
//         }
//         reduce=(0.0) \(a_7: f64, b_8: f64) : (f64) -> {
//           let (c_9: f64) = add.f64 a_7 b_8
//           in c_9
//         }
//       let (r_10: f64) = sqrt.f64 s_4
//       in r_10
//     }
//
// A body without statements stays on its line: {x_5, y_6}.  Constants of type i64 and f64 carry
// no suffix.  A statement ends with where it comes from: @"a.fut":3:5-9 (the last column is
// the one after the end), followed by the call sites it was inlined through, each after a `<`.
#include "core/print_core.h"

static void put_body(Printer *, const Body *);

static void put_line(Printer *p)
{
	str_putc(&p->out, '\n');
	for (int i = 0; i < p->indent; i++)
		put(p, "  ");
}

// ---- Expressions ----

static void put_operand(Printer *p, Sub s)
{
	put(p, " ");
	put_sub(p, s);
}

static void put_slices(Printer *p, Slices at)
{
	put(p, " [");
	for EACH(DimSlice, d, at) {
		if (d != at.at)
			put(p, ", ");
		put_sub(p, d->start);
		if (!d->fixed) {
			put(p, ":");
			put_sub(p, d->len);
			put(p, ":");
			put_sub(p, d->step);
		}
	}
	put(p, "]");
}

static void put_lambda(Printer *p, const Lambda *l)
{
	put(p, "\\");
	put_binders(p, l->params);
	put(p, " : ");
	put_types(p, l->ret);
	put(p, " -> ");
	put_body(p, &l->body);
}

// The parts of a SOAC each start a line, one step to the right.
static void put_part(Printer *p, const char *name)
{
	put_line(p);
	put(p, name);
	put(p, "=");
}

static void put_operator(Printer *p, Subs ne, const Lambda *op)
{
	put_subs(p, "(", ne, ") ");
	put_lambda(p, op);
}

static void put_fn(Printer *p, const char *name, const Lambda *f)
{
	p->indent++;
	put_part(p, name);
	put_lambda(p, f);
	p->indent--;
}

// ---- What is a form's own (forms.def) ----

static void put_prim(Printer *p, const Exp *e)
{
	str_printf(&p->out, "%s.%s", prim_name[e->prim.op], primtype_name[e->prim.at]);
	for (int i = 0; i < prim_arity(e->prim.op); i++)
		put_operand(p, e->prim.x[i]);
}

static void put_call(Printer *p, const Exp *e)
{
	put(p, " ");
	put_name(p, e->call.fn->name);
}

static void put_reductions(Printer *p, const char *name, Reductions rs)
{
	for EACH(Reduction, r, rs) {
		put_part(p, r->comm ? text("%s_comm", name) : name);
		put_operator(p, r->ne, r->op);
	}
}

static void put_screma(Printer *p, const Exp *e)
{
	if (!e->screma.scans.len && !e->screma.reds.len) {
		put(p, " map=");
		put_lambda(p, e->screma.map);
		return;
	}
	put_fn(p, "map", e->screma.map);
	p->indent++;
	put_reductions(p, "scan", e->screma.scans);
	put_reductions(p, "reduce", e->screma.reds);
	p->indent--;
}

static void put_hist(Printer *p, const Exp *e)
{
	p->indent++;
	for EACH(HistOp, op, e->hist.ops) {
		put_part(p, "op");
		put_subs(p, "[", op->space, "] ");
		put_subs(p, "(", op->dests, ") ");
		put_operator(p, op->ne, op->op);
	}
	p->indent--;
}

static void put_scatter(Printer *p, const Exp *e)
{
	p->indent++;
	for EACH(ScatterDest, d, e->scatter.dests) {
		put_part(p, "dest");
		put_subs(p, "[", d->space, "] ");
		put_sub(p, d->dest);
		str_printf(&p->out, " %d", d->n_writes);
	}
	p->indent--;
}

static void put_flatmap(Printer *p, const Exp *e)
{
	put(p, " map=");
	put_lambda(p, e->flatmap.map);
}

static void put_withacc(Printer *p, const Exp *e)
{
	p->indent++;
	for EACH(AccInput, in, e->withacc.inputs) {
		put_part(p, "input");
		put_subs(p, "[", in->space, "] ");
		put_subs(p, "(", in->arrs, ")");
		if (in->op) {
			put(p, " ");
			put_operator(p, in->ne, in->op);
		}
	}
	p->indent--;
}

static void put_loop(Printer *p, const Exp *e)
{
	put(p, " (");
	for (int i = 0; i < e->loop.params.len; i++) {
		if (i)
			put(p, ", ");
		put_binder(p, e->loop.params.at[i]);
		put(p, " = ");
		put_sub(p, i < e->loop.inits.len ? e->loop.inits.at[i] : (Sub){0});
	}
	if (e->loop.is_while) {
		put(p, ") while ");
		put_var(&p->out, e->loop.while_cond);
	} else {
		put(p, ") for ");
		put_binder(p, e->loop.i);
		put(p, " < ");
		put_sub(p, e->loop.n);
	}
	put(p, " do ");
	put_body(p, &e->loop.body);
}

static void put_match(Printer *p, const Exp *e)
{
	put(p, " {");
	p->indent++;
	for EACH(CoreCase, c, e->match.cases) {
		put_line(p);
		put(p, show_const(c->value));
		put(p, " -> ");
		put_body(p, &c->body);
	}
	put_line(p);
	put(p, "_ -> ");
	put_body(p, &e->match.other);
	p->indent--;
	put_line(p);
	put(p, "}");
}

static void put_assert_(Printer *p, const Exp *e)
{
	put(p, " (");
	for EACH(MsgPart, m, e->assert_.msg) {
		if (m != e->assert_.msg.at)
			put(p, ", ");
		if (m->is_val)
			put_sub(p, m->val);
		else
			put_string(p, m->text ? m->text : "");
	}
	put(p, ")");
}

static void put_trace(Printer *p, const Exp *e)
{
	put(p, " ");
	put_string(p, e->trace.tag ? e->trace.tag : "");
	put_subs(p, " (", e->trace.xs, ")");
	if (e->trace.shape) {
		put(p, " : ");
		put_entry_type(p, e->trace.shape);
	}
}

static void put_perm(Printer *p, const int *perm, int n)
{
	for (int i = 0; i < n; i++)
		str_printf(&p->out, "%s%d", i ? ", " : " (", perm[i]);
	put(p, n ? ")" : " ()");
}

#define AT(x)           str_printf(&p->out, ".%s", primtype_name[e->x]);
#define SUB(x)          put_operand(p, e->x);
#define SUBS(x)         put_subs(p, " (", e->x, ")");
#define IDX(x)          put_subs(p, " [", e->x, "]");
#define DIMS(x)         put(p, " "); put_dims(p, e->x);
#define SLICES(x)       put_slices(p, e->x);
#define PERM(x)         put_perm(p, e->x.at, e->x.len);
#define TYPE(x)         put(p, " : "); put_type(p, e->x);
#define BODY(x)         put(p, " "); put_body(p, &e->x);
#define LAMBDA(x)       put(p, " "); put_lambda(p, e->x);
#define FN(word, x)     put_fn(p, #word, e->x);
#define INT(word, x)    str_printf(&p->out, " " #word "=%d", e->x);
#define WORD(word)      put(p, " " #word);
#define FLAG(word, x)   put(p, e->x ? " " #word : "");
#define MANY(form)      if (e->form.many) { put(p, " many="); put_sub(p, e->form.n); }
#define OWN(form)       put_##form(p, e);

static void put_exp(Printer *p, const Exp *e)
{
	if (e->form == E_atom) {
		put_sub(p, e->atom.x);
		return;
	}
	if (e->form != E_prim)
		put(p, form_name[e->form]);
	switch (e->form) {
#define FORM(name, stages, flags, parts) case E_##name: parts return;
#include "core/forms.def"
#undef FORM
	case N_FORM:
		break;
	}
	bug("no such form: %d", (int)e->form);
}

// ---- Statements, bodies, functions ----

static void put_where(Printer *p, const Where *w)
{
	const char *mark = " @";
	for (; w && p->where; w = w->up) {
		Pos lo = loc_pos(w->span.lo);
		if (!lo.file)
			continue;
		Pos hi = loc_pos(w->span.hi);
		put(p, mark);
		put_string(p, lo.file);
		str_printf(&p->out, ":%d:%d-", lo.line, lo.col);
		if (hi.line != lo.line)
			str_printf(&p->out, "%d:", hi.line);
		str_printf(&p->out, "%d", hi.col);
		mark = " <";
	}
}

static void put_stm(Printer *p, const Stm *s)
{
	put_attributes(p, s->attrs);
	put(p, "let ");
	put_binders(p, s->pat);
	put(p, " = ");
	if (s->certs.len) {
		put(p, "#{");
		for EACH(Var, c, s->certs) {
			if (c != s->certs.at)
				put(p, ", ");
			put_var(&p->out, *c);
		}
		put(p, "} ");
	}
	put_exp(p, s->exp);
	put_where(p, s->where);
}

static void put_body(Printer *p, const Body *b)
{
	if (!b->stms.len) {
		put_subs(p, "{", b->res, "}");
		return;
	}
	put(p, "{");
	p->indent++;
	for EACH(Stm, s, b->stms) {
		put_line(p);
		put_stm(p, s);
	}
	put_line(p);
	put_subs(p, b->res.len ? "in " : "in", b->res, "");
	p->indent--;
	put_line(p);
	put(p, "}");
}

static void put_entry(Printer *p, const Fun *f)
{
	put(p, "entry ");
	put_string(p, f->entry_name ? f->entry_name : f->name);
	put(p, " ");
	put_attributes(p, f->entry->attrs);
	put(p, "(");
	for (int i = 0; i < f->entry->params.len; i++) {
		if (i)
			put(p, ", ");
		put_string(p, f->entry->params.at[i].name ? f->entry->params.at[i].name : "");
		put(p, ": ");
		put_entry_type(p, f->entry->params.at[i].type);
	}
	put(p, ") : ");
	put_entry_type(p, f->entry->result);
	if (f->entry->doc) {
		put(p, " doc ");
		put_string(p, f->entry->doc);
	}
	put_line(p);
}

static void put_fun(Printer *p, const Fun *f)
{
	if (f->entry)
		put_entry(p, f);
	put_attributes(p, f->attrs);
	put(p, "fun ");
	put_name(p, f->name);
	put(p, " ");
	put_binders(p, f->params);
	put(p, " : ");
	put_binders(p, f->res);
	put_where(p, f->where);
	put(p, " = ");
	put_body(p, &f->body);
	put(p, "\n");
}

static const char *prog_text(const Prog *prog, bool where)
{
	Printer p = {.where = where};
	if (prog->stage != STAGE_SOAC)
		put(&p, text("stage %s\n\n", stage_name(prog->stage)));
	for EACH(Fun *, f, prog->funs) {
		if (f != prog->funs.at)
			put(&p, "\n");
		put_fun(&p, *f);
	}
	return str_text(&p.out);
}

const char *show_prog(const Prog *prog)
{
	return prog_text(prog, true);
}

const char *show_prog_bare(const Prog *prog)
{
	return prog_text(prog, false);
}

const char *show_stm(const Stm *s)
{
	Printer p = {0};
	put_stm(&p, s);
	return str_text(&p.out);
}

const char *show_sub(Sub s)
{
	Printer p = {0};
	put_sub(&p, s);
	return str_text(&p.out);
}

const char *show_core_type(Type t)
{
	Printer p = {0};
	put_type(&p, t);
	return str_text(&p.out);
}
