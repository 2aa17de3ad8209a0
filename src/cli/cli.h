// The command line: one function per command, and what commands share.
#ifndef RAIDO_CLI_H
#define RAIDO_CLI_H
#include "check/check.h"
#include "core/core.h"
#include "gen/gen.h"
#include "lower/lower.h"
#include "pass/pass.h"
#include "syntax/ast.h"

#define RAIDO_VERSION "0.2.0"
#define FUTHARK_VERSION "0.27"                  // whose programs are accepted

// ---- Commands: argv[0] is the command's name; the result is the exit code ----

int cmd_check(int argc, char **argv);           // check.c
int cmd_check_syntax(int argc, char **argv);
int cmd_run(int argc, char **argv);             // run.c
int cmd_eval(int argc, char **argv);            // eval.c
int cmd_explain(int argc, char **argv);         // explain.c
int cmd_repl(int argc, char **argv);            // repl.c
bool print_library_doc(const char *name);       // repl.c: false if there is no such value
int cmd_test(int argc, char **argv);            // test.c
int cmd_dataset(int argc, char **argv);         // dataset.c
int cmd_datacmp(int argc, char **argv);
int cmd_dataget(int argc, char **argv);
int cmd_defs(int argc, char **argv);            // query.c
int cmd_query(int argc, char **argv);
int cmd_tokens(int argc, char **argv);          // inspect.c
int cmd_imports(int argc, char **argv);
int cmd_hash(int argc, char **argv);
int cmd_fmt(int argc, char **argv);             // fmt.c
int cmd_dev(int argc, char **argv);             // dev.c
int cmd_c(int argc, char **argv);               // compile.c
int cmd_multicore(int argc, char **argv);
int cmd_opencl(int argc, char **argv);
int cmd_cuda(int argc, char **argv);
int cmd_autotune(int argc, char **argv);
int cmd_bench(int argc, char **argv);           // bench.c
int cmd_benchcmp(int argc, char **argv);        // benchcmp.c
int cmd_profile(int argc, char **argv);         // profile.c
int cmd_script(int argc, char **argv);          // script_cmd.c
int cmd_literate(int argc, char **argv);        // literate.c
int cmd_doc(int argc, char **argv);             // doc.c
int cmd_lsp(int argc, char **argv);             // lsp.c
int cmd_pkg(int argc, char **argv);             // pkg.c
int cmd_gradcheck(int argc, char **argv);       // gradcheck.c

// ---- options.c: the one way to read a command line ----
//
// A command lists its options in a table; reading, `--help`, abbreviations and the report of
// mistakes follow from it.  -h/--help and -V/--version are always there.

typedef SLICE(const char *) Texts;
typedef VEC(const char *) TextVec;

typedef enum {
	OPT_FLAG,       // to: bool *, set
	OPT_UNSET,      // to: bool *, cleared
	OPT_TEXT,       // to: const char **
	OPT_INT,        // to: int64_t *
	OPT_LIST,       // to: TextVec *, appended
	OPT_CALL,       // calls `call` with `to` and the argument, in order of appearance
	OPT_MAYBE,      // likewise; --NAME alone, without =, and -X alone give NULL
} OptKind;
typedef struct {
	char letter;                            // 0: none
	const char *name;                       // without the dashes; NULL: none
	const char *metavar;                    // name of the argument; NULL: takes none
	OptKind kind;
	void *to;
	const char *help;
	const char *(*call)(void *to, const char *arg); // OPT_CALL: what is wrong, or NULL
} Opt;
typedef struct {
	const char *command;                    // "check"
	const char *args;                       // "PROGRAM"
	const char *about;                      // a sentence or two
	// max -1: any number; -2: likewise, and words such as -1 are no options
	int min_args, max_args;
	SLICE(const Opt) opts;
	const char *more;                       // text after the list of options, or NULL
} Usage;
#define OPTS(table) {(table), (int)(sizeof(table) / sizeof *(table))}

// Reads options and gives the other arguments.  Prints help or version and exits with 0;
// reports mistakes and exits with 2.
Texts parse_args(const Usage *, int argc, char **argv);
NORETURN void usage_error(const Usage *, const char *fmt, ...) PRINTF_LIKE(2, 3);
void print_version(void);
// The candidate nearest to `word`, or NULL when none is near; candidates end with NULL.
const char *nearest(const char *word, const char *const *candidates);

// --checked and --checked=LIST: what is checked at run time.
const char *set_checks(void *none, const char *list);
#define OPT_CHECKED {0, "checked", "CHECKS", OPT_MAYBE, NULL, \
	"Check at run time what the compiler otherwise takes on trust, and report where it " \
	"fails.  CHECKS is a comma-separated list of: scatter (conflicting writes), operators " \
	"(associativity and neutral elements), uninitialised (reads of memory that was never " \
	"written), nan (the first infinity or NaN), attributes (#[unsafe] and #[bound(n)]), " \
	"overflow (signed integers).  The default is all of them except overflow.", set_checks}

// ---- driver.c: from a file to something that can be called ----

typedef struct {
	Program *program;
	Prog *prog;
	Interp *interp;
} Loaded;

void report_diags(void);                        // prints to stderr what was collected, forgets it
// Reads and checks; false after an error, which report_diags prints.
bool driver_check(const char *path, LoadOptions, Loaded *);
bool driver_lower(Loaded *, const LowerOptions *); // to core, with an interpreter
// applies passes, checks after each; a new interpreter
void driver_optimise(Loaded *, Pipeline, const PassOptions *);
// Reads "inline_calls,dce" or the name of a pipeline; NULL, or what is wrong.
const char *pipeline_of_names(const char *list, Pipeline *out);
const char *set_fuel(void *pass_options, const char *arg); // of an option: PASS:N
Fun *find_entry(const Prog *, const char *name); // NULL when there is none
double seconds(void);                           // since some time in the past
int by_text(const void *, const void *);        // for qsort, of const char *
Names entry_names(const Prog *);                // alphabetical
// "Error at\n-> #0  a.fut:1:2-3\nMESSAGE"
const char *show_run_error(const RunError *);
Texts texts_of(TextVec);
Names names_of(TextVec);

// Values of surface types, as scripts and tests handle them.
typedef struct { const EntryType *type; const Value *flat; } Datum;
// The types a value is read as: tuples and records are the list of their components.  False
// for types that have no text or binary form (sums, arrays of records).
typedef VEC(const EntryType *) Leaves;
bool entry_leaves(const EntryType *, bool records_too, Leaves *out);
const char *leaves_text(const Leaves *);        // "i32 []f64"
bool leaf_accepts(const EntryType *, const Value *);
bool entry_input_leaves(const Fun *, Leaves *out);

// ---- compile.c: core to C and to executables ----

// Runs the passes of a back end, and writes the steps to `log` unless it is NULL.  NULL after
// reporting what it cannot compile.
Prog *compile_passes(Prog *, const char *backend, FILE *log);
// Writes OUT.c and compiles it to OUT, or writes the files of a library.  Gives what went
// wrong, or NULL.
const char *compile_prog(const Prog *, GenOptions, const char *out, FILE *log);

extern const char *own_command;                 // how this program was called

// How tools make and start server executables.
typedef struct {
	const char *backend;                    // "c", "multicore", "opencl", "cuda"
	TextVec compiler_options, options;      // for the compiler, for the executable
	const char *compiler;                   // another one to run, or NULL
	const char *runner;                     // runs the executable, or NULL
	const char *tuning;                     // extension of tuning files
	const char *cache_extension;            // of files with compiled kernels, or NULL
	bool no_tuning, skip_compilation, safe, tf32, deterministic;
	Names entries;                          // entry points besides those declared
	double timeout;                         // seconds for a command; 0: none
} CompileOptions;
// Rows for the options of the commands that have such.
#define OPT_BACKEND(c) {0, "backend", "NAME", OPT_TEXT, &(c)->backend, \
	"Back end to compile with (default c).", NULL}
#define OPT_SKIP_COMPILATION(c) {0, "skip-compilation", NULL, OPT_FLAG, &(c)->skip_compilation, \
	"Use existing executables instead of compiling.", NULL}
#define OPTS_COMPILER(c) \
	{0, "futhark", "PROGRAM", OPT_TEXT, &(c)->compiler, \
	 "Use this compiler instead of raido itself.", NULL}, \
	{'p', "pass-option", "OPT", OPT_LIST, &(c)->options, \
	 "Pass OPT to the compiled programs; may be repeated.", NULL}, \
	{0, "pass-compiler-option", "OPT", OPT_LIST, &(c)->compiler_options, \
	 "Pass OPT to the compiler; may be repeated.", NULL}
#define OPTS_RUNS(c) \
	{0, "cache-extension", "EXT", OPT_TEXT, &(c)->cache_extension, \
	 "Cache the compiled kernels of each program in PROGRAM.EXT.", NULL}, \
	{0, "runner", "PROGRAM", OPT_TEXT, &(c)->runner, \
	 "Run each compiled program as \"PROGRAM EXECUTABLE\".", NULL}, \
	{0, "tuning", "EXT", OPT_TEXT, &(c)->tuning, \
	 "File extension of tuning files (default tuning).", NULL}, \
	{0, "no-tuning", NULL, OPT_FLAG, &(c)->no_tuning, "Do not load tuning files.", NULL}
typedef enum { COMPILED, NOT_SUPPORTED, COMPILE_FAILED } Compiled; // the latter two with *why set
// Compiles what has been lowered from `path` to the server executable `out`.
Compiled compile_server(const Loaded *, const char *path, const char *out, const CompileOptions *,
                        const char **why);
const char *tuning_file(const char *path, const CompileOptions *); // NULL when there is none
const char *check_compile_options(CompileOptions *); // what is wrong, or NULL
typedef struct Server Server;
Server *start_compiled(const char *path, const char *out, const CompileOptions *, const char **why);
const char *diags_text(void);                   // the collected diagnostics as they are printed

// ---- client.c: talking to server executables ----

// Commands fail with *why set: what the server answered, or how it ended.
Server *server_start(const TextVec *command, double timeout_seconds, const char **why);
void server_stop(Server *);
bool server_has_ended(const Server *);          // on its own, as the last command found out
bool server_command(Server *, const char *line, const char **answer, const char **why);
const char *server_stderr(Server *);            // what it has written there so far
// A call in steps, so that it can be repeated; the result is in the server's variable out.
typedef struct {
	const char *entry;
	TextVec types;                          // of the inputs
	const Values *args;
	bool consumes, spent;                   // does it consume arguments? has it?
} ServerCall;
bool server_prepare(Server *, ServerCall *, const char *entry, const Values *args,
                    const char **why);
bool server_run(Server *, ServerCall *, int64_t *microseconds, const char **why);
bool server_result(Server *, Values *out, const char **why);
bool server_free_result(Server *, const char **why);
bool server_finish(Server *, ServerCall *, const char **why);
// All of it at once, on flat values.
bool server_call(Server *, const char *entry, const Values *args, Values *results,
                 const char **why);
const char *make_temporary_dir(const char **why); // NULL with *why set
// Handlers of signals that remove all such directories: the first of them installs these, unless
// they are wanted before.
void remove_dirs_at_end(void);
// Removes these files, a list that ends with NULL, then the directory.
void remove_temporary_dir(const char *dir, const char *const *names);
void remove_temporary_tree(const char *dir);    // with all that is in it

// ---- behind.c: compiled code behind the interpreter ----

typedef struct Behind Behind;
Behind *behind_new(void);
bool behind_can_compile(void);                  // is there a C compiler?
bool behind_has_code(const Behind *);           // is anything compiled yet?
// A call that is compiled, unless it is already (`only_made`: if it is already), and run.  The
// variables of the program have numbers from `first` on; all that is given stays as it is until
// behind_leave.
void behind_begin(Behind *, const Prog *, uint32_t first, const Fun *, const Values *args,
                  bool only_made);
bool behind_result(Behind *, Values *out);      // is the call done?  Does not wait.
void behind_leave(Behind *);                    // ends the call; what is being compiled goes on
void behind_end(Behind *);
// An expression that has been checked, with numbers replaced by names; NULL where it could not be.
// The names are bound to *names, their values are *values.
Expr *abstract_numbers(Program *, const Expr *, Bindings also, Bindings *names, Values *values);

// ---- stopped.c: names at breakpoints ----

// Bindings for the names of a frame, with closed types, and the flat values they stand for.
Bindings stopped_names(const StopFrame *, const Value *flat, Values *values);

// ---- script.c: FutharkScript ----

typedef struct ScriptExp ScriptExp;
typedef struct Script {
	const Loaded *loaded;
	Server *server;                         // runs the entry points; NULL: the interpreter does
	const char *dir;                        // files are relative to it
	bool confined;                          // ... and in it
	FILE *traces;
	// Further builtins ($name), or NULL; false with *why set on failure; sets *known.
	bool (*builtin)(struct Script *, const char *name, const Datum *args, int n_args,
	                Datum *out, bool *known, const char **why);
	void *ctx;
} Script;
// Parses one expression at *at; NULL with *why set (*at is then where).
ScriptExp *script_parse(const char **at, const char *end, const char **why);
bool script_eval(Script *, const ScriptExp *, Datum *out, const char **why);
const char *script_show_exp(const ScriptExp *); // on one line
const char *script_show(Datum);                 // "(3i32, {a=1.0f32})"
// Runs an entry point on flat values.
bool script_run(Script *, const Fun *, const Values *args, Values *results, const char **why);
// Calls an entry point with arguments that are converted to its parameters' types.
bool script_call(Script *, const Fun *, const Datum *args, int n_args, Datum *out,
                 const char **why);
// May it read or write the file?  Not everywhere, if it is confined.
bool script_may_use(const Script *, const char *path, bool written, const char **why);
Datum datum_of_values(const Values *);          // one value, or a tuple of several
bool datum_scalar(Datum, Scalar *);             // is it a scalar?
bool is_same_type(const EntryType *, const EntryType *); // whatever names they have
// Checks and compiles a program and starts it; an exit code, 0 when all is well.
int script_open(Script *, Loaded *, const char *path, const CompileOptions *, bool verbose);
const char *shell_quoted(const char *);         // as one word of the shell
// Appends the flat values of a datum as a value of type `want`; false when it cannot be one.
bool datum_convert(const EntryType *want, Datum, Values *out);

// ---- query.c: what a name is ----

typedef struct { const char *name; Span position; Ty *type; const Binding *binding; } NameInfo;
// Lines and columns count from 1; false when there is no name.  The program has been checked.
bool find_name_at(const Program *, int64_t line, int64_t col, NameInfo *out);

// ---- markup.c: HTML ----

void html_escaped(Str *, const char *, size_t n);
void html_of_markdown(Str *, const char *);
const char *html_anchor(const char *heading);   // the name by which a heading is linked to

// ---- picture.c: images and sounds as files; false where a value cannot be one ----

bool picture_png(const Value *, Str *png);
bool sound_wav(const Value *, int64_t frequency, Str *wav);

// ---- testspec.c: test blocks ----

typedef enum { IN_VALUES, IN_FILE, IN_RANDOM, IN_SCRIPT } InputKind;
typedef enum { RES_ANY, RES_VALUES, RES_FILE, RES_AUTO, RES_ERROR } ResultKind;
typedef struct {
	const char *name;                       // of the dataset
	int index;                              // in its block
	Names tags;
	InputKind input;
	Values values;                          // IN_VALUES
	const char *path;                       // IN_FILE: as written
	Texts gens;                             // IN_RANDOM: types and literals
	const ScriptExp *script;                // IN_SCRIPT
	ResultKind result;
	Values expected;                        // RES_VALUES
	const char *expected_path;              // RES_FILE
	const char *regex;                      // RES_ERROR
} TestCase;
typedef SLICE(TestCase) TestCases;
typedef struct { Name entry; TestCases cases; } EntryTests;
typedef SLICE(EntryTests) EntryTestses;
typedef struct {
	const char *path;                       // of the program
	bool has_block;
	Names tags;
	bool expects_error;
	const char *error_regex;                // "" for any error
	EntryTestses entries;
	Names properties;
	Texts warnings;                         // regexes
} TestSpec;
// Reads the blocks of a program; NULL with *why set (a message with its place).
TestSpec *testspec_read(const char *path, const char **why);
// The same of the text of a program, which ends with a zero byte.
TestSpec *testspec_parse(const char *path, const char *bytes, size_t len, const char **why);
TestSpec *testspec_read_file(const char *path, const char *spec_file, const char **why);
bool has_tag(Names, const char *tag);

// ---- testdata.c: inputs and expected outputs of cases ----

const char *dir_of(const char *path);           // "." when it has none
// The flat values a case's entry point is to be called with.  Without a Fun: the values of
// the dataset as they are.
bool case_input(Script *, const TestSpec *, const TestCase *, const Fun *, Values *out,
                const char **why);
// The values a result stands for outside: the components of a tuple.
bool result_values(const Fun *, const Values *flat, Values *out, const char **why);
bool write_atomically(const char *path, const Str *bytes); // false with errno set
// What a case expects; false without that (any result will do) or with *why set.
bool expected_values(const TestSpec *, Name entry, const TestCase *, const Values *got, Values *out,
                     const char **why);
// NULL when they agree.  Else the report; both are left in the files BASE.actual, BASE.expected.
const char *compare_values(const char *base, const Values *got, const Values *expected);

// ---- property.c: property-based tests ----

typedef struct { int64_t num_tests, max_size, num_tries; uint64_t seed; } PropertyOptions;
// NULL when the property holds for all candidates, else the report.
const char *check_property(Script *, Name property, const PropertyOptions *);
// Random arguments: arrays of 1 to `size` elements, integers from 0 to `size` - 1, floats from -1
// to
// 1.  False with *why set where there are none.
bool make_arguments(Script *, const Fun *, int64_t size, uint64_t seed, Values *out,
                    const char **why);

// ---- gradfuns.c: derivatives of entry points ----

// Sums the float results of an entry point with fixed weights: a function to one f64.
typedef struct {
	Name value, forward, reverse;           // entry points: f x; f x and tangents; f x
	SLICE(int) active;                      // the flat arguments that are floats
} GradFuns;
// Adds the functions to the program; false when there are no floats on either side.
bool grad_functions(Prog *, const Fun *, GradFuns *out);

// ---- derive.c: entry points made of others ----

// Adds an entry point for each specification, several with commas in between; `only`: the others
// are no entry points any more.  NULL, or why it cannot be done.
const char *derive_entries(Prog *, Texts specs, bool only);

// ---- boxes.c: scalars of entry points on the device ----

void box_scalars(Prog *);

// ---- testrun.c: testing one program ----

// Run cases, or only up to a stage.
typedef enum { TEST_RUN, TEST_CHECK, TEST_LOWER, TEST_COMPILE } TestMode;
typedef struct {
	TestMode mode;
	const char *entry;                      // NULL: all
	TextVec exclude;                        // tags
	Pipeline after;                         // passes applied before the interpreter runs
	PassOptions passes;                     // of these
	PropertyOptions property;
	bool interpreted;                       // else compiled:
	CompileOptions compile;
	TextVec with;                           // options to run it once with each of, if any
} TestOptions;
// NULL when all tests of the program passed, else the reports.  *interpreted: although it was
// to be compiled, since the back end cannot.
const char *test_program(const TestSpec *, const TestOptions *, bool *interpreted);
bool is_excluded(const TestOptions *, Names tags);

// ---- test.c ----

// The .fut files of a directory, or the file itself; false after reporting an error.
bool find_programs(const char *path, TextVec *out);

// ---- stats.c: of run times in microseconds ----

typedef VEC(int64_t) Times;
double mean_of(const Times *);
void confidence_interval(const Times *, double *lo, double *hi); // of the mean, 95 %
bool has_converged(const Times *);              // is the mean known well enough?

// ---- json.c ----

typedef struct Json Json;
typedef struct { const char *key; Json *value; } JsonMember;
struct Json {
	enum { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT } kind;
	double number;                          // JSON_BOOL: 0 or 1
	const char *string;
	VEC(Json *) items;
	VEC(JsonMember) members;
};
Json *json_parse(const char *text, const char **why); // NULL with *why set
const Json *json_member(const Json *, const char *key); // NULL when absent, or not an object
const char *json_string(const char *);          // with its quotes
Json *json_read_object(const char *path);       // or a message, and exit

// ---- lineedit.c: a line from the terminal, with editing and history ----

// What may stand at the end of the text before the cursor, from *start on: whole words.
typedef TextVec CompleteFn(void *ctx, const char *before, size_t *start);
// malloced; NULL at the end of input.  Tab completes by `complete`.
char *edit_line(const char *prompt, CompleteFn *complete, void *ctx);
void history_load(const char *path);
void history_add(const char *line);
void history_save(const char *path);
#endif
