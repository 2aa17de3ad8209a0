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

static void put_map_part(Printer *p, const Lambda *f)
{
	put_part(p, "map");
	put_lambda(p, f);
}

static void put_screma(Printer *p, const Exp *e)
{
	put(p, "screma ");
	put_sub(p, e->screma.n);
	put_subs(p, " (", e->screma.arrs, ")");
	if (!e->screma.scans.len && !e->screma.reds.len) {
		put(p, " map=");
		put_lambda(p, e->screma.map);
		return;
	}
	p->indent++;
	put_map_part(p, e->screma.map);
	for EACH(Reduction, r, e->screma.scans) {
		put_part(p, r->comm ? "scan_comm" : "scan");
		put_operator(p, r->ne, r->op);
	}
	for EACH(Reduction, r, e->screma.reds) {
		put_part(p, r->comm ? "reduce_comm" : "reduce");
		put_operator(p, r->ne, r->op);
	}
	p->indent--;
}

static void put_hist(Printer *p, const Exp *e)
{
	put(p, "hist ");
	put_sub(p, e->hist.n);
	put_subs(p, " (", e->hist.arrs, ")");
	p->indent++;
	for EACH(HistOp, op, e->hist.ops) {
		put_part(p, "op");
		put_subs(p, "[", op->space, "] ");
		put_subs(p, "(", op->dests, ") ");
		put_operator(p, op->ne, op->op);
	}
	put_map_part(p, e->hist.map);
	p->indent--;
}

static void put_scatter(Printer *p, const Exp *e)
{
	put(p, "scatter ");
	put_sub(p, e->scatter.n);
	put_subs(p, " (", e->scatter.arrs, ")");
	p->indent++;
	for EACH(ScatterDest, d, e->scatter.dests) {
		put_part(p, "dest");
		put_subs(p, "[", d->space, "] ");
		put_sub(p, d->dest);
		str_printf(&p->out, " %d", d->n_writes);
	}
	put_map_part(p, e->scatter.map);
	p->indent--;
}

static void put_withacc(Printer *p, const Exp *e)
{
	put(p, "withacc");
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
	put_part(p, "fn");
	put_lambda(p, e->withacc.fn);
	p->indent--;
}

static void put_derivative(Printer *p, bool many, Sub n, Subs args, Subs seeds, const Lambda *fn)
{
	if (many) {
		put(p, " many=");
		put_sub(p, n);
	}
	put_subs(p, " (", args, ")");
	put_subs(p, " (", seeds, ") ");
	put_lambda(p, fn);
}

static void put_loop(Printer *p, const Exp *e)
{
	put(p, "loop (");
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
	put(p, "match ");
	put_sub(p, e->match.x);
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

static void put_assert(Printer *p, const Exp *e)
{
	put(p, "assert ");
	put_sub(p, e->assert_.cond);
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
	put(p, "trace ");
	put_string(p, e->trace.tag ? e->trace.tag : "");
	put_subs(p, " (", e->trace.xs, ")");
	if (e->trace.shape) {
		put(p, " : ");
		put_entry_type(p, e->trace.shape);
	}
}

static void put_typed(Printer *p, const char *name, PrimType t)
{
	str_printf(&p->out, "%s.%s", name, primtype_name[t]);
}

static void put_operand(Printer *p, Sub s)
{
	put(p, " ");
	put_sub(p, s);
}

static void put_rearrange(Printer *p, const Exp *e)
{
	put(p, "rearrange (");
	for EACH(int, i, e->rearrange.perm)
		str_printf(&p->out, "%s%d", i == e->rearrange.perm.at ? "" : ", ", *i);
	put(p, ")");
	put_operand(p, e->rearrange.arr);
}

static void put_exp(Printer *p, const Exp *e)
{
	switch (e->form) {
	case E_atom:
		put_sub(p, e->atom.x);
		return;
	case E_prim:
		put_typed(p, prim_name[e->prim.op], e->prim.at);
		for (int i = 0; i < prim_arity(e->prim.op); i++)
			put_operand(p, e->prim.x[i]);
		return;
	case E_convert:
		put_typed(p, "convert", e->convert.to);
		put_operand(p, e->convert.x);
		return;
	case E_if_:
		put(p, "if");
		put_operand(p, e->if_.cond);
		put(p, " then ");
		put_body(p, &e->if_.yes);
		put(p, " else ");
		put_body(p, &e->if_.no);
		return;
	case E_match:
		put_match(p, e);
		return;
	case E_loop:
		put_loop(p, e);
		return;
	case E_call:
		put(p, "call ");
		put_name(p, e->call.fn->name);
		put_subs(p, " (", e->call.args, ")");
		return;
	case E_index:
		put(p, "index");
		put_operand(p, e->index.arr);
		put_subs(p, " [", e->index.idx, "]");
		return;
	case E_slice:
		put(p, "slice");
		put_operand(p, e->slice.arr);
		put_slices(p, e->slice.at);
		return;
	case E_update:
		put(p, "update");
		put_operand(p, e->update.arr);
		put_slices(p, e->update.at);
		put_operand(p, e->update.val);
		return;
	case E_concat:
		put(p, "concat");
		put_operand(p, e->concat.size);
		put_subs(p, " (", e->concat.arrs, ")");
		return;
	case E_iota:
		put_typed(p, "iota", e->iota.type);
		put_operand(p, e->iota.n);
		put_operand(p, e->iota.start);
		put_operand(p, e->iota.step);
		return;
	case E_replicate:
		put(p, "replicate ");
		put_dims(p, e->replicate.dims);
		put_operand(p, e->replicate.x);
		return;
	case E_scratch:
		put_typed(p, "scratch", e->scratch.type);
		put(p, " ");
		put_dims(p, e->scratch.dims);
		return;
	case E_reshape:
		put(p, "reshape ");
		put_dims(p, e->reshape.dims);
		put_operand(p, e->reshape.arr);
		return;
	case E_rearrange:
		put_rearrange(p, e);
		return;
	case E_copy:
		put(p, "copy");
		put_operand(p, e->copy.arr);
		return;
	case E_array:
		put_subs(p, "array [", e->array.elems, "] : ");
		put_type(p, e->array.elem_type);
		return;
	case E_screma:
		put_screma(p, e);
		return;
	case E_hist:
		put_hist(p, e);
		return;
	case E_scatter:
		put_scatter(p, e);
		return;
	case E_flatmap:
		put(p, "flatmap");
		put_operand(p, e->flatmap.n);
		put_subs(p, " (", e->flatmap.arrs, ")");
		str_printf(&p->out, " data=%d map=", e->flatmap.n_data);
		put_lambda(p, e->flatmap.map);
		return;
	case E_withacc:
		put_withacc(p, e);
		return;
	case E_upd_acc:
		put(p, "upd_acc");
		put_operand(p, e->upd_acc.acc);
		put_subs(p, " [", e->upd_acc.idx, "]");
		put_subs(p, " (", e->upd_acc.vals, ")");
		return;
	case E_jvp:
		put(p, "jvp");
		put_derivative(p, e->jvp.many, e->jvp.n, e->jvp.args, e->jvp.seeds, e->jvp.fn);
		return;
	case E_vjp:
		put(p, "vjp");
		put_derivative(p, e->vjp.many, e->vjp.n, e->vjp.args, e->vjp.seeds, e->vjp.fn);
		return;
	case E_with_vjp:
		str_printf(&p->out, "with_vjp tape=%d", e->with_vjp.n_tape);
		put_subs(p, " (", e->with_vjp.args, ")");
		p->indent++;
		put_part(p, "fn");
		put_lambda(p, e->with_vjp.fn);
		put_part(p, "bwd");
		put_lambda(p, e->with_vjp.bwd);
		p->indent--;
		return;
	case E_assert_:
		put_assert(p, e);
		return;
	case E_trace:
		put_trace(p, e);
		return;
	case E_opaque:
		put_subs(p, "opaque (", e->opaque.xs, ")");
		return;
	case E_alloc:
		put_typed(p, "alloc", e->alloc.type);
		put_operand(p, e->alloc.n);
		put(p, e->alloc.stack ? " stack" : "");
		return;
	case E_release:
		put(p, "release");
		put_operand(p, e->release.block);
		return;
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
