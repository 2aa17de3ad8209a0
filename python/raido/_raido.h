// What the files of the extension share.
//
//   _raido.c      the module           _arrays.c   arrays of NumPy, tensors by DLPack
//   _library.c    libraries, contexts  _args.c     arguments of calls
//   _entry.c      calls                _results.c  their results
//   _xla.c        custom calls of XLA  _torch.c    what raido.torch asks of tensors
//   _interrupt.c  Ctrl-C               _device.c   arrays on CUDA devices
#ifndef RAIDO_PY_H
#define RAIDO_PY_H
#define PY_SSIZE_T_CLEAN
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030b0000
#endif
#include <Python.h>

#include <stdbool.h>
#include <stdint.h>
#include "_call.h"

// ---- _arrays.c ----

enum { N_PRIMS = 12, BOOL = 11, FEW = 24 };
extern const char *const prim_name[N_PRIMS], *const numpy_name[N_PRIMS];
extern const int prim_size[N_PRIMS], numpy_num[N_PRIMS], numpy_also[N_PRIMS];

// The fields that NumPy's ABI has had since its first version.
typedef struct { PyObject_HEAD PyTypeObject *typeobj; char kind, type, byteorder, unused; int num; } Descr;
typedef struct {
	PyObject_HEAD
	char *data;
	int nd;
	Py_ssize_t *dimensions, *strides;
	PyObject *base;
	Descr *descr;
	int flags;
} Array;
enum { CONTIGUOUS = 1, ALIGNED = 0x100, WRITEABLE = 0x400 };

typedef struct {
	PyTypeObject *type;
	PyObject *(*new_array)(PyTypeObject *, int, const Py_ssize_t *, int, const Py_ssize_t *, void *,
	                       int, int, PyObject *);
	int (*set_base)(PyObject *, PyObject *);
	PyObject *module;
} Numpy;
extern Numpy numpy;
int load_numpy(void);
bool is_numpy(PyObject *);
bool is_native(char byteorder);

typedef struct { uint32_t major, minor; } Version;
typedef struct { int32_t type, id; } Device;
typedef struct { uint8_t code, bits; uint16_t lanes; } DType;
typedef struct {
	void *data;
	Device device;
	int32_t ndim;
	DType dtype;
	int64_t *shape, *strides;
	uint64_t offset;
} Tensor;
typedef struct Managed {
	Version version;
	void *manager;
	void (*deleter)(struct Managed *);
	uint64_t flags;
	Tensor tensor;
} Managed;
typedef void (*SetError)(void *error, const char *kind, const char *message);
typedef struct Exchange {
	Version version;
	struct Exchange *previous;
	int (*allocate)(Tensor *like, Managed **out, void *error, SetError);
	void *managed_from_object;
	int (*to_object)(Managed *, void **out);
	int (*view)(void *object, Tensor *out);
	int (*current_stream)(int32_t device_type, int32_t device, void **out);
} Exchange;
enum { DL_CPU = 1, DL_CUDA = 2, DL_INT = 0, DL_UINT = 1, DL_FLOAT = 2, DL_BOOL = 6 };
extern const DType dl_type[N_PRIMS];
const Exchange *exchange_of(PyObject *);        // the table of its type, or NULL
int requires_grad(PyObject *);                  // does a tensor?  -1 with an exception
int view(const Exchange *, PyObject *, Tensor *out);
bool is_contiguous(const Tensor *);
bool is_aligned(const Tensor *);                // for its elements
Managed *new_tensor(const Exchange *, Device, DType, int rank, int64_t *shape); // NULL: no memory

// A tensor for a result, until it is made: none, an object of the framework, or what becomes one by its table.
typedef struct { PyObject *object; Managed *managed; } Made;
int make_tensor(const Exchange *, Device, int prim, int rank, int64_t *shape, Made *out, char **data); // -1: no memory

// ---- _library.c ----

typedef struct Library Library;

// Where a call is to run: on the host (device -1), or on a device, in a stream, with memory of the framework whose
// table this is (NULL: of the driver).
typedef struct { int device; const Exchange *framework; void *stream; } Place;

// A context of a library.  It lives as long as the library or a result refers to it.
typedef struct Context {
	Library *lib;                   // while a call has it
	const struct raido_library *table;
	void *ptr;
	int refs;                       // changed atomically: results die in any thread
	unsigned generation;            // of the process: others have no threads (fork)
	struct Context *next;           // in the list of those that are idle
	Place place;
} Context;

struct Library {
	PyObject_HEAD
	const struct raido_library *table;
	struct raido_options options;
	Context *idle;
	char lock;                      // of that list: calls come from threads without the GIL too
	int n_contexts, most;           // how many there may be
	unsigned generation;            // of the process that the list is of
	bool closed;
	bool on_device;                 // arrays are in memory of a CUDA device
};

// NULL: no memory, or closed, or for the reason in *why, which is to be freed, or because `goes_on` was asked, while others
// had all of them, and said no.
Context *context_take(Library *, const Place *, char **why, bool (*goes_on)(void));
Context *context_take_idle(Library *, const Place *); // NULL: there is none; for the host
void context_give(Context *);                   // idle again
void context_release(Context *);                // one reference less

extern unsigned generation;                     // how many forks ago this process began
extern PyType_Spec library_spec;
void forked(void);

// ---- _entry.c ----

typedef PyObject *(*Vectorcall)(PyObject *self, PyObject *const *args, size_t n, PyObject *names);
#define ARGUMENTS_OFFSET ((size_t)1 << (8 * sizeof(size_t) - 1)) // a flag in n
typedef struct {
	PyObject_HEAD
	Vectorcall vectorcall;
	Library *lib;
	const struct raido_entry *e;
	int out_rank;                   // of all results together
	bool takes_grad;                // tensors that require gradients are no mistake
	bool may_be_brief;              // no integer says how long a call takes
	int brief;                      // how many calls have been, one after the other
} Entry;

typedef union { int64_t i; uint64_t u; double f64; float f32; uint16_t f16; uint8_t b; } Room;

// All that a call needs.
typedef struct {
	Entry *self;
	const struct raido_entry *e;
	struct raido_in *in;
	struct raido_out *out;
	Room *rooms;                    // of scalars, inputs before outputs
	int64_t *shapes;                // of outputs
	Tensor *tensors;                // of inputs
	PyObject **kept;                // objects made for this call, or aliased
	const Exchange *table;          // the kind of tensor that came in, or NULL
	bool may_copy;
	PyObject *given;                // out=: where results are to be, or NULL
	Place place;                    // device -1: the host, or not known yet
	PyObject *foreign;              // an array of another kind, on a device, or NULL
	Made *made;                     // results that the framework has memory for
} Call;
// A flag of inputs: a scalar that the host needs, and that is in memory of the device.
enum { TO_BE_READ = 1 << 16 };
extern PyType_Spec entry_spec;
PyObject *call_directly(PyObject *module, PyObject *type);
extern PyTypeObject *library_type, *entry_type;
extern PyObject *program_error;                 // raido.ProgramError

uint64_t ticks(void);                           // of a clock that is quick to read; 0: there is none
uint64_t brief_ticks(void);                     // about 20 microseconds

// ---- _interrupt.c ----

bool watch(Context *, uint64_t now);            // a call begins; may Ctrl-C stop it?
void unwatch(void);
bool was_stopped(void);
bool goes_on(void);                             // without the GIL; false: there is an exception

// ---- _args.c ----

typedef struct { PyObject_HEAD PyObject *what; } Donated;
extern PyTypeObject *donated_type;
extern PyType_Spec donated_spec;
extern long long n_copies;                      // of arguments that were not contiguous
PyObject *donate(PyObject *module, PyObject *what);
int put_scalar(Call *, int i, PyObject *);
int put_array(Call *, int i, PyObject *);
int check_sizes(const Call *);                  // are they the same where the types say so?
int keep_donated(Call *, PyObject *const *args);
int find_overlap(const Call *, const char *data, int64_t bytes, int but);

int wrong(PyObject *error, const Call *, int i, const char *format, ...); // with an argument; -1
int check_tensor(const Call *, int i, PyObject *, const Tensor *); // dtype and rank
int is_negated(const Call *, PyObject *, const Tensor *);
bool may_be_negated(const Tensor *);            // then it is to be asked

// ---- _device.c ----

int check_device(Call *, int i, Device);        // does it fit the program?
int explain_deleted(const Call *, int i, PyObject *);      // another error, if it was deleted
bool is_foreign(PyObject *);                    // has it __dlpack__ or __cuda_array_interface__?
int put_foreign(Call *, int i, PyObject *);     // then, an array on a device
int check_foreign(Call *, int i, PyObject *);   // then, is it on the CPU?
int choose_place(Call *);                       // the device, the stream, who has memory
int make_room(Call *);                          // memory for results, by the framework
// A size, from the shapes of arguments or their values; -1: it is known only after the call.
int64_t size_before(const Call *, int size);
int read_scalars(const Call *, Context *);      // those TO_BE_READ
PyObject *made_result(const Exchange *, Made *);
PyObject *tensor_like(PyObject *module, PyObject *args);
PyObject *device_result(const Call *, int k, PyObject *block);
PyObject *set_device_array(PyObject *module, PyObject *function);
PyObject *to_capsule(PyObject *module, PyObject *args);
PyObject *fetch(PyObject *module, PyObject *args);

// ---- _results.c ----

typedef struct { PyObject_HEAD Context *ctx; void *block; } Block;

extern PyTypeObject *block_type;
extern PyType_Spec block_spec;
double of_half(uint16_t);
PyObject *all_results(const Call *, Context *);
int put_given(Call *);                          // out=
int check_given(const Call *);

// ---- _torch.c ----

PyObject *set_tensors(PyObject *module, PyObject *args);
PyObject *needs(PyObject *module, PyObject *args);
extern PyTypeObject *plain_type;
extern PyType_Spec plain_spec, forward_spec;
PyObject *backward_of(PyObject *module, PyObject *type);

// ---- _xla.c ----

PyObject *xla_setup(PyObject *module, PyObject *args);
PyObject *xla_register(PyObject *module, PyObject *args);
#endif
