// Tests of C generation: the run-time's chunks, scalar operations, the shape of functions.
#include "gen/gen.h"
#include "gen/cgen.h"
#include "unit.h"

#define SAME(got, expected) CHECK_TEXT(got, expected)

// Everything an operation needs is in the run-time, at each type it exists at.
static void test_chunks(void)
{
	Rts rts = {0};
	const CExp x[3] = {x_name("x"), x_name("y"), x_name("z")};
	for (Prim op = 0; op < N_PRIM; op++)
		for (PrimType t = 0; t < N_PRIMTYPE; t++)
			if (prim_allowed(op, t))
				CHECK(*x_text(c_prim(&rts, op, t, x)));
	for (PrimType from = 0; from < N_PRIMTYPE; from++)
		for (PrimType to = 0; to < N_PRIMTYPE; to++)
			CHECK(*x_text(c_convert(&rts, from, to, x[0])));
	Str out = {0};
	rts_put(&out, &rts);
	CHECK(strstr(str_text(&out), "static inline int32_t rd_add_i32(int32_t x, int32_t y)\n"));
	CHECK(strstr(str_text(&out), "return (T)") == NULL &&
	      strstr(str_text(&out), "RD(") == NULL);
	CHECK(strstr(str_text(&out), "return rd_as_half(sinf(x));"));
	CHECK(strstr(str_text(&out), "@chunk") == NULL);

	// A program gets what it uses and no more.
	Rts few = {0};
	Str little = {0};
	rts_use(&few, "rd_lerp_f64");
	rts_put(&little, &few);
	CHECK(strstr(str_text(&little), "rd_min_f64") && !strstr(str_text(&little), "rd_min_f32"));
	CHECK(little.len < 3000);
}

static void test_scalars(void)
{
	SAME(c_literal(scalar_int(PT_I64, INT64_MIN)), "INT64_MIN");
	SAME(c_literal(scalar_int(PT_I64, 5000000000)), "INT64_C(5000000000)");
	SAME(c_literal(scalar_int(PT_U32, 4000000000)), "4000000000u");
	SAME(c_literal(scalar_int(PT_I8, -128)), "-128");
	SAME(c_literal(scalar_float(PT_F32, 0.1)), "0.1f");
	SAME(c_literal(scalar_float(PT_F64, -1.0 / 0.0)), "-INFINITY");
	SAME(c_literal(scalar_int(PT_BOOL, 1)), "true");
	SAME(c_string("a\"b\n\\"), "\"a\\\"b\\n\\\\\"");

	Rts rts = {0};
	CExp a = x_name("a"), b = x_name("b"), c = x_name("c");
	CExp sum = c_prim(&rts, P_add, PT_F64, (CExp[3]){a, b});
	SAME(x_text(c_prim(&rts, P_mul, PT_F64, (CExp[3]){sum, c})), "(a + b) * c");
	SAME(x_text(c_prim(&rts, P_sub, PT_F64, (CExp[3]){sum, c})), "a + b - c");
	SAME(x_text(c_prim(&rts, P_sub, PT_F64, (CExp[3]){c, sum})), "c - (a + b)");
	SAME(x_text(c_prim(&rts, P_lt, PT_F64, (CExp[3]){sum, c})), "a + b < c");
	SAME(x_text(c_prim(&rts, P_add, PT_I32, (CExp[3]){a, b})), "rd_add_i32(a, b)");
	CExp both = c_prim(&rts, P_and, PT_BOOL, (CExp[3]){a, b});
	SAME(x_text(c_prim(&rts, P_or, PT_BOOL, (CExp[3]){both, c})), "(a && b) || c");
	SAME(x_text(c_prim(&rts, P_not, PT_BOOL, (CExp[3]){both})), "!(a && b)");
	SAME(x_text(c_convert(&rts, PT_I32, PT_U64, a)), "(uint64_t)(uint32_t)a");
	SAME(x_text(c_convert(&rts, PT_U32, PT_I64, a)), "(int64_t)a");
	SAME(x_text(c_convert(&rts, PT_F32, PT_I8, a)), "(int8_t)rd_int_of_float(a)");
	SAME(x_text(c_convert(&rts, PT_F64, PT_BOOL, a)), "a != 0");
}

// The text of the functions of a program of the MEM stage, without the prototypes.
static const char *functions(const char *program)
{
	vars_reset(1);
	diag_reset();
	Prog *prog = core_parse(source_add("test.core", program, strlen(program)));
	if (!prog) {
		diag_print(stdout, false);
		return "";
	}
	Rts rts = {0};
	Str out = {0};
	gen_functions(&out, prog, &rts, false);
	const char *s = strstr(str_text(&out), "\n\n");
	return s ? s + 2 : str_text(&out);
}

static void test_functions(void)
{
	// What is used once is written there, what is used by nothing is not written.
	SAME(functions("stage mem\n\n"
	               "fun f (x_1: f64, n_2: i64) : (r_3: f64) = {\n"
	               "  let (unused_4: i64) = add.i64 n_2 1\n"
	               "  let (a_5: f64) = mul.f64 x_1 2.0\n"
	               "  let (b_6: f64) = add.f64 a_5 1.0\n"
	               "  let (c_7: f64) = mul.f64 b_6 b_6\n"
	               "  in c_7\n"
	               "}\n"),
	     "static int rd_fun_f(struct futhark_context *ctx, double *out, double x, int64_t n)\n"
	     "{\n"
	     "\t(void)ctx;\n"
	     "\t(void)n;\n"
	     "\tdouble b = x * 2.0 + 1.0;\n"
	     "\t*out = b * b;\n"
	     "\treturn 0;\n"
	     "}\n\n");
	// Parameters of loops change all at once.
	SAME(functions("stage mem\n\n"
	               "fun f (n_1: i64) : (r_2: i64, s_3: i64) = {\n"
	               "  let (a_4: i64, b_5: i64) = loop (x_6: i64 = 0, y_7: i64 = 1) for i_8: "
	               "i64 < n_1 do {\n"
	               "    let (z_9: i64) = add.i64 x_6 y_7\n"
	               "    in y_7, z_9\n"
	               "  }\n"
	               "  in a_4, b_5\n"
	               "}\n"),
	     "static int rd_fun_f(struct futhark_context *ctx, int64_t *out, int64_t *out_1, "
	     "int64_t n)\n"
	     "{\n"
	     "\tint64_t x = 0;\n"
	     "\tint64_t y = 1;\n"
	     "\tint64_t from = 0;\n"
	     "\tdo {\n"
	     "\t\tint64_t part = n - from > RD_PART ? from + RD_PART : n;\n"
	     "\t\tfor (int64_t i = from; i < part; i++) {\n"
	     "\t\t\tint64_t next_y = rd_add_i64(x, y);\n"
	     "\t\t\tx = y;\n"
	     "\t\t\ty = next_y;\n"
	     "\t\t}\n"
	     "\t\tfrom = part;\n"
	     "\t\tif (RD_CANCELLED(ctx)) {\n"
	     "\t\t\treturn rd_cancelled(ctx);\n"
	     "\t\t}\n"
	     "\t} while (from < n);\n"
	     "\t*out = x;\n"
	     "\t*out_1 = y;\n"
	     "\treturn 0;\n"
	     "}\n\n");
	// Quick choices are expressions; assertions carry their places along.
	SAME(functions("stage mem\n\n"
	               "fun f (x_1: i32) : (r_2: i32) = {\n"
	               "  let (eq_3: bool) = eq.i32 x_1 0i32\n"
	               "  let (not_4: bool) = not.bool eq_3\n"
	               "  let (c_5: cert) = assert not_4 (\"100% \", x_1)\n"
	               "  let (lt_6: bool) = lt.i32 x_1 0i32\n"
	               "  let (y_7: i32) = if lt_6 then {\n"
	               "    let (neg_8: i32) = neg.i32 x_1\n"
	               "    in neg_8\n"
	               "  } else {x_1}\n"
	               "  in y_7\n"
	               "}\n"),
	     "static int rd_fun_f(struct futhark_context *ctx, int32_t *out, int32_t x)\n"
	     "{\n"
	     "\tif (x == 0) {\n"
	     "\t\treturn rd_fail(ctx, \"\",\n"
	     "\t\t\t\"100%% %lld\", (long long)x);\n"
	     "\t}\n"
	     "\t*out = x < 0 ? rd_neg_i32(x) : x;\n"
	     "\treturn 0;\n"
	     "}\n\n");
}

int main(void)
{
	test_chunks();
	test_scalars();
	test_functions();
	return report_counts();
}
