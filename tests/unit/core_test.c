// Tests of core's infrastructure: builder and folding, traversal, text, checker.
#include "core/core.h"
#include "unit.h"

#include <math.h>

// ---- Programs ----

static const char all_forms[] =
"-- A function for each group of forms.\n"
"fun scalars (x: f64, k: i32, c: bool) : (r: f64, s: i32) = {\n"
"  let (y: f64) = add.f64 x 1.5\n"
"  let (z: f32) = convert.f32 y\n"
"  let (w: f32) = fma.f32 z 1.0e-3f32 -f32.inf\n"
"  let (n: f32) = f32.nan\n"
"  let (a: f64) = if c then {\n"
"    let (b: f64) = mul.f64 x x\n"
"    in b\n"
"  } else {x}\n"
"  let (m: i32, o: i32) = match k {\n"
"    0i32 -> {k, 1i32}\n"
"    -3i32 -> {\n"
"      let (k2: i32) = neg.i32 k\n"
"      in k2, k\n"
"    }\n"
"    _ -> {2i32, 3i32}\n"
"  }\n"
"  let (p: f64, q: i64) = loop (p1: f64 = a, q1: i64 = 0) for i: i32 < m do {\n"
"    let (p2: f64) = add.f64 p1 a\n"
"    in p2, q1\n"
"  }\n"
"  let (g: bool, h: i32) = loop (g1: bool = c, h1: i32 = o) while g1 do {false, h1}\n"
"  in p, h\n"
"}\n"
"\n"
"#[noinline] fun \"a strange+name\" (n: i64, xs: *[n]f64) : (k: i64, ys: *[k]f64) = {\n"
"  in n, xs\n"
"}\n"
"\n"
"fun arrays (n: i64, m: i64, xs: [n]f64, xss: [n][m]f64, i: i64) : (r: [n]f64) = {\n"
"  let (c1: bool) = lt.i64 i n\n"
"  let (c2: cert) = assert c1 (\"index \", i, \" is \\\"out\\\"\\n\")\n"
"  let (x: f64) = #{c2} index xs [i]\n"
"  let (row: [m]f64) = slice xss [i, 0:m:1]\n"
"  let (row2: [m]f64) = copy row\n"
"  #[unsafe] let (row3: [m]f64) = #{c2, c2} update row2 [0] x\n"
"  let (row4: [m]f64) = update row3 [0:m:1] row\n"
"  let (two: i64) = add.i64 m m\n"
"  let (cat: [two]f64) = concat two (row4, row)\n"
"  let (is: [n]i32) = iota.i32 n 0i32 1i32\n"
"  let (rs: [n][m]f64) = replicate [n][m] x\n"
"  let (s: [n][3]bool) = scratch.bool [n][3]\n"
"  let (nm: i64) = mul.i64 n m\n"
"  let (flat: [nm]f64) = reshape [nm] xss\n"
"  let (t: [m][n]f64) = rearrange (1, 0) xss\n"
"  let (a3: [3]f64) = array [x, 1.0, x] : f64\n"
"  let (a0: [0][m]f64) = array [] : [m]f64\n"
"  let (k: i64, ys: [k]f64) = call \"a strange+name\" (m, row4)\n"
"  let (zs: [k]f64, i2: i64) = trace \"tag\" (ys, i) : tuple {\"0\": array 1 prim f64 \"f64\" 1 "
"\"[]f64\" 1, \"1\": prim i64 \"i64\" 1} \"([]f64, i64)\" 2\n"
"  let (us: [n]f64) = opaque (xs)\n"
"  in us\n"
"}\n"
"\n"
"fun soacs (n: i64, k: i64, xs: [n]f64, is: [n]i64, d: *[k]f64, h: *[k]f64)"
" : (r: f64, d2: *[k]f64, h2: *[k]f64) = {\n"
"  let (ss: [n]f64, s: f64, ys: [n]f64) = screma n (xs)\n"
"    map=\\(x: f64) : (f64, f64, f64) -> {\n"
"      let (y: f64) = mul.f64 x x\n"
"      in y, y, x\n"
"    }\n"
"    scan=(0.0) \\(a: f64, b: f64) : (f64) -> {\n"
"      let (c: f64) = add.f64 a b\n"
"      in c\n"
"    }\n"
"    reduce_comm=(1.0) \\(a: f64, b: f64) : (f64) -> {\n"
"      let (c: f64) = mul.f64 a b\n"
"      in c\n"
"    }\n"
"  let (h2: [k]f64) = hist n (is, ys)\n"
"    op=[k] (h) (0.0) \\(a: f64, b: f64) : (f64) -> {\n"
"      let (c: f64) = add.f64 a b\n"
"      in c\n"
"    }\n"
"    map=\\(i: i64, y: f64) : (i64, f64) -> {i, y}\n"
"  let (d2: [k]f64) = scatter n (is, ys)\n"
"    dest=[k] d 1\n"
"    map=\\(i: i64, y: f64) : (i64, f64) -> {i, y}\n"
"  let (m: i64, lens: [n]i64, data: [m]f64, firsts: [n]f64) = flatmap n (is, ys) data=1"
" map=\\(i: i64, y: f64) : (i64, [seg]f64, f64) -> {\n"
"    let (seg: i64) = mul.i64 i 2\n"
"    let (v: [seg]f64) = replicate [seg] y\n"
"    in seg, v, y\n"
"  }\n"
"  in s, d2, h2\n"
"}\n"
"\n"
"fun accs (n: i64, k: i64, xs: [n]f64, is: [n]i64, d: *[k]f64, e: *[k][n]i32)"
" : (d2: [k]f64, e2: [k][n]i32) = {\n"
"  let (d2: [k]f64, e2: [k][n]i32, x: f64) = withacc\n"
"    input=[k] (d) (0.0) \\(a: f64, b: f64) : (f64) -> {\n"
"      let (c: f64) = add.f64 a b\n"
"      in c\n"
"    }\n"
"    input=[k, n] (e)\n"
"    fn=\\(t1: cert, t2: cert, a1: acc(t1, [k], f64), a2: acc(t2, [k, n], i32))"
" : (acc(t1, [k], f64), acc(t2, [k, n], i32), f64) -> {\n"
"      let (a3: acc(t2, [k, n], i32)) = upd_acc a2 [0, 1] (5i32)\n"
"      let (a4: acc(t1, [k], f64)) = screma n (xs, is, a1) map=\\(x: f64, i: i64, a5: acc(t1, [k],"
" f64)) : (acc(t1, [k], f64)) -> {\n"
"        let (a6: acc(t1, [k], f64)) = upd_acc a5 [i] (x)\n"
"        in a6\n"
"      }\n"
"      in a4, a3, 1.0\n"
"    }\n"
"  in d2, e2\n"
"}\n"
"\n"
"fun derivatives (n: i64, x: f64, xs: [n]f64) : (r: f64) = {\n"
"  let (y: f64, dy: f64) = jvp (x) (1.0) \\(a: f64) : (f64) -> {\n"
"    let (b: f64) = sin.f64 a\n"
"    in b\n"
"  }\n"
"  let (ys: f64, dys: [n]f64) = jvp many=n (x) (xs) \\(a: f64) : (f64) -> {a}\n"
"  let (z: f64, dx: f64) = vjp (x) (1.0) \\(a: f64) : (f64) -> {a}\n"
"  let (zs: f64, dxs: [n]f64) = vjp many=n (x) (xs) \\(a: f64) : (f64) -> {a}\n"
"  let (w: f64) = with_vjp tape=1 (x)\n"
"    fn=\\(a: f64) : (f64, f64) -> {\n"
"      let (b: f64) = exp.f64 a\n"
"      in b, b\n"
"    }\n"
"    bwd=\\(b: f64, g: f64) : (f64) -> {\n"
"      let (c: f64) = mul.f64 b g\n"
"      in c\n"
"    }\n"
"  let (v: f64) = w @\"dir/a.fut\":3:5-9 <\"b.fut\":1:2-4:7\n"
"  in v\n"
"}\n";

static const char with_entry[] =
"entry \"main\" #[param(x)] (\"xs\": *array 1 prim f64 \"f64\" 1 \"[]f64\" 1, \"s\": sum {"
"\"none\" () [], \"some\" (prim i32 \"i32\" 1, record {\"a\": prim bool \"bool\" 1} opaque"
" \"t\" 1) "
"[0, 1]} (i32, bool) "
"\"#none | #some i32 t\" 3) : prim f64 \"f64\" 1 doc \"Adds.\\nAll.\"\n"
"fun main_1 (n_1: i64, xs_2: *[n_1]f64, tag_3: i8, a_4: i32, b_5: bool) : (r_6: f64)"
" @\"a.fut\":1:1-3:20 = {\n"
"  let (x_7: f64) = index xs_2 [0] @\"a.fut\":2:3-9 <\"a.fut\":3:4-12 <\"b.fut\":10:1-2\n"
"  in x_7\n"
"}\n";

static Prog *parse(const char *source)
{
	diag_reset();
	return core_parse(source_add("test.core", source, strlen(source)));
}

static Prog *parse_well(int line, const char *source)
{
	Prog *prog = parse(source);
	if (!prog) {
		failed++;
		printf("%s:%d: does not parse\n", __FILE__, line);
		diag_print(stdout, false);
		return NULL;
	}
	const char *why = core_check(prog);
	if (why) {
		failed++;
		printf("%s:%d: does not check: %s\n", __FILE__, line, why);
		return NULL;
	}
	passed++;
	return prog;
}

// ---- Text ----

static void round_trip(int line, const char *source)
{
	Prog *prog = parse_well(line, source);
	if (!prog)
		return;
	const char *once = show_prog(prog);
	vars_reset(1);
	Prog *again = parse_well(line, once);
	if (again)
		check_text(__FILE__, line, show_prog(again), once);
	// With other variables around the numbers are shifted, and the rest is the same.
	Prog *third = parse_well(line, once);
	if (third)
		CHECK(strlen(show_prog(third)) >= strlen(once));
}

static void test_text(void)
{
	vars_reset(1);
	round_trip(__LINE__, all_forms);
	vars_reset(1);
	Prog *prog = parse_well(__LINE__, with_entry);
	if (prog)
		CHECK_TEXT(show_prog(prog), with_entry);
	vars_reset(1);
	if (prog)
		CHECK(!strstr(show_prog_bare(prog), "@"));
	round_trip(__LINE__, "stage device\n\nfun f (x: f64) : (y: f64) = {x}\n");
	round_trip(__LINE__, "stage loop\n\nfun f (x: f64) : (y: f64) = {x}\n");
	round_trip(__LINE__, "fun f () : () = {}\n");
	round_trip(__LINE__,
	           "stage mem\n\n"
	           "fun f (n: i64, a: mem.f64, xs: [n][n]f64 @ a + 0) : (m: mem.f64, r: [n]f64 @ m "
	           "+ 0) = {\n"
	           "  let (ys: [n]f64 @ a + n {n}) = slice xs [0:n:1, 1] @\"a.fut\":1:2-3\n"
	           "  let (b: mem.f64) = alloc.f64 n\n"
	           "  let (c: mem.i8) = alloc.i8 12 stack\n"
	           "  let (zs: [n]f64 @ b + 0) = copy ys\n"
	           "  let (us: [1][0]f64 @ b + 0) = array [] : [0]f64 @\"a.fut\":1:2-3\n"
	           "  let (d: mem.f64) = alloc.f64 n\n"
	           "  let () = release d\n"
	           "  in b, zs\n}\n");
	// Names may be shadowed and may clash in their numbers.
	prog = parse_well(__LINE__, "fun f (x: f64, a_1: i64, b_1: i64) : (y: f64) = {\n"
		"let (x: f64) = mul.f64 x x let (x: f64) = mul.f64 x x in x }\n");
	vars_reset(1);
	prog = parse_well(__LINE__, "fun f (x_1: f64) : (y_2: f64) = {"
		" let (x_1: f64) = loop (x_1: f64 = x_1) for i_9: i64 < 3 do {x_1} in x_1 }\n");
	if (prog)
		CHECK_TEXT(show_prog(prog), "fun f (x_1: f64) : (y_2: f64) = {\n"
			"  let (x_10: f64) = loop (x_11: f64 = x_1) for i_9: i64 < 3 do {x_11}\n"
			"  in x_10\n}\n");
}

static void rejects_text(int line, const char *source, const char *message)
{
	if (parse(source)) {
		failed++;
		printf("%s:%d: parses\n", __FILE__, line);
	} else if (diags.len != 1 || !strstr(diags.at[0]->message, message)) {
		failed++;
		printf("%s:%d: expected %s\n", __FILE__, line, message);
		diag_print(stdout, false);
	} else {
		passed++;
	}
}

static void test_text_errors(void)
{
	rejects_text(__LINE__, "fun f (x: f63) : () = {}", "Expected a scalar type, found"
	    " \"f63\".");
	rejects_text(__LINE__, "fun f () : () = {x}", "Unknown variable \"x\".");
	rejects_text(__LINE__, "fun f () : () = { let (x: f64) = call g () in }",
	             "Unknown function \"g\".");
	rejects_text(__LINE__, "fun f () : () = {} fun f () : () = {}", "defined twice");
	rejects_text(__LINE__, "fun f () : () = {300u8}", "does not fit in u8");
	rejects_text(__LINE__, "fun f () : () = {3x8}", "not a number");
	rejects_text(__LINE__, "fun f () : () = { let (x: f64) = \"", "does not end");
	rejects_text(__LINE__, "fun f () : () = $", "Unexpected character");
	rejects_text(__LINE__, "fun f () : () = { let (x: f64) = ) in }", "Expected an expression");
	rejects_text(__LINE__, "fun f () : () = {", "found end of file");
	Str deep = {0};
	str_puts(&deep, "fun f (c: bool) : () = {");
	for (int i = 0; i < 5000; i++)
		str_puts(&deep, "let () = if c then {");
	rejects_text(__LINE__, str_text(&deep), "Nested too deeply");
}

// ---- Builder ----

static Var scalar_var(const char *hint, PrimType t)
{
	return var_new(name_of(hint), type_scalar(t));
}

static void test_fold(void)
{
	Build b = {0};
	Sub sx = sub_var(scalar_var("x", PT_I32)), sf = sub_var(scalar_var("f", PT_F64));
	Sub sc = sub_var(scalar_var("c", PT_BOOL)), su = sub_var(scalar_var("u", PT_U8));
	Sub zero = sub_const(scalar_int(PT_I32, 0)), one = sub_const(scalar_int(PT_I32, 1));
	Sub f0 = sub_const(scalar_float(PT_F64, 0)), f1 = sub_const(scalar_float(PT_F64, 1));
	Sub neg0 = sub_const(scalar_float(PT_F64, -0.0)), u0 = sub_const(scalar_int(PT_U8, 0));
	b_open(&b);
	CHECK(sub_eq(b_add(&b, sub_i64(2), sub_i64(3)), sub_i64(5)));
	CHECK(sub_eq(b_add(&b, sx, zero), sx) && sub_eq(b_add(&b, zero, sx), sx));
	CHECK(sub_eq(b_mul(&b, one, sx), sx) && sub_eq(b_mul(&b, sx, zero), zero));
	CHECK(sub_eq(b_sub(&b, sx, sx), zero) && sub_eq(b_sub(&b, sx, zero), sx));
	CHECK(sub_eq(b_mul(&b, sf, f1), sf) && sub_eq(b_sub(&b, sf, f0), sf));
	CHECK(sub_eq(b_add(&b, sf, neg0), sf));
	CHECK(sub_eq(b_eq(&b, sx, sx), sub_bool(true)));
	CHECK(sub_eq(b_lt(&b, sx, sx), sub_bool(false)));
	CHECK(sub_eq(b_prim2(&b, P_and, sc, sub_bool(true)), sc));
	CHECK(sub_eq(b_prim2(&b, P_and, sub_bool(false), sc), sub_bool(false)));
	CHECK(sub_eq(b_prim2(&b, P_or, sc, sub_bool(true)), sub_bool(true)));
	CHECK(sub_eq(b_le(&b, u0, su), sub_bool(true)));
	CHECK(sub_eq(b_lt(&b, su, u0), sub_bool(false)));
	CHECK(sub_eq(b_convert(&b, PT_I32, sx), sx));
	CHECK(sub_eq(b_convert(&b, PT_F64, one), f1));
	CHECK(sub_eq(b_select(&b, sub_bool(false), sx, one), one));
	CHECK(sub_eq(b_select(&b, sc, sub_bool(true), sub_bool(false)), sc));
	CHECK(b_assert(&b, sub_bool(true), (Msg){0}).id == 0);
	CHECK(b_close(&b, (Subs){0}).stms.len == 0);

	// What floats do not allow, and what would fail, stays.
	b_open(&b);
	CHECK(!sub_eq(b_add(&b, sf, f0), sf));
	CHECK(!sub_eq(b_mul(&b, sf, f0), f0));
	CHECK(!sub_eq(b_sub(&b, sf, sf), f0));
	CHECK(b_eq(&b, sf, sf).kind == S_VAR);
	CHECK(b_prim2(&b, P_div, one, zero).kind == S_VAR);
	Sub n = b_prim1(&b, P_not, sc);
	CHECK(sub_eq(b_prim1(&b, P_not, n), sc));
	CHECK(sub_eq(b_select(&b, sc, sub_bool(false), sub_bool(true)), n));
	Sub neg = b_prim1(&b, P_neg, sf);
	CHECK(sub_eq(b_prim1(&b, P_neg, neg), sf));
	CHECK(b_close(&b, (Subs){0}).stms.len == 7);
}

static void test_numbering(void)
{
	Build b = {0};
	Var x = scalar_var("x", PT_F64);
	Sub sx = sub_var(x);
	b_open(&b);
	Sub y = b_mul(&b, sx, sx);
	CHECK(sub_eq(b_mul(&b, sx, sx), y));
	Sub k = b_add(&b, sx, sub_const(scalar_float(PT_F64, 2)));
	CHECK(sub_eq(b_add(&b, sub_const(scalar_float(PT_F64, 2)), sx), k));
	b_open(&b);
	CHECK(sub_eq(b_mul(&b, sx, sx), y));
	Sub z = b_mul(&b, y, y);
	Body inner = b_close(&b, subs_of(1, z));
	CHECK(inner.stms.len == 1);
	CHECK(!sub_eq(b_mul(&b, y, y), z)); // the inner body is closed
	Sub r1 = b_replicate(&b, sub_i64(3), sx), r2 = b_replicate(&b, sub_i64(3), sx);
	CHECK(!sub_eq(r1, r2)); // fresh memory each time
	Subs first = subs_of(1, sub_i64(0));
	CHECK(sub_eq(b_index(&b, r1, first), b_index(&b, r1, first)));
	CHECK(b_close(&b, (Subs){0}).stms.len == 6);

	// Many statements and many bodies.
	b_open(&b);
	Sub s = sx;
	for (int i = 0; i < 3000; i++) {
		if (i % 3 == 0)
			b_open(&b);
		s = b_add(&b, s, sx);
	}
	bool reused = true;
	Sub t = sx;
	for (int i = 0; i < 3000; i++)
		reused &= (t = b_add(&b, t, sx)).var.id <= s.var.id;
	CHECK(reused && sub_eq(t, s));
	for (int i = 0; i < 1000; i++)
		CHECK(b_close(&b, (Subs){0}).stms.len == 3);
	CHECK(b_close(&b, (Subs){0}).stms.len == 0 && !b.top);
}

static void test_arrays(void)
{
	Build b = {0};
	Var n = scalar_var("n", PT_I64), m = scalar_var("m", PT_I64);
	Sub sn = sub_var(n), sm = sub_var(m);
	Var xss = var_new(name_of("xss"), type_array(PT_F64, subs_of(2, sn, sm)));
	Sub a = sub_var(xss);
	b_open(&b);
	CHECK(sub_eq(b_reshape(&b, subs_of(2, sn, sm), a), a));
	CHECK(sub_eq(b_rearrange(&b, (int[]){0, 1}, a), a));
	Sub t = b_rearrange(&b, (int[]){1, 0}, a);
	CHECK(sub_eq(sub_type(t).dims.at[0], sm) && sub_eq(sub_type(t).dims.at[1], sn));
	Sub row = b_index(&b, a, subs_of(1, sub_i64(0)));
	CHECK(sub_type(row).dims.len == 1);
	CHECK(type_is_scalar(sub_type(b_index(&b, a, subs_of(2, sub_i64(0), sub_i64(1))))));
	Sub cat = b_concat(&b, a, a);
	CHECK(sub_type(cat).dims.len == 2);
	DimSlice all[] = {{false, sub_i64(0), sn, sub_i64(1)},
	                  {false, sub_i64(0), sm, sub_i64(1)}};
	CHECK(sub_eq(b_slice(&b, a, (Slices){all, 2}), a));
	b.certs = vars_of(2, (Var){0}, var_new(name_of("cert"), type_cert()));
	b.attrs = (Attributes){NEW(Name, name_of("unsafe")), .len = 1};
	b_copy(&b, a);
	b_copy(&b, a);
	Body body = b_close(&b, (Subs){0});
	Stm last = body.stms.at[body.stms.len - 1], before = body.stms.at[body.stms.len - 2];
	CHECK(last.certs.len == 1 && before.certs.len == 1);
	CHECK(last.attrs.len == 0 && before.attrs.len == 1);
}

// A program made with the builder passes the checker.
static void test_built(void)
{
	vars_reset(1);
	Build b = {0};
	Var n = scalar_var("n", PT_I64);
	Var xs = var_new(name_of("xs"), type_array(PT_F64, subs_of(1, sub_var(n))));
	Var r = scalar_var("r", PT_F64);
	b_open(&b);
	Var x = scalar_var("x", PT_F64);
	b_open(&b);
	Sub y = b_mul(&b, sub_var(x), sub_var(x));
	Lambda *square = b_lambda(&b, vars_of(1, x), subs_of(1, y));
	Subs ys = b_map(&b, sub_var(n), subs_of(1, sub_var(xs)), square);
	Var p = scalar_var("a", PT_F64), q = scalar_var("b", PT_F64);
	b_open(&b);
	Sub s = b_add(&b, sub_var(p), sub_var(q));
	Lambda *add = b_lambda(&b, vars_of(2, p, q), subs_of(1, s));
	Subs zero = subs_of(1, sub_const(scalar_float(PT_F64, 0)));
	Subs sum = b_reduce(&b, sub_var(n), ys, add, zero);
	Subs sums = b_scan(&b, sub_var(n), ys, lambda_rename(add), zero);
	CHECK(sum.len == 1 && sums.len == 1 && sub_type(sums.at[0]).dims.len == 1);
	Fun f = {.name = name_of("main"), .params = vars_of(2, n, xs), .res = vars_of(1, r),
	         .body = b_close(&b, sum)};
	Fun *funs[] = {&f};
	Prog prog = {{funs, 1}, STAGE_SOAC};
	const char *why = core_check(&prog);
	CHECK_TEXT(why ? why : "", "");
	Vars free = free_in_body(&f.body);
	CHECK(free.len == 2 && free.at[0].id == n.id && free.at[1].id == xs.id);
	CHECK(free_in_lambda(square).len == 0);

	// Renaming keeps the program well-formed beside the original.
	Fun g = f;
	Map to = {0};
	g.name = name_of("other");
	g.params = vars_of(2, scalar_var("n", PT_I64), (Var){0});
	Subs dims = subs_of(1, sub_var(g.params.at[0]));
	g.params.at[1] = var_new(name_of("xs"), type_array(PT_F64, dims));
	g.res = vars_of(1, scalar_var("r", PT_F64));
	map_put(&to, (void *)(uintptr_t)(n.id + 1), NEW(Sub, .kind = S_VAR, .var = g.params.at[0]));
	map_put(&to, (void *)(uintptr_t)(xs.id + 1),
	        NEW(Sub, .kind = S_VAR, .var = g.params.at[1]));
	g.body = body_subst(body_rename(f.body), &to);
	Fun *both[] = {&f, &g};
	why = core_check(&(Prog){{both, 2}, STAGE_SOAC});
	CHECK_TEXT(why ? why : "", "");
	CHECK(!exp_has_effect(f.body.stms.at[0].exp));
}

// ---- Checker ----

static void rejects(int line, const char *source, const char *message)
{
	Prog *prog = parse(source);
	if (!prog) {
		failed++;
		printf("%s:%d: does not parse\n", __FILE__, line);
		diag_print(stdout, false);
		return;
	}
	const char *why = core_check(prog);
	if (!why || !strstr(why, message)) {
		failed++;
		printf("%s:%d: got %s\nexpected %s\n", __FILE__, line, why ? why : "no error",
		       message);
	} else {
		passed++;
	}
}

// A statement in a function with some variables around; the function gives x back.
static const char *with_stm(const char *stm)
{
	return text("fun g (n: i64, xs: *[n]f64) : (r: *[n]f64) = {xs}\n"
		"fun f (n: i64, x: f64, xs: [n]f64, us: *[n]f64, xss: [n][n]f64, is:"
		    " [n]i64, c: bool)"
		" : (r: f64) = {\n%s\nin x\n}\n", stm);
}
#define BAD(stm, message) rejects(__LINE__, with_stm(stm), message)
#define GOOD(stm) parse_well(__LINE__, with_stm(stm))

static void test_scope(void)
{
	Prog *prog = parse("fun f (n: i64) : (r: i64) = { let (a: i64) = add.i64 n n in a }");
	Stm *s = &prog->funs.at[0]->body.stms.at[0];
	Stm twice[] = {*s, *s};
	prog->funs.at[0]->body.stms = (Stms){twice, 2};
	CHECK(strstr(core_check(prog), "bound twice"));
	prog = parse("fun f (n: i64) : (r: i64) = { let (a: i64) = if true then {"
	             " let (b: i64) = add.i64 n n in b } else {n} in a }");
	Body *b = &prog->funs.at[0]->body;
	b->res = subs_of(1, sub_var(b->stms.at[0].exp->if_.yes.stms.at[0].pat.at[0]));
	const char *why = core_check(prog);
	CHECK(why && strstr(why, "is not in scope") && strstr(why, "in function f"));
	prog = parse("fun f (n: i64) : (r: i64) = { let (a: i64) = add.i64 n n in a }");
	Fun other = *prog->funs.at[0];
	other.name = name_of("g");
	prog->funs.at[0]->body.stms.at[0].exp =
		NEW(Exp, .form = E_call, .call = {&other, subs_of(1, sub_i64(1))});
	why = core_check(prog);
	CHECK(why && strstr(why, "not part of the program") && strstr(why, "call g (1)"));
	rejects(__LINE__, "stage loop\nfun f (n: i64, xs: [n]f64) : () = {"
	        " let (ys: [n]f64) = screma n (xs) map=\\(x: f64) : (f64) -> {x} in }", "stage");
	rejects(__LINE__, "stage mem\nfun f (n: i64) : () = {"
	        " let (c: i64) = with_vjp tape=0 (n) fn=\\(x: i64) : (i64) -> {x}"
	        " bwd=\\(g: i64) : (i64) -> {g} in }", "with_vjp does not belong to the stage mem");
	rejects(__LINE__, "stage loop\nfun f (t: cert, a: acc(t, [3], f64)) : () = {"
	        " let (b: acc(t, [3], f64)) = upd_acc a [0] (1.0) in }",
	        "upd_acc does not belong to the stage loop");
	rejects(__LINE__, "stage device\nfun f (x: f64) : () = {"
	        " let (y: f64, z: f64) = jvp (x) (x) \\(a: f64) : (f64) -> {a} in }",
	        "jvp does not belong to the stage device");
	rejects(__LINE__, "stage device\nfun f (x: f64) : () = {"
	        " #[kernel] let (y: f64) = add.f64 x x in }",
	        "the mark #[kernel] does not belong to prim at the stage device");
	rejects(__LINE__, "#[apart] #[operator] fun f (x: f64) : () = { in }",
	        "the mark #[operator] does not belong to a function at the stage soac");
	// A lambda's result types come from outside.
	prog = parse(with_stm("let (ys: [n][n]f64) = screma n (xs) map=\\(y: f64) : ([n]f64) -> {"
		" let (k: i64) = add.i64 n 1 let (v: [k]f64) = replicate [k] y in v }"));
	Lambda *l = prog->funs.at[1]->body.stms.at[0].exp->screma.map;
	l->ret.at[0].dims = subs_of(1, sub_var(l->body.stms.at[0].pat.at[0]));
	CHECK(strstr(core_check(prog), "is not in scope"));
}

static void test_types(void)
{
	GOOD("let (y: f64) = add.f64 x x");
	BAD("let (y: f32) = add.f64 x x", "variables of the pattern: number 1 has type f32");
	BAD("let (y: f64, z: f64) = add.f64 x x", "there are 2, expected 1");
	BAD("let (y: f64) = add.f64 x n", "operand n_");
	BAD("let (y: f64) = popc.f64 x", "there is no operation popc.f64");
	BAD("let (y: [x]f64) = xs", "size x_");
	BAD("let (y: f64) = if n then {x} else {x}", "condition n_");
	BAD("let (y: f64) = if c then {x} else {n}", "results of the second branch");
	BAD("let (y: f64) = match x { _ -> {x} }", "no integer");
	BAD("let (y: f64) = match n { 0i32 -> {x} _ -> {x} }", "a case has type i32");
	BAD("let (y: f64) = loop (p: f64 = n) for i: i64 < n do {p}", "initial values");
	BAD("let (y: f64) = loop (p: f64 = x) for i: i32 < n do {p}", "counter");
	BAD("let (y: f64) = loop (p: f64 = x) for i: i64 < n do {i}", "results of the loop");
	BAD("let (y: f64) = loop (p: f64 = x) while c do {p}", "not one of its parameters");
	BAD("let (y: f64) = loop (p: f64 = x) while p do {p}", "condition p_");
	BAD("let (y: [n]f64) = call g (us)", "arguments: there are 1, expected 2");
	BAD("let (y: [n]f64) = call g (n, is)", "arguments: number 2");
	BAD("let (y: f64) = index xs [x]", "index x_");
	BAD("let (y: f64) = index xss [n]", "1 indices into");
	BAD("let (y: [n]f64) = slice xss [0:n:1]", "1 slices of an array of 2");
	BAD("let (y: [n]f64) = slice xs [0:c:1]", "length c_");
	BAD("let (y: [n]f64) = update us [0] n", "the value written");
	BAD("let (y: [n]f64) = concat n ()", "concat of nothing");
	BAD("let (y: [n]f64) = concat n (xs, is)", "an array of concat");
	BAD("let (y: [n]f64) = iota.i64 n 0 1", "variables of the pattern");
	BAD("let (y: [n]i64) = iota.i64 n 0i32 1", "start 0i32");
	BAD("let (y: [n]f64) = replicate [c] x", "size c_");
	BAD("let (y: [n]f64) = reshape [n] n", "variables of the pattern");
	BAD("let (y: [n][n]f64) = rearrange (0, 0) xss", "not a permutation");
	BAD("let (y: [n][n]f64) = rearrange (0) xss", "a permutation of 1");
	BAD("let (y: [2]f64) = array [x, n] : f64", "element n_");
	BAD("let (y: [n]f64) = screma n (x) map=\\(a: f64) : (f64) -> {a}", "input x_");
	BAD("let (y: [n]f64) = screma n (xs) map=\\(a: i64) : (f64) -> {x}", "the map function");
	BAD("let (y: [n]f64) = screma n (xs) map=\\(a: f64) : (i64) -> {a}", "the map function");
	BAD("let (y: f64) = screma n (xs) map=\\(a: f64) : (f64) -> {a}", "variables of the"
	    " pattern");
	BAD("let (y: f64) = screma n (xs) map=\\(a: f64) : (f64) -> {a}"
	    " reduce=(0) \\(p: f64, q: f64) : (f64) -> {p}", "neutral elements");
	BAD("let (y: f64) = screma n (xs) map=\\(a: f64) : (f64) -> {a}"
	    " reduce=(0.0) \\(p: f64) : (f64) -> {p}", "the operator: there are 1, expected 2");
	BAD("let (y: f64) = screma n (xs) map=\\(a: f64) : () -> {}"
	    " reduce=(0.0) \\(p: f64, q: f64) : (f64) -> {p}", "too few results");
	BAD("let (y: [n]f64) = hist n (is, xs) op=[n] (us) (0.0) \\(p: f64, q: f64) : (f64) -> {p}"
	    " map=\\(i: i64, v: f64) : (f64, f64) -> {v, v}", "indices and values of hist");
	BAD("let (y: [n]f64) = hist n (is, xs) op=[] (us) (0.0) \\(p: f64, q: f64) : (f64) -> {p}"
	    " map=\\(i: i64, v: f64) : (f64) -> {v}", "at least one dimension");
	BAD("let (y: [n]f64) = scatter n (is, xs) dest=[n] us 2"
	    " map=\\(i: i64, v: f64) : (i64, f64) -> {i, v}", "indices and values of scatter");
	BAD("let (y: [n]f64) = scatter n (is, xs) dest=[n, n] us 1"
	    " map=\\(i: i64, v: f64) : (i64, i64, f64) -> {i, i, v}", "at least 2 dimensions");
	BAD("let (m: i64, l: [n]i64, y: [m]f64) = flatmap n (xs) data=1"
	    " map=\\(v: f64) : (i64, f64) -> {1, v}", "is not an array");
	BAD("let (y: f64) = upd_acc x [0] (x)", "is not an accumulator");
	BAD("let (y: f64, d: f64) = jvp (x) (n) \\(a: f64) : (f64) -> {a}", "tangents");
	BAD("let (y: f64, d: f64) = vjp (x) () \\(a: f64) : (f64) -> {a}", "cotangents");
	BAD("let (y: f64) = with_vjp tape=1 (x) fn=\\(a: f64) : (f64, f64) -> {a, a}"
	    " bwd=\\(t: f64, g: f64) : (i64) -> {n}", "adjoints");
	BAD("let (y: cert) = assert x (\"no\")", "condition x_");
	BAD("let (y: f64) = #{n} add.f64 x x", "certificate n_");
	rejects(__LINE__, "fun f (x: f64) : (r: i64) = {x}", "results of the function");
}

static void test_consumption(void)
{
	GOOD("let (a: [n]f64) = update us [0] x");
	BAD("let (a: [n]f64) = update xs [0] x", "is consumed, but xs_");
	BAD("let (a: [n]f64) = update us [0] x let (y: f64) = index us [0]",
	    "is used after it was consumed");
	BAD("let (v: [n]f64) = slice us [0:n:1] let (a: [n]f64) = update us [0] x"
	    " let (y: f64) = index v [0]", "sharing memory with us_");
	BAD("let (v: [n]f64) = reshape [n] us let (a: [n]f64) = update v [0] x"
	    " let (y: f64) = index us [0]", "is used after it was consumed");
	GOOD("let (v: [n]f64) = copy us let (a: [n]f64) = update us [0] x let (y: f64) ="
	    " index v [0]");
	BAD("let (a: [n]f64) = update us [0:n:1] us", "is used after it was consumed");
	BAD("let (a: [n]f64) = call g (n, us) let (y: f64) = index us [0]", "after it was"
	    " consumed");
	BAD("let (a: [n]f64) = call g (n, xs)", "is consumed, but xs_");
	BAD("let (a: [n]f64) = scatter n (is, us) dest=[n] us 1"
	    " map=\\(i: i64, v: f64) : (i64, f64) -> {i, v}", "after it was consumed");
	BAD("let (a: [n]f64) = scatter n (is) dest=[n] us 1 map=\\(i: i64) : (i64, f64) -> {"
	    " let (v: f64) = index us [i] in i, v }", "after it was consumed");
	BAD("let (a: [n]f64) = hist n (is, xs) op=[n] (xs) (0.0) \\(p: f64, q: f64) : (f64) -> {p}"
	    " map=\\(i: i64, v: f64) : (i64, f64) -> {i, v}", "is consumed, but xs_");
	// Branches.
	GOOD("let (a: [n]f64) = if c then { let (b: [n]f64) = update us [0] x in b } else {us}");
	BAD("let (a: [n]f64) = if c then { let (b: [n]f64) = update us [0] x in b } else {xs}"
	    " let (y: f64) = index us [0]", "after it was consumed");
	BAD("let (a: [n]f64) = if c then {us} else {xs} let (b: [n]f64) = update a [0] x",
	    "is consumed, but xs_");
	// Loops.
	GOOD("let (a: [n]f64) = loop (p: *[n]f64 = us) for i: i64 < n do {"
	     " let (q: [n]f64) = update p [i] x in q }");
	BAD("let (a: [n]f64) = loop (p: *[n]f64 = xs) for i: i64 < n do {p}", "is consumed,"
	    " but xs_");
	BAD("let (a: [n]f64) = loop (p: [n]f64 = us) for i: i64 < n do {"
	    " let (q: [n]f64) = update p [i] x in q }", "is consumed, but us_");
	BAD("let (a: f64) = loop (p: f64 = x) for i: i64 < n do {"
	    " let (q: [n]f64) = update us [i] p in p }", "the loop or lambda");
	BAD("let (a: [n]f64) = loop (p: *[n]f64 = us) for i: i64 < n do {xs}", "unique result 1");
	BAD("let (a: [n]f64, b: [n]f64) = loop (p: *[n]f64 = us, q: [n]f64 = xs) for i: i64"
	    " < n do {"
	    " p, p }", "shares memory with result 2");
	BAD("let (k1: [n]f64) = copy xs let (k2: [n]f64) = copy xs let (k3: [n]f64) = copy xs"
	    " let (a: [n]f64, b: [n]f64, d: [n]f64) = loop (p: [n]f64 = k1, q: [n]f64 = k2,"
	    " r: [n]f64 = k3) for i: i64 < n do {q, r, p}"
	    " let (e: [n]f64) = update a [0] x let (y: f64) = index k3 [0]", "after it was"
	    " consumed");
	// Lambdas.
	BAD("let (a: [n]i64) = screma n (is) map=\\(i: i64) : (i64) -> {"
	    " let (b: [n]f64) = update us [i] x in i }", "the loop or lambda");
	GOOD("let (k: [n][n]f64) = copy xss let (a: [n][n]f64) = screma n (k) map=\\(r: *[n]f64) :"
	     " ([n]f64) -> { let (b: [n]f64) = update r [0] x in b }");
	BAD("let (a: [n][n]f64) = screma n (xss) map=\\(r: *[n]f64) :"
	    " ([n]f64) -> { let (b: [n]f64) = update r [0] x in b }", "is consumed, but xss_");
	BAD("let (k: [n][n]f64) = copy xss let (a: [n][n]f64) = screma n (k) map=\\(r: [n]f64) :"
	    " ([n]f64) -> { let (b: [n]f64) = update r [0] x in b }", "the loop or lambda");
	// Functions.
	rejects(__LINE__, "fun f (n: i64, xs: [n]f64) : (r: *[n]f64) = {xs}", "unique result 1");
	rejects(__LINE__, "fun f (n: i64, xs: *[n]f64) : (r: *[n]f64, s: *[n]f64) = {xs, xs}",
	        "shares memory with result 2");
}

#define ACC "acc(t, [n], f64)"
#define WITHACC(body) "let (d: [n]f64) = withacc input=[n] (us) (0.0)" \
	" \\(p: f64, q: f64) : (f64) -> { let (s: f64) = add.f64 p q in s }" \
	" fn=\\(t: cert, a: " ACC ") : (" ACC ") -> {" body "}"

static void test_accumulators(void)
{
	GOOD(WITHACC("let (b: " ACC ") = upd_acc a [0] (x) in b"));
	BAD(WITHACC("let (b: " ACC ") = upd_acc a [0] (x) in a"), "after it was consumed");
	BAD(WITHACC("let (b: " ACC ") = upd_acc a [0] (x)"
	            " let (e: " ACC ") = upd_acc a [0] (x) in e"), "after it was consumed");
	BAD(WITHACC("let (b: " ACC ") = upd_acc a [0] (n) in b"), "values");
	BAD(WITHACC("let (b: " ACC ") = upd_acc a [0, 1] (x) in b"), "2 indices");
	GOOD(WITHACC("let (b: " ACC ") = if c then { let (e: " ACC ") = upd_acc a [0] (x) in e }"
	             " else {a} in b"));
	GOOD(WITHACC("let (b: " ACC ") = loop (p: " ACC " = a) for i: i64 < n do {"
	             " let (e: " ACC ") = upd_acc p [i] (x) in e } in b"));
	BAD(WITHACC("let (b: " ACC ") = loop (p: " ACC " = a, z: i64 = 0) for i: i64 < n do {"
	            " p, 1 } in b"), "there are 1, expected 2");
	BAD(WITHACC("let (z: f64) = if c then { let (e: " ACC ") = upd_acc a [0] (x) in x }"
	    " else {x}"
	            " in a"), "is dropped");
	BAD(WITHACC("let (ys: [n]f64) = screma n (xs) map=\\(v: f64) : (f64) -> {"
	            " let (e: " ACC ") = upd_acc a [0] (v) in v } in a"), "the loop or lambda");
	BAD("let (d: [n]f64) = withacc input=[n] (us) fn=\\(t: cert, a: " ACC ") : (" ACC ") -> {a}"
	    " let (y: f64) = index us [0]", "after it was consumed");
	BAD("let (d: [n]f64) = withacc input=[n] (us) fn=\\(t: cert, a: acc(t, [n], i32)) :"
	    " (acc(t, [n],"
	    " i32)) -> {a}", "the function of withacc");
}

// ---- Memory ----

// Without the numbers of variables.
static const char *unnumbered(const char *text_)
{
	Str out = {0};
	for (const char *p = text_; *p;) {
		str_putc(&out, *p);
		p += *p == '_' ? 1 + strspn(p + 1, "0123456789") : 1;
	}
	return str_text(&out);
}

// The first move copies the program to memory that may be freed, the second one out of that.
static void test_move(void)
{
	Prog *prog = parse(all_forms);
	const char *before = show_prog(prog);
	MemMark fence = mem_fence();
	uint32_t first_new = n_vars;
	Prog *moved = prog_move(prog, fence, first_new);
	uint32_t n_moved = n_vars;
	Fun *f = moved->funs.at[0], *g = moved->funs.at[1];
	f->simple = f->body.stms.at;
	g->simple = f->body.stms.at;
	memset(mem_alloc(1 << 20), 255, 1 << 20);
	var_new(NULL, type_array(PT_F64, subs_of(1, sub_i64(7))));
	size_t full = mem_used();
	moved = prog_move(moved, fence, first_new);
	CHECK(mem_used() < full - (1 << 20));
	CHECK(mem_used() > fence.total);
	CHECK_TEXT(unnumbered(show_prog(moved)), unnumbered(before));
	CHECK_TEXT(show_prog(prog), before);
	CHECK(!core_check(moved));
	CHECK(n_vars == n_moved && n_moved > first_new);
	f = moved->funs.at[0];
	CHECK(f->simple == f->body.stms.at && !f->lean && !moved->funs.at[1]->simple);
	CHECK(moved->funs.at[0]->params.at[0].id == first_new);
}

int main(void)
{
	test_text();
	test_move();
	test_text_errors();
	test_fold();
	test_numbering();
	test_arrays();
	test_built();
	test_scope();
	test_types();
	test_consumption();
	test_accumulators();
	return report_counts();
}
