// The formatter: what parses is laid out anew, parses again, to the same tokens and comments,
// and is then in standard layout.
#include "fuzz.h"
#include "syntax/ast.h"

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	return 0;
}

static bool same_text(Span a, Span b)
{
	return strcmp(span_text(a), span_text(b)) == 0;
}

// Some tokens `in` go, and some tokens `let` become `def`.
static void same_tokens(const Source *before, const Source *after)
{
	Comments old_comments = {0}, new_comments = {0};
	Tokens old = lex(before, &old_comments), new = lex(after, &new_comments);
	int j = 0;
	for (int i = 0; i < old.len; i++, j++) {
		const Token *a = &old.at[i];
		if (a->kind == TOK_IN && a[1].kind == TOK_LET)
			a = &old.at[++i];
		MUST(j < new.len, "formatting loses tokens");
		if (a->kind == TOK_LET && new.at[j].kind == TOK_DEF)
			continue;
		MUST(a->kind == new.at[j].kind, "formatting changes a token");
		MUST(a->kind == TOK_DOC || same_text(a->span, new.at[j].span),
		     "formatting changes the text of a token");
	}
	MUST(j == new.len, "formatting adds tokens");
	MUST(old_comments.len == new_comments.len, "formatting changes the number of comments");
	tokens_free(old);
	tokens_free(new);
}

static File *parsed(const char *text, size_t len)
{
	Source *s = source_add("fuzz.fut", text, len);
	return s ? parse_file(s) : NULL;
}

static int run(void *arg)
{
	const Str *in = arg;
	const File *f = parsed(in->at, in->len);
	if (!f || f->failed || diag_count(D_ERROR)) {
		fuzz_print_diags();
		return 0;
	}
	const char *once = format_file(f);
	const File *again = parsed(once, strlen(once));
	MUST(again && !again->failed && !diag_count(D_ERROR), "formatted text does not parse");
	same_tokens(f->source, again->source);
	MUST(strcmp(format_file(again), once) == 0, "formatting twice differs from once");
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size <= 20000)
		fuzz_run(run, data, size);
	return 0;
}
