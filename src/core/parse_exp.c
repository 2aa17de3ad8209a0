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
// The types of flatmap's lambda mention a variable of the body.  So they are skipped, and
// the parser goes back for them before it closes the scope of the body.
static Lambda *parse_lambda(Parser *p, bool late_types)
{
	core_enter(p);
	int mark = p->bound.len;
	Lambda *l = NEW(Lambda, .params = {0});
	core_want_symbol(p, "\\");
	l->params = core_parse_binders(p);
	core_want_symbol(p, ":");
	Token types = p->tok;
	const char *types_at = p->at;
	if (!late_types)
		l->ret = core_parse_types(p);
	else if (core_at_symbol(p, "("))
		skip_parens(p);
	else
		core_fail_expected(p, "\"(\"");
	core_want_symbol(p, "->");
	l->body = late_types ? parse_open_body(p) : core_parse_body(p);
	if (late_types) {
		Token after = p->tok;
		const char *after_at = p->at;
		p->tok = types;
		p->at = types_at;
		l->ret = core_parse_types(p);
		p->tok = after;
		p->at = after_at;
	}
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

static Lambda *parse_fn(Parser *p, const char *name)
{
	want_part(p, name);
	return parse_lambda(p, false);
}

static int parse_int(Parser *p, const char *name)
{
	want_part(p, name);
	return core_want_int(p);
}

// ---- What is a form's own (forms.def) ----

static void parse_prim(Parser *p, Exp *e)
{
	e->prim.at = core_parse_suffix(p);
	for (int i = 0; i < prim_arity(e->prim.op); i++)
		e->prim.x[i] = core_parse_sub(p);
}

static void parse_match(Parser *p, Exp *e)
{
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
}

static void parse_screma(Parser *p, Exp *e)
{
	e->screma.map = parse_fn(p, "map");
	VEC(Reduction) scans = {0}, reds = {0};
	for (;;) {
		bool comm = core_at_word(p, "scan_comm") || core_at_word(p, "reduce_comm");
		bool scan = core_at_word(p, "scan") || core_at_word(p, "scan_comm");
		if (!scan && !core_at_word(p, "reduce") && !core_at_word(p, "reduce_comm"))
			break;
		core_next_token(p);
		core_want_symbol(p, "=");
		Reduction r = {.ne = core_parse_tuple(p), .comm = comm};
		r.op = parse_lambda(p, false);
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
	VEC(HistOp) ops = {0};
	while (take_part(p, "op")) {
		HistOp op = {.space = core_parse_bracketed(p)};
		op.dests = core_parse_tuple(p);
		op.ne = core_parse_tuple(p);
		op.op = parse_lambda(p, false);
		VEC_PUSH(&ops, op);
	}
	e->hist.ops = VEC_SLICE(HistOps, ops);
}

static void parse_scatter(Parser *p, Exp *e)
{
	VEC(ScatterDest) dests = {0};
	while (take_part(p, "dest")) {
		ScatterDest d = {.space = core_parse_bracketed(p)};
		d.dest = core_parse_sub(p);
		d.n_writes = core_want_int(p);
		VEC_PUSH(&dests, d);
	}
	e->scatter.dests = VEC_SLICE(ScatterDests, dests);
}

static void parse_flatmap(Parser *p, Exp *e)
{
	want_part(p, "map");
	e->flatmap.map = parse_lambda(p, true);
}

static void parse_withacc(Parser *p, Exp *e)
{
	VEC(AccInput) inputs = {0};
	while (take_part(p, "input")) {
		AccInput in = {.space = core_parse_bracketed(p)};
		in.arrs = core_parse_tuple(p);
		if (core_at_symbol(p, "(")) {
			in.ne = core_parse_tuple(p);
			in.op = parse_lambda(p, false);
		}
		VEC_PUSH(&inputs, in);
	}
	e->withacc.inputs = VEC_SLICE(AccInputs, inputs);
}

static void parse_assert_(Parser *p, Exp *e)
{
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

static int *parse_perm(Parser *p, int *n)
{
	VEC(int) perm = {0};
	core_want_symbol(p, "(");
	while (!core_at_symbol(p, ")")) {
		VEC_PUSH(&perm, core_want_int(p));
		if (!core_take_symbol(p, ","))
			break;
	}
	core_want_symbol(p, ")");
	*n = perm.len;
	return perm.at;
}

static Type parse_colon_type(Parser *p)
{
	core_want_symbol(p, ":");
	return core_parse_type(p);
}

static Sub parse_many(Parser *p, bool *many)
{
	*many = take_part(p, "many");
	return *many ? core_parse_sub(p) : (Sub){0};
}

#define AT(x)           e->x = core_parse_suffix(p);
#define SUB(x)          e->x = core_parse_sub(p);
#define SUBS(x)         e->x = core_parse_tuple(p);
#define IDX(x)          e->x = core_parse_bracketed(p);
#define DIMS(x)         e->x = core_parse_dims(p);
#define SLICES(x)       e->x = parse_slices(p);
#define PERM(x)         e->x.at = parse_perm(p, &e->x.len);
#define TYPE(x)         e->x = parse_colon_type(p);
#define BODY(x)         e->x = core_parse_body(p);
#define LAMBDA(x)       e->x = parse_lambda(p, false);
#define FN(word, x)     e->x = parse_fn(p, #word);
#define INT(word, x)    e->x = parse_int(p, #word);
#define WORD(word)      core_want_word(p, #word);
#define FLAG(word, x)   e->x = core_take_word(p, #word);
#define MANY(form)      e->form.n = parse_many(p, &e->form.many);
#define OWN(form)       parse_##form(p, e);

// After the name of the form.  Atoms and operations have no name of a form before them.
static void parse_form(Parser *p, Exp *e)
{
	switch (e->form) {
#define FORM(name, stages, flags, parts) case E_##name: parts return;
#include "core/forms.def"
#undef FORM
	case N_FORM:
		break;
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
