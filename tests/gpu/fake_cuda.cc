// A CUDA device that is none: libcuda and libnvrtc for machines without a GPU, to test the programs of
// `raido cuda` with.  One library serves as both.
//
//     g++ -shared -fPIC -o libcuda.so.1 fake_cuda.cc -ldl && ln -s libcuda.so.1 libnvrtc.so
//     LD_LIBRARY_PATH=. ./prog
//
// The device's memory is the host's; what is read or written outside of it ends the program.  NVRTC compiles kernels with a C++ compiler to a shared object, the "cubin"; threads of a
// block are fibers, which change at barriers and where the threads of a warp wait for each other.  Everything is done when it is asked for.
// While a stream is captured, what CUDA refuses then is refused.
//
// Graphs have the edges that they were recorded with.  FAKE_CUDA_ORDER makes missing edges show: each graph is launched
// twice from the same memory, in the order in which it was recorded and in another one that its edges allow, and all
// memory has to be the same after both; the program ends where it is not.  Kernels may copy variables that they have
// not set: FAKE_CUDA_FLAGS=-ftrivial-auto-var-init=pattern sets them.
//
//   FAKE_CUDA_MEMORY   bytes of the device (default 8 GiB)
//   FAKE_CUDA_DEVICES  how many devices (default 1)
//   FAKE_CUDA_LOG      a file to which calls of interest are appended
//   FAKE_CUDA_ORDER    reversed: of the nodes of a graph that can run, the one recorded last runs first; a number: any
//                      of them does, by numbers from this seed
//   FAKE_CUDA_FAIL     NAME:N: the N-th call of the function NAME gives error 999
//   CXX                the compiler (default g++)
//   FAKE_CUDA_FLAGS    further flags for it: with -fsanitize=address, and a program compiled with
//                      that too, kernels that leave their memory are found
//
// Compiled with -DFAKE_OLD_DRIVER it lacks what drivers have for a few years only.
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

typedef unsigned long long CUdeviceptr;
enum {
	SUCCESS = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, NO_DEVICE = 100, NOT_FOUND = 500,
	NOT_WHILE_CAPTURING = 900
};

static void note(const char *format, ...)
{
	const char *path = getenv("FAKE_CUDA_LOG");
	FILE *f = path ? fopen(path, "a") : NULL;
	if (!f)
		return;
	va_list args;
	va_start(args, format);
	vfprintf(f, format, args);
	va_end(args);
	fclose(f);
}

// What asks and starts nothing is written down only if FAKE_CUDA_LOG_ALL says so.
static void note_question(const char *name)
{
	if (getenv("FAKE_CUDA_LOG_ALL"))
		note("%s\n", name);
}

// Is this the call that is to fail?
static bool fails(const char *name)
{
	static std::map<std::string, int> calls;
	static std::mutex one;
	std::lock_guard<std::mutex> guard(one);
	const char *want = getenv("FAKE_CUDA_FAIL"), *colon = want ? strchr(want, ':') : NULL;
	int n = ++calls[name];
	return colon && std::string(want, colon) == name && atoi(colon + 1) == n;
}

static char *host(CUdeviceptr p)
{
	return (char *)(uintptr_t)p;
}

// ---- Memory ----

static std::map<CUdeviceptr, size_t> blocks;
static size_t in_use;

static size_t memory_size()
{
	const char *s = getenv("FAKE_CUDA_MEMORY");
	return s ? (size_t)strtoull(s, NULL, 10) : (size_t)8 << 30;
}

// Does the device have these bytes?  A program that is wrong ends here.
static void must_have(CUdeviceptr p, size_t n, const char *what)
{
	auto it = blocks.upper_bound(p);
	if (it != blocks.begin() && (--it, p + n <= it->first + it->second))
		return;
	fprintf(stderr, "fake CUDA: %s of %zu bytes outside of the device's memory\n", what, n);
	abort();
}

// ---- Kernels ----

struct Dim { unsigned x, y, z; };
struct Module {
	void *library;
	// Runs the current thread of a kernel; its parameters; and where a thread stands.
	Dim *thread, *block, *n_threads, *n_blocks;
	unsigned *shared_size;
	void *shared;
	void (**barrier)(int);
};
struct Function {
	Module *module;
	void (*run)(void **);
	int (*sizes)(int *);            // of its parameters
	bool fibers;
	std::string name;
	int shared;
};

struct Fiber { ucontext_t start; jmp_buf at; bool begun, done, in_warp; char *stack; unsigned id; };
static std::vector<Fiber> fibers;
static jmp_buf scheduler;
static Fiber *current;
static Function *running;
static void **running_params;
enum { STACK = 256 << 10, SHARED = 256 << 10 };

// in_warp: it waits for its warp, not for the block.
static void switch_away(int in_warp)
{
	current->in_warp = in_warp;
	if (_setjmp(current->at) == 0)
		_longjmp(scheduler, 1);
}

static void fiber_main()
{
	running->run(running_params);
	current->done = true;
	_longjmp(scheduler, 1);
}

static void resume(Fiber *f)
{
	current = f;
	running->module->thread->x = f->id;
	if (_setjmp(scheduler) != 0)
		return;
	if (f->begun)
		_longjmp(f->at, 1);
	f->begun = true;
	getcontext(&f->start);
	f->start.uc_stack.ss_sp = f->stack;
	f->start.uc_stack.ss_size = STACK;
	f->start.uc_link = NULL;
	makecontext(&f->start, fiber_main, 0);
	setcontext(&f->start);
}

// Every thread of a warp up to its next barrier of the block; how many of them are done.
static unsigned run_warp(unsigned first, unsigned end)
{
	unsigned done;
	bool again = true;
	while (again) {
		done = 0;
		again = false;
		for (unsigned i = first; i < end; i++) {
			if (!fibers[i].done)
				resume(&fibers[i]);
			done += fibers[i].done;
			again |= !fibers[i].done && fibers[i].in_warp;
		}
	}
	return done;
}

// One block: every thread up to its next barrier, until all are done.
static void run_block(unsigned threads)
{
	while (fibers.size() < threads)
		fibers.push_back(Fiber{{}, {}, false, false, false, (char *)malloc(STACK), 0});
	for (unsigned i = 0; i < threads; i++) {
		fibers[i].begun = fibers[i].done = false;
		fibers[i].id = i;
	}
	for (bool all = false; !all; ) {
		unsigned done = 0;
		for (unsigned i = 0; i < threads; i += 32)
			done += run_warp(i, i + 32 < threads ? i + 32 : threads);
		all = done == threads;
		// Threads that have ended do not count at barriers on real devices either.
	}
}

static void launch(Function *f, unsigned n_blocks, unsigned threads, unsigned shared, void **params)
{
	Module *m = f->module;
	running = f;
	running_params = params;
	*m->n_threads = Dim{threads, 1, 1};
	*m->n_blocks = Dim{n_blocks, 1, 1};
	*m->barrier = switch_away;
	if (m->shared_size)
		*m->shared_size = shared;
	if (getenv("FAKE_CUDA_ORDER") && m->shared) // not what another kernel left there
		memset(m->shared, 0xa5, SHARED);
	for (unsigned b = 0; b < n_blocks; b++) {
		*m->block = Dim{b, 0, 0};
		if (f->fibers) {
			run_block(threads);
			continue;
		}
		for (unsigned t = 0; t < threads; t++) {
			*m->thread = Dim{t, 0, 0};
			f->run(params);
		}
	}
}

// ---- Streams and graphs ----

// `from`: the nodes that it comes after.
struct Node {
	std::function<int()> run;
	std::vector<size_t> from;
	std::string name;
	bool waits_itself;              // a dependent launch
};
typedef std::vector<Node> Graph;
struct Stream {
	Graph *recorded;                // NULL: what is asked for is done
	std::vector<size_t> last;       // what the next node comes after
};
// Streams that record: nothing is allocated or loaded meanwhile by this thread.
static thread_local int n_captured;

static void wrong(const char *what)
{
	fprintf(stderr, "fake CUDA: %s\n", what);
	abort();
}

// The default stream has the handles 0 and 1.
static Stream *stream_of(void *handle)
{
	static Stream by_default;
	return (uintptr_t)handle <= 1 ? &by_default : (Stream *)handle;
}

// Does something, or records it.
static int in_stream(void *stream, const std::string &name, std::function<int()> f)
{
	Stream *s = stream_of(stream);
	if (!s->recorded)
		return f();
	s->recorded->push_back(Node{f, s->last, name, false});
	s->last.assign(1, s->recorded->size() - 1);
	return SUCCESS;
}

static size_t longest_path(const Graph &g)
{
	std::vector<size_t> depth;
	size_t longest = 0;
	for (const Node &n : g) {
		size_t d = 1;
		for (size_t k : n.from)
			d = std::max(d, depth[k] + 1);
		depth.push_back(d);
		longest = std::max(longest, d);
	}
	return longest;
}

// An order in which the nodes can run, by FAKE_CUDA_ORDER.
static std::vector<size_t> some_order(const Graph &g, const char *how)
{
	static uint64_t state;
	std::vector<size_t> order, ready, waits(g.size());
	if (!state)
		state = 2 * strtoull(how, NULL, 10) + 1;
	for (size_t i = 0; i < g.size(); i++)
		if (!(waits[i] = g[i].from.size()))
			ready.push_back(i);
	while (ready.size()) {
		state = state * 6364136223846793005u + 1442695040888963407u;
		size_t at = strcmp(how, "reversed") == 0 ? std::max_element(ready.begin(), ready.end()) - ready.begin()
		                                         : (size_t)(state >> 33) % ready.size();
		size_t now = ready[at];
		ready.erase(ready.begin() + (long)at);
		order.push_back(now);
		for (size_t i = 0; i < g.size(); i++)
			for (size_t k : g[i].from)
				if (k == now && --waits[i] == 0)
					ready.push_back(i);
	}
	return order;
}

static std::map<char *, size_t> host_blocks; // that both sides see

static std::vector<std::string> all_memory()
{
	std::vector<std::string> all;
	for (auto &b : blocks)
		all.push_back(std::string(host(b.first), b.second));
	for (auto &b : host_blocks)
		all.push_back(std::string(b.first, b.second));
	return all;
}

static void set_memory(const std::vector<std::string> &all)
{
	size_t i = 0;
	for (auto &b : blocks)
		memcpy(host(b.first), all[i++].data(), b.second);
	for (auto &b : host_blocks)
		memcpy(b.first, all[i++].data(), b.second);
}

// A kernel that waits by itself does so for one node, for which no other one waits.
static void check_dependent_launches(const Graph &g)
{
	std::vector<size_t> n_after(g.size());
	for (const Node &n : g)
		for (size_t k : n.from)
			n_after[k]++;
	for (const Node &n : g)
		if (n.waits_itself && (n.from.size() > 1 || (n.from.size() == 1 && n_after[n.from[0]] > 1)))
			wrong("a kernel waits by itself, where not exactly one other is before it, or several are after that");
}

// When rd_show has run, the host takes all before for done.
static void check_shows(const Graph &g)
{
	for (size_t i = 0; i < g.size(); i++) {
		if (g[i].name != "rd_show")
			continue;
		std::set<size_t> before(g[i].from.begin(), g[i].from.end());
		for (size_t k = i; k-- > 0; )
			if (before.count(k))
				before.insert(g[k].from.begin(), g[k].from.end());
		if (before.size() != i)
			wrong("rd_show does not come after all");
		for (size_t k = i + 1; k < g.size(); k++)
			if (g[k].from.empty())
				wrong("something does not come after rd_show");
	}
}

static int run_in_order(const Graph &g, const std::vector<size_t> &order)
{
	for (size_t i : order)
		if (int err = g[i].run())
			return err;
	return SUCCESS;
}

static void lacks_edge(const Graph &g, const std::vector<size_t> &order, const std::vector<std::string> &want,
                       const std::vector<std::string> &got)
{
	for (size_t i : order) {
		fprintf(stderr, "%3zu %s, after", i, g[i].name.c_str());
		for (size_t k : g[i].from)
			fprintf(stderr, " %zu", k);
		fprintf(stderr, "\n");
	}
	std::vector<char *> at_of;
	for (auto &b : blocks)
		at_of.push_back(host(b.first));
	for (auto &b : host_blocks)
		at_of.push_back(b.first);
	for (size_t i = 0; i < want.size(); i++)
		for (size_t at = 0; at < want[i].size(); at++)
			if (want[i][at] != got[i][at]) {
				fprintf(stderr, "memory %p of %zu bytes differs at byte %zu: %02x %02x\n", (void *)at_of[i], want[i].size(), at,
				        want[i][at] & 255, got[i][at] & 255);
				break;
			}
	wrong("a graph lacks an edge: another order of its nodes gives other results");
}

static int run_graph(const Graph &g)
{
	const char *how = getenv("FAKE_CUDA_ORDER");
	std::vector<size_t> order;
	for (size_t i = 0; i < g.size(); i++)
		order.push_back(i);
	std::vector<size_t> other = how ? some_order(g, how) : order;
	if (other.size() != g.size())
		wrong("a graph with a cycle");
	if (other == order)
		return run_in_order(g, order);
	note("another order of %zu\n", g.size());
	if (in_use > (size_t)1 << 28)   // too much to look at
		return run_in_order(g, other);
	std::vector<std::string> before = all_memory();
	int err = run_in_order(g, order);
	std::vector<std::string> after = all_memory();
	set_memory(before);
	if (!err)
		err = run_in_order(g, other);
	std::vector<std::string> now = all_memory();
	if (now != after)
		lacks_edge(g, other, after, now);
	return err;
}

// A kernel with copies of its arguments.
static std::function<int()> launch_later(Function *f, unsigned n_blocks, unsigned threads, unsigned shared,
                                           void **params)
{
	int sizes[2048], n = f->sizes(sizes);
	std::vector<std::string> values;
	for (int i = 0; i < n; i++)
		values.push_back(std::string((char *)params[i], (size_t)sizes[i]));
	return [=] {
		std::vector<std::string> mine = values;
		std::vector<void *> at;
		for (std::string &v : mine)
			at.push_back(&v[0]);
		launch(f, n_blocks, threads, shared, at.data());
		return (int)SUCCESS;
	};
}

// ---- NVRTC ----

// What stands before the kernels.
static const char before[] = R"(
#include <math.h>
#include <stdint.h>
#include <string.h>
#define __global__
#define __device__
#define __host__
#define __shared__
#define __constant__
#define __forceinline__ inline
#define __noinline__
#define __launch_bounds__(...)
#define __CUDA_ARCH__ 900
struct alignas(16) int4 { int x, y, z, w; };
struct rd_dim { unsigned x, y, z; };
extern "C" rd_dim threadIdx, blockIdx, blockDim, gridDim;
rd_dim threadIdx, blockIdx, blockDim, gridDim;
extern "C" unsigned rd_dynamic_smem_size;
unsigned rd_dynamic_smem_size;
extern "C" void (*rd_fake_barrier)(int);
void (*rd_fake_barrier)(int);
#define __syncthreads() rd_fake_barrier(0)
static int rd_fake_any;
static int __syncthreads_or(int x)
{
	if (x)
		rd_fake_any = 1;
	rd_fake_barrier(0);
	int any = rd_fake_any;
	rd_fake_barrier(0);
	if (threadIdx.x == 0)
		rd_fake_any = 0;
	rd_fake_barrier(0);
	return any;
}
#define __threadfence()
#define __threadfence_block()
#define __threadfence_system()
#define __syncwarp(...) rd_fake_barrier(1)
#define warpSize 32
#define int64_t rd_int64_t
#define uint64_t rd_uint64_t
#define int8_t rd_int8_t
#define int16_t rd_int16_t
#define int32_t rd_int32_t
#define uint8_t rd_uint8_t
#define uint16_t rd_uint16_t
#define uint32_t rd_uint32_t
#undef INT64_C
#undef UINT64_C
#undef INT32_MIN
#undef INT64_MIN
#undef INFINITY
#undef NAN
template<class T, class U> static T rd_fake_old(T *p, U x) { T old = *p; *p = (T)x; return old; }
template<class T> static T atomicAdd(T *p, T x) { return rd_fake_old(p, *p + x); }
template<class T> static T atomicMin(T *p, T x) { return rd_fake_old(p, *p < x ? *p : x); }
template<class T> static T atomicMax(T *p, T x) { return rd_fake_old(p, *p > x ? *p : x); }
template<class T> static T atomicAnd(T *p, T x) { return rd_fake_old(p, *p & x); }
template<class T> static T atomicOr(T *p, T x) { return rd_fake_old(p, *p | x); }
template<class T> static T atomicXor(T *p, T x) { return rd_fake_old(p, *p ^ x); }
template<class T> static T atomicExch(T *p, T x) { return rd_fake_old(p, x); }
template<class T> static T atomicCAS(T *p, T old, T x) { return rd_fake_old(p, *p == old ? x : *p); }
template<class T, class U> static T rd_fake_bits(U x) { T y; memcpy(&y, &x, sizeof y); return y; }
#define __int_as_float(x) rd_fake_bits<float>((int)(x))
#define __float_as_int(x) rd_fake_bits<int>((float)(x))
#define __longlong_as_double(x) rd_fake_bits<double>((long long)(x))
#define __double_as_longlong(x) rd_fake_bits<long long>((double)(x))
#define __float_as_uint(x) rd_fake_bits<unsigned>((float)(x))
#define __uint_as_float(x) rd_fake_bits<float>((unsigned)(x))
static int rd_fake_popc(unsigned long long x) { return __builtin_popcountll(x); }
static int rd_fake_clz(unsigned long long x) { return x ? __builtin_clzll(x) : 64; }
static int rd_fake_ffs(long long x) { return __builtin_ffsll(x); }
#define __popcll(x) rd_fake_popc(x)
#define __clzll(x) rd_fake_clz(x)
#define __ffsll(x) rd_fake_ffs(x)
#define __popc(x) rd_fake_popc((unsigned)(x))
#define __clz(x) (rd_fake_clz((unsigned)(x)) - 32)
#define __ffs(x) rd_fake_ffs((unsigned)(x))
#define __mul64hi(x, y) ((long long)(((__int128)(x) * (y)) >> 64))
#define __umul64hi(x, y) ((unsigned long long)(((unsigned __int128)(x) * (y)) >> 64))
#define __ldg(p) (*(p))
#define rsqrt(x) (1 / sqrt(x))
#define rsqrtf(x) (1 / sqrtf(x))
// Shuffles: everyone shows its value, then takes another's.
static char rd_fake_lanes[1024][16];
template<class T> static T rd_fake_shuffle(T x, int lane, bool inside)
{
	int warp = threadIdx.x & ~31u;
	memcpy(rd_fake_lanes[threadIdx.x], &x, sizeof x);
	rd_fake_barrier(1);
	T y = x;
	if (inside && lane >= 0 && lane < 32)
		memcpy(&y, rd_fake_lanes[warp + lane], sizeof y);
	rd_fake_barrier(1);
	return y;
}
template<class T> static T __shfl_sync(unsigned, T x, int l) { return rd_fake_shuffle(x, l & 31, true); }
template<class T> static T __shfl_up_sync(unsigned, T x, unsigned d)
{
	int l = (int)(threadIdx.x & 31u) - (int)d;
	return rd_fake_shuffle(x, l, l >= 0);
}
template<class T> static T __shfl_down_sync(unsigned, T x, unsigned d)
{
	int l = (int)(threadIdx.x & 31u) + (int)d;
	return rd_fake_shuffle(x, l, l < 32);
}
template<class T> static T __shfl_xor_sync(unsigned, T x, int d)
{
	return rd_fake_shuffle(x, (int)(threadIdx.x & 31u) ^ d, true);
}
static unsigned __ballot_sync(unsigned mask, int x)
{
	unsigned all = 0;
	int warp = threadIdx.x & ~31u;
	rd_fake_lanes[threadIdx.x][0] = x != 0;
	rd_fake_barrier(1);
	for (int l = 0; l < 32 && warp + l < (int)blockDim.x; l++)
		all |= (unsigned)rd_fake_lanes[warp + l][0] << l;
	rd_fake_barrier(1);
	rd_fake_lanes[threadIdx.x][0] = 0; // for those who leave
	return all & mask;
}
// Those who come here together, as far as barriers tell.
static bool rd_fake_here[1024];
static unsigned __activemask()
{
	unsigned all = 0;
	int warp = threadIdx.x & ~31u;
	rd_fake_here[threadIdx.x] = true;
	rd_fake_barrier(1);
	for (int l = 0; l < 32; l++)
		all |= (unsigned)rd_fake_here[warp + l] << l;
	rd_fake_barrier(1);
	rd_fake_here[threadIdx.x] = false;
	return all;
}
static int __any_sync(unsigned mask, int x) { return __ballot_sync(mask, x) != 0; }
template<int... I> struct rd_fake_indices {};
template<int N, int... I> struct rd_fake_count : rd_fake_count<N - 1, N - 1, I...> {};
template<int... I> struct rd_fake_count<0, I...> { typedef rd_fake_indices<I...> type; };
template<class... A, int... I>
static void rd_fake_apply(void (*f)(A...), void **p, rd_fake_indices<I...>) { f(*(A *)p[I]...); }
template<class... A> static void rd_fake_call(void (*f)(A...), void **p)
{
	rd_fake_apply(f, p, typename rd_fake_count<sizeof...(A)>::type());
}
template<class... A> static int rd_fake_sizes(void (*)(A...), int *sizes)
{
	int all[] = {(int)sizeof(A)..., 0};
	for (unsigned i = 0; i < sizeof...(A); i++)
		sizes[i] = all[i];
	return (int)sizeof...(A);
}
#line 1 "kernels.cu"
)";

struct Program { std::string text, log, out, ptx; };

// The names of kernels: what follows RD_KERNEL void, outside of macros, and in them after ##.
static std::set<std::string> kernel_names(const std::string &preprocessed)
{
	std::set<std::string> names;
	const std::string mark = "extern \"C\" void ";
	for (size_t at = 0; (at = preprocessed.find(mark, at)) != std::string::npos; ) {
		at = preprocessed.find_first_not_of(' ', at + mark.size());
		size_t end = preprocessed.find_first_of("( *", at);
		if (end != std::string::npos && end > at && preprocessed[end] == '(')
			names.insert(preprocessed.substr(at, end - at));
	}
	return names;
}

static std::string contents(const std::string &path)
{
	std::string s;
	FILE *f = fopen(path.c_str(), "rb");
	char buffer[1 << 16];
	for (size_t n; f && (n = fread(buffer, 1, sizeof buffer, f)) > 0; )
		s.append(buffer, n);
	if (f)
		fclose(f);
	return s;
}

static void save(const std::string &path, const std::string &s)
{
	FILE *f = fopen(path.c_str(), "wb");
	if (f) {
		fwrite(s.data(), 1, s.size(), f);
		fclose(f);
	}
}

// A template for names in the folder for temporary files.
static std::string temporary(const char *name)
{
	const char *folder = getenv("TMPDIR");
	return std::string(folder && *folder ? folder : P_tmpdir) + "/" + name + "_XXXXXX";
}

static int compile(Program *p)
{
	std::string dir = temporary("fake_cuda");
	if (!mkdtemp(&dir[0]))
		return 1;
	std::string base = dir, cc = getenv("CXX") ? getenv("CXX") : "g++", tail;
	if (getenv("FAKE_CUDA_FLAGS"))
		cc += std::string(" ") + getenv("FAKE_CUDA_FLAGS");
	save(base + "/k.cc", before + p->text);
	int err = system((cc + " -w -E -P -std=c++17 " + base + "/k.cc >" + base + "/k.ii 2>" + base + "/log").c_str());
	std::string text = contents(base + "/k.ii");
	if (!err) {
		bool waits = text.find("rd_fake_barrier(", text.find("rd_fake_call")) != std::string::npos ||
		             text.find("_sync(", text.find("rd_fake_call")) != std::string::npos;
		for (const std::string &k : kernel_names(text))
			tail += "\nextern \"C\" void rd_run_" + k + "(void **p) { rd_fake_call(" + k + ", p); }\n"
			        "extern \"C\" int rd_sizes_" + k + "(int *p) { return rd_fake_sizes(" + k + ", p); }";
		tail += std::string("\nextern \"C\" int rd_fake_waits; int rd_fake_waits = ") + (waits ? "1;" : "0;");
		tail += "\nalignas(16) int4 rd_shared_mem[1 << 14];\n";
		save(base + "/k.cc", before + p->text + tail);
		err = system((cc + " -w -O1 -ffp-contract=off -fwrapv -fno-strict-aliasing -std=c++17 -shared -fPIC -o " + base + "/k.so " + base +
		              "/k.cc 2>" + base + "/log").c_str());
	}
	p->log = contents(base + "/log");
	std::string so = contents(base + "/k.so");
	uint64_t size = so.size();
	p->out = std::string("FAKECUDA") + std::string((char *)&size, 8) + so;
	p->ptx = "//FAKEPTX\n" + p->text;
	if (system(("rm -rf " + base).c_str()) != 0)
		return 1;
	return err ? 6 : 0;
}

extern "C" {

int nvrtcCreateProgram(void **p, const char *text, const char *, int, const char *const *,
                       const char *const *)
{
	Program *q = new Program;
	q->text = text;
	*p = q;
	return 0;
}

int nvrtcDestroyProgram(void **p)
{
	delete (Program *)*p;
	*p = NULL;
	return 0;
}

int nvrtcCompileProgram(void *p, int n, const char *const *options)
{
	std::string all;
	for (int i = 0; i < n; i++)
		all += std::string(" ") + options[i];
	note("nvrtcCompileProgram%s\n", all.c_str());
	if (fails("nvrtcCompileProgram")) {
		((Program *)p)->log = "a fake error";
		return 6;
	}
	return compile((Program *)p);
}

int nvrtcGetProgramLogSize(void *p, size_t *n) { *n = ((Program *)p)->log.size() + 1; return 0; }
int nvrtcGetProgramLog(void *p, char *s) { strcpy(s, ((Program *)p)->log.c_str()); return 0; }
int nvrtcGetCUBINSize(void *p, size_t *n) { *n = ((Program *)p)->out.size(); return 0; }
int nvrtcGetCUBIN(void *p, char *s) { memcpy(s, ((Program *)p)->out.data(), ((Program *)p)->out.size()); return 0; }
int nvrtcGetPTXSize(void *p, size_t *n) { *n = ((Program *)p)->ptx.size() + 1; return 0; }
int nvrtcGetPTX(void *p, char *s) { strcpy(s, ((Program *)p)->ptx.c_str()); return 0; }
int nvrtcGetNumSupportedArchs(int *n) { *n = 2; return 0; }
int nvrtcGetSupportedArchs(int *a) { a[0] = 80; a[1] = 90; return 0; }

// ---- The driver ----

static thread_local int depth; // of the stack of current contexts
static std::recursive_mutex one_at_a_time;
#define MUST_BE_CURRENT(name) \
	std::lock_guard<std::recursive_mutex> guard(one_at_a_time); \
	if (depth <= 0) { \
		fprintf(stderr, "fake CUDA: %s without a context\n", name); \
		abort(); \
	} \
	if (fails(name)) \
		return 999

int cuInit(unsigned) { return fails("cuInit") ? 999 : 0; }
int cuDriverGetVersion(int *v) { *v = 13000; return 0; }
int cuGetErrorName(int e, const char **s) { *s = e == 2 ? "CUDA_ERROR_OUT_OF_MEMORY" : "CUDA_ERROR"; return 0; }
int cuGetErrorString(int, const char **s) { *s = "as was asked for"; return 0; }
int cuDeviceGetCount(int *n)
{
	const char *s = getenv("FAKE_CUDA_DEVICES");
	*n = s ? atoi(s) : 1;
	return 0;
}
int cuDeviceGet(int *d, int i) { *d = i; return 0; }
int cuDeviceGetName(char *s, int n, int d) { snprintf(s, (size_t)n, "Fake device %d", d); return 0; }
int cuDeviceTotalMem_v2(size_t *n, int) { *n = memory_size(); return 0; }
int cuDeviceGetAttribute(int *v, int what, int)
{
	switch (what) {
	case 1: *v = 1024; break;
	case 8: *v = 48 << 10; break;
	case 12: *v = 64 << 10; break;
	case 16: *v = 4; break;
	case 75: *v = 9; break;
	case 76: *v = 0; break;
	case 97: *v = 227 << 10; break;
	default: return INVALID_VALUE;
	}
	return 0;
}
int cuDevicePrimaryCtxRetain(void **c, int) { *c = (void *)1; return fails("cuDevicePrimaryCtxRetain") ? 999 : 0; }
static int n_graphs;                    // that were made and not destroyed
int cuDevicePrimaryCtxRelease_v2(int)
{
	note("cuDevicePrimaryCtxRelease: %zu bytes in use, depth %d, %d graphs\n", in_use, depth, n_graphs);
	return 0;
}
int cuCtxPushCurrent_v2(void *) { depth++; return 0; }
int cuCtxPopCurrent_v2(void **c) { depth--; *c = (void *)1; return 0; }
int cuCtxGetCurrent(void **c)
{
	note_question("cuCtxGetCurrent");
	*c = depth > 0 ? (void *)1 : NULL;
	return 0;
}
int cuStreamCreate(void **s, unsigned) { MUST_BE_CURRENT("cuStreamCreate"); *s = new Stream(); return 0; }
int cuStreamDestroy_v2(void *s) { delete (Stream *)s; return 0; }
int cuStreamSynchronize(void *s)
{
	MUST_BE_CURRENT("cuStreamSynchronize");
	note("cuStreamSynchronize\n");
	return stream_of(s)->recorded ? NOT_WHILE_CAPTURING : 0;
}

#ifndef FAKE_OLD_DRIVER
int cuStreamBeginCapture_v2(void *s, int)
{
	MUST_BE_CURRENT("cuStreamBeginCapture");
	if ((uintptr_t)s <= 1)          // the default stream cannot be captured
		return NOT_WHILE_CAPTURING;
	stream_of(s)->recorded = new Graph;
	stream_of(s)->last.clear();
	n_captured++;
	return 0;
}
int cuStreamEndCapture(void *s, void **g)
{
	MUST_BE_CURRENT("cuStreamEndCapture");
	*g = stream_of(s)->recorded;
	stream_of(s)->recorded = NULL;
	n_captured--;
	return 0;
}
int cuStreamIsCapturing(void *s, int *status)
{
	note_question("cuStreamIsCapturing");
	*status = stream_of(s)->recorded != NULL;
	return 0;
}
int cuStreamWaitEvent(void *s, void *, unsigned)
{
	note("cuStreamWaitEvent\n");
	return stream_of(s)->recorded ? NOT_WHILE_CAPTURING : 0;
}
int cuStreamGetCaptureInfo_v3(void *s, int *status, uint64_t *id, void **g, void *const **nodes, const void **edges,
                              size_t *n)
{
	static thread_local std::vector<void *> last;
	Stream *stream = stream_of(s);
	last.clear();
	if (stream->recorded)
		for (size_t k : stream->last)
			last.push_back((void *)(uintptr_t)(k + 1)); // a node is its number, from 1
	*status = stream->recorded ? 1 : 0;
	*id = 1;
	*g = stream->recorded;
	*nodes = last.data();
	*edges = NULL;
	*n = last.size();
	return fails("cuStreamGetCaptureInfo") ? 999 : 0;
}
int cuStreamUpdateCaptureDependencies_v2(void *s, void **nodes, const void *edges, size_t n, unsigned flags)
{
	MUST_BE_CURRENT("cuStreamUpdateCaptureDependencies");
	note("cuStreamUpdateCaptureDependencies\n");
	Stream *stream = stream_of(s);
	if (!stream->recorded || edges || flags != 1)
		wrong("cuStreamUpdateCaptureDependencies with what is not known here");
	stream->last.clear();
	for (size_t i = 0; i < n; i++) {
		size_t k = (size_t)(uintptr_t)nodes[i] - 1;
		if (k >= stream->recorded->size() || std::count(stream->last.begin(), stream->last.end(), k))
			wrong("cuStreamUpdateCaptureDependencies with wrong nodes");
		stream->last.push_back(k);
	}
	return 0;
}
struct NodeParams { void *f; unsigned grid[3], block[3], shared; void **params, **extra, *kernel, *context; };
int cuGraphExecKernelNodeSetParams_v2(void *x, void *node, const NodeParams *p)
{
	MUST_BE_CURRENT("cuGraphExecKernelNodeSetParams");
	size_t at = (size_t)(uintptr_t)node;
	Function *f = (Function *)p->f;
	if (at < 1 || at > ((Graph *)x)->size() || !p->grid[0] || p->block[0] > 1024 || (int)p->shared > f->shared)
		return INVALID_VALUE;
	note("cuGraphExecKernelNodeSetParams\n");
	((Graph *)x)->at(at - 1).run = launch_later(f, p->grid[0], p->block[0], p->shared, p->params);
	return 0;
}
int cuGraphInstantiateWithFlags(void **x, void *g, unsigned long long)
{
	MUST_BE_CURRENT("cuGraphInstantiate");
	check_shows(*(Graph *)g);
	check_dependent_launches(*(Graph *)g);
	*x = new Graph(*(Graph *)g);
	n_graphs++;
	note("cuGraphInstantiate %zu, longest path %zu\n", ((Graph *)g)->size(), longest_path(*(Graph *)g));
	return 0;
}
int cuGraphLaunch(void *x, void *s)
{
	MUST_BE_CURRENT("cuGraphLaunch");
	if (stream_of(s)->recorded)
		return NOT_WHILE_CAPTURING;
	note("cuGraphLaunch %zu\n", ((Graph *)x)->size());
	return run_graph(*(Graph *)x);
}
int cuGraphExecDestroy(void *x) { n_graphs--; delete (Graph *)x; return 0; }
int cuGraphDestroy(void *g) { delete (Graph *)g; return 0; }
int cuMemHostGetDevicePointer_v2(CUdeviceptr *p, void *h, unsigned) { *p = (CUdeviceptr)(uintptr_t)h; return 0; }
#endif

int cuMemAlloc_v2(CUdeviceptr *p, size_t n)
{
	MUST_BE_CURRENT("cuMemAlloc");
	if (n_captured)
		return NOT_WHILE_CAPTURING;
	if (n > memory_size() - in_use)
		return OUT_OF_MEMORY;
	void *data = aligned_alloc(256, (n + 255) & ~(size_t)255);
	if (!data)
		return OUT_OF_MEMORY;
	memset(data, 0xa5, n); // nothing is zero by luck
	*p = (CUdeviceptr)(uintptr_t)data;
	blocks[*p] = n;
	in_use += n;
	note("cuMemAlloc %zu\n", n);
	return 0;
}
int cuMemAllocManaged(CUdeviceptr *p, size_t n, unsigned) { return cuMemAlloc_v2(p, n); }
int cuMemFree_v2(CUdeviceptr p)
{
	MUST_BE_CURRENT("cuMemFree");
	if (n_captured)
		return NOT_WHILE_CAPTURING;
	must_have(p, 0, "cuMemFree");
	in_use -= blocks[p];
	blocks.erase(p);
	free(host(p));
	return 0;
}
int cuMemHostAlloc(void **p, size_t n, unsigned)
{
	MUST_BE_CURRENT("cuMemHostAlloc");
	*p = calloc(n, 1);
	if (*p)
		host_blocks[(char *)*p] = n;
	return *p ? 0 : OUT_OF_MEMORY;
}
int cuMemFreeHost(void *p)
{
	std::lock_guard<std::recursive_mutex> guard(one_at_a_time);
	host_blocks.erase((char *)p);
	free(p);
	return 0;
}
int cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t n, void *s)
{
	MUST_BE_CURRENT("cuMemcpyHtoDAsync");
	if (stream_of(s)->recorded)
		return NOT_WHILE_CAPTURING;
	must_have(to, n, "write");
	memcpy(host(to), from, n);
	return 0;
}
int cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t n, void *s)
{
	MUST_BE_CURRENT("cuMemcpyDtoHAsync");
	if (stream_of(s)->recorded)
		return NOT_WHILE_CAPTURING;
	must_have(from, n, "read");
	memcpy(to, host(from), n);
	return 0;
}
int cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t n, void *stream)
{
	MUST_BE_CURRENT("cuMemcpyDtoDAsync");
	return in_stream(stream, "a copy", [=] {
		must_have(to, n, "copy");
		must_have(from, n, "copy");
		memcpy(host(to), host(from), n);
		return (int)SUCCESS;
	});
}
#define FILL(name, T) \
	int name(CUdeviceptr to, T x, size_t n, void *stream) \
	{ \
		MUST_BE_CURRENT(#name); \
		if (to % sizeof x) \
			return INVALID_VALUE; \
		return in_stream(stream, "a fill", [=] { \
			must_have(to, n * sizeof x, "fill"); \
			for (size_t i = 0; i < n; i++) \
				((T *)host(to))[i] = x; \
			return (int)SUCCESS; \
		}); \
	}
FILL(cuMemsetD8Async, unsigned char)
FILL(cuMemsetD16Async, unsigned short)
FILL(cuMemsetD32Async, unsigned)

int cuModuleLoadData(void **m, const void *image)
{
	MUST_BE_CURRENT("cuModuleLoadData");
	if (n_captured)
		return NOT_WHILE_CAPTURING;
	const char *s = (const char *)image;
	Program ptx;
	if (strncmp(s, "//FAKEPTX\n", 10) == 0) {
		ptx.text = s + 10;
		if (compile(&ptx) != 0)
			return 218;
		s = ptx.out.data();
	}
	if (strncmp(s, "FAKECUDA", 8) != 0)
		return 200;
	uint64_t size;
	memcpy(&size, s + 8, 8);
	std::string path = temporary("fake_cuda_so");
	int fd = mkstemp(&path[0]);
	if (fd < 0)
		return 999;
	close(fd);
	save(path, std::string(s + 16, size));
	Module *module = new Module;
	module->library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
	if (!module->library)
		fprintf(stderr, "fake CUDA: %s\n", dlerror());
	unlink(path.c_str());
	if (!module->library)
		return 200;
	module->thread = (Dim *)dlsym(module->library, "threadIdx");
	module->block = (Dim *)dlsym(module->library, "blockIdx");
	module->n_threads = (Dim *)dlsym(module->library, "blockDim");
	module->n_blocks = (Dim *)dlsym(module->library, "gridDim");
	module->shared = dlsym(module->library, "rd_shared_mem");
	module->shared_size = (unsigned *)dlsym(module->library, "rd_dynamic_smem_size");
	module->barrier = (void (**)(int))dlsym(module->library, "rd_fake_barrier");
	*m = module;
	return 0;
}
int cuModuleUnload(void *m)
{
	dlclose(((Module *)m)->library);
	delete (Module *)m;
	return 0;
}
int cuModuleGetFunction(void **f, void *m, const char *name)
{
	Module *module = (Module *)m;
	void *run = dlsym(module->library, (std::string("rd_run_") + name).c_str());
	void *sizes = dlsym(module->library, (std::string("rd_sizes_") + name).c_str());
	if (!run || !sizes)
		return NOT_FOUND;
	*f = new Function{module, (void (*)(void **))run, (int (*)(int *))sizes, *(int *)dlsym(module->library, "rd_fake_waits") != 0,
	                  name, 48 << 10};
	return 0;
}
int cuFuncGetAttribute(int *v, int, void *) { *v = 1024; return 0; }
int cuFuncSetAttribute(void *f, int what, int v)
{
	if (what != 8 || v > 227 << 10)
		return INVALID_VALUE;
	((Function *)f)->shared = v;
	return 0;
}
int cuLaunchKernel(void *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                   unsigned shared, void *stream, void **params, void **)
{
	MUST_BE_CURRENT("cuLaunchKernel");
	Function *function = (Function *)f;
	if (!gx || !bx || bx > 1024 || gy != 1 || gz != 1 || by != 1 || bz != 1 ||
	    (int)shared > function->shared)
		return INVALID_VALUE;
	if (stream_of(stream)->recorded)
		return in_stream(stream, function->name, launch_later(function, gx, bx, shared, params));
	note("cuLaunchKernel %s %u %u %u\n", function->name.c_str(), gx, bx, shared);
	launch(function, gx, bx, shared, params);
	return 0;
}
#ifndef FAKE_OLD_DRIVER
struct Launch { unsigned grid[3], block[3], shared; void *stream; struct { int id, unused, allowed; } *attributes; unsigned n; };
int cuLaunchKernelEx(const Launch *l, void *f, void **params, void **extra)
{
	if (l->n != 1 || l->attributes->id != 6 || l->attributes->allowed != 1)
		wrong("cuLaunchKernelEx with what is not known here");
	Stream *s = stream_of(l->stream);
	int err = cuLaunchKernel(f, l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1], l->block[2], l->shared,
	                         l->stream, params, extra);
	if (!err && s->recorded)
		s->recorded->back().waits_itself = true;
	return err;
}
#endif
int cuEventCreate(void **e, unsigned) { *e = malloc(1); return 0; }
int cuEventDestroy_v2(void *e) { free(e); return 0; }
int cuEventRecord(void *, void *) { return 0; }
int cuEventElapsedTime(float *ms, void *, void *) { *ms = 0.5f; return 0; }

}
