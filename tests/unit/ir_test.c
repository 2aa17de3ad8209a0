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
	CExp all[] = {sum, x_times(sum, c), x_select(x_less(a, b), sum, x_less(b, c)), x_not(sum),
	              x_call("f", a, b), x_index(a, sum), x_cast("int", sum, PREC_ATOM),
	              x_list(x_args(a, b, c)), x_field(a, "data"), x_call_none("f"), x_paren(sum)};
	for (int i = 0; i < (int)(sizeof all / sizeof *all); i++)
		CHECK(x_width(all[i]) == (int)strlen(x_text(all[i])));

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
	s_increase(&c, s, x_index(x_name("x"), i));
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

// ---- What is wrong ----

typedef void Write(Code *);

static const char *check(Write *write)
{
	Code c = {0};
	CFun f = {.result = "int", .name = "f", .body = code_begin(&c)};
	add_param(&f, "int64_t", "n");
	add_param(&f, "double *", "x");
	write(&c);
	const char *found = ir_check(&f);
	return found ? found : "nothing";
}

static void for_i(Code *c, CExp cond)
{
	s_for(c, (CFor){.type = "int64_t", .i = "i", .from = x_int(0), .cond = cond});
}

static void good(Code *c)
{
	for_i(c, x_less(x_name("i"), x_name("n")));
	s_declare(c, "double", "y", x_index(x_name("x"), x_name("i")));
	s_assign(c, x_index(x_name("x"), x_name("i")), x_name("y"));
	s_close(c);
	for_i(c, x_less(x_name("i"), x_name("n")));
	s_continue(c);
	s_close(c);
	s_barrier(c);
	s_return(c, x_name("n"));
}

static void undeclared(Code *c)
{
	s_assign(c, x_name("n"), x_name("m"));
}

static void out_of_scope(Code *c)
{
	s_scope(c);
	s_declare(c, "int", "m", x_int(1));
	s_close(c);
	s_return(c, x_name("m"));
}

static void twice(Code *c)
{
	s_declare(c, "int", "m", x_int(1));
	s_declare(c, "int", "m", x_int(2));
}

static void index_assigned(Code *c)
{
	for_i(c, x_less(x_name("i"), x_name("n")));
	s_assign(c, x_name("i"), x_int(2));
	s_close(c);
}

static void kinds(Code *c)
{
	s_declare(c, "double", "y", x_int(1));
	s_assign(c, x_name("y"), x_name("x"));
}

static void vectors(Code *c)
{
	s_declare(c, "rd_f64v", "y", x_name("n"));
}

static void leaves_nothing(Code *c)
{
	s_break(c);
}

static void no_label(Code *c)
{
	s_goto(c, "end");
}

// The barrier is in a branch that only some threads take, by way of a variable.
static void divergent(Code *c)
{
	s_declare(c, "int", "own", x_plus(x_call_none("rd_local_id"), x_int(1)));
	s_if(c, x_less(x_name("own"), x_name("n")));
	for_i(c, x_less(x_name("i"), x_name("n")));
	s_barrier(c);
	s_close(c);
	s_close(c);
}

static void test_checks(void)
{
	SAME(check(good), "nothing");
	SAME(check(undeclared), "a name is used that is not declared here: m");
	SAME(check(out_of_scope), "a name is used that is not declared here: m");
	SAME(check(twice), "a name is declared twice: m");
	SAME(check(index_assigned), "the index of a loop is assigned to in its body: i");
	SAME(check(kinds), "a value of another kind is stored: y");
	SAME(check(vectors), "a value of another kind is stored: y");
	SAME(check(leaves_nothing), "nothing around to leave");
	SAME(check(no_label), "there is no such label: end");
	SAME(check(divergent), "a barrier that not all threads come by");
}

int main(void)
{
	test_expressions();
	test_statements();
	test_checks();
	return report_counts();
}
