// Tests of the passes to loops and memory: what they leave, and that results stay the same.
//
// RUN interprets a program after each pass; the interpreter keeps to the places that the passes
// give (interp_mem.c), so memory that is wrong shows.  LEFT counts what is left at the end.
#include "mem/mem.h"
#include "pass/pass.h"
#include "loop/loop.h"
#include "unit.h"

static const PassId all[] = {
	PASS_scalarise, PASS_seq, PASS_scalarise, PASS_drop_copies, PASS_place,
	PASS_shortcircuit, PASS_reuse, PASS_hoist_alloc, PASS_double_buffer, PASS_stack_alloc,
	PASS_release,
};
enum { N_ALL = sizeof all / sizeof *all };

static Prog *parse(const char *source)
{
	vars_reset(1);
	diag_reset();
	Prog *prog = core_parse(source_add("test.core", source, strlen(source)));
	if (!prog)
		diag_print(stdout, false);
	return prog;
}

// The results of the first function, as text; errors too.
static const char *results(const Prog *prog, const char *args)
{
	Values in = {0}, out = {0};
	const char *why;
	if (!values_read(args, strlen(args), &in, &why))
		return text("arguments: %s", why);
	Interp *interp = interp_new(prog);
	RunError e = interp_call(interp, prog->funs.at[0], &in, &out, stdout);
	Str s = {0};
	if (e.message)
		str_puts(&s, e.message);
	for (int i = 0; !e.message && i < out.len; i++) {
		str_puts(&s, i ? " " : "");
		value_write_text(&s, &out.at[i], TEXT_BARE);
	}
	interp_free(interp);
	return str_text(&s);
}

static void check_run(int line, const char *source, const char *args, const char *want)
{
	Prog *prog = parse(source);
	bool ok = prog != NULL;
	for (int i = -1; ok && i < N_ALL; i++) {
		if (i >= 0)
			prog = run_passes(prog, (Pipeline){&all[i], 1},
			                  &(PassOptions){.check = CHECK_EACH});
		const char *got = results(prog, args);
		ok = strcmp(got, want) == 0;
		if (!ok)
			printf("%s:%d: after %s: got %s, expected %s\n%s\n", __FILE__, line,
			       i < 0 ? "nothing" : passes[all[i]].name, got, want, show_prog(prog));
	}
	*(ok ? &passed : &failed) += 1;
}
#define RUN(source, args, want) check_run(__LINE__, source, args, want)

// ---- What is left ----

typedef struct { int allocs, in_loops, copies, carried, depth; } Left;

static bool moves_array(const Stm *s)
{
	if (s->exp->form == E_copy)
		return !mem_eq(sub_type(s->exp->copy.arr).mem, vars[s->pat.at[0].id].type.mem);
	return s->exp->form == E_update && sub_type(s->exp->update.val).mem && !stm_is_in_place(s);
}

static void count_body(Visit *v, Body *b)
{
	Left *l = v->ctx;
	for EACH(Stm, s, b->stms) {
		bool loop = s->exp->form == E_loop;
		l->allocs += s->exp->form == E_alloc;
		l->in_loops += s->exp->form == E_alloc && l->depth && !s->exp->alloc.stack;
		l->copies += moves_array(s);
		for (int i = 0; loop && i < s->pat.len; i++)
			l->carried += vars[s->pat.at[i].id].type.kind == T_MEM;
		l->depth += loop;
		exp_visit(s->exp, v);
		l->depth -= loop;
	}
}

static void check_left(int line, const char *source, Left want)
{
	Prog *prog = parse(source);
	if (!prog) {
		failed++;
		return;
	}
	prog = run_passes(prog, (Pipeline){all, N_ALL}, &(PassOptions){.check = CHECK_EACH});
	Left got = {0};
	Visit v = {.body = count_body, .ctx = &got};
	count_body(&v, &prog->funs.at[0]->body);
	if (got.allocs == want.allocs && got.in_loops == want.in_loops &&
	    got.copies == want.copies && got.carried == want.carried) {
		passed++;
		return;
	}
	failed++;
	printf("%s:%d: %d blocks, %d in loops, %d copies, %d carried, "
	       "expected %d, %d, %d, %d\n%s\n", __FILE__, line, got.allocs, got.in_loops,
	       got.copies, got.carried, want.allocs, want.in_loops, want.copies, want.carried,
	       show_prog(prog));
}
#define LEFT(source, ...) check_left(__LINE__, source, (Left){__VA_ARGS__})

static void check_bad(int line, const char *source, const char *why)
{
	Prog *prog = parse(source);
	const char *got = prog ? core_check(prog) : "does not parse";
	if (got && strstr(got, why)) {
		passed++;
		return;
	}
	failed++;
	printf("%s:%d: got %s, expected %s\n", __FILE__, line, got ? got : "nothing", why);
}
#define BAD(source, why) check_bad(__LINE__, source, why)

// ---- Programs ----

#define PLUS(t) "\\(a: " t ", b: " t ") : (" t ") -> { let (c: " t ") = add." t " a b in c }"
#define VECTOR_PLUS "\\(a: [m]f64, b: [m]f64) : ([m]f64) -> {" \
	" let (c: [m]f64) = screma m (a, b) map=\\(x: f64, y: f64) : (f64) -> {" \
	" let (z: f64) = add.f64 x y in z } in c }"
#define ROWS "n: i64, m: i64, xss: [n][m]f64"

static const char map_nest[] =
	"fun f (" ROWS ") : (r: [n][m]f64) = {"
	" let (r: [n][m]f64) = screma n (xss) map=\\(xs: [m]f64) : ([m]f64) -> {"
	"  let (ys: [m]f64) = screma m (xs) map=\\(x: f64) : (f64) -> {"
	"   let (y: f64) = mul.f64 x x in y } in ys }"
	" in r }";
static const char vector_sum[] =
	"fun f (" ROWS ") : (r: *[m]f64) = {"
	" let (z: [m]f64) = replicate [m] 0.0"
	" let (r: [m]f64) = screma n (xss) map=\\(xs: [m]f64) : ([m]f64) -> {xs}"
	"  reduce=(z) " VECTOR_PLUS
	" in r }";
static const char vector_scan[] =
	"fun f (" ROWS ") : (r: *[n][m]f64) = {"
	" let (z: [m]f64) = replicate [m] 0.0"
	" let (r: [n][m]f64) = screma n (xss) map=\\(xs: [m]f64) : ([m]f64) -> {xs}"
	"  scan=(z) " VECTOR_PLUS
	" in r }";
static const char keeps_left[] =
	"fun f (" ROWS ") : (r: *[m]f64) = {"
	" let (z: [m]f64) = replicate [m] 1.0"
	" let (r: [m]f64) = screma n (xss) map=\\(xs: [m]f64) : ([m]f64) -> {xs}"
	"  reduce=(z) \\(a: [m]f64, b: [m]f64) : ([m]f64) -> {a}"
	" let (q: [m]f64) = update r [0] 7.0"
	" let (zz: f64) = index z [0]"
	" let (p: [m]f64) = update q [1] zz"
	" in p }";
static const char fused[] =
	"fun f (n: i64, xs: [n]f64) : (s: *[n]f64, r: f64, t: f64, y: *[n]f64) = {"
	" let (s: [n]f64, r: f64, t: f64, y: [n]f64) = screma n (xs)"
	"  map=\\(x: f64) : (f64, f64, f64, f64) -> {"
	"   let (d: f64) = add.f64 x x in x, x, d, d }"
	"  scan=(0.0) " PLUS("f64")
	"  reduce=(0.0) " PLUS("f64")
	"  reduce=(1.0) \\(a: f64, b: f64) : (f64) -> {"
	"   let (c: f64) = mul.f64 b a in c }"
	" in s, r, t, y }";
static const char histogram[] =
	"fun f (n: i64, k: i64, d: *[k]i64, is: [n]i64, vs: [n]i64) : (r: *[k]i64) = {"
	" let (r: [k]i64) = hist n (is, vs)"
	"  op=[k] (d) (0) " PLUS("i64")
	"  map=\\(i: i64, v: i64) : (i64, i64) -> {i, v}"
	" in r }";
static const char plane[] =
	"fun f (n: i64, k: i64, l: i64, d: *[k][l]i64, is: [n]i64, js: [n]i64)"
	" : (r: *[k][l]i64) = {"
	" let (r: [k][l]i64) = hist n (is, js)"
	"  op=[k, l] (d) (0) " PLUS("i64")
	"  map=\\(i: i64, j: i64) : (i64, i64, i64) -> {i, j, 1}"
	" in r }";
static const char vector_histogram[] =
	"fun f (n: i64, k: i64, m: i64, d: *[k][m]f64, is: [n]i64, vs: [n][m]f64)"
	" : (r: *[k][m]f64) = {"
	" let (z: [m]f64) = replicate [m] 0.0"
	" let (r: [k][m]f64) = hist n (is, vs)"
	"  op=[k] (d) (z) " VECTOR_PLUS
	"  map=\\(i: i64, v: [m]f64) : (i64, [m]f64) -> {i, v}"
	" in r }";
static const char reversing_histogram[] =
	"fun f (n: i64, k: i64, m: i64, d: *[k][m]f64, is: [n]i64, vs: [n][m]f64)"
	" : (r: *[k][m]f64) = {"
	" let (z: [m]f64) = replicate [m] 0.0"
	" let (l: i64) = sub.i64 m 1"
	" let (js: [m]i64) = iota.i64 m 0 1"
	" let (r: [k][m]f64) = hist n (is, vs)"
	"  op=[k] (d) (z) \\(a: [m]f64, b: [m]f64) : ([m]f64) -> {"
	"   let (c: [m]f64) = screma m (js, b) map=\\(j: i64, y: f64) : (f64) -> {"
	"    let (h: i64) = sub.i64 l j"
	"    let (x: f64) = index a [h]"
	"    let (w: f64) = add.f64 x y in w } in c }"
	"  map=\\(i: i64, v: [m]f64) : (i64, [m]f64) -> {i, v}"
	" in r }";
static const char scattered[] =
	"fun f (n: i64, k: i64, d: *[k]i64, is: [n]i64) : (r: *[k]i64) = {"
	" let (r: [k]i64) = scatter n (is)"
	"  dest=[k] d 2"
	"  map=\\(i: i64) : (i64, i64, i64, i64) -> {"
	"   let (j: i64) = add.i64 i 1 in i, j, 5, 6 }"
	" in r }";
static const char irregular[] =
	"fun f (n: i64, ks: [n]i64) : (m: i64, l: *[n]i64, d: *[m]i64, u: *[n]i64) = {"
	" let (m: i64, l: [n]i64, d: [m]i64, u: [n]i64) = flatmap n (ks) data=1"
	"  map=\\(k: i64) : (i64, [k2]i64, i64) -> {"
	"   let (k2: i64) = mul.i64 k 2"
	"   let (v: [k2]i64) = iota.i64 k2 k 1"
	"   in k2, v, k }"
	" in m, l, d, u }";

static void test_seq(void)
{
	RUN(map_nest, "2i64 2i64 [[1.0, 2.0], [3.0, 4.0]]", "[[1.0, 4.0], [9.0, 16.0]]");
	RUN(vector_sum, "3i64 2i64 [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]", "[9.0, 12.0]");
	RUN(vector_sum, "0i64 2i64 empty([0][2]f64)", "[0.0, 0.0]");
	RUN(vector_scan, "3i64 2i64 [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]",
	    "[[1.0, 2.0], [4.0, 6.0], [9.0, 12.0]]");
	RUN(keeps_left, "2i64 2i64 [[4.0, 5.0], [6.0, 7.0]]", "[7.0, 1.0]");
	RUN(fused, "3i64 [1.0, 2.0, 3.0]", "[1.0, 3.0, 6.0] 6.0 48.0 [2.0, 4.0, 6.0]");
	RUN(fused, "0i64 empty([0]f64)", "[] 0.0 1.0 []");
	RUN(histogram, "5i64 2i64 [1i64, 2i64] [0i64, 1i64, 2i64, 0i64, -1i64]"
	    " [5i64, 6i64, 7i64, 8i64, 9i64]", "[14, 8]");
	RUN(plane, "4i64 2i64 2i64 [[0i64, 0i64], [0i64, 0i64]] [0i64, 1i64, 1i64, 0i64]"
	    " [1i64, 0i64, 0i64, 2i64]", "[[0, 1], [2, 0]]");
	RUN(vector_histogram, "3i64 2i64 2i64 [[0.0, 0.0], [1.0, 1.0]] [1i64, 0i64, 1i64]"
	    " [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]", "[[3.0, 4.0], [7.0, 9.0]]");
	RUN(reversing_histogram, "2i64 2i64 2i64 [[0.0, 0.0], [1.0, 2.0]] [1i64, 1i64]"
	    " [[1.0, 2.0], [3.0, 4.0]]", "[[0.0, 0.0], [6.0, 7.0]]");
	RUN(scattered, "3i64 3i64 [0i64, 0i64, 0i64] [2i64, 0i64, -1i64]", "[6, 6, 5]");
	RUN(irregular, "3i64 [1i64, 0i64, 2i64]", "6 [2, 0, 4] [1, 2, 2, 3, 4, 5] [1, 0, 2]");
	RUN(irregular, "0i64 empty([0]i64)", "0 [] [] []");
}

// ---- Accumulators ----

#define ACC "acc(t, [k], f64)"
#define ACC_INPUT "fun f (n: i64, k: i64, zs: *[k]f64, is: [n]i64, vs: [n]f64) : (r: *[k]f64) = {" \
	" let (r: [k]f64) = withacc input=[k] (zs) (0.0) " PLUS("f64") \
	" fn=\\(t: cert, a: " ACC ") : (" ACC ") -> {"

static const char accumulated[] = ACC_INPUT
	"  let (b: " ACC ") = screma n (is, vs, a) map=\\(i: i64, v: f64, c: " ACC ")"
	"   : (" ACC ") -> {"
	"   let (d: " ACC ") = upd_acc c [i] (v)"
	"   let (e: " ACC ") = upd_acc d [0] (1.0)"
	"   in e } in b } in r }";
static const char accumulated_control[] = ACC_INPUT
	"  let (b: " ACC ") = loop (c: " ACC " = a) for i: i64 < n do {"
	"   let (j: i64) = index is [i]"
	"   let (v: f64) = index vs [i]"
	"   let (p: bool) = lt.f64 0.0 v"
	"   let (e: " ACC ") = if p then {"
	"    let (g: " ACC ") = upd_acc c [j] (v) in g } else {c}"
	"   in e } in b } in r }";
static const char written[] =
	"fun f (n: i64, k: i64, zs: *[k][2]f64, is: [n]i64, vs: [n][2]f64)"
	" : (r: *[k][2]f64, s: f64) = {"
	" let (r: [k][2]f64, s: f64) = withacc input=[k] (zs)"
	" fn=\\(t: cert, a: acc(t, [k], [2]f64)) : (acc(t, [k], [2]f64), f64) -> {"
	"  let (b: acc(t, [k], [2]f64), q: f64) = loop (c: acc(t, [k], [2]f64) = a, u: f64 = 0.0)"
	"  for i: i64 < n do {"
	"   let (j: i64) = index is [i]"
	"   let (v: [2]f64) = slice vs [i, 0:2:1]"
	"   let (d: acc(t, [k], [2]f64)) = upd_acc c [j] (v)"
	"   let (x: f64) = index v [0]"
	"   let (w: f64) = add.f64 u x"
	"   in d, w } in b, q } in r, s }";
static const char custom[] =
	"fun f (x: f64) : (r: f64) = {"
	" let (r: f64) = with_vjp tape=1 (x)"
	"  fn=\\(a: f64) : (f64, f64) -> { let (b: f64) = mul.f64 a a in a, b }"
	"  bwd=\\(b: f64, g: f64) : (f64) -> {g}"
	" in r }";

static void test_accumulators(void)
{
	RUN(accumulated, "4i64 3i64 [0.0, 0.0, 0.0] [1i64, 2i64, 1i64, 7i64] [1.0, 2.0, 3.0, 4.0]",
	    "[4.0, 4.0, 2.0]");
	RUN(accumulated_control, "3i64 2i64 [0.0, 1.0] [1i64, 0i64, 1i64] [2.0, -3.0, 4.0]",
	    "[0.0, 7.0]");
	RUN(written, "2i64 2i64 [[0.0, 0.0], [1.0, 1.0]] [1i64, -1i64] [[2.0, 3.0], [4.0, 5.0]]",
	    "[[0.0, 0.0], [2.0, 3.0]] 6.0");
	RUN(custom, "3.0", "9.0");
}

// ---- Memory ----

static const char parts[] =
	"fun f (n: i64, xs: [n]f64) : (k: i64, r: *[k]f64) = {"
	" let (a: [n]f64) = screma n (xs) map=\\(x: f64) : (f64) -> {"
	"  let (y: f64) = mul.f64 x 2.0 in y }"
	" let (b: [n]f64) = screma n (xs) map=\\(x: f64) : (f64) -> {"
	"  let (y: f64) = add.f64 x 1.0 in y }"
	" let (k: i64) = add.i64 n n"
	" let (r: [k]f64) = concat k (b, a)"
	" in k, r }";
static const char branch[] =
	"fun f (" ROWS ") : (r: *[n][m]f64) = {"
	" let (r: [n][m]f64) = screma n (xss) map=\\(xs: [m]f64) : ([m]f64) -> {"
	"  let (h: f64) = index xs [0]"
	"  let (c: bool) = lt.f64 h 2.0"
	"  let (ys: [m]f64) = if c then {"
	"   let (us: [m]f64) = screma m (xs) map=\\(x: f64) : (f64) -> {"
	"    let (y: f64) = mul.f64 x x in y } in us } else {xs}"
	"  in ys }"
	" in r }";
static const char turned[] =
	"fun f (" ROWS ") : (r: *[m][n]f64) = {"
	" let (a: [n][m]f64) = screma n (xss) map=\\(xs: [m]f64) : ([m]f64) -> {"
	"  let (ys: [m]f64) = screma m (xs) map=\\(x: f64) : (f64) -> {"
	"   let (y: f64) = add.f64 x 1.0 in y } in ys }"
	" let (t: [m][n]f64) = rearrange (1, 0) a"
	" let (r: [m][n]f64) = copy t"
	" in r }";
static const char smaller[] =
	"fun f (n: i64, k: i64, xs: [n]f64, ks: [k]f64) : (r: *[k]f64) = {"
	" let (a: [n]f64) = screma n (xs) map=\\(x: f64) : (f64) -> {"
	"  let (y: f64) = add.f64 x 1.0 in y }"
	" let (t: [k]f64) = slice a [0:k:1]"
	" let (r: [k]f64) = copy t"
	" in r }";
static const char chain[] =
	"fun f (n: i64, xs: [n]f64) : (r: *[n]f64) = {"
	" let (a: [n]f64) = screma n (xs) map=\\(x: f64) : (f64) -> {"
	"  let (y: f64) = add.f64 x 1.0 in y }"
	" let (b: [n]f64) = screma n (a) map=\\(x: f64) : (f64) -> {"
	"  let (y: f64) = mul.f64 x 2.0 in y }"
	" let (c: [n]f64) = screma n (b) map=\\(x: f64) : (f64) -> {"
	"  let (y: f64) = mul.f64 x x in y }"
	" in c }";
static const char crossed[] =
	"fun f (n: i64, xs: [n]f64) : (r: *[n]f64) = {"
	" let (l: i64) = sub.i64 n 1"
	" let (a: [n]f64) = screma n (xs) map=\\(x: f64) : (f64) -> {"
	"  let (y: f64) = add.f64 x 1.0 in y }"
	" let (is: [n]i64) = iota.i64 n 0 1"
	" let (b: [n]f64) = screma n (is) map=\\(i: i64) : (f64) -> {"
	"  let (j: i64) = sub.i64 l i"
	"  let (y: f64) = index a [j] in y }"
	" in b }";
static const char iterated[] =
	"fun f (n: i64, k: i64, xs: [n]f64) : (r: [n]f64) = {"
	" let (r: [n]f64) = loop (a: [n]f64 = xs) for i: i64 < k do {"
	"  let (b: [n]f64) = screma n (a) map=\\(x: f64) : (f64) -> {"
	"   let (y: f64) = mul.f64 x 2.0 in y }"
	"  in b }"
	" in r }";
static const char kept[] =
	"fun f (n: i64, k: i64, xs: [n]f64) : (r: [n]f64, s: [n]f64) = {"
	" let (r: [n]f64, s: [n]f64) = loop (a: [n]f64 = xs, c: [n]f64 = xs) for i: i64 < k do {"
	"  let (b: [n]f64) = screma n (a) map=\\(x: f64) : (f64) -> {"
	"   let (y: f64) = mul.f64 x 2.0 in y }"
	"  in b, a }"
	" in r, s }";
static const char temporary[] =
	"fun f (" ROWS ") : (r: *[n]f64) = {"
	" let (r: [n]f64) = screma n (xss) map=\\(xs: [m]f64) : (f64) -> {"
	"  let (s: [m]f64) = screma m (xs) map=\\(x: f64) : (f64) -> {x} scan=(0.0) " PLUS("f64")
	"  let (l: i64) = sub.i64 m 1"
	"  let (z: f64) = index s [l] in z }"
	" in r }";
static const char small[] =
	"fun f (x: f64) : (r: f64) = {"
	" let (a: [6]f64) = array [x, 1.0, 2.0, 0.0, 0.0, 0.0] : f64"
	" let (r: f64) = loop (s: f64 = 0.0) for i: i64 < 6 do {"
	"  let (y: f64) = index a [i]"
	"  let (t: f64) = add.f64 s y in t }"
	" in r }";

static void test_memory(void)
{
	RUN(parts, "2i64 [1.0, 2.0]", "4 [2.0, 3.0, 2.0, 4.0]");
	LEFT(parts, .allocs = 1);
	RUN(branch, "2i64 2i64 [[1.0, 2.0], [3.0, 4.0]]", "[[1.0, 4.0], [3.0, 4.0]]");
	LEFT(branch, .allocs = 1, .copies = 1);
	RUN(turned, "2i64 3i64 [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]",
	    "[[2.0, 5.0], [3.0, 6.0], [4.0, 7.0]]");
	LEFT(turned, .allocs = 1);
	RUN(smaller, "3i64 2i64 [1.0, 2.0, 3.0] [0.0, 0.0]", "[2.0, 3.0]");
	LEFT(smaller, .allocs = 2, .copies = 1);
	LEFT(map_nest, .allocs = 1);
	LEFT(vector_sum, .allocs = 1);
	LEFT(vector_histogram, .allocs = 1);
	LEFT(reversing_histogram, .allocs = 3, .copies = 1);
	RUN(chain, "2i64 [1.0, 2.0]", "[16.0, 36.0]");
	LEFT(chain, .allocs = 1);
	RUN(crossed, "3i64 [1.0, 2.0, 3.0]", "[4.0, 3.0, 2.0]");
	LEFT(crossed, .allocs = 3);
	RUN(iterated, "2i64 3i64 [1.0, 2.0]", "[8.0, 16.0]");
	RUN(iterated, "2i64 0i64 [1.0, 2.0]", "[1.0, 2.0]");
	LEFT(iterated, .allocs = 2, .carried = 3);
	RUN(kept, "1i64 3i64 [1.0]", "[8.0] [4.0]");
	LEFT(kept, .allocs = 1, .in_loops = 1, .carried = 2);
	RUN(temporary, "2i64 2i64 [[1.0, 2.0], [3.0, 4.0]]", "[3.0, 7.0]");
	LEFT(temporary, .allocs = 2);
	RUN(small, "3.0", "6.0");
	LEFT(small, .allocs = 1);
}

// ---- The checker ----

#define MEM(body) "stage mem fun f (n: i64, c: bool, a: mem.f64, xs: [n]f64 @ a + 0," \
	" b: mem.f64, ys: [n]f64 @ b + 0) : (m: mem.f64, r: [n]f64 @ m + 0) = {" body "}"

static void test_checker(void)
{
	BAD(MEM("let (zs: [n]f64) = copy xs in a, xs"), "has no place in memory");
	BAD(MEM("let (zs: [n]f64 @ b + 0) = xs in a, xs"), "is not at the place");
	BAD(MEM("let (zs: [n]f64 @ a + 1) = xs in a, xs"), "is not at the place");
	BAD(MEM("in b, xs"), "is not at the place");
	BAD(MEM("let (m: mem.f64, zs: [n]f64 @ m + 0) = if c then {a, xs} else {a, ys} in m, zs"),
	    "result of a branch");
	BAD(MEM("let (zs: [n]f64 @ a + 0) = loop (q: [n]f64 @ a + 0 = xs) for i: i64 < n do {ys}"
	        " in a, zs"), "result of the loop's body");
	BAD(MEM("let (m: mem.i32) = alloc.i32 n let (zs: [n]f64 @ m + 0) = copy xs in a, xs"),
	    "the block of an array");
	BAD(MEM("let (zs: [n]f64 @ a + 0 {1, 1}) = slice xs [0:n:1] in a, xs"), "strides");
	BAD(MEM("let (m: mem.f64) = alloc.f64 n let (zs: [n]f64 @ m + 0) = copy xs"
	        " let () = release m let (x: f64) = index zs [0] in a, xs"), "was released");
	BAD(MEM("let (m: mem.f64) = alloc.f64 n let () = release m let () = release m in a, xs"),
	    "was released");
	BAD(MEM("let () = release a in a, xs"), "another body");
	BAD(MEM("let (m: mem.f64) = alloc.f64 n stack in a, xs"), "on the stack");
	BAD("fun f (n: i64, a: mem.f64) : (r: i64) = {n}", "memory block");
	BAD("fun f (n: i64, xs: [n]f64) : (r: i64) = { let (m: mem.f64) = alloc.f64 n in n }",
	    "does not belong to the stage soac");
}

// ---- Attributes ----

static const Exp *first_loop(const Prog *prog, const Stm **stm)
{
	for EACH(Stm, s, prog->funs.at[0]->body.stms)
		if (s->exp->form == E_loop) {
			*stm = s;
			return s->exp;
		}
	return NULL;
}

static void test_attributes(void)
{
	Prim op = P_sub;
	PrimType t = PT_BOOL;
	const Stm *s = NULL;
	const Exp *loop = first_loop(seq(parse(fused)), &s);
	CHECK(loop && !has_attr(s->attrs, ATTR_PARALLEL));
	CHECK(loop && loop_reduction(loop, 1, &op, &t) && op == P_add && t == PT_F64);
	CHECK(loop && loop_reduction(loop, 2, &op, &t) && op == P_mul && t == PT_F64);
	CHECK(loop && !loop_reduction(loop, 0, &op, &t) && !loop_reduction(loop, 4, &op, &t));
	loop = first_loop(seq(parse(map_nest)), &s);
	CHECK(loop && has_attr(s->attrs, ATTR_PARALLEL));
}

// ---- Small arrays ----

// Sums of the columns of rows, twice: the loops and the vector of two vanish.
static const char *small_vectors =
	"fun f (n: i64, xss: [n][2]f64) : (r: f64) = {"
	" let (v: [2]f64) = array [0.0, 1.0] : f64"
	" let (w: [2]f64) = loop (p: [2]f64 = v) for i: i64 < n do {"
	"  let (row: [2]f64) = slice xss [i, 0:2:1]"
	"  let (q: [2]f64) = screma 2 (p, row) map=\\(x: f64, y: f64) : (f64) -> {"
	"   let (z: f64) = add.f64 x y in z }"
	"  in q }"
	" let (s: f64) = screma 2 (w) map=\\(x: f64) : (f64) -> {x}"
	"  reduce=(1.0) \\(x: f64, y: f64) : (f64) -> { let (z: f64) = mul.f64 x y in z }"
	" in s }";

// Indices that are not known: of four elements, and of five.
static const char *unknown_index =
	"fun f (i: i64, j: i64) : (r: i64, q: i64) = {"
	" let (v: [4]i64) = iota.i64 4 10 10"
	" let (w: [4]i64) = update v [i] 7"
	" let (x: i64) = index w [j]"
	" let (v5: [5]i64) = iota.i64 5 10 10"
	" let (w5: [5]i64) = update v5 [i] 7"
	" let (y: i64) = index w5 [j]"
	" in x, y }";

static void test_small(void)
{
	RUN(small_vectors, "2i64 [[1.0, 2.0], [3.0, 4.0]]", "28.0");
	RUN(small_vectors, "0i64 empty([0][2]f64)", "0.0");
	RUN(unknown_index, "1i64 1i64", "7 7");
	RUN(unknown_index, "0i64 3i64", "40 40");
	LEFT(small_vectors, 0);
}

int main(void)
{
	test_seq();
	test_small();
	test_accumulators();
	test_memory();
	test_checker();
	test_attributes();
	return report_counts();
}
