// Generates whole programs as C text: the functions from gen_functions, and the interface around
// them.
//
//   library      the header, the run-time, functions, and interface; also the header as a separate
//                file, and the manifest
//   executable   the run-time with its command line, functions, entry points, a table of them, main
//   server       the same with the server protocol
//
// In executables, all functions except main are static, so that C compilers remove unused ones.
#include "gen/api.h"

static void put_line_comments(Str *s, const char *body)
{
	while (*body) {
		size_t n = strcspn(body, "\n");
		str_printf(s, "// %.*s\n", (int)n, body);
		body += n + (body[n] == '\n');
	}
}

// ---- The header ----

static const char config_part[] =
	"#define FUTHARK_SUCCESS 0\n"
	"#define FUTHARK_PROGRAM_ERROR 2\n"
	"#define FUTHARK_OUT_OF_MEMORY 3\n"
	"\n"
	"// Initialisation\n"
	"\n"
	"struct futhark_context_config;\n"
	"struct futhark_context_config *futhark_context_config_new(void);\n"
	"void futhark_context_config_free(struct futhark_context_config *cfg);\n"
	"int futhark_context_config_set_tuning_param(struct futhark_context_config *cfg,\n"
	"                                            const char *param_name, size_t new_value);\n"
	"void futhark_context_config_set_debugging(struct futhark_context_config *cfg, int flag);\n"
	"void futhark_context_config_set_profiling(struct futhark_context_config *cfg, int flag);\n"
	"void futhark_context_config_set_logging(struct futhark_context_config *cfg, int flag);\n"
	"void futhark_context_config_set_cache_file(struct futhark_context_config *cfg,\n"
	"                                           const char *path);\n"
	"int futhark_context_config_set_memory_budget(struct futhark_context_config *cfg,\n"
	"                                             size_t bytes);\n"
	"int futhark_get_tuning_param_count(void);\n"
	"const char *futhark_get_tuning_param_name(int i);\n"
	"const char *futhark_get_tuning_param_class(int i);\n"
	"\n"
	"struct futhark_context;\n"
	"struct futhark_context *futhark_context_new(struct futhark_context_config *cfg);\n"
	"void futhark_context_free(struct futhark_context *ctx);\n";
static const char threads_part[] = "\nvoid futhark_context_config_set_num_threads(struct "
                                   "futhark_context_config *cfg, int n);\n"
				   "void futhark_context_config_set_deterministic(struct "
                                   "futhark_context_config *cfg, int flag);\n";
static const char misc_part[] =
	"\n// Miscellaneous\n"
	"\n"
	"int futhark_context_sync(struct futhark_context *ctx);\n"
	"void futhark_context_cancel(struct futhark_context *ctx);\n"
	"char *futhark_context_get_error(struct futhark_context *ctx);\n"
	"void futhark_context_set_logging_file(struct futhark_context *ctx, FILE *f);\n"
	"char *futhark_context_report(struct futhark_context *ctx);\n"
	"void futhark_context_pause_profiling(struct futhark_context *ctx);\n"
	"void futhark_context_unpause_profiling(struct futhark_context *ctx);\n"
	"int futhark_context_clear_caches(struct futhark_context *ctx);\n";

typedef struct { const ApiType *type; ApiFunctions functions; } TypeFunctions;

static bool is_multicore(const GenOptions *o)
{
	return strcmp(o->backend, "multicore") == 0;
}

// After the name of the output.
static const char *header_guard(const GenOptions *o)
{
	const char *path = o->name ? o->name : "program", *slash = strrchr(path, '/');
	return text("RAIDO_%s_%s_H", o->prefix ? o->prefix : "INTERFACE",
	            c_identifier(slash ? slash + 1 : path));
}

// The uniform interface: rts/c/call.h.
static void put_call_header(Str *s, const ApiFunctions *calls)
{
	Rts types = {0};
	str_puts(s, "\n// The same for all types of arguments\n\n");
	rts_use(&types, "call_types");
	rts_put(s, &types);
	for EACH(const ApiFunction, f, *calls)
		str_printf(s, "%s;\n", f->prototype);
	str_printf(s, "%s;\n", api_library_prototype);
}

static void put_header(Str *s, const Api *api, const TypeFunctions *of_types,
                       const ApiFunctions *entries, const ApiFunctions *calls,
                       const GenOptions *o)
{
	const char *guard = header_guard(o);
	str_printf(s, "#ifndef %s\n#define %s\n", guard, guard);
	str_puts(s, "#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n#include "
	            "<stdio.h>\n"
	            "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n");
	if (o->slim) {
		put_call_header(s, &(ApiFunctions){0});
		str_puts(s, "#ifdef __cplusplus\n}\n#endif\n#endif\n");
		return;
	}
	str_printf(s, "#define FUTHARK_BACKEND_%s\n%s", o->backend, config_part);
	if (is_multicore(o))
		str_puts(s, threads_part);
	if (is_gpu(o->backend))
		device_put_header(s, o);
	for (int opaque = 0; opaque < 2; opaque++) {
		str_puts(s, opaque ? "\n// Opaque values\n" : "\n// Arrays\n");
		for (int i = 0; i < api->types.len; i++)
			if (api->types.at[i]->is_opaque == opaque)
				str_printf(s, "\n%s;", api_struct(api->types.at[i]));
		str_putc(s, '\n');
		for (int i = 0; i < api->types.len; i++)
			if (api->types.at[i]->is_opaque == opaque) {
				str_printf(s, "\n// %s\n", api->types.at[i]->name);
				for EACH(const ApiFunction, f, of_types[i].functions)
					str_printf(s, "%s;\n", f->prototype);
			}
	}
	str_puts(s, "\n// Entry points\n\n");
	for (int i = 0; i < entries->len; i++) {
		const char *doc = api->entries.at[i].fun->entry->doc;
		if (doc)
			put_line_comments(s, doc);
		str_printf(s, "%s;\n", entries->at[i].prototype);
	}
	put_call_header(s, calls);
	str_printf(s, "%s\n#ifdef __cplusplus\n}\n#endif\n#endif\n", misc_part);
}

// ---- The source ----

// What executables are given instead of a header.
static const char local_interface[] =
	"#include <stddef.h>\n"
	"#ifdef __GNUC__\n#define RD_API static __attribute__((unused))\n"
	"#else\n#define RD_API static\n#endif\n"
	"struct futhark_context_config;\n"
	"RD_API int futhark_context_config_set_tuning_param(struct futhark_context_config *cfg,\n"
	"                                                   const char *param_name, size_t "
        "new_value);\n"
	"RD_API int futhark_get_tuning_param_count(void);\n"
	"RD_API const char *futhark_get_tuning_param_name(int i);\n"
	"RD_API const char *futhark_get_tuning_param_class(int i);\n";

static void put_function(Str *s, const ApiFunction *f)
{
	str_printf(s, "\nRD_API %s\n{\n%s}\n", f->prototype, f->body);
}

static void put_main(Str *s)
{
	str_puts(s, "\nint main(int argc, char **argv)\n{\n"
	         "\treturn rd_main(argc, argv, &rd_the_program);\n}\n");
}

static GenOutput assemble(const Prog *prog, Api *api, const GenOptions *o)
{
	bool library = o->kind == GEN_LIBRARY;
	Rts rts = {0};
	Str functions = {0}, interface = {0}, header = {0}, source = {0};
	rts_use(&rts, "api_context");
	if (is_multicore(o))
		rts_use(&rts, "api_threads");
	if (is_gpu(o->backend))
		device_use(&rts, o);
	if (is_gpu(o->backend))
		gen_device_functions(&functions, prog, &rts, o->tf32, o->deterministic, library,
		                     &api->tuning);
	else
		gen_functions(&functions, prog, &rts, library);
	if (!is_gpu(o->backend))
		note_params(prog, &api->tuning);
	if (!o->slim) {
		rts_use(&rts, "api_report");
		api_put_structs(&interface, api, &rts);
	}
	const char *constants = api_constants(prog, &rts);
	if (constants)
		str_puts(&interface, constants);
	if (is_gpu(o->backend))
		device_put_builtin(&interface);
	else
		put_own_params(&interface, own_params(prog), &rts);
	TypeFunctions *of_types = NEW_ARRAY(TypeFunctions, api->types.len);
	ApiFunctions entries = {0}, calls = {0};
	for (int i = 0; i < api->types.len && library && !o->slim; i++) {
		api_type_functions(api->types.at[i], o->backend, &rts, &of_types[i].functions);
		for EACH(const ApiFunction, f, of_types[i].functions)
			put_function(&interface, f);
	}
	for EACH(const ApiEntry, e, api->entries) {
		if (o->slim)
			break;
		VEC_PUSH(&entries, api_entry_function(e, &rts));
		put_function(&interface, &entries.at[entries.len - 1]);
	}
	for EACH(const ApiEntry, e, api->entries)
		if (library) {
			VEC_PUSH(&calls, api_call_function(e, &rts));
			put_function(&interface, &calls.at[calls.len - 1]);
		}
	if (library) {
		rts_use(&rts, is_gpu(o->backend) ? "call_device" : "call");
		api_put_library(&interface, api, o);
		put_header(&header, api, of_types, &entries, &calls, o);
	} else {
		rts_use(&rts, o->kind == GEN_SERVER ? "server" : "cli");
		api_put_calls(&interface, api, &rts);
		put_main(&interface);
	}
	str_printf(&source, "// Generated by Raido %s.\n", o->version);
	str_puts(&source, "#ifndef _GNU_SOURCE\n#define _GNU_SOURCE\n#endif\n");
	if (is_multicore(o))
		str_puts(&source, "#define RD_MULTICORE\n");
	if (constants)
		str_puts(&source, "#define RD_CONSTANTS\n");
	if (o->kind == GEN_SERVER)
		str_puts(&source, "#define RD_SERVER\n");
	if (is_gpu(o->backend))
		device_put_defines(&source, o);
	if (library)
		str_putn(&source, header.at, header.len);
	if (!library || o->slim)
		str_puts(&source, local_interface);
	if (library && !o->slim)
		str_puts(&source, "#define RD_API\n#define RD_LIBRARY\n");
	put_source_lines(&source, &rts);
	rts_put(&source, &rts);
	str_putn(&source, functions.at, functions.len);
	str_putn(&source, interface.at, interface.len);
	return (GenOutput){str_text(&source), library ? str_text(&header) : NULL, NULL};
}

GenOutput gen_program(const Prog *prog, const GenOptions *o)
{
	Api api = api_of(prog);
	GenOutput out = assemble(prog, &api, o);
	if (o->kind == GEN_LIBRARY)
		out.manifest = api_manifest(&api, o);
	if (o->prefix) {
		out.source = api_renamed(out.source, o->prefix);
		out.header = api_renamed(out.header, o->prefix);
	}
	return out;
}
