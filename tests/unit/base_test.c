// Tests of the base layer.
#include "base/base.h"
#include "unit.h"

#include <limits.h>

#include <math.h>
#include <stdlib.h>

static void test_arena(void)
{
	size_t before = mem_used();
	MemMark m = mem_mark();
	char *p = mem_alloc(10);
	CHECK((uintptr_t)p % 16 == 0);
	memset(p, 1, 10);
	char *q = mem_grow(p, 10, 1000);
	CHECK(q[9] == 1 && q[10] == 0 && q[999] == 0);
	bool zeroed = true;
	for (int i = 0; i < 2000; i++) {
		char *r = mem_alloc((size_t)i * 7);
		for (int j = 0; j < i * 7; j++)
			zeroed &= r[j] == 0;
		memset(r, 255, (size_t)i * 7);
	}
	CHECK(zeroed);
	mem_release(m);
	CHECK(mem_used() == before);
	char *s = mem_alloc(100000);
	for (int i = 0; i < 100000; i++)
		zeroed &= s[i] == 0;
	CHECK(zeroed);
	mem_release(m);
	CHECK(mem_dup("", 0) == NULL);
	CHECK(*NEW(int, 5) == 5);

	VEC(int) v = {0};
	for (int i = 0; i < 1000; i++)
		VEC_PUSH(&v, i);
	int sum = 0;
	for EACH(int, x, v)
		sum += *x;
	CHECK(sum == 499500 && v.len == 1000);
	VEC(const char *) none = {0};
	for EACH(const char *, x, none)
		CHECK(*x == NULL && false);
}

// What is taken off stays as it is until it is freed; its memory is then used again, cleared.
static void test_spaces(void)
{
	enum { N = 100000 };
	MemMark outer = mem_mark();
	char *kept = mem_alloc(100);
	memset(kept, 3, 100);
	MemMark fence = mem_fence();
	bool right = true;
	for (int round = 0; round < 3; round++) {
		char *p[50];
		for (int i = 0; i < 50; i++) {
			p[i] = mem_alloc(N);
			for (int j = 0; j < N; j++)
				right &= p[i][j] == 0;
			memset(p[i], i + 1, N);
		}
		MemSpace old = mem_detach(fence);
		CHECK(mem_used() == fence.total);
		CHECK(mem_is_in(old, p[0]) && mem_is_in(old, p[49] + N - 1));
		char *q = mem_dup(p[7], N);
		for (int j = 0; j < N; j++)
			right &= q[j] == 8 && p[49][j] == 50;
		mem_free(old);
		right &= q[0] == 8 && q[N - 1] == 8;
	}
	CHECK(right && kept[0] == 3 && kept[99] == 3);
	mem_release(outer);
	CHECK(mem_used() == outer.total);
	char *again = mem_alloc(100);
	for (int i = 0; i < 100; i++)
		right &= again[i] == 0;
	CHECK(right);
	mem_release(outer);
}

// Blocks of all sizes, some of which grow, in memory that was in use before up to some place.
static void test_memory_again(void)
{
	enum { BLOCK = 60000 };
	MemMark m = mem_mark();
	uint32_t seed = 1;
	bool right = true;
	for (int round = 0; round < 20; round++) {
		for (int i = 0; i < 50 + 40 * round; i++) {
			seed = seed * 1664525 + 1013904223;
			size_t n = seed >> 8 & (i % 8 ? 1023 : BLOCK - 1), more = n + (seed >> 20);
			char *p = mem_alloc(n);
			for (size_t j = 0; j < n; j++)
				right &= p[j] == 0;
			memset(p, 255, n);
			p = i % 3 ? p : mem_grow(p, n, more);
			for (size_t j = n; i % 3 == 0 && j < more; j++)
				right &= p[j] == 0;
			memset(p, 255, i % 3 ? n : more);
		}
		mem_release(m);
	}
	CHECK(right);
}

static void test_names(void)
{
	MemMark m = mem_mark();
	Name a = name_of("foo"), b = name_of_n("foobar", 3);
	mem_release(m);
	CHECK(a == b && strcmp(a, "foo") == 0);
	CHECK(name_of("") == name_of_n("x", 0));
	Name many[10000];
	for (int i = 0; i < 10000; i++)
		many[i] = name_of(text("name_%d", i));
	bool same = true;
	for (int i = 0; i < 10000; i++)
		same &= many[i] == name_of(text("name_%d", i));
	CHECK(same);
	CHECK(edit_distance("kitten", "sitting", 5) == 3);
	CHECK(edit_distance("kitten", "sitting", 2) == 3);
	CHECK(edit_distance("kitten", "sitting", 1) == 2);
	CHECK(edit_distance("abcd", "acbd", 2) == 1);
	CHECK(edit_distance("", "abc", 5) == 3);
	CHECK(edit_distance("abc", "", 5) == 3);
	CHECK(edit_distance("same", "same", 0) == 0);
	CHECK(edit_distance("same", "sane", 0) == 1);
	CHECK(edit_distance("replicate", "repilcate", 2) == 1);
}

static void test_map(void)
{
	Map m = {0};
	static int keys[5000];
	for (int i = 0; i < 5000; i++)
		map_put(&m, &keys[i], &keys[4999 - i]);
	bool right = true;
	for (int i = 0; i < 5000; i++)
		right &= map_get(&m, &keys[i]) == &keys[4999 - i];
	CHECK(right && m.len == 5000);
	int n = 0;
	for MAP_EACH(e, m)
		right &= e->key == &keys[n++];
	CHECK(right && n == 5000);
	map_put(&m, &keys[7], NULL);
	CHECK(m.len == 5000 && map_has(&m, &keys[7]) && !map_get(&m, &keys[7]));
	CHECK(!map_has(&m, &m) && !map_has(&(Map){0}, &m));
}

static void test_strings(void)
{
	Str s = {0};
	CHECK_TEXT(str_text(&s), "");
	str_putn(&s, NULL, 0);
	for (int i = 0; i < 30; i++)
		str_printf(&s, "%d,", i);
	str_putc(&s, '.');
	CHECK(s.len == strlen(s.at) && str_ends(s.at, "28,29,.") && str_starts(s.at, "0,1,"));
	CHECK(strlen(text("%1000s", "x")) == 1000);
	CHECK_TEXT(text("%s|%.*s|%c|%d|%u|%zu|%ld|%lld|%%", "ab", 2, "cde", 'f', INT_MIN, UINT_MAX,
	                (size_t)0, LONG_MIN, LLONG_MAX),
	           "ab|cd|f|-2147483648|4294967295|0|-9223372036854775808|9223372036854775807|%");
	CHECK_TEXT(text("%.*s|%5d|%s", 9, "x", -3, "y"), "x|   -3|y");
	const char *long_text = text("%1000s", "x");
	CHECK_TEXT(text("%s%d", long_text, 7), text("%1000s7", "x"));
	CHECK(!str_ends("x", "xx") && !str_starts("x", "xx"));
	size_t len;
	CHECK(read_file("/nonexistent/file", &len) == NULL);
	CHECK(read_file("/", &len) == NULL);
	FILE *f = tmpfile();
	if (f) {
		for (int i = 0; i < 100000; i++)
			putc('a' + i % 26, f);
		rewind(f);
		const char *all = read_stream(f, &len);
		CHECK(all && len == 100000 && strlen(all) == len && all[27] == 'b');
		fclose(f);
	}
}

static void test_sources(void)
{
	const char *one = "let x\n  = \xC3\xA9\xC3\xA9 y\n", *two = "\n\nz";
	Source *a = source_add("a.fut", one, strlen(one));
	Source *b = source_add("b.fut", two, strlen(two));
	Source *c = source_add("c.fut", "", 0);
	CHECK(a->n_lines == 3 && b->n_lines == 3 && c->n_lines == 1);
	CHECK(source_of(0) == NULL && source_of(a->start) == a);
	CHECK(source_of(a->start + a->len) == a);
	CHECK(source_of(b->start) == b && source_of(c->start) == c && !source_of(c->start + 1));
	CHECK_TEXT(show_span((Span){a->start + 4, a->start + 5}), "a.fut:1:5-6");
	CHECK_TEXT(show_span((Span){a->start + 15, a->start + 16}), "a.fut:2:8-9");
	CHECK_TEXT(show_span((Span){a->start + 4, a->start + 9}), "a.fut:1:5-2:4");
	CHECK_TEXT(show_span_short((Span){b->start + 2, b->start + 3}), "3:1-2");
	CHECK_TEXT(show_span((Span){c->start, c->start}), "c.fut:1:1-1");
	CHECK_TEXT(show_span(NOWHERE), "unknown location");
	CHECK_TEXT(span_text((Span){a->start + 4, a->start + 9}), "x\n  =");
	Pos p = loc_pos(a->start + a->len);
	CHECK(p.line == 3 && p.col == 1);
	CHECK(source_add("huge", "", (size_t)1 << 40) == NULL);
}

static const char *printed(bool colour)
{
	char *buf;
	size_t n;
	FILE *f = open_memstream(&buf, &n);
	diag_print(f, colour);
	fclose(f);
	const char *s = text("%s", buf);
	free(buf);
	return s;
}

static void test_diagnostics(void)
{
	sources_reset();
	const char *src = "let x =\n\tfoo + 1\nlet y = 2\n";
	Source *a = source_add("a.fut", src, strlen(src));
	Span foo = {a->start + 9, a->start + 12};
	diag_warn((Span){a->start + 20, a->start + 21}, NULL, "Unused.\nReally.");
	CHECK_TEXT(printed(false), "Warning at a.fut:3:4-5:\n  Unused.\n  Really.\n"
	                           "   3 | let y = 2\n     |    ^\n");
	Diag *d = diag_error(foo, "unknown", "Unknown name \"%s\"", "foo");
	diag_note(d, "Hint: %d", 1);
	diag_note(d, "Note: 2");
	Diag *again = diag_error(foo, "unknown", "Unknown name \"foo\"");
	diag_note(again, "Hint: 1\nNote: 2");
	CHECK_TEXT(printed(false),
	           "Error at a.fut:2:2-5:\nUnknown name \"foo\"\n"
	           "   2 |         foo + 1\n     |         ^^^\nHint: 1\nNote: 2\n\n"
	           "For more information, run: raido explain unknown\n\n"
	           "Warning at a.fut:3:4-5:\nUnused.\nReally.\n   3 | let y = 2\n     |    ^\n");
	CHECK(diag_count(D_ERROR) == 2 && diag_count(D_WARNING) == 1);
	diag_reset();
	diag_error((Span){a->start + 4, a->start + 12}, NULL, "Two lines");
	CHECK_TEXT(printed(false), "Error at a.fut:1:5-2:5:\nTwo lines\n"
	                           "   1 | let x =\n     |     ^^^\n");
	diag_reset();
	diag_error(NOWHERE, NULL, "No file");
	CHECK_TEXT(printed(false), "Error:\nNo file\n");
	CHECK(strstr(printed(true), "\033[1;31m") != NULL);
	diag_reset();
	CHECK_TEXT(printed(true), "");

	char *line = mem_alloc(2001);
	memset(line, 'x', 2000);
	Source *b = source_add("b.fut", line, 2000);
	diag_error((Span){b->start + 1000, b->start + 1990}, NULL, "Long");
	CHECK(strlen(printed(false)) < 500 && strstr(printed(false), "^\n"));
	diag_reset();
}

static void test_guards(void)
{
	Guard outer, inner;
	volatile int reached = 0;
	if (GUARDED(outer)) {
		if (GUARDED(inner)) {
			fail(NOWHERE, NULL, "first");
		} else {
			reached += 1;
			fail(NOWHERE, NULL, "second");
		}
		guard_pop(&outer);
	} else {
		reached += 10;
	}
	if (GUARDED(outer)) {
		reached += 100;
		guard_pop(&outer);
	}
	CHECK(reached == 111 && diag_count(D_ERROR) == 2);
	diag_reset();
}

static void test_half(void)
{
	bool same = true;
	for (uint32_t h = 0; h < 65536; h++) {
		double x = double_of_half((uint16_t)h);
		same &= isnan(x) ? isnan(double_of_half(half_of_double(x)))
		                 : half_of_double(x) == h;
		// Between two neighbours: below, at and above the middle.
		if ((h & 0x7FFF) >= 0x7BFF)
			continue;
		double y = double_of_half((uint16_t)(h + 1)), mid = (x + y) / 2;
		same &= half_of_double(mid) == (h & 1 ? h + 1 : h);
		same &= half_of_double(nextafter(mid, x)) == h;
		same &= half_of_double(nextafter(mid, y)) == h + 1;
	}
	CHECK(same);
	CHECK(half_of_double(65519.999) == 0x7BFF && half_of_double(65520) == 0x7C00);
	CHECK(half_of_double(1e300) == 0x7C00 && half_of_double(-1e300) == 0xFC00);
	CHECK(half_of_double(1e-300) == 0 && half_of_double(-1e-300) == 0x8000);
	CHECK(half_of_double(0x1p-25) == 0 && half_of_double(0x1.000001p-25) == 1);
}

static void test_scalars(void)
{
	CHECK(scalar_int(PT_I8, 200).i == -56 && scalar_int(PT_U8, -1).u == 255);
	CHECK(scalar_int(PT_I32, (int64_t)1 << 31).i == INT32_MIN);
	CHECK(scalar_int(PT_I64, INT64_MIN).i == INT64_MIN);
	CHECK(scalar_int(PT_U64, -1).u == UINT64_MAX && scalar_int(PT_BOOL, 7).u == 1);
	CHECK(scalar_int(PT_F32, 16777217).f == 16777216.0);
	CHECK(scalar_float(PT_F32, 0.1).f == (double)0.1f && isinf(scalar_float(PT_F32, 1e300).f));
	CHECK(scalar_float(PT_I8, 300).i == 127 && scalar_float(PT_I8, -300).i == -128);
	CHECK(scalar_float(PT_I64, 1e30).i == INT64_MAX && scalar_float(PT_I64, NAN).i == 0);
	CHECK(scalar_float(PT_U64, 1.5e19).u == 15000000000000000000u);
	CHECK(scalar_float(PT_I32, -1.9).i == -1 && scalar_float(PT_U8, -3).u == 0);
	CHECK(scalar_eq_bits(scalar_float(PT_F64, NAN), scalar_float(PT_F64, -NAN)));
	CHECK(!scalar_eq_bits(scalar_float(PT_F64, 0.0), scalar_float(PT_F64, -0.0)));
	CHECK(!scalar_eq_bits(scalar_int(PT_I8, 1), scalar_int(PT_U8, 1)));
	for (int t = 0; t < N_PRIMTYPE; t++) {
		char bytes[9];
		Scalar s = t == PT_BOOL ? scalar_int(t, 1) : scalar_int(t, -3);
		scalar_store((PrimType)t, bytes + 1, s);
		CHECK(scalar_eq_bits(s, scalar_load((PrimType)t, bytes + 1)));
		PrimType back;
		CHECK(primtype_of_name(primtype_name[t], &back) && back == (PrimType)t);
	}
	PrimType none;
	CHECK(!primtype_of_name("i128", &none) && primtype_size(PT_F16) == 2);
}

static const char *show(PrimType t, double x)
{
	return scalar_show(scalar_float(t, x), false);
}

static void test_show(void)
{
	CHECK_TEXT(scalar_show(scalar_int(PT_I32, -3), true), "-3i32");
	CHECK_TEXT(scalar_show(scalar_int(PT_U64, -1), true), "18446744073709551615u64");
	CHECK_TEXT(scalar_show(scalar_int(PT_BOOL, 1), true), "true");
	CHECK_TEXT(scalar_show(scalar_float(PT_F32, 1.5), true), "1.5f32");
	CHECK_TEXT(scalar_show(scalar_float(PT_F32, -INFINITY), true), "-f32.inf");
	CHECK_TEXT(show(PT_F64, NAN), "f64.nan");
	CHECK_TEXT(show(PT_F16, INFINITY), "f16.inf");
	CHECK_TEXT(show(PT_F64, 0), "0.0");
	CHECK_TEXT(show(PT_F16, -0.0), "-0.0");
	CHECK_TEXT(show(PT_F64, -0.0), "-0.0");
	CHECK_TEXT(show(PT_F64, 1), "1.0");
	CHECK_TEXT(show(PT_F64, 0.25), "0.25");
	CHECK_TEXT(show(PT_F64, 0.1), "0.1");
	CHECK_TEXT(show(PT_F64, 0.01), "1.0e-2");
	CHECK_TEXT(show(PT_F64, 123456), "123456.0");
	CHECK_TEXT(show(PT_F64, 9999999), "9999999.0");
	CHECK_TEXT(show(PT_F64, 1e7), "1.0e7");
	CHECK_TEXT(show(PT_F64, 12345678.5), "1.23456785e7");
	CHECK_TEXT(show(PT_F64, 1e20), "1.0e20");
	CHECK_TEXT(show(PT_F64, 1e23), "1.0e23");
	CHECK_TEXT(show(PT_F64, 0x1p-44), "5.684341886080802e-14");
	CHECK_TEXT(show(PT_F64, 5e-324), "5.0e-324");
	CHECK_TEXT(show(PT_F64, 1.7976931348623157e308), "1.7976931348623157e308");
	CHECK_TEXT(show(PT_F64, 2.2250738585072014e-308), "2.2250738585072014e-308");
	CHECK_TEXT(show(PT_F64, 1.0 / 3), "0.3333333333333333");
	CHECK_TEXT(show(PT_F64, 0.1 + 0.2), "0.30000000000000004");
	CHECK_TEXT(show(PT_F32, 0.1), "0.1");
	CHECK_TEXT(show(PT_F32, 3.14159274), "3.1415927");
	CHECK_TEXT(show(PT_F32, 16777216), "1.6777216e7");
	CHECK_TEXT(show(PT_F32, 1e-45), "1.0e-45");
	CHECK_TEXT(show(PT_F32, 3.4028234663852886e38), "3.4028235e38");
	CHECK_TEXT(show(PT_F16, 0.1), "0.1");
	CHECK_TEXT(show(PT_F16, 65504), "65500.0");
	CHECK_TEXT(show(PT_F16, 0x1p-24), "6.0e-8");
	CHECK_TEXT(show(PT_F16, 3.14), "3.14");
}

// Every f16, and a sample of the others, reads back from its text.
static void test_round_trip(void)
{
	bool f16 = true, f32 = true, f64 = true;
	MemMark m = mem_mark();
	for (uint32_t h = 0; h < 0x7C00; h++) {
		double x = double_of_half((uint16_t)h);
		f16 &= double_of_half(half_of_double(strtod(show(PT_F16, x), NULL))) == x;
	}
	uint64_t state = 1;
	for (int i = 0; i < 20000; i++) {
		state = state * 6364136223846793005u + 1442695040888963407u;
		uint32_t b32 = (uint32_t)(state >> 32);
		uint64_t b64 = state ^ state >> 29;
		float a;
		double b;
		memcpy(&a, &b32, sizeof a);
		memcpy(&b, &b64, sizeof b);
		f32 &= !isfinite(a) || strtof(show(PT_F32, (double)a), NULL) == a;
		f64 &= !isfinite(b) || strtod(show(PT_F64, b), NULL) == b;
	}
	mem_release(m);
	CHECK(f16);
	CHECK(f32);
	CHECK(f64);
}

static int depth(int n)
{
	volatile char frame[1000];
	frame[n % 1000] = 1;
	return n == 0 ? 0 : frame[n % 1000] + depth(n - 1);
}

static int deep(void *arg)
{
	Guard g;
	if (GUARDED(g)) {
		int n = depth(*(int *)arg);
		if (n != 100000)
			return 1;
		fail(NOWHERE, NULL, "unwound");
	}
	return diag_count(D_ERROR) == 1 ? 42 : 2;
}

static void test_big_stack(void)
{
	int n = 100000;
	CHECK(with_big_stack((size_t)1 << 30, deep, &n) == 42);
	diag_reset();
}

static void test_md5(void)
{
	CHECK(strcmp(md5_hex("", 0), "d41d8cd98f00b204e9800998ecf8427e") == 0);
	CHECK(strcmp(md5_hex("abc", 3), "900150983cd24fb0d6963f7d28e17f72") == 0);
	CHECK(strcmp(md5_hex("{x: i32, y: i32}", 16), "bda45ecc4522eff7bd51d26d27e66014") == 0);
	const char *digits = "1234567890123456789012345678901234567890"
	                     "1234567890123456789012345678901234567890";
	CHECK(strcmp(md5_hex(digits, 80), "57edf4a22be3c955ac49da2e2107b67a") == 0);
	// lengths around the end of a block, where the padding takes another one
	CHECK(strcmp(md5_hex(digits, 55), "c9ccf168914a1bcfc3229f1948e67da0") == 0);
	CHECK(strcmp(md5_hex(digits, 56), "49f193adce178490e34d1b3a4ec0064c") == 0);
	CHECK(strcmp(md5_hex(digits, 64), "eb6c4179c0a7c82cc2828c1e6338e165") == 0);
}

int main(void)
{
	test_md5();
	test_arena();
	test_spaces();
	test_memory_again();
	test_names();
	test_map();
	test_strings();
	test_sources();
	test_diagnostics();
	test_guards();
	test_half();
	test_scalars();
	test_show();
	test_round_trip();
	test_big_stack();
	sources_reset();
	return report_counts();
}
