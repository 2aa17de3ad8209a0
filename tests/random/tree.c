// The trees of random programs, and their text.
#include "random.h"

Node *node(Shape type, const char *fmt, ...)
{
	Node *n = NEW(Node, .type = type);
	Str run = {0};
	va_list ap;
	va_start(ap, fmt);
	for (const char *p = fmt; *p; p++) {
		if (*p != '%' || p[1] == '%') {
			str_putc(&run, *p);
			p += *p == '%';
			continue;
		}
		switch (*++p) {
		case 's':
			str_puts(&run, va_arg(ap, const char *));
			continue;
		case 'i':
			str_printf(&run, "%d", va_arg(ap, int));
			continue;
		}
		if (run.len)
			VEC_PUSH(&n->parts, (Part){.text = text("%s", str_text(&run))});
		run = (Str){0};
		if (*p == 'e')
			VEC_PUSH(&n->parts, (Part){.node = va_arg(ap, Node *)});
		else
			VEC_PUSH(&n->parts, (Part){.block = va_arg(ap, Block *)});
	}
	va_end(ap);
	if (run.len)
		VEC_PUSH(&n->parts, (Part){.text = text("%s", str_text(&run))});
	return n;
}

const char *shape_text(Shape t)
{
	switch (t.kind) {
	case T_NUM:
		return "f64";
	case T_INT:
		return "i64";
	case T_BOOL:
		return "bool";
	case T_VEC:
		return text("[%s]f64", t.d1);
	case T_MAT:
		return text("[%s][%s]f64", t.d1, t.d2);
	case T_REC:
		return text("rec [%s]", t.d1);
	case T_SUM:
		return text("sum [%s]", t.d1);
	case T_PAIR:
		return text("(f64, [%s]f64)", t.d1);
	case T_OTHER:
		return t.d1;
	}
	bug("not a type");
}

bool shape_equal(Shape a, Shape b)
{
	return a.kind == b.kind && (!a.d1 || strcmp(a.d1, b.d1) == 0) &&
	       (!a.d2 || strcmp(a.d2, b.d2) == 0);
}

Node *simplest(Shape t)
{
	switch (t.kind) {
	case T_NUM:
		return node(t, "0.5");
	case T_INT:
		return node(t, "0i64");
	case T_BOOL:
		return node(t, "true");
	case T_VEC:
		return node(t, "(replicate %s 0.5)", t.d1);
	case T_MAT:
		return node(t, "(replicate %s (replicate %s 0.5))", t.d1, t.d2);
	case T_REC:
		return node(t, "{p = 0.5, q = replicate %s 0.5}", t.d1);
	case T_SUM:
		return node(t, "(#one 0.5 : sum [%s])", t.d1);
	case T_PAIR:
		return node(t, "(0.5, replicate %s 0.5)", t.d1);
	case T_OTHER:
		return node(t, "%s", t.d2);
	}
	bug("not a type");
}

static void print_node(Str *s, const Node *n, int indent);

static void new_line(Str *s, int indent)
{
	str_printf(s, "\n%*s", 2 * indent, "");
}

static void print_block(Str *s, const Block *b, int indent)
{
	for EACH(Step, step, b->steps) {
		new_line(s, indent);
		str_printf(s, "let %s = ", step->pattern);
		print_node(s, step->value, indent + 1);
	}
	if (b->steps.len) {
		new_line(s, indent);
		str_puts(s, "in");
	}
	str_putc(s, ' ');
	print_node(s, b->result, indent + 1);
}

static void print_node(Str *s, const Node *n, int indent)
{
	for EACH(Part, p, n->parts) {
		if (p->node)
			print_node(s, p->node, indent);
		else if (p->block)
			print_block(s, p->block, indent + 1);
		else
			str_puts(s, p->text);
	}
}

void print_header(Str *s)
{
	str_puts(s,
	"type rec [k] = {p: f64, q: [k]f64}\n"
	"type sum [k] = #one f64 | #two f64 ([k]f64)\n\n"
	"def some (k: i64) : [k]f64 = map (\\i -> f64.sin (1.7 * f64.i64 i + 0.3) + 0.1) (iota k)\n"
	"def dot [k] (a: [k]f64) (b: [k]f64) : f64 = f64.sum (map2 (*) a b)\n"
	"def first [n][m] (f: ([n]f64, [m]f64) -> [n]f64) (x: [n]f64) (z: [m]f64) =\n"
	"  let (y, (gx, gz)) = vjp2 f (x, z) (some n)\n"
	"  let (y', t) = jvp2 f (x, z) (some n, some m)\n"
	"  let twice [k] (v: [k]f64) = map (2 *) v\n"
	"  let ts = jmp f (x, z) [(some n, some m), (twice (some n), twice (some m))]\n"
	"  let moved [k] h (x: [k]f64) = map2 (\\d x -> x + h * d) (some k) x\n"
	"  let at h = f (moved h x, moved h z) |> dot (some n)\n"
	"  let h = 1e-4\n"
	"  in (y, y', gx, gz, t, [at h, at (-h), at (2 * h), at (-2 * h)], ts)\n"
	"def second [n][m] (f: ([n]f64, [m]f64) -> [n]f64) (x: [n]f64) (z: [m]f64) =\n"
	"  let d = (some n, some m)\n"
	"  let (ax, az) = jvp (\\p -> vjp f p (some n)) (x, z) d\n"
	"  let (bx, bz) = vjp (\\p -> vjp f p (some n)) (x, z) d\n"
	"  let (cx, cz) = vjp (\\p -> jvp f p d) (x, z) (some n)\n"
	"  in (ax, az, bx, bz, cx, cz)\n");
}

void print_lang_header(Str *s)
{
	str_puts(s,
	"def twice 't (f: t -> t) (x: t) : t = f (f x)\n"
	"def small_f32 (x: f32) : f32 = f32.i64 (i64.f32 (x * 2) % 1024) * 0.5\n"
	"def small_f16 (x: f16) : f16 = f16.i64 (i64.f16 (x * 2) % 64) * 0.5\n"
	"def choose 't (c: bool) (x: t) (y: t) : t = if c then x else y\n"
	"def digest [k] (hs: [k]i64) : i64 = i64.sum (map2 (\\h i -> (h ^ (h >> 7)) * (2 * i + 1)) hs (iota k))\n"
	"module type num = { type t val + : t -> t -> t val * : t -> t -> t val i64 : i64 -> t }\n"
	"module ops (P: num) = {\n"
	"  def fold [k] (xs: [k]P.t) : P.t =\n"
	"    loop a = P.i64 1 for x in xs do a P.* P.i64 31 P.+ x\n"
	"  def last [k] (xs: [k]P.t) : P.t = (scan (\\a b -> a P.+ b) (P.i64 0) xs)[k - 1]\n"
	"}\n"
	"module i32_ops = ops i32\nmodule i64_ops = ops i64\nmodule u8_ops = ops u8\n");
}

// The names of helper functions hold the index as @, so that trees can be printed under any.
static void put_indexed(Str *s, const char *from, int index)
{
	for (const char *p = from; *p; p++)
		if (*p == '@')
			str_printf(s, "%d", index);
		else
			str_putc(s, *p);
}

void print_random(Str *s, const Random *r, int index)
{
	Str raw = {0};
	for EACH(Def, d, r->defs) {
		str_printf(&raw, "\ndef %s =", d->head);
		print_block(&raw, d->body, 1);
		str_putc(&raw, '\n');
	}
	str_printf(&raw, "\ndef fn@ [n][m] (x: [n]f64, z: [m]f64)%s =", r->sizes ? "" : " : [n]f64");
	print_block(&raw, r->body, 1);
	str_printf(&raw, "\nentry p@ [n][m] (x: [n]f64) (z: [m]f64) = %s\n",
	           r->sizes ? "fn@ (x, z)" : "first fn@ x z");
	if (r->second)
		str_puts(&raw, "entry q@ [n][m] (x: [n]f64) (z: [m]f64) = second fn@ x z\n");
	put_indexed(s, str_text(&raw), index);
}
