// C text from programs of the MEM stage (src/mem/mem.h says what those look like).
//
// # What generated functions look like
//
// Every Fun becomes
//
//   static int rd_fun_NAME(struct futhark_context *ctx, T *r, struct rd_block **ys_mem, ...,
//                          int64_t n, struct rd_block *xs_mem, ...)
//
// with a pointer for each result, followed by the parameters, both in the order of the core
// function:
//
//   scalar       T by value, T * as a result          (f16: float, holding an f16 value)
//   T_MEM block  struct rd_block *, struct rd_block ** as a result
//   array        nothing: its block and sizes stand before it; row-major from index 0 of the block
//   certificate  nothing
//
// It returns 0, or an error code (FUTHARK_PROGRAM_ERROR, FUTHARK_OUT_OF_MEMORY) with the message
// in ctx->error, in which case the results are not set.  Blocks passed in are borrowed: the caller
// keeps its references.  Blocks returned as results are owned by the caller, who releases them with
// rd_release; they may be blocks that were passed in (rts/c/memory.h counts references).  Before
// the call, the variables for them are NULL or hold a reference, which is then dropped.
// An argument of unique type is overwritten in its block: a caller whose block has other references
// (block->refs > 1) has to pass a copy.  Elements of f16 arrays are uint16_t.
//
// # The run-time
//
// The run-time is a list of files in rts/c, embedded in the compiler; a program includes the chunks
// that it uses.  A line `// @chunk NAME: NEED NEED ...` begins a chunk, which extends to the next
// such line or `// @end`.  Text outside chunks (guards, includes of other run-time headers) allows
// the header to be compiled by itself.  Chunks are emitted in the order of the files (RTS in the
// Makefile), each once.
//
//   base.h                      system headers, error codes
//   half.h, special.h, vecmath.h  f16; functions that the C library lacks or has too slow
//   int.h, signed.h, unsigned.h, float.h   templates of the scalar operations (see rts.c)
//   vector.h, lanes.h, vector_math.h  several floats at once; lanes.h is a template of operations
//   context.h                   struct futhark_context and its configuration, errors
//   memory.h                    blocks
//   show.h                      values in messages and traces
//   object.h ... server.h       the C API, its values, executables and servers
#ifndef RAIDO_GEN_H
#define RAIDO_GEN_H
#include "core/core.h"

// ---- rts.c: the embedded run-time ----

// `kernel`: for text of kernels, where a chunk kernel_NAME (rts/gpu/kernel.h) stands for NAME.
// `lines`: those of the source that errors of the program may show, "a.fut:3" -> text
// `places`: long literals of places -> 1, 2, ...
// All zero to begin with.
typedef struct { Map used; void *library; bool kernel; Map lines, places; } Rts;
void rts_use(Rts *, const char *chunk);         // with all that it needs; bug() for an unknown name
void rts_put(Str *out, const Rts *);            // the text of the chunks used

// ---- cfun.c: functions ----

const char *c_fun_name(const Fun *);            // rd_fun_NAME
// Appends prototypes and definitions of all functions of the program; what they need of
// the run-time is noted in `rts`, whose text must stand before.
// `places`: results may be put where the caller wants them (rd_alloc_result).
void put_source_lines(Str *, const Rts *);      // cmessage.c: before the run-time
void gen_functions(Str *out, const Prog *, Rts *rts, bool places);

// ---- params.c: tuning parameters of the program's own, #[param(NAME)] ----

typedef SLICE(const char *) ParamNames;
ParamNames own_params(const Prog *);            // their names
void note_params(const Prog *, Map *tuning);  // Fun * of an entry point -> ParamNames * it looks at
void put_own_params(Str *, ParamNames, Rts *);     // the functions of the interface, for processors

// ---- kfun.c: functions of programs for devices ----

// Appends the functions of the host, as gen_functions does, and rd_device_program
// (rts/gpu/device.h) with the texts of kernels and tables of them and of tuning parameters.
// `tuning` then has the parameters that each entry point looks at: Fun * -> ParamNames *.
void gen_device_functions(Str *out, const Prog *, Rts *rts, bool tf32, bool fixed_order,
                          bool places, Map *tuning);
const char *gen_kernel_text(const Prog *);      // the text of kernels alone

// ---- cprim.c: scalars ----

const char *c_scalar_type(PrimType);            // of a variable: int32_t, float for f16
const char *c_param_type(PrimType);             // of a parameter of a processor's function
const char *c_elem_type(PrimType);              // in memory: uint16_t for f16
const char *c_literal(Scalar);                  // 5, INT64_C(5), 0.5f
const char *c_string(const char *);             // a string literal with its quotes
void put_c_lines(Str *, const char *);          // the same, with a line for each of its own

// ---- api.c: whole programs ----

typedef enum { GEN_LIBRARY, GEN_EXECUTABLE, GEN_SERVER } GenKind;
typedef struct {
	GenKind kind;
	const char *backend;                    // "c", "multicore", "opencl", "cuda"
	const char *version;                    // of the compiler
	bool tf32;                              // products of f32 by TF32: see src/gen/ktile.c
	bool deterministic;                     // of devices: see Note [Fixed order] of katomic.c
	// Libraries: only the uniform interface; what names begin with, NULL: futhark_ and raido_;
	// what the output is called.
	bool slim;
	const char *prefix, *name;
} GenOptions;
// the latter two of libraries only
typedef struct { const char *source, *header, *manifest; } GenOutput;
GenOutput gen_program(const Prog *, const GenOptions *);

// ---- api_device.c: what programs for GPUs have besides ----

bool is_gpu(const char *backend);               // opencl, cuda
#endif
