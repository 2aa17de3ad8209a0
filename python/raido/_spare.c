// Memory of a framework for results, kept for the next ones.
//
// To ask PyTorch for a tensor on a device takes the host longer than all that is done here for a call.  So the memory of
// a small result is not given back when the last tensor, view or storage that has it dies, but is in a list then, from which
// the next result of that size takes it.  Tensors are new each time; only what they refer to is used again.
//
// This is for CUDA's default stream alone, since there the order of calls is the order on the device, as for PyTorch's own
// allocator: what writes to the memory comes after all that was done with it before.  Nor can that stream be captured,
// so memory of a graph, which the graph writes to whenever it is launched, never gets here.
#include "_raido.h"

#include <stdlib.h>

enum { MOST_DIMS = 8, MOST_SPARES = 32, UNIT = 512, MOST_BYTES = 1 << 20 };

typedef struct Spare {
	Managed lent;                   // what tensors of results refer to: the first field
	Managed *memory;                // of the framework, as bytes
	const Exchange *framework;
	int64_t bytes;
	struct Spare *next;
	int64_t dims[2 * MOST_DIMS];
} Spare;

static Spare *spares;                           // those that died last come first
static int n_spares;
static char lock;                               // of the list: tensors die in any thread

static void lock_spares(void)
{
	while (__atomic_test_and_set(&lock, __ATOMIC_ACQUIRE))
		continue;                       // held for a few instructions
}

static void unlock_spares(void)
{
	__atomic_clear(&lock, __ATOMIC_RELEASE);
}

static void give_back(Spare *s)
{
	while (s) {
		Spare *next = s->next;
		s->memory->deleter(s->memory);
		free(s);
		s = next;
	}
}

// All but the first `n`, out of the list.
static Spare *cut_spares(int n)
{
	Spare **at = &spares;
	for (int i = 0; i < n && *at; i++)
		at = &(*at)->next;
	Spare *rest = *at;
	*at = NULL;
	n_spares = n_spares < n ? n_spares : n;
	return rest;
}

bool free_spares(void)
{
	lock_spares();
	Spare *all = cut_spares(0);
	unlock_spares();
	give_back(all);
	return all != NULL;
}

void forget_spares(void)
{
	spares = NULL;
	n_spares = 0;
	unlock_spares();
}

// The deleter of what was lent.
static void keep_spare(Managed *m)
{
	Spare *s = (Spare *)m, *rest = NULL;
	lock_spares();
	s->next = spares;
	spares = s;
	if (++n_spares > MOST_SPARES)
		rest = cut_spares(MOST_SPARES);
	unlock_spares();
	give_back(rest);
}

static Spare *find_spare(const Exchange *framework, Device d, int64_t bytes)
{
	Spare *found = NULL;
	lock_spares();
	for (Spare **at = &spares; *at; at = &(*at)->next)
		if ((*at)->bytes == bytes && (*at)->framework == framework && (*at)->memory->tensor.device.id == d.id) {
			found = *at;
			*at = found->next;
			n_spares--;
			break;
		}
	unlock_spares();
	return found;
}

static Spare *new_spare(const Exchange *framework, Device d, int64_t bytes)
{
	Spare *s = (Spare *)malloc(sizeof *s);
	Managed *memory = s ? new_tensor(framework, d, (DType){DL_UINT, 8, 1}, 1, &bytes) : NULL;
	if (!memory) {
		free(s);
		return NULL;
	}
	*s = (Spare){.memory = memory, .framework = framework, .bytes = bytes};
	return s;
}

Managed *lend_tensor(const Exchange *framework, void *stream, Device d, DType dtype, int rank, int64_t *shape,
                     int64_t bytes)
{
	enum { LEGACY = 1 };                    // the default stream by another name
	int64_t step = 1, room = (bytes + UNIT - 1) / UNIT * UNIT;
	if ((uintptr_t)stream > LEGACY || bytes > MOST_BYTES || rank > MOST_DIMS)
		return new_tensor(framework, d, dtype, rank, shape);
	Spare *s = find_spare(framework, d, room);
	if (!s && !(s = new_spare(framework, d, room)))
		return NULL;
	for (int i = rank; i-- > 0; step *= shape[i]) {
		s->dims[i] = shape[i];
		s->dims[MOST_DIMS + i] = step;
	}
	const Tensor *m = &s->memory->tensor;
	s->lent = (Managed){.version = {1, 0}, .deleter = keep_spare,
	                    .tensor = {m->data, m->device, rank, dtype, s->dims, s->dims + MOST_DIMS, m->offset}};
	return &s->lent;
}
