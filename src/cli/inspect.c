// The commands that tell about files: tokens, imports, hash.
#include "cli/cli.h"

#include <errno.h>

int cmd_tokens(int argc, char **argv)
{
	const Usage u = {
		"tokens", "FILE",
		"Prints the tokens of a file, one per line, each after its place.",
		1, 1, {NULL, 0}, NULL,
	};
	Texts args = parse_args(&u, argc, argv);
	size_t len;
	const char *bytes = read_file(args.at[0], &len);
	Source *source = bytes ? source_add(args.at[0], bytes, len) : NULL;
	if (!source) {
		fprintf(stderr, "%s: %s\n", args.at[0], bytes ? "file too large" : strerror(errno));
		return 1;
	}
	Comments comments = {0};
	Tokens tokens = lex(source, &comments);
	for EACH(Token, t, tokens)
		if (t->kind != TOK_EOF)
			printf("%s %s\n", show_span_short(t->span), span_text(t->span));
	tokens_free(tokens);
	bool failed = diag_count(D_ERROR) > 0;
	report_diags();
	return failed ? 2 : 0;
}

static bool is_builtin(const File *f)
{
	return str_starts(f->path, "/prelude/");
}

// Loads with all imports; false after reporting errors.  Errors of types do not matter here.
static bool load_all(const char *path, Loaded *l)
{
	bool ok = driver_check(path, (LoadOptions){.no_warnings = true, .files_only = true}, l);
	report_diags();
	return ok;
}

int cmd_imports(int argc, char **argv)
{
	const Usage u = {
		"imports", "PROGRAM",
		"Prints the names of the files a program consists of, one per line, "
		"the program itself last.", 1, 1, {NULL, 0}, NULL,
	};
	Texts args = parse_args(&u, argc, argv);
	Loaded l;
	if (!load_all(args.at[0], &l))
		return 2;
	for EACH(File *, f, l.program->files)
		if (!is_builtin(*f) && *f != l.program->root)
			puts((*f)->source->name);
	puts(l.program->root->source->name);
	return 0;
}

// ---- hash ----

// Two lanes of 64 bits, each multiplied and rotated by constants of its own and mixed with
// the other at the end, as MurmurHash3 does.
typedef struct { uint64_t a, b; } Hash;

static uint64_t rotate(uint64_t x, int n)
{
	return x << n | x >> (64 - n);
}

static void hash_word(Hash *h, uint64_t x)
{
	h->a ^= rotate(x * 0x87C37B91114253D5, 31) * 0x4CF5AD432745937F;
	h->a = (rotate(h->a, 27) + h->b) * 5 + 0x52DCE729;
	h->b ^= rotate(x * 0x4CF5AD432745937F, 33) * 0x87C37B91114253D5;
	h->b = (rotate(h->b, 31) + h->a) * 5 + 0x38495AB5;
}

static void hash_bytes(Hash *h, const char *p, size_t n)
{
	hash_word(h, n);
	for (size_t i = 0; i < n; i += 8) {
		uint64_t x = 0;
		for (size_t k = 0; k < 8 && i + k < n; k++)
			x |= (uint64_t)(uint8_t)p[i + k] << (8 * k);
		hash_word(h, x);
	}
}

static uint64_t finish(uint64_t x)
{
	x = (x ^ x >> 33) * 0xFF51AFD7ED558CCD;
	x = (x ^ x >> 33) * 0xC4CEB9FE1A85EC53;
	return x ^ x >> 33;
}

int cmd_hash(int argc, char **argv)
{
	const Usage u = {
		"hash", "PROGRAM", "Prints a hash of the text of a program and its imports as 32 "
		"hexadecimal digits.", 1, 1, {NULL, 0}, NULL,
	};
	Texts args = parse_args(&u, argc, argv);
	Loaded l;
	if (!load_all(args.at[0], &l))
		return 2;
	Hash h = {0, 0};
	for EACH(File *, f, l.program->files)
		if (!is_builtin(*f))
			hash_bytes(&h, (*f)->source->text, (*f)->source->len);
	uint64_t a = finish(h.a + h.b), b = finish(h.b + 2 * a);
	printf("%016llx%016llx\n", (unsigned long long)a, (unsigned long long)(a ^ b));
	return 0;
}
