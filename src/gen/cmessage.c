// Assertions and traces: code that shows values.
//
//     let (c: cert) = assert ok ("Index [", i, "] out of bounds for array of shape [", n, "].")
//  ->
//     if (!ok) {
//     	err = rd_fail(ctx, "a.fut:3:5-9", "Index [%lld] out of bounds for array of shape [%lld].",
//     	              (long long)i, (long long)n);
//     	goto cleanup;
//     }
//
// Messages that contain arrays are assembled piece by piece with rd_put.  Floats are formatted by
// rd_show_f64 and the like.  Source locations with long call chains are stored once, in a table.
#include "gen/cgen.h"

// ---- Lines of the source ----

enum { LONGEST_LINE = 120, LONGEST_PLACE = 160 };

// A line as it is shown below an error: a tab is as wide as a character.
static const char *line_text(const Source *s, int number)
{
	const char *line = s->text + s->lines[number - 1], *stop = s->text + s->len;
	Str out = {0};
	for (; line < stop && *line != '\n' && *line != '\r'; line++) {
		if (out.len >= LONGEST_LINE && ((unsigned char)*line & 0xC0) != 0x80)
			break;
		str_putc(&out, (unsigned char)*line < ' ' ? ' ' : *line);
	}
	return str_text(&out);
}

// The line of the innermost place that is the user's; rd_put_source (context.h) looks for it.
static void note_line(Gen *g, const Where *where)
{
	Span at = users_place(where);
	const Source *s = at.lo ? source_of(at.lo) : NULL;
	if (!s || str_starts(s->name, "/prelude/"))
		return;
	Pos pos = loc_pos(at.lo);
	Name key = name_of(text("%s:%d", pos.file, pos.line));
	if (!map_has(&g->rts->lines, key))
		map_put(&g->rts->lines, key, (void *)line_text(s, pos.line));
}

static void put_places(Str *out, const Rts *rts)
{
	if (!rts->places.len)
		return;
	const char **all = NEW_ARRAY(const char *, rts->places.len);
	for MAP_EACH(e, rts->places)
		all[(uintptr_t)e->val - 1] = e->key;
	str_puts(out, "static const char *const rd_places[] = {\n");
	for (int i = 0; i < (int)rts->places.len; i++)
		str_printf(out, "\t%s,\n", all[i]);
	str_puts(out, "};\n");
}

void put_source_lines(Str *out, const Rts *rts)
{
	put_places(out, rts);
	if (!rts->lines.len)
		return;
	str_puts(out, "#define RD_SOURCE_LINES\nstatic const char *const rd_source_lines[] = {\n");
	for MAP_EACH(e, rts->lines)
		str_printf(out, "\t%s, %s,\n", c_string(e->key), c_string(e->val));
	str_puts(out, "};\n");
}

static int number_of_place(Rts *rts, Name literal)
{
	if (!map_has(&rts->places, literal))
		map_put(&rts->places, literal, (void *)(uintptr_t)(rts->places.len + 1));
	return (int)(uintptr_t)map_get(&rts->places, literal) - 1;
}

// The places a statement comes from, innermost first, one to a line.
CExp places(Gen *g, const Where *where)
{
	CExp known = is_silent(g) ? x_const("counted") : map_get(&g->places, where);
	if (known)
		return known;
	Str out = {0};
	for (const Where *w = where; w; w = w->up)
		if (w->span.lo)
			str_printf(&out, "%s%s", out.len ? "\n" : "", show_span(w->span));
	const char *literal = c_string(str_text(&out));
	note_line(g, where);
	CExp x = strlen(literal) > LONGEST_PLACE
		? x_index(x_const("rd_places"), x_int(number_of_place(g->rts, name_of(literal))))
		: x_const(literal);
	map_put(&g->places, where, (void *)x);
	return x;
}

static const char *format_of(PrimType t)
{
	return t == PT_BOOL || is_float(t) ? "%s" : is_signed(t) ? "%lld" : "%llu";
}

static CExp format_argument(Gen *g, PrimType t, CExp x)
{
	if (is_float(t)) {
		const char *show = text("rd_show_%s", primtype_name[t]);
		rts_use(g->rts, show);
		return x_call(show, ctx(g), x);
	}
	if (t == PT_BOOL)
		return x_select(x_group(x), x_const("\"true\""), x_const("\"false\""));
	return x_cast(is_signed(t) ? "long long" : "unsigned long long", x, PREC_ATOM);
}

// rd_put(ctx, "format", x); x may be NULL
static void put(Gen *g, const char *format, CExp x)
{
	CExp args[] = {ctx(g), x_const(c_string(format)), x};
	s_do(g->c, x_call_of("rd_put", (CExps){args, x ? 3 : 2}));
}

static void put_scalar(Gen *g, PrimType t, CExp x)
{
	put(g, format_of(t), format_argument(g, t, x));
}

typedef struct { const char *open, *between, *close; } ArrayStyle;

static void put_array(Gen *g, Type t, const ArrayStyle *style, CExp *index, int d)
{
	if (d == t.dims.len) {
		CExp x = g->target == ON_HOST ? host_element(g, t, index) : element(g, t, index);
		if (t.elem == PT_F16) {
			rts_use(g->rts, "rd_float_of_half");
			x = x_call("rd_float_of_half", x);
		}
		put_scalar(g, t.elem, x);
		return;
	}
	const char *i = fresh_name(g, "i");
	index[d] = x_name(i);
	if (*style->open)
		put(g, style->open, NULL);
	for_each(g, i, operand(g, t.dims.at[d]));
	put(g, "%s", x_select(x_binary(x_name(i), ">", x_int(0), PREC_COMPARE),
	                      x_const(c_string(style->between)), x_const("\"\"")));
	put_array(g, t, style, index, d + 1);
	s_close(g->c);
	if (*style->close)
		put(g, style->close, NULL);
}

static void put_value(Gen *g, Sub x, const ArrayStyle *style)
{
	Type t = sub_type(x);
	rts_use(g->rts, "fail");
	if (type_is_scalar(t))
		put_scalar(g, t.elem, operand(g, x));
	else
		put_array(g, t, style, NEW_ARRAY(CExp, t.dims.len), 0);
}

// As many floats as the context has room for.
static bool in_one_format(Msg msg)
{
	enum { MOST_FLOATS = 8 };
	int floats = 0;
	for EACH(MsgPart, p, msg) {
		if (p->is_val && !type_is_scalar(sub_type(p->val)))
			return false;
		floats += p->is_val && is_float(sub_type(p->val).elem);
	}
	return floats <= MOST_FLOATS;
}

// A call of rd_fail: the place, then the format on a line of its own, then what it shows.
static CExp failure(Gen *g, CExp where, Msg msg)
{
	Str format = {0};
	VEC(CExp) args = {0};
	VEC_PUSH(&args, ctx(g));
	VEC_PUSH(&args, where);
	VEC_PUSH(&args, NULL);
	for EACH(MsgPart, p, msg) {
		if (p->is_val) {
			PrimType t = sub_type(p->val).elem;
			CExp x = operand(g, p->val);
			str_puts(&format, format_of(t));
			VEC_PUSH(&args, is_silent(g) ? x : format_argument(g, t, x));
			continue;
		}
		for (const char *s = p->text; *s; s++) {
			size_t n = strcspn(s, "%");
			str_putn(&format, s, n);
			s += n;
			if (!*s)
				break;
			str_puts(&format, "%%");
		}
	}
	args.at[2] = x_const(is_silent(g) ? "counted" : c_string(str_text(&format)));
	return x_call_lines("rd_fail", VEC_SLICE(CExps, args), 2);
}

static void put_message(Gen *g, Msg msg)
{
	static const ArrayStyle brackets = {"[", ", ", "]"};
	for EACH(MsgPart, p, msg)
		if (p->is_val)
			put_value(g, p->val, &brackets);
		else
			put(g, "%s", x_const(c_string(p->text)));
}

void gen_assert(Gen *g, const Stm *stm)
{
	const Exp *e = stm->exp;
	if (g->target == ON_DEVICE) {
		gen_thread_assert(g, stm);
		return;
	}
	CExp where = places(g, stm->where);
	rts_use(g->rts, "fail");
	s_if(g->c, x_not(operand(g, e->assert_.cond)));
	if (in_one_format(e->assert_.msg)) {
		leave_function(g, failure(g, where, e->assert_.msg));
	} else {
		put_message(g, e->assert_.msg);
		leave_function(g, x_call("rd_fail_said", ctx(g), where));
	}
	s_close(g->c);
}

void gen_trace(Gen *g, const Exp *e)
{
	static const ArrayStyle spaces = {"", " ", ""};
	rts_use(g->rts, "rd_trace");
	for EACH(Sub, x, e->trace.xs) {
		if (sub_type(*x).kind != T_DATA)
			continue;
		put(g, "%s: ", x_const(c_string(e->trace.tag)));
		put_value(g, *x, &spaces);
		s_do(g->c, x_call("rd_trace", ctx(g)));
	}
}
