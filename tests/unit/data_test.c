// Values, their formats, and their comparison.
#include "core/core.h"

#include <math.h>
#include <stdlib.h>

static int failures;

#define CHECK(c) check(c, #c, __LINE__)
static void check(bool ok, const char *what, int line)
{
	if (!ok) {
		fprintf(stderr, "data_test.c:%d: %s\n", line, what);
		failures++;
	}
}

static Values read_text(const char *s)
{
	Values v = {0};
	const char *why;
	if (!values_read(s, strlen(s), &v, &why)) {
		fprintf(stderr, "%s: %s\n", s, why);
		failures++;
	}
	return v;
}

static bool rejected(const char *s)
{
	Values v = {0};
	const char *why = NULL;
	return !values_read(s, strlen(s), &v, &why) && why != NULL;
}

static bool reads_as(const char *s, const char *expected)
{
	Values v = read_text(s);
	Str out = {0};
	for (int i = 0; i < v.len; i++) {
		str_puts(&out, i ? " " : "");
		value_write_text(&out, &v.at[i], TEXT_SHORTEST);
	}
	bool ok = strcmp(str_text(&out), expected) == 0;
	if (!ok)
		fprintf(stderr, "%s reads as %s\n", s, str_text(&out));
	return ok;
}

static void test_scalars(void)
{
	CHECK(reads_as("1 -1 +1", "1i32 -1i32 1i32"));
	CHECK(reads_as("255u8 256u8 -1u8 128i8", "255u8 0u8 255u8 -128i8"));
	CHECK(reads_as("0x7FFF_FFFF 0b11i64", "2147483647i32 3i64"));
	CHECK(reads_as("9223372036854775807i64 -9223372036854775808i64",
	               "9223372036854775807i64 -9223372036854775808i64"));
	CHECK(reads_as("1f32 1.5 1e3 1.5e-3f32 1_0.2_5",
		"1.0f32 1.5f64 1000.0f64 1.5e-3f32 10.25f64"));
	CHECK(reads_as("f16.nan f32.inf -f64.inf", "f16.nan f32.inf -f64.inf"));
	CHECK(reads_as("18446744073709551616f64 [-36893488147419103232f64]",
		"1.8446744073709552e19f64 [-3.6893488147419103e19f64]"));
	CHECK(reads_as("0b11111111111111111111f64", "1048575.0f64"));
	CHECK(reads_as("-0.0f32", "-0.0f32"));
	CHECK(rejected("1.") && rejected(".5") && rejected("1i31") && rejected("-true"));
	CHECK(rejected("1,2") && rejected("truefalse") && rejected("f32.foo"));
}

static void test_arrays(void)
{
	CHECK(reads_as("[[1i8,2],[3i8,4]]", "[[1i8, 2i8], [3i8, 4i8]]"));
	CHECK(reads_as("[\"ab\", \"cd\"]", "[[97u8, 98u8], [99u8, 100u8]]"));
	CHECK(reads_as("\"\\n\\\"\\65\\x42\\955\"", "[10u8, 34u8, 65u8, 66u8, 206u8, 187u8]"));
	CHECK(reads_as("\"\"", "empty([0]u8)"));
	CHECK(reads_as("empty([2][0]i32) [empty([0]i8), empty([0]i8)]",
	               "empty([2][0]i32) empty([2][0]i8)"));
	CHECK(reads_as("[ -- first\n 1, -- second\n 2 ]", "[1i32, 2i32]"));
	CHECK(rejected("[1, [2]]") && rejected("[[1], 2]") && rejected("[true, 1]"));
	CHECK(rejected("empty(i32)") && rejected("empty([0]foo)") && rejected("[1,,2]"));
	Str deep = {0};
	for (int i = 0; i < 100000; i++)
		str_putc(&deep, '[');
	CHECK(rejected(str_text(&deep)));
}

// Decimal text must be read to the nearest number, whatever path it takes.
static void test_rounding(void)
{
	Rng r = {.state = 7};
	for (int i = 0; i < 40000; i++) {
		char s[64];
		uint64_t bits = rng_next(&r);
		int digits = (int)(bits % 18) + 1, exponent = (int)(bits >> 8 & 63) - 32;
		snprintf(s, sizeof s, "%.*fe%d", digits, (double)(rng_next(&r) >> 11) / 1e15,
			exponent);
		const char *at = s, *why;
		char typed[80];
		Value v = {0};
		snprintf(typed, sizeof typed, "%sf64", s);
		at = typed;
		if (!value_read(&at, typed + strlen(typed), &v, &why) ||
		    value_get(&v, 0).f != strtod(s, NULL)) {
			check(false, s, __LINE__);
			return;
		}
		snprintf(typed, sizeof typed, "%sf32", s);
		at = typed;
		if (!value_read(&at, typed + strlen(typed), &v, &why) ||
		    value_get(&v, 0).f != (double)strtof(s, NULL)) {
			check(false, s, __LINE__);
			return;
		}
	}
}

static void test_binary(void)
{
	static const char *const samples[] = {
		"3i8", "[1u16, 65535u16]", "[[1.5f64], [f64.nan]]", "[true, false]",
		"empty([3][0]f16)",
		"[0.5f16, f16.inf]", "18446744073709551615u64",
	};
	for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
		Values v = read_text(samples[i]), back = {0};
		Str bytes = {0};
		const char *why;
		value_write_binary(&bytes, &v.at[0]);
		CHECK(values_read(bytes.at, bytes.len, &back, &why) && back.len == 1);
		Str diff = {0};
		CHECK(values_compare(&back, &v, false, &diff));
		for (size_t cut = 1; cut < bytes.len; cut++) {
			// Exactly as long as it is, so that reading past the end is noticed.
			char *part = malloc(cut);
			memcpy(part, bytes.at, cut);
			Values none = {0};
			CHECK(!values_read(part, cut, &none, &why));
			free(part);
		}
	}
	const char huge[] =
		"b\2\2 i32\377\377\377\377\377\377\377\177\377\377\377\377\377\377\377\177";
	Values none = {0};
	const char *why;
	CHECK(!values_read(huge, sizeof huge - 1, &none, &why));
}

static const char *difference(const char *got, const char *expected)
{
	Values a = read_text(got), b = read_text(expected);
	Str out = {0};
	return values_compare(&a, &b, true, &out) ? "" : str_text(&out);
}

static void test_compare(void)
{
	CHECK(!*difference("1.001", "1.0"));
	CHECK(*difference("1.0021", "1.0"));
	CHECK(!*difference("-1000.0f32", "-1000.001f32"));
	CHECK(*difference("-1000.0f32", "-1000.1f32"));
	CHECK(strcmp(difference("[[1,2],[3,4]]", "[[1,2],[9,8]]"),
	             "Value #0 index [1,0]: expected 9, got 3\n") == 0);
	CHECK(strcmp(difference("1.0", "f64.nan"), "Value #0: expected f64.nan, got 1.0\n") == 0);
	CHECK(strcmp(difference("1", "[1]"),
		"Value #0: expected array of shape [1], got []\n") == 0);
	CHECK(strcmp(difference("1i64 2", "1 2"),
	             "Value #0: expected value of type i32, got i64\n") == 0);
}

static void test_generate(void)
{
	Rng r = {.state = 1};
	Value v;
	const char *why;
	CHECK(value_generate(&r, "[1000]f16", &v, &why) && v.shape[0] == 1000);
	for (int i = 0; i < 1000; i++)
		CHECK(value_get(&v, i).f >= 0 && value_get(&v, i).f < 1);
	r.bounds[PT_I8] = (Bounds){true, scalar_int(PT_I8, -3), scalar_int(PT_I8, 3)};
	CHECK(value_generate(&r, "[10][100]i8", &v, &why) && v.rank == 2);
	int seen = 0;
	for (int i = 0; i < 1000; i++) {
		int64_t x = value_get(&v, i).i;
		CHECK(x >= -3 && x <= 3);
		seen |= 1 << (x + 3);
	}
	CHECK(seen == 127);
	CHECK(value_generate(&r, "2.5f32", &v, &why) && value_get(&v, 0).f == 2.5);
	CHECK(!value_generate(&r, "[2]foo", &v, &why) && strcmp(why, "Unknown type foo") == 0);
	CHECK(!value_generate(&r, "[9223372036854775807][4]i64", &v, &why));
}

static EntryType prim(PrimType t)
{
	return (EntryType){.kind = ET_PRIM, .name = primtype_name[t], .prim = t, .n_values = 1};
}

static void test_show(void)
{
	EntryType i32 = prim(PT_I32), boolean = prim(PT_BOOL);
	EntryType matrix = {.kind = ET_ARRAY, .rank = 2, .elem = &i32, .n_values = 1};
	Values m = read_text("[[1,2],[3,4]] 7 true empty([0]i32)");
	CHECK(strcmp(show_surface(&matrix, m.at, TEXT_BARE), "[[1, 2],\n [3, 4]]") == 0);
	EntryField fields[] = {{name_of("a"), &matrix}, {name_of("b"), &i32}};
	EntryType record = {.kind = ET_RECORD, .fields = {fields, 2}, .n_values = 2};
	CHECK(strcmp(show_surface(&record, m.at, TEXT_SHORTEST),
	             "{a = [[1i32, 2i32],\n      [3i32, 4i32]],\n b = 7i32}") == 0);
	EntryField pair[] = {{name_of("0"), &i32}, {name_of("1"), &boolean}};
	EntryType tuple = {.kind = ET_RECORD, .fields = {pair, 2}, .is_tuple = true, .n_values = 2};
	CHECK(strcmp(show_surface(&tuple, m.at + 1, TEXT_BARE), "(7,\n true)") == 0);
	EntryType vector = {.kind = ET_ARRAY, .rank = 1, .elem = &i32, .n_values = 1};
	CHECK(strcmp(show_surface(&vector, m.at + 3, TEXT_BARE), "empty([0]i32)") == 0);
	// #foo i32 | #nil: a tag and one slot.
	EntryType *args[] = {&i32};
	int slots[] = {0};
	EntryConstr constrs[] = {{name_of("foo"), {args, 1}, {slots, 1}}, {.name = name_of("nil")}};
	EntryType sum = {.kind = ET_SUM, .constrs = {constrs, 2}, .n_values = 2};
	Values s = read_text("0i8 3 1i8 0");
	CHECK(strcmp(show_surface(&sum, s.at, TEXT_BARE), "#foo 3") == 0);
	CHECK(strcmp(show_surface(&sum, s.at + 2, TEXT_BARE), "#nil") == 0);
	EntryType fun = {.kind = ET_FUN};
	CHECK(strcmp(show_surface(&fun, NULL, TEXT_BARE), "#<fun>") == 0);
}

int main(void)
{
	test_scalars();
	test_arrays();
	test_rounding();
	test_binary();
	test_compare();
	test_generate();
	test_show();
	return failures != 0;
}
