// Tests of lexer, parser, printer and formatter.
//
// Expressions are compared by a printer that puts parentheses around every compound
// expression and drops those of the source, so that they show what binds what.
#include "syntax/ast.h"
#include "unit.h"

#include <math.h>
#include <stdlib.h>

static Source *source(const char *s)
{
	return source_add("t.fut", s, strlen(s));
}

static const char *messages(void)
{
	Str s = {0};
	for EACH(Diag *, d, diags)
		str_printf(&s, "%s%s", d > diags.at ? "; " : "", (*d)->message);
	diag_reset();
	return str_text(&s);
}

// ---- Fully parenthesised printing ----

static void put(Str *s, const Expr *e);

static void put_all(Str *s, Exprs es)
{
	for EACH(Expr *, e, es) {
		str_putc(s, ' ');
		put(s, *e);
	}
}

static void put_two(Str *s, const char *op, const Expr *a, const Expr *b)
{
	str_putc(s, '(');
	put(s, a);
	str_printf(s, " %s ", op);
	put(s, b);
	str_putc(s, ')');
}

static void put(Str *s, const Expr *e)
{
	static const char *const dots[] = {"...", "..<", "..>"};
	switch (e->kind) {
	case EX_PAREN:
		put(s, e->inner);
		return;
	case EX_BINOP:
		put_two(s, show_qualname(e->binop.op), e->binop.a, e->binop.b);
		return;
	case EX_NEG: case EX_NOT:
		str_puts(s, e->kind == EX_NEG ? "(neg " : "(not ");
		put(s, e->inner);
		str_putc(s, ')');
		return;
	case EX_APPLY:
		str_putc(s, '(');
		put(s, e->apply.fn);
		put_all(s, e->apply.args);
		str_putc(s, ')');
		return;
	case EX_CONSTR:
		str_printf(s, "(#%s", e->constr.name);
		put_all(s, e->constr.args);
		str_putc(s, ')');
		return;
	case EX_RANGE:
		str_putc(s, '(');
		put(s, e->range.from);
		if (e->range.second) {
			str_puts(s, "..");
			put(s, e->range.second);
		}
		str_puts(s, dots[e->range.kind]);
		put(s, e->range.to);
		str_putc(s, ')');
		return;
	case EX_ASCRIBE: case EX_COERCE:
		str_putc(s, '(');
		put(s, e->ascribe.of);
		str_printf(s, " %s %s)", e->kind == EX_ASCRIBE ? ":" : ":>",
			show_type_expr(e->ascribe.type));
		return;
	case EX_UPDATE:
		put_two(s, "with", e->update.of, e->update.value);
		return;
	case EX_IF:
		str_puts(s, "(if ");
		put(s, e->if_.cond);
		str_putc(s, ' ');
		put(s, e->if_.yes);
		str_putc(s, ' ');
		put(s, e->if_.no);
		str_putc(s, ')');
		return;
	case EX_LAMBDA:
		str_puts(s, "(\\");
		put(s, e->lambda.body);
		str_putc(s, ')');
		return;
	case EX_ATTR:
		str_printf(s, "(#%s ", e->attr.attr->name);
		put(s, e->attr.body);
		str_putc(s, ')');
		return;
	case EX_INDEX:
		str_puts(s, "(index ");
		put(s, e->index.of);
		str_putc(s, ')');
		return;
	case EX_PROJECT:
		str_putc(s, '(');
		put(s, e->project.of);
		str_printf(s, ".%s)", e->project.field);
		return;
	case EX_ASSERT:
		put_two(s, "assert", e->assert_.cond, e->assert_.body);
		return;
	case EX_LET:
		put_two(s, "let", e->let.value, e->let.body);
		return;
	case EX_SECTION_L:
		str_putc(s, '(');
		put(s, e->section.arg);
		str_printf(s, " %s _)", show_qualname(e->section.op));
		return;
	case EX_SECTION_R:
		str_printf(s, "(_ %s ", show_qualname(e->section.op));
		put(s, e->section.arg);
		str_putc(s, ')');
		return;
	case EX_INT: case EX_FLOAT: case EX_CHAR: case EX_BOOL: case EX_STRING: case EX_VAR:
	case EX_HOLE: case EX_TUPLE: case EX_RECORD: case EX_ARRAY: case EX_OPEN: case EX_LET_FUN:
	case EX_LET_UPDATE: case EX_LOOP: case EX_MATCH: case EX_SECTION_PATH:
		str_puts(s, show_expr(e));
		return;
	}
}

static const char *tree(const char *text_)
{
	Expr *e = parse_expr_only(source(text_));
	if (!e)
		return messages();
	Str s = {0};
	put(&s, e);
	return str_text(&s);
}
#define TREE(text, expected) CHECK_TEXT(tree(text), expected)

static const char *again(const char *text_)
{
	Expr *e = parse_expr_only(source(text_));
	return e ? show_expr(e) : messages();
}
#define SAME(text) CHECK_TEXT(again(text), text)

// ---- Precedence ----

static void test_precedence(void)
{
	TREE("2 ** 3 ** 2", "((2 ** 3) ** 2)");
	TREE("-2 ** 2", "((neg 2) ** 2)");
	TREE("1 + 2 << 3", "((1 + 2) << 3)");
	TREE("1 << 2 + 3", "(1 << (2 + 3))");
	TREE("6 & 3 << 1", "(6 & (3 << 1))");
	TREE("1 | 2 + 4", "(1 | (2 + 4))");
	TREE("10 - 3 - 2", "((10 - 3) - 2)");
	TREE("100 / 10 / 5", "((100 / 10) / 5)");
	TREE("true || false && false", "(true || (false && false))");
	TREE("1 + 2 |> (*10)", "((1 + 2) |> (_ * 10))");
	TREE("f <| x - 3", "(f <| (x - 3))");
	TREE("f <| g <| x", "(f <| (g <| x))");
	TREE("x |> f |> g", "((x |> f) |> g)");
	TREE("x |> f <| y", "(x |> (f <| y))");
	TREE("a with [i] = x |> f", "(a with (x |> f))");
	TREE("a with [0] = 1 with [1] = 2", "((a with 1) with 2)");
	TREE("x & y == z", "((x & y) == z)");
	TREE("1 < 2 == true", "((1 < 2) == true)");
	TREE("7i32 / -2", "(7i32 / (neg 2))");
	TREE("1 - -2", "(1 - (neg 2))");
	TREE("a -1", "(a - 1)");
	TREE("f -1", "(f - 1)");
	TREE("-f x", "(neg (f x))");
	TREE("!a && b", "((not a) && b)");
	TREE("a `f` b + c", "(a f (b + c))");
	TREE("a `f` b `g` c", "((a f b) g c)");
	TREE("a + 1..<b * 2", "((a + 1)..<(b * 2))");
	TREE("1..3...10", "(1..3...10)");
	TREE("10..8..>2", "(10..8..>2)");
	TREE("0..<n |> f", "(0..<(n |> f))");
	TREE("a + b : i32", "((a + b) : i32)");
	TREE("a :> [n]i32 : []i32", "((a :> [n]i32) : []i32)");
	TREE("0..<n : []i64", "((0..<n) : []i64)");
	TREE("f x y z", "(f x y z)");
	TREE("f xs[0] y.z", "(f (index xs) y.z)");
	TREE("f -x[0]", "(f - (index x))");
	TREE("1 + if a then b else c + d", "(1 + (if a b (c + d)))");
	TREE("map \\x -> x + 1", "(map (\\(x + 1)))");
	TREE("xs |> map \\x -> x |> f", "(xs |> (map (\\(x |> f))))");
	TREE("#[unsafe] x + y", "(#unsafe (x + y))");
	TREE("assert (a > b) c + d", "((a > b) assert (c + d))");
	TREE("#foo #bar x", "(#foo (#bar) x)");
	TREE("f #foo x", "(f (#foo) x)");
	TREE("let x = 1 let y = 2 in x : t", "(1 let (2 let (x : t)))");
}

static void test_user_operators(void)
{
	TREE("a +^ b * c", "(a +^ (b * c))");
	TREE("a >>= b + c", "(a >>= (b + c))");
	TREE("a <*> b + c", "(a <*> (b + c))");
	TREE("a <|> b <|> c", "(a <|> (b <|> c))");
	TREE("a ||| b && c", "(a ||| (b && c))");
	TREE("a ->> b * c", "(a ->> (b * c))");
	TREE("a !! b + c", "(a !! (b + c))");
	TREE("a => b + c", "(a => (b + c))");
	TREE("a m.+ b * c", "(a m.+ (b * c))");
	TREE("a m.n.** b * c", "((a m.n.** b) * c)");
	TREE("a `m.f` b", "(a m.f b)");
	TREE("a //. b", "(a //. b)");
}

static void test_brackets(void)
{
	TREE("f[x]", "(index f)");
	TREE("f [x]", "(f [x])");
	TREE("(f x)[0]", "(index (f x))");
	TREE("xs[0][1]", "(index (index xs))");
	TREE("[1,2,3][0]", "(index [1, 2, 3])");
	TREE("r.a[1]", "(index r.a)");
	TREE("xs[i].f", "((index xs).f)");
	TREE("\"abc\"[1]", "(\"abc\" [1])");
	TREE("x.0.1", "((x.0).1)");
	TREE("x.y.z.0.w", "((x.y.z.0).w)");
	TREE("(x).y", "(x.y)");
	SAME("xs[i, j:k, :, ::2, a:b:-1]");
	SAME("{x = 1, y, 0 = 2}");
	CHECK_TEXT(again("(1,2,)"), "(1, 2)");
	CHECK_TEXT(again("[1,2,]"), "[1, 2]");
	CHECK_TEXT(again("{a=1,}"), "{a = 1}");
	CHECK_TEXT(again("xs[1,]"), "xs[1]");
	CHECK(strstr(tree("(1,)"), "Unexpected \")\"") != NULL);
	CHECK(strstr(tree("xs[]"), "Unexpected \"]\"") != NULL);
}

static void test_sections(void)
{
	SAME("(+)");
	SAME("(m.+)");
	SAME("(+ x)");
	SAME("(x -)");
	SAME("(`f` x)");
	SAME("(x `f`)");
	SAME("(.a.b[1])");
	SAME("(.0)");
	SAME("(.[i, j])");
	CHECK_TEXT(again("m.(+)"), "(m.+)");
	SAME("m.(x + y)");
	SAME("m.n.(x, y)");
	TREE("(- x)", "(neg x)");
	TREE("(-)", "(-)");
	TREE("(a + b *)", "((a + b) * _)");
	TREE("(* a + b)", "(_ * (a + b))");
	TREE("(<| x)", "(_ <| x)");
}

static void test_forms(void)
{
	SAME("let x = 1 in x");
	SAME("let [n] (xs: [n]i32) = ys in n");
	SAME("let f [n] 't (x: t) (y: [n]t): t = x in f");
	SAME("let x[i, j].f = 1 in x");
	SAME("let x.f.g = 1 in x");
	SAME("let (+^) = f in 1");
	SAME("loop acc for i < n do acc + i");
	SAME("loop (a, b) = (0, 1) while a < b do (b, a)");
	SAME("loop acc = 0 for (x, y) in zip xs ys do acc + x");
	SAME("match x case #a y z -> y case -1 -> 2 case {f = (p, _), g} -> p");
	SAME("\\x (y: i32): i32 -> x + y");
	SAME("\\x -> \\y -> x");
	SAME("r with a.b[1].c = 3");
	SAME("t with 0.1 = 3");
	SAME("#[trace(a, 3)] f x");
	SAME("??? : i32");
	SAME("x : (n: i64) -> ?[k].[k]t");
	SAME("x : #a [n]i32 (i32 -> i32) | #b");
	SAME("x : *t [n] (a, b) {x: i32}");
	SAME("'a' == '\\n'");
	SAME("- -x");
}

// ---- Lexical structure ----

static const Token *first_token(const char *s)
{
	return lex(source(s), NULL).at;
}

static void check_int(int line, const char *s, uint64_t value, PrimType type)
{
	const Token *t = first_token(s);
	bool fine = t->kind == TOK_INT && t->integer.value == value && t->integer.type == type
		&& t[1].kind == TOK_EOF;
	if (!fine)
		printf("%s:%d: failed: %s\n", __FILE__, line, s);
	*(fine ? &passed : &failed) += 1;
}
#define CHECK_INT(s, value, type) check_int(__LINE__, s, value, type)

static void check_float(int line, const char *s, double value, PrimType type)
{
	const Token *t = first_token(s);
	bool fine = t->kind == TOK_FLOAT && t->real.value == value && t->real.type == type
		&& t[1].kind == TOK_EOF;
	if (!fine)
		printf("%s:%d: failed: %s\n", __FILE__, line, s);
	*(fine ? &passed : &failed) += 1;
}
#define CHECK_FLOAT(s, value, type) check_float(__LINE__, s, value, type)

static void test_numbers(void)
{
	CHECK_INT("0", 0, PT_I32);
	CHECK_INT("1_000u8", 1000, PT_U8);
	CHECK_INT("0x1f32", 0x1f32, PT_I32);
	CHECK_INT("0XFF_ffi64", 0xffff, PT_I64);
	CHECK_INT("0b1010_1i8", 21, PT_I8);
	CHECK_INT("0rXIV", 14, PT_I32);
	CHECK_INT("0rMCMLXXXIVu16", 1984, PT_U16);
	CHECK_INT("18446744073709551615", UINT64_MAX, PT_I32);
	CHECK(first_token("18446744073709551616")->integer.too_big);
	CHECK_FLOAT("1.5", 1.5, PT_F64);
	CHECK_FLOAT("3f32", 3, PT_F32);
	CHECK_FLOAT("1e3", 1000, PT_F64);
	CHECK_FLOAT("1_0.2_5E-1f16", 1.0253906250, PT_F16);
	CHECK_FLOAT("0x1.8p3", 12, PT_F64);
	CHECK_FLOAT("0x1.8p+3f32", 12, PT_F32);
	CHECK_FLOAT("0.1f32", (double)0.1f, PT_F32);
	CHECK_INT("1--1", 1, PT_I32);
	TREE("1e3i32", "(1e3 i32)");
	TREE("3i3", "(3 i3)");
	TREE("0xg", "(0 xg)");
	CHECK(strstr(tree(".5"), "Unexpected \".\"") != NULL);
	CHECK(strstr(tree("1."), "Unexpected end of file.") != NULL);
}

static const char *string_of(const char *s)
{
	const Token *t = first_token(s);
	return t->kind == TOK_STRING ? text("%d:%s", t->string.len, t->string.bytes) : "?";
}

static void test_strings(void)
{
	CHECK_TEXT(string_of("\"abc\""), "3:abc");
	CHECK_TEXT(string_of("\"\\x41\\o102\\67\\&1\""), "4:ABC1");
	CHECK_TEXT(string_of("\"\\n\\t\\\\\\\"\\'\""), "5:\n\t\\\"'");
	CHECK_TEXT(string_of("\"\\SOH\\SO\\DEL\\^A\""), "4:\1\16\177\1");
	CHECK_TEXT(string_of("\"\\233\xc3\xa9\""), "4:\xc3\xa9\xc3\xa9");
	CHECK_TEXT(string_of("\"a\\  \\b\""), "2:ab");
	CHECK(first_token("'\xc3\xa9'")->ch == 0xe9);
	CHECK(first_token("'\\65'")->ch == 65);
	CHECK(first_token("'\\''")->ch == '\'');
	CHECK(first_token("'a 'b")->kind == TOK_QUOTE);
	CHECK(first_token("'~a")->kind == TOK_QUOTE_TILDE);
	CHECK(diags.len == 0);
	first_token("'\\u0041'");
	CHECK_TEXT(messages(), "Invalid escape in character literal.");
	first_token("\"abc\nx");
	CHECK_TEXT(messages(), "String literal is not closed on its line.");
	first_token("def \xff\xfe x");
	CHECK_TEXT(messages(), "Invalid UTF-8 in source text.");
	first_token("a \xc3\xa9 @");
	CHECK_TEXT(messages(), "Unexpected character '\xc3\xa9'.; Unexpected character '@'.\n"
	                       "Hint: a matrix product is \"map (\\r -> map (\\c -> f64.sum "
	                       "(map2 (*) r c)) (transpose b)) a\".");
}

static void test_symbols(void)
{
	const Token *t = first_token("-> ->> = == ..< ... .. . :> : ??? ? #[ #a _ _x m.n.+ m .+");
	static const TokenKind kinds[] = {TOK_ARROW, TOK_SYM, TOK_EQUALS, TOK_SYM, TOK_DOTDOT_LT,
		TOK_ELLIPSIS, TOK_DOTDOT, TOK_DOT, TOK_COLON_GT, TOK_COLON, TOK_HOLE, TOK_QUESTION,
		TOK_ATTR_OPEN, TOK_CONSTR, TOK_UNDERSCORE, TOK_ID, TOK_QUALSYM, TOK_ID, TOK_DOT,
		TOK_SYM, TOK_EOF};
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		CHECK(t[i].kind == kinds[i]);
}

// ---- Declarations and errors ----

static File *file(const char *s)
{
	return parse_file(source(s));
}

static void test_declarations(void)
{
	File *f = file("-- | The file.\n\n-- | The def.\n-- More.\n#[inline]\n"
		"local def f 'a (x: a) = x\n"
		"def x <+> y = x\ndef (a, b) `foo` _ = a\ndef (+^) x y : i32 = x\n"
		"entry main = 1\nlet old x = x\ntype~ t 'a [n] = [n]a\ntype^ u = i32 -> i32\n"
		"import \"lib/x\"\nopen (import \"y\")\n"
		"module type s = { type t val + : t -> t val (*) 'a : a\n"
		"include r with t = i32 with u = f32\n"
		" -- | Doc.\n type^ v module m : { } #[a] val f [n] : [n]t }\n"
		"module m : s with t = i32 = f { def x = 1 } (g h) : s\n"
		"module p (a: s) (b: (x: s) -> s -> s) = a\n"
		"module q = \\(a: s) : (s with t = i32) -> { open a }\n");
	CHECK_TEXT(messages(), "");
	CHECK(!f->failed && f->decls.len == 14);
	CHECK_TEXT(f->doc, "The file.");
	Decl *d = f->decls.at[0];
	CHECK_TEXT(d->doc, "The def.\nMore.");
	CHECK(d->local && d->attrs.len == 1 && d->val.params.len == 1 && d->val.pats.len == 1);
	CHECK(f->decls.at[1]->val.infix && f->decls.at[1]->val.is_op);
	CHECK_TEXT(f->decls.at[2]->val.name, "foo");
	CHECK(f->decls.at[3]->val.is_op && !f->decls.at[3]->val.infix);
	CHECK(f->decls.at[4]->val.keyword == VAL_ENTRY);
	CHECK(f->decls.at[6]->type.lifting == LIFT_SIZE && f->decls.at[6]->type.params.len == 2);
	CHECK_TEXT(f->decls.at[8]->import->import.path, "lib/x");
	SigExpr *s = f->decls.at[10]->module_type.sig;
	CHECK(s->kind == SE_SPECS && s->specs.len == 7 && s->specs.at[1]->val.is_op);
	CHECK(s->specs.at[3]->include->kind == SE_WITH);
	CHECK_TEXT(s->specs.at[4]->doc, "Doc.");
	ModExpr *m = f->decls.at[11]->module.body;
	CHECK(m->kind == ME_ASCRIBE && m->ascribe.of->kind == ME_APPLY
	      && m->ascribe.of->apply.fn->kind == ME_APPLY);
	CHECK(f->decls.at[12]->module.params.len == 2);
	CHECK(f->decls.at[13]->module.body->lambda.sig->kind == SE_PAREN);
}

static void test_errors(void)
{
	File *f = file("def f = 1 +\ndef g = 2\ndef h = (\ntype t = )\ndef ok = 3\n");
	CHECK(f->failed && f->decls.len == 5); // with what is missing in some
	CHECK(f->decls.at[0]->broken && !f->decls.at[1]->broken && f->decls.at[2]->broken);
	CHECK(diags.len == 3);
	CHECK(strstr(diags.at[0]->message,
		"Unexpected \"def\"\nExpected one of the following: "));
	messages();
	file("def f = let x = 1");
	CHECK(strstr(messages(), "Unexpected end of file."));
	file("def f =\n -- | misplaced\n 1");
	CHECK(strstr(messages(), "Unexpected \"-- | misplaced\""));
	file("def f = x : i32 + 1");
	CHECK(strstr(messages(), "Unexpected \"+\""));
	file("def f =\nlet y = )\nin y\n");
	CHECK(strstr(messages(), "Unexpected \")\""));
	Str many = {0};
	for (int i = 0; i < 50; i++)
		str_puts(&many, "def x = )\n");
	file(str_text(&many));
	CHECK(diags.len == 20);
	messages();
}

static const char *repeat(const char *s, int n, const char *end)
{
	Str out = {0};
	str_puts(&out, "def f = ");
	while (n-- > 0)
		str_puts(&out, s);
	str_puts(&out, end);
	return str_text(&out);
}

static void test_depth(void)
{
	static const char *const parts[] = {"(", "[", "{a=", "- ", "\\x -> ", "f \\x -> ", "a[",
		"if a then b else ", "#[a] ", "x <| ", "let x = ", "m.(", "#a (", "(x : ["};
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		file(repeat(parts[i], 20000, ""));
		CHECK(strstr(messages(), "Nesting too deep (more than 2000 levels)."));
	}
	file(repeat("1+", 90000, "1"));
	CHECK_TEXT(messages(), "");
	file(repeat("1+", 110000, "1"));
	CHECK_TEXT(messages(), "Nesting too deep (more than 100000 levels).");
	file(repeat("let x = 1\n", 100000, "in x"));
	CHECK_TEXT(messages(), "");
	file(repeat("let x = 1 in\n", 100000, "x"));
	CHECK_TEXT(messages(), "");
}

static void test_lines(void)
{
	static const char *const open[] = {"(1", "x +", "let x = 1 in", "def f x =", "module m = {",
		"[1, 2", "if a then", "\\x", "let (x, y) ="};
	for (size_t i = 0; i < sizeof open / sizeof *open; i++) {
		Line l = parse_line(source(open[i]));
		CHECK(l.incomplete && !l.expr && l.decls.len == 0 && diags.len == 0);
	}
	CHECK(parse_line(source("let x = 1")).decls.len == 1);
	CHECK(parse_line(source("let x = 1 in x")).expr->kind == EX_LET);
	CHECK(parse_line(source("def f = 1 def g = 2")).decls.len == 2);
	CHECK(parse_line(source("#[unsafe] x")).expr->kind == EX_ATTR);
	CHECK(diags.len == 0);
	Line l = parse_line(source("x)"));
	CHECK(!l.expr && !l.incomplete && diags.len == 1);
	messages();
}

// ---- Formatting ----

static const char *format(const char *s)
{
	File *f = file(s);
	return f->failed ? messages() : format_file(f);
}

static void test_format(void)
{
	CHECK_TEXT(format("def   f(x:i32)=x+y   -- c\n\n\n\n-- d\ndef g = - x"),
		"def f (x: i32) = x + y -- c\n\n-- d\ndef g = -x\n");
	CHECK_TEXT(format("def x = {a=1,\n b=2}"), "def x =\n  { a = 1\n  , b = 2\n  }\n");
	CHECK_TEXT(format("def f =\n    let x = 1\n      let y = 2\n  in x+y"),
		"def f =\n  let x = 1\n  let y = 2\n  in x + y\n");
	CHECK_TEXT(format("def f = if a then b\nelse c"), "def f =\n  if a\n  then b\n  else c\n");
	CHECK_TEXT(format("module m = {\ndef x = 1\n-- end\n}"),
		"module m = {\n  def x = 1\n  -- end\n}\n");
	CHECK_TEXT(format("def f xs = xs[ i : j , 0 ]"), "def f xs = xs[i:j, 0]\n");
	CHECK_TEXT(format(""), "");
	CHECK_TEXT(format("-- only\n"), "-- only\n");
}

static uint32_t random_below(uint32_t *state, uint32_t n)
{
	*state = *state * 1664525u + 1013904223u;
	return (*state >> 16) % n;
}

// The tokens of a program again, with other white space and some comments between them.
static const char *shake(const Source *src, uint32_t *state)
{
	Tokens tokens = lex(src, NULL);
	Str out = {0};
	for (int i = 0; i < tokens.len - 1; i++) {
		const Token *t = &tokens.at[i];
		// Where the language reads white space, only its amount may change.
		static const char *const gaps[] = {"\n", " -- note\n  ", "\n\n-- note\n"};
		if (t->space_before) {
			uint32_t r = random_below(state, 24);
			str_puts(&out, r < 3 ? gaps[r] : " ");
		}
		str_putn(&out, src->text + (t->span.lo - src->start), t->span.hi - t->span.lo);
		if (t->kind == TOK_DOC)
			str_putc(&out, '\n');
	}
	tokens_free(tokens);
	return str_text(&out);
}

static void test_format_shaken(void)
{
	static const char *const programs[] = {
		"def f [n] 't (xs: [n]t) (g: (x: i64) -> ?[k].[k]t) : *[n]t = "
		"let ys = map (\\x -> x + 1) xs let [m] (zs: [m]i64) = iota n "
		"let f 'a (x: a) : a = x let xs[1] = 3 in let r.f = 4 in "
		"if true then map2 (+) xs ys else "
		"loop acc = copy xs for i < n do acc with [i] = acc[i] |> f",
		"module type s = { type t val + : t -> t -> t val (*) 'a : a -> t "
		"include r with t = i32 module m : { val x : i32 } } "
		"module m (p: s) : (s with t = p.t) = g p { def x = 1 "
		"type u = #a i32 | #b {x: i32, y: (i32, f32)} } "
		"#[inline] local def a <+> b = { x = [1, 2, 3], y = (a, b) }",
		"entry main (x: i32) = match x case #foo (a, {b = c, d: i32}) -> "
		"assert (a > 0) (- c) case _ -> #[unsafe] x `g` y m.+ z : i32 :> i32 "
		"def u = (`f` x) (x +) (.a.b[1, 2:3]) m.(x + y) 0..2...n",
	};
	uint32_t state = 1;
	for (int i = 0; i < 300; i++) {
		Source *src = source(programs[i % 3]);
		const char *shaken = shake(src, &state);
		File *f = file(shaken);
		CHECK_TEXT(messages(), "");
		const char *once = format_file(f);
		File *g = file(once);
		CHECK_TEXT(format_file(g), once);
		CHECK(g->comments.len == f->comments.len);
	}
}

static int run(void *unused)
{
	(void)unused;
	test_precedence();
	test_user_operators();
	test_brackets();
	test_sections();
	test_forms();
	test_numbers();
	test_strings();
	test_symbols();
	test_declarations();
	test_errors();
	test_depth();
	test_lines();
	test_format();
	test_format_shaken();
	sources_reset();
	return report_counts();
}

int main(void)
{
	return with_big_stack((size_t)1 << 30, run, NULL);
}
