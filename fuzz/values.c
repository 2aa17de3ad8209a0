// Data: the bytes as values in text or binary form, which are written and read back; as the
// test blocks of a program; as an expression of FutharkScript; as a type of random data.
#include "cli/cli.h"
#include "fuzz.h"

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	return 0;
}

// Values written in some form are the same values when read.
static void reread(const Values *values, const Str *written, bool exact)
{
	Values again = {0};
	const char *why = "";
	MUST(values_read(written->at, written->len, &again, &why), why);
	MUST(again.len == values->len, "another number of values after writing and reading");
	Str differences = {0};
	for (int i = 0; i < again.len; i++)
		MUST(again.at[i].type == values->at[i].type, "another type after reading");
	if (exact)
		MUST(values_compare(&again, values, true, &differences), "another value");
}

static void round_trips(const Values *values)
{
	Str text_form = {0}, binary = {0};
	for EACH(Value, v, *values) {
		value_write_text(&text_form, v, TEXT_SHORTEST);
		str_putc(&text_form, '\n');
		value_write_binary(&binary, v);
	}
	if (!values->len)
		return;
	reread(values, &text_form, true);
	reread(values, &binary, true);
}

static int run(void *arg)
{
	const Str *in = arg;
	const char *why = NULL, *at = in->at;
	Values values = {0};
	if (values_read(in->at, in->len, &values, &why))
		round_trips(&values);
	testspec_parse("fuzz.fut", in->at, in->len, &why);
	const ScriptExp *e = script_parse(&at, in->at + in->len, &why);
	if (e)
		script_show_exp(e);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size <= 20000)
		fuzz_run(run, data, size);
	return 0;
}
