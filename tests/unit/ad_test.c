// Tests of forward mode on core: what it makes, and its values against those of the interpreter,
// which differentiates on its own.
#include "ad/ad.h"
#include "pass/pass.h"
#include "unit.h"

static void note(int line, bool ok, const char *what)
{
	passed += ok;
	failed += !ok;
	if (!ok)
		printf("%s:%d: %s\n", __FILE__, line, what);
}

static Prog *parse(const char *source)
{
	vars_reset(1);
	diag_reset();
	return core_parse(source_add("test.core", source, strlen(source)));
}

static Prog *run(Prog *prog, PassId pass)
{
	return run_passes(prog, (Pipeline){&pass, 1}, &(PassOptions){.check = CHECK_EACH});
}

static Values call(const Prog *prog, const double *x, int64_t n)
{
	Values args = {0}, out = {0};
	Value v = value_new(PT_F64, 1, &n);
	for (int64_t i = 0; i < n; i++)
		value_set(&v, i, scalar_float(PT_F64, x[i]));
	VEC_PUSH(&args, v);
	Interp *in = interp_new(prog);
	RunError e = interp_call(in, prog->funs.at[prog->funs.len - 1], &args, &out, stdout);
	if (e.message)
		printf("%s\n", e.message);
	interp_free(in);
	return out;
}

#define VECTOR "array 1 prim f64 \"f64\" 1 \"[]f64\" 1"
#define HEAD "entry \"main\" (\"x\": " VECTOR ") : tuple {\"0\": " VECTOR ", \"1\": " VECTOR \
             "} \"([]f64, []f64)\" 2\n" \
             "fun main (n: i64, x: [n]f64) : (k: i64, m: i64, r: *[k]f64, s: *[m]f64) = {\n" \
             "  let (y: [n]f64, t: [n]f64) = jvp (x) (x) \\(a: [n]f64) : ([n]f64) -> {\n"
#define TAIL "  }\n  in n, n, y, t\n}\n"
#define ADD "\\(p: f64, q: f64) : (f64) -> {\n let (s: f64) = add.f64 p q\n in s\n}\n"
#define MUL "\\(p: f64, q: f64) : (f64) -> {\n let (s: f64) = mul.f64 p q\n in s\n}\n"

// Before and after the pass the program gives the same for n >= 2 elements.
static void check_values(int line, const char *source)
{
	static const double x[] = {1.5, -2.5, 3.25, 0.5};
	Prog *prog = parse(source);
	note(line, prog != NULL, "does not parse");
	if (!prog) {
		diag_print(stdout, false);
		return;
	}
	const char *why = core_check(prog);
	note(line, !why, why ? why : "");
	if (why)
		return;
	for (int64_t n = 2; n <= 4; n++) {
		Values before = call(prog, x, n);
		Values after = call(run(prog, PASS_differentiate), x, n);
		Str differences = {0};
		bool same = before.len == 2 && values_compare(&after, &before, false, &differences);
		note(line, same, str_text(&differences));
	}
}
#define SAME(source) check_values(__LINE__, HEAD source TAIL)

static void test_values(void)
{
	// Sums have an accumulator of tangents, one branch adds nothing to it.
	SAME("let (zeros: [n]f64) = replicate [n] 1.0\n"
	     "let (is: [n]i64) = iota.i64 n 0 1\n"
	     "let (ys: [n]f64) = withacc input=[n] (zeros) (0.0) " ADD
	     "  fn=\\(t: cert, b: acc(t, [n], f64)) : (acc(t, [n], f64)) -> {\n"
	     "    let (c: acc(t, [n], f64)) = screma n (is, a, b)\n"
	     "      map=\\(i: i64, v: f64, d: acc(t, [n], f64)) : (acc(t, [n], f64)) -> {\n"
	     "        let (small: bool) = lt.f64 v 2.0\n"
	     "        let (w: f64) = mul.f64 v v\n"
	     "        let (e: acc(t, [n], f64)) = if small then {\n"
	     "          let (f: acc(t, [n], f64)) = upd_acc d [0] (w)\n"
	     "          in f\n"
	     "        } else {\n"
	     "          let (f: acc(t, [n], f64)) = upd_acc d [i] (3.0)\n"
	     "          in f\n"
	     "        }\n"
	     "        in e\n"
	     "      }\n"
	     "    in c\n"
	     "  }\n"
	     "in ys\n");
	// Products need the values, and so does an accumulator that is written to.
	SAME("let (ones: [n]f64) = copy a\n"
	     "let (us: [n]f64, h: f64) = withacc input=[n] (ones) (1.0) " MUL
	     "  fn=\\(t: cert, b: acc(t, [n], f64)) : (acc(t, [n], f64), f64) -> {\n"
	     "    let (c: acc(t, [n], f64)) = loop (d: acc(t, [n], f64) = b) for i: i64 < n do {\n"
	     "      let (v: f64) = index a [i]\n"
	     "      let (e: acc(t, [n], f64)) = upd_acc d [0] (v)\n"
	     "      in e\n"
	     "    }\n"
	     "    let (g: f64) = index a [1]\n"
	     "    in c, g\n"
	     "  }\n"
	     "let (ws: [n]f64) = withacc input=[n] (us)\n"
	     "  fn=\\(t: cert, b: acc(t, [n], f64)) : (acc(t, [n], f64)) -> {\n"
	     "    let (c: acc(t, [n], f64)) = upd_acc b [1] (h)\n"
	     "    in c\n"
	     "  }\n"
	     "in ws\n");
	// A map, a scan and reductions in one; the reduction has a free variable.
	SAME("let (w: f64) = index a [0]\n"
	     "let (ss: [n]f64, r: f64, ys: [n]f64) = screma n (a)\n"
	     "  map=\\(v: f64) : (f64, f64, f64) -> {\n"
	     "    let (u: f64) = sin.f64 v\n"
	     "    in u, v, u\n"
	     "  }\n"
	     "  scan=(0.0) " ADD
	     "  reduce=(0.0) \\(p: f64, q: f64) : (f64) -> {\n"
	     "    let (s: f64) = add.f64 p q\n"
	     "    let (m: f64) = mul.f64 p q\n"
	     "    let (o: f64) = mul.f64 m w\n"
	     "    let (z: f64) = add.f64 s o\n"
	     "    in z\n"
	     "  }\n"
	     "let (zs: [n]f64) = screma n (ss, ys) map=\\(p: f64, q: f64) : (f64) -> {\n"
	     "  let (s: f64) = mul.f64 p q\n"
	     "  let (o: f64) = mul.f64 s r\n"
	     "  in o\n"
	     "}\n"
	     "in zs\n");
	// Segments whose lengths depend on the values.
	SAME("let (m: i64, lens: [n]i64, data: [m]f64, us: [n]f64) = flatmap n (a) data=1\n"
	     "  map=\\(v: f64) : (i64, [j]f64, f64) -> {\n"
	     "    let (c: f64) = abs.f64 v\n"
	     "    let (j: i64) = convert.i64 c\n"
	     "    let (k: f64) = mul.f64 v v\n"
	     "    let (d: [j]f64) = replicate [j] k\n"
	     "    in j, d, k\n"
	     "  }\n"
	     "let (r: f64) = screma m (data) map=\\(v: f64) : (f64) -> {v} reduce=(0.0) " ADD
	     "let (zs: [n]f64) = screma n (us) map=\\(p: f64) : (f64) -> {\n"
	     "  let (s: f64) = mul.f64 p r\n"
	     "  in s\n"
	     "}\n"
	     "in zs\n");
}

static int count(const char *in, const char *what)
{
	int n = 0;
	for (const char *p = in; (p = strstr(p, what)); p += strlen(what))
		n++;
	return n;
}

static const char *derived(const char *source)
{
	Prog *prog = parse(source);
	return prog ? show_prog(run(run(prog, PASS_differentiate), PASS_simplify)) : "";
}

static void test_structure(void)
{
	// Sums stay sums, two of them; of the values of a maximum the tangents need all.
	const char *sum = derived(
		"fun f (n: i64, x: [n]f64, d: [n]f64) : (r: f64, s: f64) = {\n"
		"  let (y: f64, t: f64) = jvp (x) (d) \\(a: [n]f64) : (f64) -> {\n"
		"    let (r: f64) = screma n (a) map=\\(v: f64) : (f64) -> {v} reduce=(0.0) " ADD
		"    in r\n"
		"  }\n"
		"  in y, t\n"
		"}\n");
	note(__LINE__, count(sum, "reduce=(0.0) \\") == 2, sum);
	// Many tangents share the values, and only parameters of the loop that are active have one.
	const char *many = derived(
		"fun f (n: i64, x: f64, d: [n]f64) : (s: [n]f64) = {\n"
		"  let (y: f64, t: [n]f64) = jvp many=n (x) (d) \\(a: f64) : (f64) -> {\n"
		"    let (b: f64) = sin.f64 a\n"
		"    let (c: f64) = exp.f64 b\n"
		"    in c\n"
		"  }\n"
		"  in t\n"
		"}\n");
	note(__LINE__, count(many, "exp.f64") == 1 && count(many, "sin.f64") == 1 &&
	     strstr(many, "exp.f64") < strstr(many, "screma"), many);
	const char *loop = derived(
		"fun f (n: i64, x: f64) : (s: f64) = {\n"
		"  let (y: f64, t: f64) = jvp (x) (1.0) \\(a: f64) : (f64) -> {\n"
		"    let (b: f64, k: i64) = loop (p: f64 = a, k: i64 = 0) for i: i64 < n do {\n"
		"      let (q: f64) = mul.f64 p p\n"
		"      let (l: i64) = add.i64 k 1\n"
		"      in q, l\n"
		"    }\n"
		"    let (c: f64) = convert.f64 k\n"
		"    let (r: f64) = mul.f64 b c\n"
		"    in r\n"
		"  }\n"
		"  in t\n"
		"}\n");
	note(__LINE__, count(loop, "_tan_") > 0 && !strstr(loop, "k_tan"), loop);
	// No derivative is left.
	note(__LINE__, !strstr(sum, "jvp") && !strstr(many, "jvp") && !strstr(loop, "jvp"),
	     "derivatives are left");
}

int main(void)
{
	test_values();
	test_structure();
	return report_counts();
}
