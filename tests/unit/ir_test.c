// Trees of C: their text, questions about them, and what the checker finds.
#include "gen/ir.h"
#include "unit.h"

#define SAME(got, expected) CHECK_TEXT(got, expected)

static void test_expressions(void)
{
	CExp a = x_name("a"), b = x_name("b"), c = x_name("c"), sum = x_plus(a, b);
	SAME(x_text(x_times(sum, c)), "(a + b) * c");
	SAME(x_text(x_plus(sum, c)), "a + b + c");
	SAME(x_text(x_binary(c, "-", sum, PREC_ADD)), "c - (a + b)");
	SAME(x_text(x_select(x_less(a, b), sum, x_less(b, c))), "a < b ? a + b : (b < c)");
	SAME(x_text(x_bits(sum, "&", x_unary("~", x_int(15), PREC_ATOM))), "(a + b) & ~15");
	SAME(x_text(x_address(x_index(a, sum))), "&a[a + b]");
	SAME(x_text(x_cast("int", sum, PREC_ATOM)), "(int)(a + b)");
	SAME(x_text(x_not(x_not(sum))), "a + b");
	SAME(x_text(x_not(x_less(a, b))), "!(a < b)");
	SAME(x_text(x_call("f", a, x_list(x_args(b, c)))), "f(a, {b, c})");
	SAME(x_text(x_call_none("f")), "f()");
	SAME(x_text(x_field(a, "data")), "a->data");
	// Where expressions are cut depends neither on names nor on indices.
	CHECK(x_plus(x_name("a"), x_name("b"))->size == x_plus(x_name("long"), x_name("b"))->size);
	CHECK(x_index(a, sum)->size == x_index(a, b)->size && x_times(sum, c)->size > sum->size);
	CExp others[] = {c, sum};
	SAME(x_text(x_with(x_times(sum, c), others)), "c * (a + b)");

	CHECK(x_same(sum, x_plus(x_name("a"), x_name("b"))));
	CHECK(!x_same(sum, x_plus(b, a)));
	CHECK(!x_same(sum, x_binary(a, "-", b, PREC_ADD)));
	CHECK(x_mentions(x_index(c, sum), a) && x_mentions(x_index(c, sum), sum));
	CHECK(!x_mentions(x_name("ab"), a) && !x_mentions(x_call("a", b), a));
	CHECK(x_is_simple(a) && x_is_simple(x_int(3)) && !x_is_simple(x_int(-3)));
	CHECK(!x_is_simple(x_index(a, b)) && x_is_int(x_int(0), 0) && !x_is_int(a, 0));
}

static const char *printed(const CBlock *b)
{
	Str out = {0};
	s_print(&out, b, 0);
	return str_text(&out);
}

static void test_statements(void)
{
	Code c = {0};
	CBlock *b = code_begin(&c);
	CExp i = x_name("i"), n = x_name("n"), s = x_name("s");
	s_declare(&c, "double", "s", x_const("0.0"));
	s_for(&c, (CFor){.type = "int64_t", .i = "i", .from = x_int(0), .cond = x_less(i, n),
	                 .props = LOOP_INDEPENDENT});
	s_assign_by(&c, s, "+=", x_index(x_name("x"), i));
	s_close(&c);
	s_if(&c, x_less(n, x_int(1)));
	s_assign(&c, s, x_int(1));
	s_else_if(&c, x_less(n, x_int(2)));
	s_assign(&c, s, x_int(2));
	s_else(&c);
	s_close(&c);
	s_repeat(&c);
	s_array(&c, "int", "a", x_int(3), NULL);
	s_until_not(&c, x_less(n, s));
	s_while(&c, n);
	s_break(&c);
	s_close_bare(&c);
	s_switch(&c, n);
	s_case(&c, x_int(1));
	s_break(&c);
	s_close(&c);
	s_case(&c, NULL);
	s_close(&c);
	s_close(&c);
	CHECK(c.at == b && c.depth == 0);
	SAME(printed(b),
	     "double s = 0.0;\n"
	     "RD_INDEPENDENT\n"
	     "for (int64_t i = 0; i < n; i++) {\n\ts += x[i];\n}\n"
	     "if (n < 1) {\n\ts = 1;\n} else if (n < 2) {\n\ts = 2;\n}\n"
	     "do {\n\tint a[3];\n} while (n < s);\n"
	     "while (n)\n\tbreak;\n"
	     "switch (n) {\ncase 1: {\n\tbreak;\n}\ndefault: {\n}\n}\n");

	c.off = true;
	s_if(&c, n);
	s_assign(&c, s, n);
	s_close(&c);
	c.off = false;
	CHECK(c.at == b && c.depth == 0);
}

// ---- Code written as C ----

static const char *of_quote(const char *text)
{
	Code c = {0};
	CBlock *b = code_begin(&c);
	quote(&c, text);
	return printed(b);
}

static void test_quotations(void)
{
	CExp sum = x_plus(x_name("a"), x_name("b"));
	SAME(x_text(x_quote("$1 * $2", sum, 3)), "(a + b) * 3");
	SAME(x_text(x_quote("(a) + (b * $1)", sum)), "a + b * (a + b)");
	SAME(x_text(x_quote("rd_put_$1($2[i].state, -1, 0xffu)", "word", "xs")),
	     "rd_put_word(xs[i].state, -1, 0xffu)");
	SAME(x_text(x_quote("a < b && (c || !d)")), "a < b && (c || !d)");
	SAME(x_text(x_quote("a && b && c || d")), "(a && b && c) || d");
	SAME(x_text(x_quote("a - (b - c) - d")), "a - (b - c) - d");
	SAME(x_text(x_quote("x >> 3 & 1")), "(x >> 3) & 1");
	SAME(x_text(x_quote("*(volatile RD_GLOBAL int *)(p + 1)")),
	     "*(volatile RD_GLOBAL int *)(p + 1)");
	SAME(x_text(x_quote("i < n ? (int32_t)(n - i) : n->m")), "i < n ? (int32_t)(n - i) : n->m");
	CHECK(x_same(x_quote("a + b"), sum) && x_quote("12")->kind == X_INT);
	CHECK(x_quote("RD_BEFORE")->kind == X_CONST && x_quote("true")->kind == X_CONST);

	SAME(of_quote("int32_t i = 1, j = i; double acc[4][2]; RD_LOCAL float *p = sh;"),
	     "int32_t i = 1;\nint32_t j = i;\ndouble acc[4][2];\nRD_LOCAL float *p = sh;\n");
	SAME(of_quote("RD_UNROLL for (int i = 0; i < 3; i++) x[i] *= 2;"),
	     "RD_UNROLL\nfor (int i = 0; i < 3; i++)\n\tx[i] *= 2;\n");
	SAME(of_quote("while (!(s = f())); for (; i < n; i--) { break; }"),
	     "while (!(s = f()))\n\t;\nfor (; i < n; i--) {\n\tbreak;\n}\n");
	SAME(of_quote("#ifdef A\nx = 1;\n#else\nrd_barrier();\n#endif\n"),
	     "#ifdef A\nx = 1;\n#else\nrd_barrier();\n#endif\n");
	SAME(of_quote("for (int64_t a_long_name = the_first_of_them_all;"
	              "     a_long_name < the_last_of_them_all; a_long_name += some) n += 1;"),
	     "for (int64_t a_long_name = the_first_of_them_all;\n"
	     "     a_long_name < the_last_of_them_all;\n     a_long_name += some)\n\tn += 1;\n");
	// What is left open is open.
	Code c = {0};
	CBlock *b = code_begin(&c);
	quote(&c, "if ($1 > 0)", sum);
	CHECK(c.at != b && c.depth == 1);
	quote(&c, "return $1;", 7);
	s_close(&c);
	CHECK(c.at == b);
	SAME(printed(b), "if (a + b > 0) {\n\treturn 7;\n}\n");
}

// ---- What is wrong ----

static const char *check_in(const char *params, const char *array, const char *code)
{
	Code c = {0};
	CFun f = {.result = "int", .name = "f", .body = code_begin(&c)};
	if (params)
		add_param(&f, params, NULL);
	add_param(&f, "int64_t", "n");
	add_param(&f, "double", "d");
	add_param(&f, array, "x");
	add_param(&f, "rd_f64v", "v");
	quote(&c, code);
	const char *found = ir_check(&f);
	return found ? found : "nothing";
}

#define ON_DEVICE "RD_KERNEL_PARAMS", "RD_GLOBAL double *"
#define RIGHT(code) SAME(check_in(ON_DEVICE, code), "nothing")
#define WRONG(code, found) SAME(check_in(ON_DEVICE, code), found)

static void test_names(void)
{
	RIGHT("for (int64_t i = 0; i < n; i++) { double y = x[i]; x[i] = y; }"
	      "for (int64_t i = 0; i < n; i++) continue;"
	      "rd_barrier(); return n;");
	WRONG("n = m;", "a name is used that is not declared here: m");
	WRONG("if (n) { int m = 1; } return m;", "a name is used that is not declared here: m");
	WRONG("int m = m;", "a name is used that is not declared here: m");
	WRONG("int m = 1; int m = 2;", "a name is declared twice: m");
	RIGHT("int m = 1; if (n) { int m = 2; }");
	RIGHT("#ifdef A\nint m = 1;\n#else\nint m = 2;\n#endif\nn = m;");
	WRONG("#ifdef A\nint m = 1;\n#endif\nn = m;",
	      "a name is used that is not declared here: m");
	WRONG("#ifdef A\nint m = 1;\n#else\nn = m;\n#endif\n",
	      "a name is used that is not declared here: m");
	WRONG("break;", "nothing around to leave");
	WRONG("goto end;", "there is no such label: end");
	RIGHT("if (n) goto end; n = 1; end: return 0;");
}

static void test_types(void)
{
	RIGHT("double y = n; y = d; n = n + 1; d = x[n] * 2; int m = n > d;");
	WRONG("double y = 1; y = x;", "a value of another kind is stored: y");
	WRONG("rd_f64v y = n;", "a value of another kind is stored: y");
	WRONG("double y = v;", "a value of another kind is stored: y");
	WRONG("n = d;", "a float is stored as an integer: n");
	WRONG("int m = d * n;", "a float is stored as an integer: m");
	WRONG("n = x[0];", "a float is stored as an integer: n");
	WRONG("d = n[1];", "what is indexed is no array");
	WRONG("d = x[d];", "an index is no integer");
	WRONG("d = x[x];", "an index is no integer");
	WRONG("d = *n;", "what is followed is no pointer");
	WRONG("n = n % d;", "an operation on integers has another operand: %");
	WRONG("n = d << 2;", "an operation on integers has another operand: <<");
	WRONG("n = ~d;", "an operation on integers has another operand: ~");
	WRONG("d = *(x + d);", "a pointer is calculated with: +");
	WRONG("d = *(x * 2);", "a pointer is calculated with: *");
	WRONG("if (v) return 0;", "a condition is a vector");
	WRONG("if (n && v) return 0;", "a condition is a vector");
	WRONG("d = v ? d : 0;", "a condition is a vector");
}

static void test_spaces(void)
{
	RIGHT("RD_GLOBAL double *p = x + n; RD_LOCAL int *q = (RD_LOCAL int *)(rd_shared + 16);"
	      "double own[3]; double *r = own; r = &d; q[0] = *q; p = n > 1 ? p : x;");
	WRONG("RD_LOCAL double *p = x;", "a pointer to memory of another kind is stored: p");
	WRONG("double *p = &x[1];", "a pointer to memory of another kind is stored: p");
	WRONG("double own[3]; x = own;", "a pointer to memory of another kind is stored: x");
	WRONG("x = (RD_GLOBAL double *)rd_shared;",
	      "a pointer to memory of another kind is stored: RD_GLOBAL double *");
	SAME(check_in(NULL, "double *", "double own[3]; x = own;"), "nothing"); // the host has one
}

static void test_loops(void)
{
	WRONG("for (int64_t i = 0; i < n; i++) i = 2;",
	      "the index of a loop is assigned to in its body: i");
	RIGHT("RD_UNROLL for (int i = 0; i < 4; i++) x[i] = 0;"
	      "RD_UNROLL for (int i = 0; i < RD_CHOOSE(2, 3); i++) x[i] = 0;");
	WRONG("RD_UNROLL for (int i = 0; i < n; i++) x[i] = 0;",
	      "a loop is to be unrolled whose length is not known: i");
	WRONG("RD_UNROLL RD_NO_UNROLL for (int i = 0; i < 4; i++) x[i] = 0;",
	      "a loop is to be unrolled and not to be: i");
	RIGHT("RD_INDEPENDENT for (int i = 0; i < n; i++) { int j = i; x[j + n] = 1; d += x[0]; }");
	WRONG("RD_INDEPENDENT for (int i = 0; i < n; i++) x[n] = i;",
	      "independent iterations store to one place: x[n]");
}

static void test_barriers(void)
{
	static const char some[] = "a barrier that not all threads come by";
	RIGHT("for (int i = 0; i < n; i++) { if (x[i] > 0) rd_barrier(); }");
	WRONG("if (rd_local_id() == 0) rd_barrier();", some);
	WRONG("int own = rd_lane() + 1; if (own < n) { for (int i = 0; i < n; i++) rd_barrier(); }",
	      some);
	WRONG("for (int i = rd_local_id(); i < n; i++) rd_barrier();", some);
	WRONG("int own[2]; own[0] = rd_warp(); if (own[1]) rd_barrier();", some);
	WRONG("int y = 0; rd_f(&y, rd_lane()); if (y) rd_barrier();", some);
	WRONG("int y = 0; if (rd_lane() == 0) y = 1; if (y) rd_barrier();", some);
	WRONG("int y; while ((y = rd_lane()) > 3) rd_barrier();", some);
	// What varies by an iteration before.
	WRONG("int y = 0; while (n) { if (y) rd_barrier(); y = rd_lane(); }", some);
	RIGHT("int y = rd_shuffle_i32(rd_lane(), 0, 8); if (y) rd_barrier();");
	WRONG("int y = rd_shuffle_down_i32(rd_lane(), 1, 8); if (y) rd_barrier();", some);
	// Some have left.
	WRONG("if (rd_lane()) return 1; rd_barrier();", some);
	RIGHT("if (n) return 1; rd_barrier();");
	WRONG("if (rd_lane()) goto end; rd_barrier(); end: n = 1;", some);
	RIGHT("if (rd_lane()) goto end; n = 2; end: rd_barrier();");
	WRONG("while (n) { rd_barrier(); if (rd_lane()) break; }",
	      "a barrier in a loop that some threads leave before others");
	RIGHT("while (n) { while (d > 1) { if (rd_lane()) break; } rd_barrier(); }");
	// What others store is not to be loaded before the barrier.
	SAME(check_in("RD_KERNEL_PARAMS", "RD_GLOBAL double *RD_RESTRICT", "x[n] = d;"), "nothing");
	SAME(check_in("RD_KERNEL_PARAMS", "RD_GLOBAL const double *RD_RESTRICT", "rd_barrier();"),
	     "nothing");
	SAME(check_in("RD_KERNEL_PARAMS", "RD_GLOBAL double *RD_RESTRICT",
	              "x[n] = d; rd_barrier();"),
	     "restrict, though threads of a block share it: x");
}

int main(void)
{
	test_expressions();
	test_statements();
	test_quotations();
	test_names();
	test_types();
	test_spaces();
	test_loops();
	test_barriers();
	return report_counts();
}
