// Tests of scalar operations, their derivatives, and the core interpreter.
#include "core/core.h"
#include "unit.h"

#include <math.h>
#include <stdlib.h>

// ---- Scalar operations ----

static Scalar eval(Prim op, PrimType t, Scalar x, Scalar y)
{
	Scalar r = {0}, args[3] = {x, y, y};
	const char *why = NULL;
	if (!prim_eval(op, t, args, &r, &why))
		return (Scalar){.type = N_PRIMTYPE};
	return r;
}

static long long ints(Prim op, PrimType t, int64_t x, int64_t y)
{
	return (long long)eval(op, t, scalar_int(t, x), scalar_int(t, y)).i;
}

static double floats(Prim op, PrimType t, double x, double y)
{
	return eval(op, t, scalar_float(t, x), scalar_float(t, y)).f;
}

static bool fails_with(Prim op, PrimType t, int64_t x, int64_t y, const char *expected)
{
	Scalar r, args[2] = {scalar_int(t, x), scalar_int(t, y)};
	const char *why = "";
	return !prim_eval(op, t, args, &r, &why) && strcmp(why, expected) == 0;
}

static void test_integers(void)
{
	CHECK(ints(P_div, PT_I32, 7, -2) == -4 && ints(P_quot, PT_I32, 7, -2) == -3);
	CHECK(ints(P_mod, PT_I32, 7, -2) == -1 && ints(P_rem, PT_I32, 7, -2) == 1);
	CHECK(ints(P_div, PT_I32, -7, 2) == -4 && ints(P_mod, PT_I32, -7, 2) == 1);
	CHECK(ints(P_quot, PT_I32, -7, 2) == -3 && ints(P_rem, PT_I32, -7, 2) == -1);
	CHECK(ints(P_div, PT_I32, INT32_MIN, -1) == INT32_MIN);
	CHECK(ints(P_mod, PT_I32, INT32_MIN, -1) == 0);
	CHECK(ints(P_quot, PT_I64, INT64_MIN, -1) == INT64_MIN);
	CHECK(ints(P_rem, PT_I64, INT64_MIN, -1) == 0);
	CHECK(ints(P_add, PT_U8, 200, 100) == 44 && ints(P_neg, PT_U8, 1, 0) == 255);
	CHECK(ints(P_pow, PT_I32, 3, 40) == 689956897 && ints(P_pow, PT_I8, 2, 7) == -128);
	CHECK(ints(P_pow, PT_I32, 0, 0) == 1 && ints(P_pow, PT_U64, 3, -1) != 0);
	CHECK(fails_with(P_pow, PT_I32, 2, -1, "negative exponent"));
	CHECK(fails_with(P_div, PT_I8, 2, 0, "division by zero"));
	CHECK(fails_with(P_rem, PT_U64, 2, 0, "division by zero"));
	CHECK(ints(P_lshr, PT_U8, 200, 1) == 100 && ints(P_ashr, PT_U8, 200, 1) == 228);
	CHECK(ints(P_ashr, PT_I32, -8, 1) == -4 && ints(P_lshr, PT_I32, -1, 31) == 1);
	CHECK(ints(P_shl, PT_I32, 1, 32) == 0 && ints(P_shl, PT_I32, 1, -1) == 0);
	CHECK(ints(P_ashr, PT_I32, -1, 99) == -1 && ints(P_lshr, PT_I32, -1, 99) == 0);
	CHECK(ints(P_abs, PT_I8, -128, 0) == -128 && ints(P_sgn, PT_I8, -5, 0) == -1);
	CHECK(ints(P_sgn, PT_U8, 200, 0) == 1 && ints(P_not, PT_U8, 0, 0) == 255);
	CHECK(ints(P_popc, PT_I8, -1, 0) == 8 && ints(P_clz, PT_I8, 1, 0) == 7);
	CHECK(ints(P_clz, PT_I16, 0, 0) == 16);
	CHECK(ints(P_ctz, PT_I64, 8, 0) == 3);
	CHECK(ints(P_ctz, PT_U8, 0, 0) == 8);
	CHECK(ints(P_mul_hi, PT_U8, 255, 255) == 254 && ints(P_mul_hi, PT_I8, -128, -128) == 64);
	CHECK(ints(P_mul_hi, PT_I32, 65536, 65536) == 1);
	CHECK(ints(P_mul_hi, PT_I64, INT64_MIN, 2) == -1);
	CHECK(ints(P_mul_hi, PT_U64, -1, -1) == -2);
	CHECK(ints(P_lt, PT_U64, 1, -1) == 1);
	CHECK(ints(P_max, PT_U64, 1, -1) == -1);
	CHECK(ints(P_lt, PT_I64, 1, -1) == 0);
	CHECK(ints(P_lt, PT_BOOL, 1, 0) == 0 && ints(P_lt, PT_BOOL, 0, 1) == 1);
}

static int64_t chunk(int64_t rows, int64_t chunks, int64_t least)
{
	Scalar r, args[3] = {scalar_int(PT_I64, rows), scalar_int(PT_I64, chunks),
	                     scalar_int(PT_I64, least)};
	const char *why = "";
	CHECK(prim_eval(P_chunk, PT_I64, args, &r, &why));
	return r.i;
}

static void test_chunks(void)
{
	CHECK(chunk(0, 7, 1024) == 1 && chunk(0, 7, -1024) == 1 && chunk(0, 7, 0) == 1);
	CHECK(chunk(100, 7, 1024) == 16 && chunk(100, 7, -1024) == 15 && chunk(100, 7, 0) == 15);
	CHECK(chunk(1000, 7, -1024) == 144 && chunk(1000, 7, 1024) == 144);
	CHECK(chunk(10000, 7, 1024) == 1472 && chunk(10000, 7, -1024) == 1472);
	CHECK(chunk(10000, 7, 0) == 1429 && chunk(10000, 1, 0) == 10000);
}

static void test_floats(void)
{
	CHECK(floats(P_mod, PT_F64, -7.5, 2) == -1.5 && isnan(floats(P_mod, PT_F64, 1, 0)));
	CHECK(floats(P_round, PT_F64, 0.5, 0) == 0 && floats(P_round, PT_F64, 1.5, 0) == 2);
	CHECK(floats(P_round, PT_F64, -2.5, 0) == -2 && signbit(floats(P_ceil, PT_F64, -0.5, 0)));
	CHECK(floats(P_trunc, PT_F64, NAN, 0) == 0 && floats(P_trunc, PT_F64, INFINITY, 0) == 0);
	CHECK(!signbit(floats(P_trunc, PT_F64, -0.3, 0)));
	CHECK(floats(P_trunc, PT_F64, 1e30, 0) == 1e30);
	CHECK(floats(P_max, PT_F64, NAN, 1) == 1 && floats(P_min, PT_F64, 1, NAN) == 1);
	CHECK(!signbit(floats(P_max, PT_F64, 0.0, -0.0)));
	CHECK(signbit(floats(P_min, PT_F64, 0.0, -0.0)));
	CHECK(isnan(floats(P_sgn, PT_F64, NAN, 0)) && floats(P_sgn, PT_F64, -3, 0) == -1);
	CHECK(floats(P_pow, PT_F64, NAN, 0) == 1 && isnan(floats(P_pow, PT_F64, -1, 0.5)));
	CHECK(floats(P_cbrt, PT_F64, -8, 0) == -2 && floats(P_log1p, PT_F64, 1e-20, 0) == 1e-20);
	CHECK(floats(P_sinpi, PT_F64, 1, 0) == 0 && floats(P_cospi, PT_F64, 0.5, 0) == 0);
	CHECK(floats(P_cospi, PT_F64, 1, 0) == -1);
	CHECK(fabs(floats(P_tanpi, PT_F64, 0.25, 0) - 1) < 1e-15);
	CHECK(floats(P_atan2pi, PT_F64, 1, -1) == 0.75);
	CHECK(floats(P_hypot, PT_F64, 3e300, 4e300) == 5e300);
	CHECK(floats(P_gamma, PT_F64, 5, 0) == 24 && isinf(floats(P_gamma, PT_F64, 0, 0)));
	CHECK(isnan(floats(P_gamma, PT_F64, -1, 0)));
	CHECK(fabs(floats(P_lgamma, PT_F64, -0.5, 0) - 1.2655121234846454) < 1e-14);
	CHECK(floats(P_erf, PT_F64, 1, 0) == 0.8427007929497149);
	CHECK(floats(P_nextafter, PT_F64, 1, 2) == 1.0000000000000002);
	CHECK(floats(P_nextafter, PT_F32, 0, 1) == 0x1p-149);
	CHECK(floats(P_nextafter, PT_F16, 1, 2) == 1 + 0x1p-10);
	CHECK(floats(P_nextafter, PT_F16, 0, -1) == -0x1p-24);
	CHECK(floats(P_add, PT_F32, 16777216, 1) == 16777216);
	CHECK(floats(P_add, PT_F16, 2048, 1) == 2048);
	Scalar one = scalar_float(PT_F64, 1);
	CHECK(eval(P_to_bits, PT_F64, one, (Scalar){0}).u == 0x3ff0000000000000);
	CHECK(eval(P_to_bits, PT_F32, scalar_float(PT_F32, -0.0), (Scalar){0}).u == 0x80000000);
	CHECK(eval(P_from_bits, PT_U16, scalar_int(PT_U16, 0x3c00), (Scalar){0}).f == 1);
	CHECK(eval(P_ldexp, PT_F64, one, scalar_int(PT_I32, 5000)).f == INFINITY);
	CHECK(eval(P_ldexp, PT_F32, scalar_float(PT_F32, 3), scalar_int(PT_I32, -2)).f == 0.75);
	CHECK(fabs(floats(P_polygamma, PT_F64, 1, 0) + 0.57721566490153286) < 1e-15);
	CHECK(fabs(floats(P_polygamma, PT_F64, 1, 1) - M_PI * M_PI / 6) < 1e-15);
	CHECK(fabs(floats(P_polygamma, PT_F64, -0.5, 0) - 0.03648997397857652) < 1e-15);
	CHECK(fabs(floats(P_polygamma, PT_F64, 0.5, 2) + 16.8287966442343199956) < 1e-13);
}

static Scalar convert(PrimType to, PrimType from, double x)
{
	Scalar s = is_float(from) ? scalar_float(from, x) : scalar_int(from, (int64_t)x);
	return convert_eval(to, s);
}

static void test_conversions(void)
{
	CHECK(convert(PT_U64, PT_I32, -1).u == 4294967295 && convert(PT_U64, PT_I8, -1).u == 255);
	CHECK(convert(PT_I64, PT_U32, 4294967295.0).i == 4294967295);
	CHECK(convert(PT_I64, PT_I8, -1).i == -1 && convert(PT_I8, PT_I32, 200).i == -56);
	CHECK(convert(PT_U32, PT_I32, -1).u == 4294967295);
	CHECK(convert(PT_U8, PT_F64, 300.7).u == 44 && convert(PT_U8, PT_F64, -1.5).u == 255);
	CHECK(convert(PT_U32, PT_F64, -1).u == 4294967295 && convert(PT_I32, PT_F64, -1.9).i == -1);
	CHECK(convert(PT_I64, PT_F64, NAN).i == 0 && convert(PT_I64, PT_F64, -INFINITY).i == 0);
	CHECK(convert(PT_U64, PT_F64, 0x1p63).u == (uint64_t)1 << 63);
	CHECK(convert(PT_F32, PT_I64, 16777217).f == 16777216);
	CHECK(convert_eval(PT_F32, scalar_int(PT_I64, 0x7fffffbfffffffff)).f == 0x1.fffffep62);
	CHECK(convert(PT_BOOL, PT_F64, NAN).u == 1 && convert(PT_BOOL, PT_F64, -0.0).u == 0);
	CHECK(convert(PT_F64, PT_BOOL, 1).f == 1 && convert(PT_F16, PT_F64, 65520).f == INFINITY);
}

// ---- Programs ----

static Prog *parse(const char *source)
{
	diag_reset();
	Prog *prog = core_parse(source_add("test.core", source, strlen(source)));
	if (!prog) {
		diag_print(stdout, false);
		return NULL;
	}
	const char *why = core_check(prog);
	if (why)
		printf("does not check: %s\n", why);
	return why ? NULL : prog;
}

static const char *error_of(const char *source, const char *input, Values *out)
{
	Prog *prog = parse(source);
	Values args = {0};
	const char *why;
	if (!prog || !values_read(input, strlen(input), &args, &why))
		return "bad test";
	Interp *in = interp_new(prog);
	const Fun *last = prog->funs.at[prog->funs.len - 1];
	RunError e = interp_call(in, last, &args, out, stdout);
	if (e.message) { // it stays usable
		Values again = {0};
		RunError e2 = interp_call(in, last, &args, &again, stdout);
		if (!e2.message || strcmp(e.message, e2.message) != 0)
			return "a second call differs";
	}
	interp_free(in);
	return e.message;
}

// Runs the last function of a program.
static void expect(int line, const char *source, const char *input, const char *output)
{
	Values got = {0}, expected = {0};
	Str difference = {0};
	const char *why, *error = error_of(source, input, &got);
	if (!values_read(output, strlen(output), &expected, &why))
		printf("%s\n", why);
	if (!error && values_compare(&got, &expected, true, &difference)) {
		passed++;
		return;
	}
	failed++;
	printf("%s:%d: %s\n", __FILE__, line, error ? error : str_text(&difference));
}
#define EXPECT(source, input, output) expect(__LINE__, source, input, output)

static void expect_error(int line, const char *source, const char *input, const char *message)
{
	Values got = {0};
	const char *error = error_of(source, input, &got);
	if (error && strcmp(error, message) == 0) {
		passed++;
		return;
	}
	failed++;
	printf("%s:%d: got error: %s\n", __FILE__, line, error ? error : "none");
}
#define EXPECT_ERROR(source, input, message) expect_error(__LINE__, source, input, message)

// The lambda of an addition, for reductions.
#define ADD "\\(a: f64, b: f64) : (f64) -> {\n let (c: f64) = add.f64 a b\n in c\n}\n"
#define MUL "\\(a: f64, b: f64) : (f64) -> {\n let (c: f64) = mul.f64 a b\n in c\n}\n"

static void test_control(void)
{
	EXPECT("fun f (x: i32) : (r: i32) = {\n"
	       " let (r: i32) = loop (a: i32 = x) for i: i32 < 3i32 do {\n"
	       "  let (b: i32) = mul.i32 a 2i32\n let (c: i32) = add.i32 b 1i32\n in c\n }\n"
	       " in r\n}\n",
	       "1i32", "15i32");
	// Loop parameters are assigned all at once.
	EXPECT("fun f (x: i64, y: i64) : (r: i64, s: i64) = {\n"
	       " let (r: i64, s: i64) = loop (a: i64 = x, b: i64 = y) for i: i64 < 3 do {b, a}\n"
	       " in r, s\n}\n",
	       "1i64 2i64", "2i64 1i64");
	EXPECT("fun f (k: i32) : (r: i32) = {\n let (r: i32) = match k {\n 0i32 -> {10i32}\n"
	       " -3i32 -> {20i32}\n"
	       " _ -> {k}\n }\n in r\n}\n", "-3i32", "20i32");
	EXPECT("fun f (n: i64) : (r: i64) = {\n"
	       " let (c0: bool) = lt.i64 0 n\n"
	       " let (c: bool, m: i64, s: i64) = loop (c1: bool"
	       " = c0, m1: i64 = n, s1: i64 = 0) while c1 do {\n"
	       "  let (s2: i64) = add.i64 s1 m1\n let (m2: i64) = sub.i64 m1 1\n"
	       " let (c2: bool) = lt.i64 0 m2\n"
	       "  in c2, m2, s2\n }\n in s\n}\n", "10i64", "55i64");
	EXPECT("fun fact (n: i64) : (r: i64) = {\n let (c: bool) = le.i64 n 1\n"
	       " let (r: i64) = if c then {1} else {\n"
	       "  let (m: i64) = sub.i64 n 1\n let (p: i64) = call fact (m)\n"
	       " let (q: i64) = mul.i64 n p\n in q\n }\n"
	       " in r\n}\n", "10i64", "3628800i64");
	EXPECT_ERROR("fun deep (n: i64) : (r: i64) = {\n let (m: i64) = add.i64 n 1\n"
	       " let (p: i64) = call deep (m)\n"
	             " in p\n}\n", "0i64", "Stack overflow: recursion of \"deep\" too deep.");
}

static void test_arrays(void)
{
	EXPECT("fun f (n: i64, m: i64, xss: [n][m]i32) : (r: [m][n]i32) = {\n"
	       " let (t: [m][n]i32) = rearrange (1, 0) xss\n in t\n}\n",
	       "2i64 3i64 [[1,2,3],[4,5,6]]", "[[1,4],[2,5],[3,6]]");
	EXPECT("fun f (xs: [5]i32) : (r: [3]i32) = {\n let (r: [3]i32) = slice xs [4:3:-2]\n"
	       " in r\n}\n",
	       "[1,2,3,4,5]", "[5,3,1]");
	EXPECT("fun f (xs: *[4]i32, ys: [4]i32) : (r: [4]i32) = {\n"
	       " let (r: [4]i32) = update xs [3:4:-1] ys\n in r\n"
	       "}\n", "[1,2,3,4] [9,8,7,6]", "[6,7,8,9]");
	EXPECT("fun f (n: i64, m: i64, xss: [n][m]i32) : (r: [6]i32) = {\n"
	       " let (t: [m][n]i32) = rearrange (1, 0) xss\n let (r: [6]i32) = reshape [6] t\n"
	       " in r\n}\n",
	       "2i64 3i64 [[1,2,3],[4,5,6]]", "[1,4,2,5,3,6]");
	EXPECT("fun f (x: i32) : (r: [2][3]i32) = {\n let (a: [3]i32) = array [x, 1i32, x] : i32\n"
	       " let (r: [2][3]i32) = replicate [2] a\n in r\n}\n", "7", "[[7,1,7],[7,1,7]]");
	EXPECT("fun f (xs: [2]i32, ys: [3]i32) : (r: [5]i32) = {\n"
	       " let (r: [5]i32) = concat 5 (xs, ys)\n in r\n}\n",
	       "[1,2] [3,4,5]", "[1,2,3,4,5]");
	EXPECT("fun f (n: i64) : (r: [n]i8) = {\n let (r: [n]i8) = iota.i8 n 126i8 1i8\n in r\n}\n",
	       "3i64", "[126i8,127i8,-128i8]");
	EXPECT_ERROR("fun f (n: i64) : (r: [n]i64) = {\n let (r: [n]i64) = iota.i64 n 0 1\n"
	       " in r\n}\n",
	             "-1i64", "Range 0..1..<-1 is invalid.");
	EXPECT_ERROR("fun f (n: i64) : (r: [n]i64) = {\n let (r: [n]i64) = iota.i64 n 0 1\n"
	       " in r\n}\n",
	             "1000000000000000i64", "Out of memory: allocation of 8000000000000056 bytes.");
	EXPECT_ERROR("fun f (xs: [3]i32, i: i64) : (r: i32) = {\n let (r: i32) = index xs [i]\n"
	       " in r\n}\n",
	             "[1,2,3] 3i64", "Index [3] out of bounds for array of shape [3].");
	EXPECT_ERROR("fun f (xs: [2][2]i32, i: i64) : (r: i32) = {\n"
	       " let (r: i32) = index xs [1, i]\n in r\n}\n",
	             "[[1,2],[3,4]] 2i64", "Index [1, 2] out of bounds for array of shape [2][2].");
	EXPECT_ERROR("fun f (x: i32) : (r: i32) = {\n let (r: i32) = div.i32 x 0i32\n in r\n}\n",
	             "1i32", "division by zero");
	EXPECT_ERROR("fun f (x: i32) : (r: i32) = {\n let (c: bool) = lt.i32 x 0i32\n"
	             " let (k: cert) = assert c (\"x is \", x, \".\")\n in x\n"
	             "}\n", "1i32", "x is 1.");
}

static void test_soacs(void)
{
	EXPECT("fun f (n: i64, xs: [n]f64) : (ss: [n]f64, s: f64, ys: [n]f64) = {\n"
	       " let (ss: [n]f64, s: f64, ys: [n]f64) = screma n (xs)\n"
	       "  map=\\(x: f64) : (f64, f64, f64) -> {\n let (y: f64) = mul.f64 x x\n"
	       " in x, y, y\n}\n"
	       "  scan=(0.0) " ADD "  reduce=(0.0) " ADD " in ss, s, ys\n}\n",
	       "3i64 [1.0, 2.0, 3.0]", "[1.0,3.0,6.0] 14.0 [1.0,4.0,9.0]");
	EXPECT("fun f (n: i64, is: [n]i64, xs: [n]f64, h: *[3]f64) : (r: [3]f64) = {\n"
	       " let (r: [3]f64) = hist n (is, xs)\n  op=[3] (h) (0.0) " ADD
	       "  map=\\(i: i64, y: f64) : (i64, f64) -> {i, y}\n in r\n}\n",
	       "5i64 [0i64,0,7,-1,2] [1.0,2.0,3.0,4.0,5.0] [0.0,0.0,0.0]", "[3.0,0.0,5.0]");
	EXPECT("fun f (n: i64, is: [n]i64, xs: [n]f64, h: *[3]f64) : (r: [3]f64) = {\n"
	       " let (r: [3]f64) = scatter n (is, xs)\n  dest=[3] h 1\n"
	       "  map=\\(i: i64, y: f64) : (i64, f64) -> {i, y}\n in r\n}\n",
	       "4i64 [0i64,5,-1,2] [1.0,2.0,3.0,4.0] [0.0,0.0,0.0]", "[1.0,0.0,4.0]");
	EXPECT("fun f (n: i64, is: [n]i64) : (m: i64, lens: [n]i64, data: [m]i64, us: [n]i64) = {\n"
	       " let (m: i64, lens: [n]i64, data: [m]i64, us: [n]i64) = flatmap n (is) data=1"
	       " map=\\(i: i64) : (i64, [seg]i64, i64) -> {\n let (seg: i64) = add.i64 i 0\n"
	       "  let (v: [seg]i64) = iota.i64 seg 0 1\n let (w: i64) = mul.i64 i i\n"
	       " in seg, v, w\n }\n"
	       " in m, lens, data, us\n}\n",
	       "3i64 [2i64,0,3]", "5i64 [2i64,0,3] [0i64,1,0,1,2] [4i64,0,9]");
	EXPECT("fun f (n: i64, xs: [n]f64, is: [n]i64, d: *[3]f64) : (r: [3]f64, x: f64) = {\n"
	       " let (d2: [3]f64, x: f64) = withacc\n  input=[3] (d) (0.0) " ADD
	       "  fn=\\(t1: cert, a1: acc(t1, [3], f64)) : (acc(t1, [3], f64), f64) -> {\n"
	       "   let (a4: acc(t1, [3], f64)) = screma n (xs,"
	       " is, a1) map=\\(x: f64, i: i64, a5: acc(t1, [3], f64))"
	       " : (acc(t1, [3], f64)) -> {\n    let (a6: acc(t1,"
	       " [3], f64)) = upd_acc a5 [i] (x)\n    in a6\n   }\n"
	       "   in a4, 1.5\n  }\n in d2, x\n}\n",
	       "4i64 [1.0,2.0,3.0,4.0] [0i64,2,2,9] [10.0,0.0,0.0]", "[11.0,0.0,5.0] 1.5");
	// Rows: an empty map still knows the size of its rows.
	EXPECT("fun f (n: i64, m: i64, xss: [n][m]f64) : (r: [n][m]f64) = {\n"
	       " let (r: [n][m]f64) = screma n (xss) map=\\(xs: [m]f64) : ([m]f64) -> {\n"
	       "  let (ys: [m]f64) = screma m (xs) map=\\(x: f64) : (f64) -> {\n"
	       " let (y: f64) = add.f64 x x\n in y\n }\n"
	       "  in ys\n }\n in r\n}\n", "0i64 3i64 empty([0][3]f64)", "empty([0][3]f64)");
}

static void test_entry(void)
{
	static const char source[] =
		"entry \"f\" (\"xs\": array 1 prim i32 \"i32\" 1"
		" \"[]i32\" 1, \"ys\": array 1 prim i32 \"i32\" 1"
		" \"[]i32\" 1) : prim i64 \"i64\" 1\n"
		"fun f (n: i64, xs: [n]i32, ys: [n]i32) : (r: i64) = {\n in n\n}\n";
	EXPECT(source, "[1,2,3] [4,5,6]", "3i64");
	EXPECT_ERROR(source, "[1,2,3] [4,5]", "entry point arguments have invalid sizes.\n"
	             "Expected: xs: [n]i32, ys: [n]i32\nGot:      xs: [3]i32, ys: [2]i32");
}

// ---- Derivatives ----

static void test_modes(void)
{
#define CUBE "\\(a: f64) : (f64) -> {\n let (b: f64) = mul.f64 a a\n" \
       " let (c: f64) = mul.f64 b a\n in c\n}\n"
	EXPECT("fun f (x: f64) : (y: f64, d: f64) = {\n let (y:"
	       " f64, d: f64) = jvp (x) (1.0) " CUBE " in y, d\n}\n",
	       "2.0", "8.0 12.0");
	EXPECT("fun f (x: f64) : (y: f64, d: f64) = {\n let (y:"
	       " f64, d: f64) = vjp (x) (1.0) " CUBE " in y, d\n}\n",
	       "2.0", "8.0 12.0");
	// Second and third derivatives in every mix of modes: of x^3 they are 6x and 6.
	static const char *const modes[] = {"jvp", "vjp"};
	// The outer form differentiates (x^3)' and (x^3)'' together.
	for (int i = 0; i < 8; i++) {
		bool reverse = i & 1;
		EXPECT(text("fun f (x: f64) : (d: f64, dd: f64, ddd: f64) = {\n"
		            " let (d: f64, dd: f64%s, ddd: f64)"
		            " = %s (x) (%s) \\(a: f64) : (f64, f64) -> {\n"
		            "  let (q: f64, r: f64) = %s (a) (1.0) \\(b: f64) : (f64) -> {\n"
		            "   let (u: f64, v: f64) = %s (b) (1.0) " CUBE "   in v\n  }\n"
		            "  in q, r\n }\n in d, dd, ddd\n}\n", reverse ? "" : ","
		            " e: f64", modes[reverse],
		            reverse ? "0.0, 1.0" : "1.0", modes[i >> 1 & 1], modes[i >> 2]),
		       "2.0", "12.0 12.0 6.0");
	}
}

static void test_confusion(void)
{
	// d/dx (x * d/dy (x + y)) = 1, in all four mixes.
	static const char *const modes[] = {"jvp", "vjp"};
	for (int i = 0; i < 4; i++) {
		Str s = {0};
		str_printf(&s, "fun f (x: f64) : (d: f64) = {\n"
		           " let (y: f64, d: f64) = %s (x) (1.0) \\(a: f64) : (f64) -> {\n"
		           "  let (q: f64, r: f64) = %s (1.0) (1.0) \\(b: f64) : (f64) -> {\n"
		           "   let (u: f64) = add.f64 a b\n   in u\n  }\n"
		           "  let (w: f64) = mul.f64 a r\n  in w\n }\n in d\n"
		           "}\n", modes[i & 1], modes[i >> 1]);
		EXPECT(str_text(&s), "1.0", "1.0");
		// d/dx (x * (d/dy sin (x*y) at y = x)) = d/dx (x^2 cos (x^2))
		Str t = {0};
		str_printf(&t, "fun f (x: f64) : (d: f64) = {\n"
		           " let (y: f64, d: f64) = %s (x) (1.0) \\(a: f64) : (f64) -> {\n"
		           "  let (q: f64, r: f64) = %s (a) (1.0) \\(b: f64) : (f64) -> {\n"
		           "   let (u: f64) = mul.f64 a b\n   let (v: f64) = sin.f64 u\n"
		           "   in v\n  }\n"
		           "  let (w: f64) = mul.f64 a r\n  in w\n }\n in d\n"
		           "}\n", modes[i & 1], modes[i >> 1]);
		double x = 0.7, d = 2 * x * cos(x * x) - 2 * x * x * x * sin(x * x);
		EXPECT(str_text(&t), "0.7", text("%.17g", d));
	}
}

static void test_structures(void)
{
	// Product with a zero; hist; scatter; in-place updates; many seeds; integers.
	EXPECT("fun f (n: i64, xs: [n]f64) : (y: f64, d: [n]f64) = {\n"
	       " let (y: f64, d: [n]f64) = vjp (xs) (1.0) \\(ys: [n]f64) : (f64) -> {\n"
	       "  let (p: f64) = screma n (ys) map=\\(y: f64)"
	       " : (f64) -> {y} reduce=(1.0) " MUL "  in p\n }\n"
	       " in y, d\n}\n", "3i64 [0.0,2.0,3.0]", "0.0 [6.0,0.0,0.0]");
}

static void test_more(void)
{
	EXPECT("fun f (xs: [3]f64, is: [3]i64, s: [2]f64) : (d: [3]f64, e: [3]i64) = {\n"
	       " let (y: [2]f64, d: [3]f64, e: [3]i64) = vjp (xs,"
	       " is) (s) \\(ys: [3]f64, js: [3]i64) : ([2]f64) -> {\n"
	       "  let (z: [2]f64) = replicate [2] 0.0\n"
	       "  let (h: [2]f64) = hist 3 (js, ys)\n   op=[2] (z) (0.0) " ADD
	       "   map=\\(i: i64, y: f64) : (i64, f64) -> {\n let (y2: f64) = mul.f64 y y\n"
	       " in i, y2\n}\n  in h\n }\n"
	       " in d, e\n}\n", "[1.0,2.0,3.0] [0i64,1,0] [1.0,10.0]", "[2.0,40.0,6.0] [0i64,0,0]");
	EXPECT("fun f (xs: *[3]f64, k: i64) : (y: [3]f64, d: [3][3]f64) = {\n"
	       " let (s0: [9]f64) = replicate [9] 0.0\n let (s1: [9]f64) = update s0 [0:3:4] xs\n"
	       " let (seeds: [3][3]f64) = reshape [3][3] s1\n"
	       " let (y: [3]f64, d: [3][3]f64) = vjp many=3"
	       " (xs) (seeds) \\(ys: *[3]f64) : ([3]f64) -> {\n"
	       "  let (v: [3]f64) = loop (v1: *[3]f64 = ys) for i: i64 < 2 do {\n"
	       "   let (a: f64) = index v1 [i]\n   let (j: i64) = add.i64 i 1\n"
	       "   let (b: f64) = index v1 [j]\n"
	       "   let (c: f64) = mul.f64 a b\n   let (v2: [3]f64) = update v1 [j] c\n   in v2\n"
	       "  }\n  in v\n }\n"
	       " in y, d\n}\n", "[2.0,3.0,5.0] 1i64",
	       "[2.0,6.0,30.0] [[2.0,0.0,0.0],[9.0,6.0,0.0],[75.0,50.0,30.0]]");
	EXPECT("fun f (xs: [2]f64, s: [3][2]f64) : (y: f64, d: [3]f64) = {\n"
	       " let (y: f64, d: [3]f64) = jvp many=3 (xs) (s) \\(ys: [2]f64) : (f64) -> {\n"
	       "  let (a: f64) = index ys [0]\n  let (b: f64) = index ys [1]\n"
	       "  let (c: f64) = mul.f64 a b\n  in c\n }\n"
	       " in y, d\n}\n", "[2.0,3.0] [[1.0,0.0],[0.0,1.0],[1.0,1.0]]", "6.0 [3.0,2.0,5.0]");
	EXPECT("fun f (x: i32) : (y: i32, d: i32) = {\n let (y: i32,"
	       " d: i32) = vjp (x) (1i32) \\(a: i32) : (i32) -> {\n"
	       "  let (b: i32) = mul.i32 a a\n  in b\n }\n in y, d\n}\n", "3i32", "9i32 6i32");
	// Through an integer and through bits the (co)tangent passes.
	static const char *const modes[] = {"jvp", "vjp"};
	for (int i = 0; i < 2; i++) {
		EXPECT(text("fun f (x: f64) : (y: f64, d: f64) = {\n"
		       " let (y: f64, d: f64) = %s (x) (3.0) \\(a: f64)"
		            " : (f64) -> {\n  let (b: i64) = convert.i64 a\n"
		            "  let (c: f64) = convert.f64 b\n  in c\n }\n"
		            " in y, d\n}\n", modes[i]), "2.5", "2.0 3.0");
		EXPECT(text("fun f (x: f32) : (y: f32, d: f32) = {\n"
		       " let (y: f32, d: f32) = %s (x) (3.0f32) \\(a: f32)"
		            " : (f32) -> {\n  let (b: u32) = to_bits.f32 a\n"
		            "  let (c: f32) = from_bits.u32 b\n  in c\n }\n"
		            " in y, d\n}\n", modes[i]), "2.5f32", "2.5f32 3.0f32");
		EXPECT(text("fun f (x: f64) : (y: f64, d: f64) = {\n"
		       " let (y: f64, d: f64) = %s (x) (1.0) \\(a: f64)"
		            " : (f64) -> {\n  let (b: f64) = max.f64 a 0.0\n  in b\n }\n"
		            " in y, d\n}\n", modes[i]),
		       "0.0", "0.0 1.0");
	}
}

static void test_custom(void)
{
#define CUSTOM(bwd) \
	" with_vjp tape=1 (a)\n  fn=\\(b: f64) : (f64, f64) -> {\n let (c: f64) = mul.f64 b b\n" \
	" in c, c\n}\n" \
	"  bwd=\\(c: f64, g: f64) : (f64) -> {\n" bwd "}\n"
#define SUM "let (h: f64) = add.f64 c g\n in h\n"
	EXPECT("fun f (x: f64) : (y: f64, d: f64) = {\n let (y:"
	       " f64, d: f64) = vjp (x) (1.0) \\(a: f64) : (f64) -> {\n"
	       "  let (r: f64) =" CUSTOM(SUM) "  in r\n }\n in y, d\n}\n", "3.0", "9.0 10.0");
	EXPECT("fun f (x: f64) : (y: f64, d: f64) = {\n let (y:"
	       " f64, d: f64) = jvp (x) (1.0) \\(a: f64) : (f64) -> {\n"
	       "  let (r: f64) =" CUSTOM(SUM) "  in r\n }\n in y, d\n}\n", "3.0", "9.0 6.0");
	// The derivative of the custom rule, x^2 + g, is 2x in either mode: outer forms look
	// into it.
	EXPECT("fun f (x: f64) : (y: f64, d: f64) = {\n let (y:"
	       " f64, d: f64) = jvp (x) (1.0) \\(o: f64) : (f64) -> {\n"
	       "  let (q: f64, r: f64) = vjp (o) (1.0) \\(a: f64) : (f64) -> {\n"
	       "   let (s: f64) =" CUSTOM(SUM)
	       "   in s\n  }\n  in r\n }\n in y, d\n}\n", "3.0", "10.0 6.0");
	EXPECT("fun f (x: f64) : (y: f64, d: f64) = {\n let (y:"
	       " f64, d: f64) = vjp (x) (1.0) \\(o: f64) : (f64) -> {\n"
	       "  let (q: f64, r: f64) = vjp (o) (1.0) \\(a: f64) : (f64) -> {\n"
	       "   let (s: f64) =" CUSTOM(SUM)
	       "   in s\n  }\n  in r\n }\n in y, d\n}\n", "3.0", "10.0 6.0");
	// In a loop, with variables that change captured by the rule.
	EXPECT("fun f (x: f64) : (y: f64, d: f64) = {\n let (y: f64,"
	       " d: f64) = vjp (x) (1.0) \\(a0: f64) : (f64) -> {\n"
	       "  let (r: f64) = loop (a: f64 = a0) for i: i64 < 3 do {\n"
	       "   let (k: f64) = convert.f64 i\n"
	       "   let (s: f64) = with_vjp tape=0 (a)\n    fn=\\(b: f64) : (f64) -> {\n"
	       " let (c: f64) = add.f64 b k\n in c\n}\n"
	       "    bwd=\\(g: f64) : (f64) -> {\n let (k1: f64) = add.f64 k 1.0\n"
	       " let (h: f64) = mul.f64 g k1\n in h\n}\n"
	       "   in s\n  }\n  in r\n }\n in y, d\n}\n", "1.0", "4.0 6.0");
	// A free variable of the function gets no adjoint, though it depends on the input.
	EXPECT("fun f (x: f64) : (y: f64, d: f64) = {\n let (y:"
	       " f64, d: f64) = vjp (x) (1.0) \\(a: f64) : (f64) -> {\n"
	       "  let (w: f64) = mul.f64 a 5.0\n  let (s: f64) = with_vjp tape=0 (a)\n"
	       "    fn=\\(b: f64) : (f64) -> {\n let (c: f64) = mul.f64 b w\n in c\n}\n"
	       "    bwd=\\(g: f64) : (f64) -> {\n in 100.0\n}\n  in s\n }\n in y, d\n"
	       "}\n", "2.0", "20.0 100.0");
}

// Reverse mode through the forms, with seeds of one, checked against forward mode: the sum of
// all adjoints is the derivative along the direction (1, ..., 1).
static void test_forms_both_ways(void)
{
	static const struct { const char *body, *at, *sum; } rows[] = {
		{"let (s: [4]f64) = screma 4 (xs) map=\\(x: f64) : (f64) -> {x} scan=(1.0) " MUL
		 "let (r: f64) = index s [3]\n", "[1.0,2.0,3.0,4.0]", "50.0"},
		{"let (t: f64) = screma 4 (xs) map=\\(x: f64) : (f64) -> {x} reduce=(-f64.inf)"
		 " \\(a: f64, b: f64) : (f64) -> {\n let (c: f64) = max.f64 a b\n in c\n}\n"
		 "let (r: f64) = mul.f64 t t\n", "[1.0,4.0,3.0,4.0]", "8.0"},
		{"let (is: [4]i64) = array [1, 3, 9, 1] : i64\nlet (z: [4]f64) = copy xs\n"
		 "let (w: [4]f64) = scatter 4 (is, xs)\n dest=[4] z 1\n"
		 " map=\\(i: i64, x: f64) : (i64, f64) -> {\n let (y: f64) = mul.f64 x 3.0\n"
		 " in i, y\n}\n"
		 "let (r: f64) = screma 4 (w) map=\\(x: f64) : (f64) -> {x} reduce=(0.0) " ADD,
		 "[1.0,2.0,3.0,4.0]", "8.0"},
		{"let (c0: bool) = lt.f64 0.0 1.0\nlet (x0: f64) = index xs [0]\n"
		 "let (c: bool, r: f64) = loop (c1: bool = c0, a: f64 = x0) while c1 do {\n"
		 " let (b: f64) = mul.f64 a a\n let (c2: bool) = lt.f64 b 100.0\n in c2, b\n}\n",
		 "[2.0,2.0,3.0,4.0]", "1024.0"},
		{"let (is: [4]i64) = iota.i64 4 0 1\n"
		 "let (m: i64, lens: [4]i64, data: [m]f64) = flatmap 4 (is, xs) data=1"
		 " map=\\(i: i64, x: f64) : (i64, [seg]f64) -> {\n let (seg: i64) = add.i64 i 0\n"
		 "  let (v: [seg]f64) = replicate [seg] x\n in seg, v\n }\n"
		 "let (r: f64) = screma m (data) map=\\(x: f64) : (f64) -> {x} reduce=(0.0) " ADD,
		 "[1.0,2.0,3.0,4.0]", "6.0"},
		{"let (d: [1]f64) = replicate [1] 0.0\nlet (e: [1]f64) = withacc\n"
		       "  input=[1] (d) (0.0) " ADD
		 "  fn=\\(t1: cert, a1: acc(t1, [1], f64)) : (acc(t1, [1], f64)) -> {\n"
		 "   let (a4: acc(t1, [1], f64)) = screma 4 (xs,"
		 " a1) map=\\(x: f64, a5: acc(t1, [1], f64))"
		 " : (acc(t1, [1], f64)) -> {\n    let (y: f64) = mul.f64 x x\n"
		 "    let (a6: acc(t1, [1], f64)) = upd_acc a5 [0] (y)\n    in a6\n   }\n"
		 "   in a4\n  }\n"
		 "let (r: f64) = index e [0]\n", "[1.0,2.0,3.0,4.0]", "20.0"},
		{"let (m: [2][2]f64) = reshape [2][2] xs\nlet (t: [2][2]f64) = rearrange (1, 0) m\n"
		 "let (u: [4][2]f64) = concat 4 (m, t)\nlet (v: [8]f64) = reshape [8] u\n"
		 "let (p: f64) = index v [5]\nlet (q: f64) = index v [2]\n"
		 "let (r: f64) = mul.f64 p q\n",
		 "[1.0,2.0,3.0,4.0]", "6.0"},
		{"let (x0: f64) = index xs [1]\nlet (r: f64) = call"
		       " power (x0, 5)\n", "[1.0,2.0,3.0,4.0]", "80.0"},
		{"let (x0: f64) = index xs [1]\nlet (a: f32) = convert.f32 x0\n"
		       "let (b: f32) = mul.f32 a a\n"
		 "let (r: f64) = convert.f64 b\n", "[1.0,2.0,3.0,4.0]", "4.0"},
		{"let (x0: f64) = index xs [1]\nlet (a: f16) = convert.f16 x0\n"
		       "let (b: f16) = mul.f16 a a\n"
		 "let (c: f16) = lerp.f16 b a 0.5f16\nlet (r: f64)"
		 " = convert.f64 c\n", "[1.0,2.0,3.0,4.0]", "2.5"},
	};
	static const char power[] =
		"fun power (x: f64, n: i64) : (r: f64) = {\n let (c: bool) = le.i64 n 0\n"
		" let (r: f64) = if c then {1.0} else {\n  let (m: i64) = sub.i64 n 1\n"
		"  let (p: f64) = call power (x, m)\n  let (q: f64) = mul.f64 x p\n  in q\n }\n"
		" in r\n}\n";
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		EXPECT(text("%sfun f (ys: [4]f64) : (s: f64) = {\n"
		            "let (y: f64, d: [4]f64) = vjp (ys)"
		            " (1.0) \\(xs: [4]f64) : (f64) -> {\n%s in r\n}\n"
		            "let (s: f64) = screma 4 (d) map=\\(x: f64)"
		            " : (f64) -> {x} reduce=(0.0) " ADD " in s\n}\n",
		            power, rows[i].body), rows[i].at, rows[i].sum);
		EXPECT(text("%sfun f (ys: [4]f64) : (s: f64) = {\n"
		       "let (ones: [4]f64) = replicate [4] 1.0\n"
		            "let (y: f64, s: f64) = jvp (ys) (ones)"
		            " \\(xs: [4]f64) : (f64) -> {\n%s in r\n}\n"
		            " in s\n}\n", power, rows[i].body), rows[i].at, rows[i].sum);
	}
}

static void test_hessian(void)
{
	// Of the product of [0, 2, 3], a row per direction, forward over reverse.
	EXPECT("fun f (ys: [3]f64, dirs: [3][3]f64) : (g: [3]f64, h: [3][3]f64) = {\n"
	       " let (g: [3]f64, h: [3][3]f64) = jvp many=3"
	       " (ys) (dirs) \\(xs: [3]f64) : ([3]f64) -> {\n"
	       "  let (p: f64, d: [3]f64) = vjp (xs) (1.0) \\(zs: [3]f64) : (f64) -> {\n"
	       "   let (q: f64) = screma 3 (zs) map=\\(z: f64)"
	       " : (f64) -> {z} reduce=(1.0) " MUL "   in q\n  }\n"
	       "  in d\n }\n in g, h\n}\n",
	       "[0.0,2.0,3.0] [[1.0,0.0,0.0],[0.0,1.0,0.0],[0.0,0.0,1.0]]",
	       "[6.0,0.0,0.0] [[0.0,3.0,2.0],[3.0,0.0,0.0],[2.0,0.0,0.0]]");
	// No seeds at all still give the primal result.
	EXPECT("fun f (ys: [2]f64, n: i64, s: [n][2]f64, t: [n]f64)"
	       " : (y: f64, d: [n]f64, z: f64, e: [n][2]f64) = {\n"
	       " let (y: f64, d: [n]f64) = jvp many=n (ys) (s) \\(xs: [2]f64) : (f64) -> {\n"
	       "  let (q: f64) = index xs [1]\n  in q\n }\n"
	       " let (z: f64, e: [n][2]f64) = vjp many=n (ys) (t) \\(us: [2]f64) : (f64) -> {\n"
	       "  let (v: f64) = index us [1]\n  in v\n }\n in y, d, z, e\n}\n",
	       "[1.0,2.0] 0i64 empty([0][2]f64) empty([0]f64)", "2.0"
	       " empty([0]f64) 2.0 empty([0][2]f64)");
}

// What a custom derivative captured is later updated in place.
static void test_frozen(void)
{
	EXPECT("fun f (x: f64) : (y: f64, d: f64) = {\n let (y:"
	       " f64, d: f64) = vjp (x) (1.0) \\(a: f64) : (f64) -> {\n"
	       "  let (w: [2]f64) = replicate [2] 7.0\n"
	       "  let (s: f64) = with_vjp tape=0 (a)\n   fn=\\(b: f64) : (f64) -> {b}\n"
	       "   bwd=\\(g: f64) : (f64) -> {\n let (h: f64) = index w [1]\n"
	       " let (k: f64) = mul.f64 g h\n in k\n}\n"
	       "  let (w2: [2]f64) = update w [1] 100.0\n  let (u: f64) = index w2 [1]\n"
	       "  let (v: f64) = mul.f64 s u\n  in v\n }\n in y, d\n}\n", "2.0", "200.0 700.0");
}

// ---- The table of derivatives against differences ----

typedef struct { Interp *in; const Fun *fun; } Runnable;

static Runnable derivative_of(Prim op, int arity, const char *outer, bool second)
{
	Str s = {0};
	const char *call = arity == 1 ? "a" : arity == 2 ? "a b" : "a b c";
	str_printf(&s, "fun f (x: f64, y: f64, z: f64, u: f64, v:"
	       " f64, w: f64) : (r: f64, d: f64, e: f64, h: f64) = {\n");
	const char *vjp =
		"let (r: f64, d: f64, e: f64, h: f64) = vjp (%s, %s,"
		" %s) (1.0) \\(a: f64, b: f64, c: f64) : (f64) -> {\n"
		"  let (q: f64) = %s.f64 %s\n  in q\n }\n";
	if (!second) {
		str_printf(&s, vjp, "x", "y", "z", prim_name[op], call);
		str_puts(&s, " in r, d, e, h\n}\n");
	} else {
		// The derivative of u*dx + v*dy + w*dz, by the outer mode.
		str_printf(&s, "let (k: f64%s) = %s (x, y, z) (%s)"
		       " \\(x1: f64, y1: f64, z1: f64) : (f64) -> {\n",
		           strcmp(outer, "vjp") == 0 ? ", d:"
		                  " f64, e: f64, h: f64" : ", t: f64", outer,
		           strcmp(outer, "vjp") == 0 ? "1.0" : "u, v, w");
		str_printf(&s, vjp, "x1", "y1", "z1", prim_name[op], call);
		str_puts(&s, "  let (d1: f64) = mul.f64 d u\n  let (e1: f64) = mul.f64 e v\n"
		       "  let (h1: f64) = mul.f64 h w\n"
		         "  let (s1: f64) = add.f64 d1 e1\n  let (s2: f64) = add.f64 s1 h1\n"
		         "  in s2\n }\n");
		str_puts(&s, strcmp(outer, "vjp") == 0 ? " in k, d, e, h\n"
		       "}\n" : " in k, t, t, t\n}\n");
	}
	Prog *prog = parse(str_text(&s));
	if (!prog)
		return (Runnable){0};
	return (Runnable){interp_new(prog), prog->funs.at[0]};
}

static bool call6(Runnable r, const double x[3], const double dir[3], double out[4])
{
	Values args = {0}, got = {0};
	for (int i = 0; i < 6; i++)
		VEC_PUSH(&args, value_scalar(scalar_float(PT_F64, i < 3 ? x[i] : dir[i - 3])));
	RunError e = interp_call(r.in, r.fun, &args, &got, stdout);
	for (int i = 0; i < 4 && !e.message; i++)
		out[i] = value_get(&got.at[i], 0).f;
	return !e.message;
}

// Where the language's convention is not the derivative, or the operand is no real number.
static bool by_convention(Prim op, int column, const double *x)
{
	return op == P_trunc ||
	       (column == 1 && (op == P_copysign || op == P_mod || op == P_polygamma ||
	                        (op == P_pow && x[0] <= 0)));
}

static bool close_to(double got, double expected, double tolerance)
{
	return fabs(got - expected) <= tolerance * (1 + fabs(expected));
}

static void check_point(Prim op, int arity, Runnable first, Runnable jvp, Runnable vjp,
                        const double *x)
{
	static const double none[3] = {0, 0, 0};
	double at[4], up[4], down[4], second[4];
	double dir[3] = {1, arity > 1 ? 0.5 : 0, arity > 2 ? -0.25 : 0};
	if (!call6(first, x, none, at) || !isfinite(at[0]))
		return;
	for (int i = 0; i < arity; i++) {
		if (by_convention(op, i, x))
			continue;
		double lo[3], hi[3], h = 1e-6 * (1 + fabs(x[i]));
		memcpy(lo, x, sizeof lo);
		memcpy(hi, x, sizeof hi);
		lo[i] -= h;
		hi[i] += h;
		if (!call6(first, lo, none, down) || !call6(first, hi, none, up) ||
		    !isfinite(up[0] - down[0]))
			continue;
		double d = (up[0] - down[0]) / (2 * h);
		if (!close_to(at[1 + i], d, 1e-6))
			printf("%s, operand %d at (%g, %g, %g): %.10g,"
			       " differences give %.10g\n", prim_name[op], i,
			       x[0], x[1], x[2], at[1 + i], d);
		CHECK(close_to(at[1 + i], d, 1e-6));
		if (op == P_polygamma || op == P_mod)
			continue;
		double dd = 0;
		for (int k = 0; k < arity; k++)
			dd += dir[k] * (up[1 + k] - down[1 + k]) / (2 * h);
		bool ran = call6(vjp, x, dir, second);
		if (ran && !close_to(second[1 + i], dd, 1e-5))
			printf("second derivative of %s, operand %d at"
			       " (%g, %g, %g): %.10g, differences give %.10g\n",
			       prim_name[op], i, x[0], x[1], x[2], second[1 + i], dd);
		CHECK(ran && close_to(second[1 + i], dd, 1e-5));
	}
	// Forward over reverse agrees with reverse over reverse.
	double forward[4];
	CHECK(call6(jvp, x, dir, forward) && call6(vjp, x, dir, second));
	double along = dir[0] * second[1] + dir[1] * second[2] + dir[2] * second[3];
	CHECK(close_to(forward[1], along, 1e-12));
}

static void test_table(void)
{
	static const double points[][3] = {
		{0.3, 0.7, 0.4}, {-0.45, 1.3, 0.8}, {1.7, -0.6, 1.6}, {-2.3, -1.9, -0.5},
		{3.1, 2.2, 0.1}, {12.7, 0.25, 0.9}, {0.013, 3.4, 0.6}, {0.3, 2, 0.5},
		{2.6, 1, 0.2}, {0.95, 0, 0.7},
	};
	for (int op = 0; op < N_PRIM; op++) {
		Prim p = (Prim)op;
		int arity = prim_arity(p);
		if (!prim_allowed(p, PT_F64) || prim_result(p, PT_F64) != PT_F64 || p == P_ldexp)
			continue;
		Runnable first = derivative_of(p, arity, "", false);
		Runnable jvp = derivative_of(p, arity, "jvp", true);
		Runnable vjp = derivative_of(p, arity, "vjp", true);
		CHECK(first.in && jvp.in && vjp.in);
		bool ok = first.in && jvp.in && vjp.in;
		for (size_t i = 0; ok && i < sizeof points / sizeof *points; i++) {
			double x[3];
			memcpy(x, points[i], sizeof x);
			if (p == P_polygamma)
				x[1] = (double)(i % 3);
			check_point(p, arity, first, jvp, vjp, x);
		}
		interp_free(first.in);
		interp_free(jvp.in);
		interp_free(vjp.in);
	}
}

int main(void)
{
	test_integers();
	test_chunks();
	test_floats();
	test_conversions();
	test_control();
	test_arrays();
	test_soacs();
	test_entry();
	test_modes();
	test_confusion();
	test_structures();
	test_more();
	test_forms_both_ways();
	test_hessian();
	test_custom();
	test_frozen();
	test_table();
	return report_counts();
}
