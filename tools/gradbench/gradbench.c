// Raido as a tool of GradBench: answers the messages of an eval, one JSON object a line, until the
// input ends.
//	start     {"id", "tool"}
//	define    loads the module, a shared object beside the program: {"id", "success", "error"?}
//	evaluate  {"id", "success", "output", "timings"}, or {"id", "success": false, "error"}
//	others    {"id"}
// A message that makes no sense is answered with an error too; nothing but answers goes to
// standard output.
#include "message.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const names[] = {"hello", "gmm",  "ba",  "ht",  "lstm",     "kmeans",
                                    "lse",   "llsq", "det", "ode", "particle", "saddle"};
enum { EVALS = sizeof names / sizeof *names };

static const Eval *modules[EVALS];              // those defined
static char folder[4096];                       // where the modules are

static int eval_number(const char *name)
{
	for (int i = 0; name && i < EVALS; i++)
		if (strcmp(names[i], name) == 0)
			return i;
	return -1;
}

static void find_folder(void)
{
	ssize_t n = readlink("/proc/self/exe", folder, sizeof folder - 1);
	folder[n > 0 ? n : 0] = 0;
	char *slash = strrchr(folder, '/');
	if (slash)
		*slash = 0;
	else
		strcpy(folder, ".");
}

// An answer that says no.
static json_t *refusal(json_t *answer, const char *why)
{
	json_object_set_new(answer, "success", json_false());
	json_object_set_new(answer, "error", json_string(why));
	return answer;
}

static json_t *define(json_t *answer, const char *module)
{
	int i = eval_number(module);
	if (i < 0)
		return refusal(answer, "no such module");
	if (!modules[i]) {
		char path[sizeof folder + 64];
		snprintf(path, sizeof path, "%s/%s.so", folder, module);
		void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
		const Eval *eval = object ? dlsym(object, "eval") : NULL;
		const char *error = eval ? eval->open() : dlerror();
		if (error)
			return refusal(answer, error);
		modules[i] = eval;
	}
	json_object_set_new(answer, "success", json_true());
	return answer;
}

// How often to run: the fields stand in the input, beside what the function wants.
static void read_runs(Call *call)
{
	const json_t *runs = json_object_get(call->input, "min_runs");
	const json_t *seconds = json_object_get(call->input, "min_seconds");
	call->min_runs = runs ? integer(call, call->input, "min_runs") : 1;
	call->min_seconds = seconds ? real(call, call->input, "min_seconds") : 0;
}

static void run(Call *call, const Function *f)
{
	if (setjmp(call->on_error))
		return;
	read_runs(call);
	f->run(call);
}

static json_t *evaluate(json_t *answer, const char *module, const char *function,
                        const json_t *input)
{
	int i = eval_number(module);
	if (i < 0 || !modules[i])
		return refusal(answer, i < 0 ? "no such module" : "the module is not defined");
	const Function *f = modules[i]->functions;
	while (f->name && (!function || strcmp(f->name, function) != 0))
		f++;
	if (!f->name)
		return refusal(answer, "the module has no such function");
	if (!input)
		return refusal(answer, "the message has no input");
	Call call = {.input = input, .timings = json_array()};
	run(&call, f);
	while (call.blocks) {
		Block *b = call.blocks;
		call.blocks = b->next;
		free(b);
	}
	if (call.error || !call.output) {
		json_decref(call.output);
		json_decref(call.timings);
		refusal(answer, call.error ? call.error : "no output");
		free(call.error);
		return answer;
	}
	json_object_set_new(answer, "success", json_true());
	json_object_set_new(answer, "output", call.output);
	json_object_set_new(answer, "timings", call.timings);
	return answer;
}

static json_t *reply(const json_t *message)
{
	json_t *answer = json_object();
	json_t *id = json_object_get(message, "id");
	json_object_set(answer, "id", json_is_integer(id) ? id : json_null());
	const char *kind = json_string_value(json_object_get(message, "kind"));
	if (!json_is_object(message))
		return refusal(answer, "the message is not an object");
	if (!json_is_integer(id))
		return refusal(answer, "the message has no id");
	if (!kind)
		return refusal(answer, "the message has no kind");
	const char *module = json_string_value(json_object_get(message, "module"));
	if (strcmp(kind, "define") == 0)
		return define(answer, module);
	if (strcmp(kind, "evaluate") == 0)
		return evaluate(answer, module,
		                json_string_value(json_object_get(message, "function")),
		                json_object_get(message, "input"));
	if (strcmp(kind, "start") == 0)
		json_object_set_new(answer, "tool", json_string("raido"));
	return answer;
}

int main(void)
{
	char *line = NULL;
	size_t size = 0;
	ssize_t length;
	find_folder();
	while ((length = getline(&line, &size, stdin)) >= 0) {
		json_error_t error;
		json_t *message = json_loadb(line, (size_t)length, JSON_DECODE_ANY, &error);
		json_t *answer = message ? reply(message)
			: refusal(json_pack("{s:n}", "id"), error.text);
		json_dumpf(answer, stdout, JSON_COMPACT);
		putchar('\n');
		fflush(stdout);
		json_decref(answer);
		json_decref(message);
	}
	free(line);
	return 0;
}
