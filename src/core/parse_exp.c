// Parsing of textual core: lambdas, expressions, statements and bodies.
#include "core/parse_core.h"

// ---- Lambdas ----

static Body parse_open_body(Parser *);

static void skip_parens(Parser *p)
{
	int open = 0;
	do {
		open += core_at_symbol(p, "(") - core_at_symbol(p, ")");
		if (p->tok.kind == K_END)
			core_fail_expected(p, "\")\"");
		core_next_token(p);
	} while (open > 0);
}

// \(params) : (types) -> body
static Lambda *parse_lambda(Parser *p)
{
	core_enter(p);
	int mark = p->bound.len;
	Lambda *l = NEW(Lambda, .params = {0});
	core_want_symbol(p, "\\");
	l->params = core_parse_binders(p);
	core_want_symbol(p, ":");
	l->ret = core_parse_types(p);
	core_want_symbol(p, "->");
	l->body = core_parse_body(p);
	core_close_scope(p, mark);
	core_leave(p);
	return l;
}

// The types of flatmap's lambda mention a variable of the body.  So they are skipped, and
// the parser goes back for them before it closes the scope of the body.
static Lambda *parse_flatmap_lambda(Parser *p)
{
	core_enter(p);
	int mark = p->bound.len;
	Lambda *l = NEW(Lambda, .params = {0});
	core_want_symbol(p, "\\");
	l->params = core_parse_binders(p);
	core_want_symbol(p, ":");
	Token types = p->tok;
	const char *types_at = p->at;
	if (!core_at_symbol(p, "("))
		core_fail_expected(p, "\"(\"");
	skip_parens(p);
	core_want_symbol(p, "->");
	l->body = parse_open_body(p);
	Token after = p->tok;
	const char *after_at = p->at;
	p->tok = types;
	p->at = types_at;
	l->ret = core_parse_types(p);
	p->tok = after;
	p->at = after_at;
	core_close_scope(p, mark);
	core_leave(p);
	return l;
}

// ---- Expressions ----

static Slices parse_slices(Parser *p)
{
	VEC(DimSlice) out = {0};
	core_want_symbol(p, "[");
	while (!core_at_symbol(p, "]")) {
		DimSlice d = {.fixed = true, .start = core_parse_sub(p)};
		if (core_take_symbol(p, ":")) {
			d.fixed = false;
			d.len = core_parse_sub(p);
			core_want_symbol(p, ":");
			d.step = core_parse_sub(p);
		}
		VEC_PUSH(&out, d);
		if (!core_take_symbol(p, ","))
			break;
	}
	core_want_symbol(p, "]");
	return VEC_SLICE(Slices, out);
}

static void want_part(Parser *p, const char *name)
{
	core_want_word(p, name);
	core_want_symbol(p, "=");
}

static bool take_part(Parser *p, const char *name)
{
	if (!core_take_word(p, name))
		return false;
	core_want_symbol(p, "=");
	return true;
}

static Lambda *parse_map_part(Parser *p)
{
	want_part(p, "map");
	return parse_lambda(p);
}

static void parse_if(Parser *p, Exp *e)
{
	e->if_.cond = core_parse_sub(p);
	core_want_word(p, "then");
	e->if_.yes = core_parse_body(p);
	core_want_word(p, "else");
	e->if_.no = core_parse_body(p);
}

static void parse_match(Parser *p, Exp *e)
{
	e->match.x = core_parse_sub(p);
	core_want_symbol(p, "{");
	VEC(CoreCase) cases = {0};
	while (!core_take_word(p, "_")) {
		Span span = p->tok.span;
		Sub value = core_parse_sub(p);
		if (value.kind != S_CONST)
			fail(span, NULL, "A case is a constant.");
		core_want_symbol(p, "->");
		VEC_PUSH(&cases, (CoreCase){value.val, core_parse_body(p)});
	}
	core_want_symbol(p, "->");
	e->match.other = core_parse_body(p);
	core_want_symbol(p, "}");
	e->match.cases = VEC_SLICE(CoreCases, cases);
}

// Initial values mean what is outside of the loop, whatever its parameters are called.
static void parse_loop(Parser *p, Exp *e)
{
	int mark = p->bound.len, visible = p->visible;
	VEC(Var) params = {0};
	VEC(Sub) inits = {0};
	core_want_symbol(p, "(");
	while (!core_at_symbol(p, ")")) {
		VEC_PUSH(&params, core_parse_binder(p));
		core_want_symbol(p, "=");
		p->visible = mark;
		VEC_PUSH(&inits, core_parse_sub(p));
		p->visible = visible;
		if (!core_take_symbol(p, ","))
			break;
	}
	core_want_symbol(p, ")");
	e->loop.params = VEC_SLICE(Vars, params);
	e->loop.inits = VEC_SLICE(Subs, inits);
	if (core_take_word(p, "while")) {
		e->loop.is_while = true;
		e->loop.while_cond = core_parse_var(p, "the condition of the loop");
	} else {
		core_want_word(p, "for");
		e->loop.i = core_parse_binder(p);
		core_want_symbol(p, "<");
		p->visible = mark;
		e->loop.n = core_parse_sub(p);
		p->visible = visible;
	}
	core_want_word(p, "do");
	e->loop.body = core_parse_body(p);
	core_close_scope(p, mark);
}

static void parse_call(Parser *p, Exp *e)
{
	Span span = p->tok.span;
	e->call.fn = core_fun_named(p, core_want_fun_name(p));
	VEC_PUSH(&p->calls, (CallSite){e->call.fn, span});
	e->call.args = core_parse_tuple(p);
}

static void parse_screma(Parser *p, Exp *e)
{
	e->screma.n = core_parse_sub(p);
	e->screma.arrs = core_parse_tuple(p);
	e->screma.map = parse_map_part(p);
	VEC(Reduction) scans = {0}, reds = {0};
	for (;;) {
		bool comm = core_at_word(p, "scan_comm") || core_at_word(p, "reduce_comm");
		bool scan = core_at_word(p, "scan") || core_at_word(p, "scan_comm");
		if (!scan && !core_at_word(p, "reduce") && !core_at_word(p, "reduce_comm"))
			break;
		core_next_token(p);
		core_want_symbol(p, "=");
		Reduction r = {.ne = core_parse_tuple(p), .comm = comm};
		r.op = parse_lambda(p);
		if (scan)
			VEC_PUSH(&scans, r);
		else
			VEC_PUSH(&reds, r);
	}
	e->screma.scans = VEC_SLICE(Reductions, scans);
	e->screma.reds = VEC_SLICE(Reductions, reds);
}

static void parse_hist(Parser *p, Exp *e)
{
	e->hist.n = core_parse_sub(p);
	e->hist.arrs = core_parse_tuple(p);
	VEC(HistOp) ops = {0};
	while (take_part(p, "op")) {
		HistOp op = {.space = core_parse_bracketed(p)};
		op.dests = core_parse_tuple(p);
		op.ne = core_parse_tuple(p);
		op.op = parse_lambda(p);
		VEC_PUSH(&ops, op);
	}
	e->hist.ops = VEC_SLICE(HistOps, ops);
	e->hist.map = parse_map_part(p);
}

static void parse_scatter(Parser *p, Exp *e)
{
	e->scatter.n = core_parse_sub(p);
	e->scatter.arrs = core_parse_tuple(p);
	VEC(ScatterDest) dests = {0};
	while (take_part(p, "dest")) {
		ScatterDest d = {.space = core_parse_bracketed(p)};
		d.dest = core_parse_sub(p);
		d.n_writes = core_want_int(p);
		VEC_PUSH(&dests, d);
	}
	e->scatter.dests = VEC_SLICE(ScatterDests, dests);
	e->scatter.map = parse_map_part(p);
}

static void parse_flatmap(Parser *p, Exp *e)
{
	e->flatmap.n = core_parse_sub(p);
	e->flatmap.arrs = core_parse_tuple(p);
	want_part(p, "data");
	e->flatmap.n_data = core_want_int(p);
	want_part(p, "map");
	e->flatmap.map = parse_flatmap_lambda(p);
}

static void parse_withacc(Parser *p, Exp *e)
{
	VEC(AccInput) inputs = {0};
	while (take_part(p, "input")) {
		AccInput in = {.space = core_parse_bracketed(p)};
		in.arrs = core_parse_tuple(p);
		if (core_at_symbol(p, "(")) {
			in.ne = core_parse_tuple(p);
			in.op = parse_lambda(p);
		}
		VEC_PUSH(&inputs, in);
	}
	e->withacc.inputs = VEC_SLICE(AccInputs, inputs);
	want_part(p, "fn");
	e->withacc.fn = parse_lambda(p);
}

static void parse_derivative(Parser *p, bool *many, Sub *n, Subs *args, Subs *seeds, Lambda **fn)
{
	*many = take_part(p, "many");
	if (*many)
		*n = core_parse_sub(p);
	*args = core_parse_tuple(p);
	*seeds = core_parse_tuple(p);
	*fn = parse_lambda(p);
}

static void parse_with_vjp(Parser *p, Exp *e)
{
	want_part(p, "tape");
	e->with_vjp.n_tape = core_want_int(p);
	e->with_vjp.args = core_parse_tuple(p);
	want_part(p, "fn");
	e->with_vjp.fn = parse_lambda(p);
	want_part(p, "bwd");
	e->with_vjp.bwd = parse_lambda(p);
}

static void parse_assert(Parser *p, Exp *e)
{
	e->assert_.cond = core_parse_sub(p);
	VEC(MsgPart) parts = {0};
	core_want_symbol(p, "(");
	while (!core_at_symbol(p, ")")) {
		if (p->tok.kind == K_STRING)
			VEC_PUSH(&parts, (MsgPart){.text = core_want_string(p)});
		else
			VEC_PUSH(&parts, (MsgPart){.val = core_parse_sub(p), .is_val = true});
		if (!core_take_symbol(p, ","))
			break;
	}
	core_want_symbol(p, ")");
	e->assert_.msg = VEC_SLICE(Msg, parts);
}

static void parse_trace(Parser *p, Exp *e)
{
	e->trace.tag = core_want_string(p);
	e->trace.xs = core_parse_tuple(p);
	if (core_take_symbol(p, ":"))
		e->trace.shape = core_parse_entry_type(p);
}

static void parse_rearrange(Parser *p, Exp *e)
{
	VEC(int) perm = {0};
	core_want_symbol(p, "(");
	while (!core_at_symbol(p, ")")) {
		VEC_PUSH(&perm, core_want_int(p));
		if (!core_take_symbol(p, ","))
			break;
	}
	core_want_symbol(p, ")");
	e->rearrange.perm.at = perm.at;
	e->rearrange.perm.len = perm.len;
	e->rearrange.arr = core_parse_sub(p);
}

static void parse_array(Parser *p, Exp *e)
{
	e->array.elems = core_parse_bracketed(p);
	core_want_symbol(p, ":");
	e->array.elem_type = core_parse_type(p);
}

static void parse_iota(Parser *p, Exp *e)
{
	e->iota.type = core_parse_suffix(p);
	e->iota.n = core_parse_sub(p);
	e->iota.start = core_parse_sub(p);
	e->iota.step = core_parse_sub(p);
}

// After the name of the form.  Atoms and operations have no name of a form before them.
static void parse_form(Parser *p, Exp *e)
{
	switch (e->form) {
	case E_atom:
		e->atom.x = core_parse_sub(p);
		return;
	case E_prim:
		e->prim.at = core_parse_suffix(p);
		for (int i = 0; i < prim_arity(e->prim.op); i++)
			e->prim.x[i] = core_parse_sub(p);
		return;
	case E_convert:
		e->convert.to = core_parse_suffix(p);
		e->convert.x = core_parse_sub(p);
		return;
	case E_if_:       parse_if(p, e); return;
	case E_match:     parse_match(p, e); return;
	case E_loop:      parse_loop(p, e); return;
	case E_call:      parse_call(p, e); return;
	case E_index:
		e->index.arr = core_parse_sub(p);
		e->index.idx = core_parse_bracketed(p);
		return;
	case E_slice:
		e->slice.arr = core_parse_sub(p);
		e->slice.at = parse_slices(p);
		return;
	case E_update:
		e->update.arr = core_parse_sub(p);
		e->update.at = parse_slices(p);
		e->update.val = core_parse_sub(p);
		return;
	case E_concat:
		e->concat.size = core_parse_sub(p);
		e->concat.arrs = core_parse_tuple(p);
		return;
	case E_iota:      parse_iota(p, e); return;
	case E_replicate:
		e->replicate.dims = core_parse_dims(p);
		e->replicate.x = core_parse_sub(p);
		return;
	case E_scratch:
		e->scratch.type = core_parse_suffix(p);
		e->scratch.dims = core_parse_dims(p);
		return;
	case E_reshape:
		e->reshape.dims = core_parse_dims(p);
		e->reshape.arr = core_parse_sub(p);
		return;
	case E_rearrange: parse_rearrange(p, e); return;
	case E_copy:      e->copy.arr = core_parse_sub(p); return;
	case E_array:     parse_array(p, e); return;
	case E_screma:    parse_screma(p, e); return;
	case E_hist:      parse_hist(p, e); return;
	case E_scatter:   parse_scatter(p, e); return;
	case E_flatmap:   parse_flatmap(p, e); return;
	case E_withacc:   parse_withacc(p, e); return;
	case E_upd_acc:
		e->upd_acc.acc = core_parse_sub(p);
		e->upd_acc.idx = core_parse_bracketed(p);
		e->upd_acc.vals = core_parse_tuple(p);
		return;
	case E_jvp:
		parse_derivative(p, &e->jvp.many, &e->jvp.n, &e->jvp.args, &e->jvp.seeds,
		                 &e->jvp.fn);
		return;
	case E_vjp:
		parse_derivative(p, &e->vjp.many, &e->vjp.n, &e->vjp.args, &e->vjp.seeds,
		                 &e->vjp.fn);
		return;
	case E_with_vjp:  parse_with_vjp(p, e); return;
	case E_assert_:   parse_assert(p, e); return;
	case E_trace:     parse_trace(p, e); return;
	case E_opaque:    e->opaque.xs = core_parse_tuple(p); return;
	case E_alloc:
		e->alloc.type = core_parse_suffix(p);
		e->alloc.n = core_parse_sub(p);
		e->alloc.stack = core_take_word(p, "stack");
		return;
	case E_release:   e->release.block = core_parse_sub(p); return;
	case N_FORM:      break;
	}
	bug("no such form: %d", (int)e->form);
}

static bool form_of_word(const char *word, Form *f)
{
	for (int i = 0; i < N_FORM; i++)
		if (i != E_atom && i != E_prim && strcmp(form_name[i], word) == 0) {
			*f = (Form)i;
			return true;
		}
	return false;
}

static bool prim_of_word(const char *word, Prim *op)
{
	for (int i = 0; i < N_PRIM; i++)
		if (strcmp(prim_name[i], word) == 0) {
			*op = (Prim)i;
			return true;
		}
	return false;
}

static Exp *parse_exp(Parser *p)
{
	core_enter(p);
	Exp *e = NEW(Exp, .form = E_atom);
	PrimType t;
	if (p->tok.kind == K_NAME && *p->at == '.' && !primtype_of_name(p->tok.text, &t) &&
	    prim_of_word(p->tok.text, &e->prim.op)) {
		e->form = E_prim;
		core_next_token(p);
	} else if (p->tok.kind == K_NAME && form_of_word(p->tok.text, &e->form)) {
		core_next_token(p);
	} else if (!core_at_operand(p)) {
		core_fail_expected(p, "an expression");
	}
	parse_form(p, e);
	traces_made |= e->form == E_trace;
	core_leave(p);
	return e;
}

// ---- Statements and bodies ----

static Vars parse_certs(Parser *p)
{
	VEC(Var) out = {0};
	if (core_take_symbol(p, "#{")) {
		do
			VEC_PUSH(&out, core_parse_var(p, "a certificate"));
		while (core_take_symbol(p, ","));
		core_want_symbol(p, "}");
	}
	return VEC_SLICE(Vars, out);
}

// The pattern is bound after the expression, which may use the same names.
static Stm parse_stm(Parser *p)
{
	Stm s = {.attrs = attrs_of_texts(core_parse_attributes(p))};
	core_want_word(p, "let");
	int mark = p->bound.len;
	s.pat = core_parse_binders(p);
	Name *names = NULL;
	if (s.pat.len)
		names = mem_dup(p->bound.at + mark, (size_t)s.pat.len * sizeof(Name));
	core_close_scope(p, mark);
	core_want_symbol(p, "=");
	s.certs = parse_certs(p);
	s.exp = parse_exp(p);
	s.where = core_parse_where(p);
	for (int i = 0; i < s.pat.len; i++)
		core_bind_var(p, names[i], s.pat.at[i]);
	return s;
}

// Leaves the scope of the body open.
static Body parse_open_body(Parser *p)
{
	core_enter(p);
	VEC(Stm) stms = {0};
	core_want_symbol(p, "{");
	while (p->tok.kind == K_ATTR || core_at_word(p, "let"))
		VEC_PUSH(&stms, parse_stm(p));
	if (stms.len)
		core_want_word(p, "in");
	else
		core_take_word(p, "in");
	Subs res = core_parse_subs(p, "}");
	core_leave(p);
	return (Body){VEC_SLICE(Stms, stms), res};
}

Body core_parse_body(Parser *p)
{
	int mark = p->bound.len;
	Body b = parse_open_body(p);
	core_close_scope(p, mark);
	return b;
}
