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

#include "mem/mem.h"

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
const char *places(Gen *g, const Where *where)
{
	const char *known = is_silent(g) ? "counted" : map_get(&g->places, where);
	if (known)
		return known;
	Str out = {0};
	for (const Where *w = where; w; w = w->up)
		if (w->span.lo)
			str_printf(&out, "%s%s", out.len ? "\n" : "", show_span(w->span));
	const char *literal = c_string(str_text(&out));
	note_line(g, where);
	if (strlen(literal) > LONGEST_PLACE)
		literal = text("rd_places[%d]", number_of_place(g->rts, name_of(literal)));
	map_put(&g->places, where, (void *)literal);
	return literal;
}

#define TABS "\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t"

static const char *format_of(PrimType t)
{
	return t == PT_BOOL || is_float(t) ? "%s" : is_signed(t) ? "%lld" : "%llu";
}

static const char *format_argument(Gen *g, PrimType t, CExp x)
{
	if (is_float(t)) {
		const char *show = text("rd_show_%s", primtype_name[t]);
		rts_use(g->rts, show);
		return text("%s(%s, %s)", show, ctx(g), x.text);
	}
	if (t == PT_BOOL)
		return text("%s ? \"true\" : \"false\"", c_paren(x, PREC_ATOM));
	return text("(%slong long)%s", is_signed(t) ? "" : "unsigned ", c_paren(x, PREC_ATOM));
}

static void put_scalar(Gen *g, PrimType t, CExp x)
{
	line(g, "rd_put(%s, \"%s\", %s);", ctx(g), format_of(t), format_argument(g, t, x));
}

typedef struct { const char *open, *between, *close; } ArrayStyle;

static void put_array(Gen *g, Type t, const ArrayStyle *style, CExp *index, int d)
{
	if (d == t.dims.len) {
		CExp x = g->target == ON_HOST ? host_element(g, t, index) : element(g, t, index);
		if (t.elem == PT_F16) {
			rts_use(g->rts, "rd_float_of_half");
			x = c_atom(text("rd_float_of_half(%s)", x.text));
		}
		put_scalar(g, t.elem, x);
		return;
	}
	const char *i = fresh_name(g, "i");
	index[d] = c_atom(i);
	if (*style->open)
		line(g, "rd_put(%s, \"%s\");", ctx(g), style->open);
	open_brace(g, "for (int64_t %s = 0; %s < %s; %s++)", i, i, operand_text(g, t.dims.at[d]),
	           i);
	line(g, "rd_put(%s, \"%%s\", %s > 0 ? \"%s\" : \"\");", ctx(g), i, style->between);
	put_array(g, t, style, index, d + 1);
	close_brace(g);
	if (*style->close)
		line(g, "rd_put(%s, \"%s\");", ctx(g), style->close);
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

// The arguments of rd_fail after the place: the format, then what it shows.
static const char *format_message(Gen *g, Msg msg)
{
	Str format = {0}, args = {0};
	if (is_silent(g)) {
		for EACH(MsgPart, p, msg)
			if (p->is_val)
				operand(g, p->val);
		return "counted";
	}
	for EACH(MsgPart, p, msg) {
		if (p->is_val) {
			PrimType t = sub_type(p->val).elem;
			str_puts(&format, format_of(t));
			str_printf(&args, ", %s", format_argument(g, t, operand(g, p->val)));
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
	return text("%s%s", c_string(str_text(&format)), str_text(&args));
}

static void put_message(Gen *g, Msg msg)
{
	static const ArrayStyle brackets = {"[", ", ", "]"};
	for EACH(MsgPart, p, msg)
		if (p->is_val)
			put_value(g, p->val, &brackets);
		else
			line(g, "rd_put(%s, \"%%s\", %s);", ctx(g), c_string(p->text));
}

const char *negated(CExp x)
{
	if (x.prec == PREC_UNARY && *x.text == '!') // !(...), or ! and one word
		return x.text[1] == '(' ? text("%.*s", (int)strlen(x.text) - 3, x.text + 2)
		                        : x.text + 1;
	return text("!%s", c_paren(x, PREC_ATOM));
}

void gen_assert(Gen *g, const Stm *stm)
{
	const Exp *e = stm->exp;
	if (g->target == ON_DEVICE) {
		gen_thread_assert(g, stm);
		return;
	}
	const char *where = places(g, stm->where);
	rts_use(g->rts, "fail");
	open_brace(g, "if (%s)", negated(operand(g, e->assert_.cond)));
	if (in_one_format(e->assert_.msg)) {
		const char *message = format_message(g, e->assert_.msg);
		const char *tabs = text("%.*s", g->indent + 1, TABS);
		leave_function(g, text("rd_fail(%s, %s,\n%s%s)", ctx(g), where, tabs, message));
	} else {
		put_message(g, e->assert_.msg);
		leave_function(g, text("rd_fail_said(%s, %s)", ctx(g), where));
	}
	close_brace(g);
}

void gen_trace(Gen *g, const Exp *e)
{
	static const ArrayStyle spaces = {"", " ", ""};
	rts_use(g->rts, "rd_trace");
	for EACH(Sub, x, e->trace.xs) {
		if (sub_type(*x).kind != T_DATA)
			continue;
		line(g, "rd_put(%s, \"%%s: \", %s);", ctx(g), c_string(e->trace.tag));
		put_value(g, *x, &spaces);
		line(g, "rd_trace(%s);", ctx(g));
	}
}
