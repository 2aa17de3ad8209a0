// What the files on the C interface of generated programs share; others use gen.h.
//
// In the C interface, scalars and arrays of scalars have types of their own; all other types are
// opaque.
// An ApiType is such an array type or opaque type, with its name in the language, its name in
// C, and its flat values, which are the members of its struct (rts/c/object.h).
#ifndef RAIDO_API_H
#define RAIDO_API_H
#include "core/entry.h"
#include "gen/gen.h"

typedef struct { PrimType prim; int rank; } ApiFlat;
typedef struct ApiType ApiType;
// A field or a payload: a scalar (type NULL) or another of the types.
typedef struct { const char *name; PrimType prim; const ApiType *type; } ApiPart;
typedef SLICE(ApiPart) ApiParts;
typedef struct { const char *name; ApiParts args; SLICE(int) slots; } ApiVariant;
struct ApiType {
	const EntryType *entry;
	const char *name;                       // "[](i32, bool)"
	const char *cname;                      // "opaque_arr1d_tup2_i32_bool", after futhark_
	int id;                                 // its descriptor is rd_type_ID
	bool is_opaque;
	SLICE(ApiFlat) flats;
	int rank;                               // arrays; 0 for others
	ApiPart elem;                           // arrays
	ApiParts fields;                        // records; arrays of records: the fields as arrays
	SLICE(ApiVariant) variants;             // sums
};
typedef SLICE(ApiType *) ApiTypes;
typedef struct {
	const Fun *fun;
	const char *name, *cname;               // cname: futhark_entry_NAME
	ApiParts inputs;
	ApiPart output;
	bool output_unique;
	Funs given;                             // constants that come before its parameters
} ApiEntry;
typedef SLICE(ApiEntry) ApiEntries;
typedef struct {
	ApiTypes types;
	ApiEntries entries;
	Map tuning;                             // Fun * -> ParamNames *
} Api;

// ---- api_types.c: which types there are ----

Api api_of(const Prog *);                       // each type comes after its parts
static inline const char *part_type_name(const ApiPart *p)
{
	return p->type ? p->type->name : primtype_name[p->prim];
}
const char *c_identifier(const char *name);     // the same, or with what C does not allow replaced
const char *api_prim(PrimType);                 // its C type in the interface: uint16_t for f16
const char *api_struct(const ApiType *);        // "struct futhark_opaque_t"
const char *part_ctype(const ApiPart *);        // "float", "struct futhark_i32_1d *"

// ---- api_text.c: the functions of the interface ----

// A function: what goes to the header, and its body.
typedef struct { const char *prototype, *body; } ApiFunction;
typedef VEC(ApiFunction) ApiFunctions;
void api_type_functions(const ApiType *, const char *backend, Rts *, ApiFunctions *out);
void api_put_structs(Str *, const Api *, Rts *);      // structs and descriptors
// "&rd_type_3", "&rd_prim_type[RD_F32]"
const char *part_descriptor(const ApiPart *, Rts *);

// ---- api_entry.c: calls of entry points ----

ApiFunction api_entry_function(const ApiEntry *, Rts *);
ParamNames tuning_params_of(const Api *, const ApiEntry *);
void api_put_calls(Str *, const Api *, Rts *);        // the table of entry points, for executables

// ---- api_constants.c: constants that contexts keep ----

const char *api_constants(const Prog *, Rts *);       // NULL: there are none

// ---- api_call.c: the uniform interface of libraries ----

// A size that types of an entry point mention.  `value`: the flat argument that it is the value
// of, or -1; `known`: from the arguments.
EntrySizes api_sizes(const ApiEntry *);
Vars api_values(const ApiEntry *);                    // the flat values of the arguments
Vars api_result_values(const ApiEntry *);             // and of the result
ApiFunction api_call_function(const ApiEntry *, Rts *);
extern const char api_library_prototype[];
void api_put_library(Str *, const Api *, const GenOptions *);
const char *api_renamed(const char *text, const char *prefix);

// ---- api_device.c: programs for GPUs ----

void device_use(Rts *, const GenOptions *);           // the run-time for the device
void device_put_header(Str *, const GenOptions *);    // functions of configurations
void device_put_defines(Str *, const GenOptions *);   // before the run-time
void device_put_builtin(Str *);                       // the text of kernels that all programs have
const char *raw_type(const char *backend);            // of the memory of an array: "cl_mem "

// ---- api_manifest.c ----

const char *api_manifest(const Api *, const GenOptions *);
#endif
