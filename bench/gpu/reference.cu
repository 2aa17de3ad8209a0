// What the operations of micro.fut take when they are written in CUDA by hand, or by the libraries that come
// with it (CUB, cuBLAS): reference N S MM K, the sizes of workloads.py.
//
//     nvcc -O3 -arch=native -o reference reference.cu -lcublas
//
// Each line is the name of a row, a tab, and the median milliseconds of calls with the data on the device,
// waiting for each.  bench/gpu/run --peers cuda builds and runs it.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <cub/cub.cuh>
#include <cublas_v2.h>

#define CHECK(call) \
	do { \
		cudaError_t e_ = call; \
		if (e_ != cudaSuccess) { \
			fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(e_)); \
			exit(1); \
		} \
	} while (0)

template<class F> static void time_row(const std::string &name, F call)
{
	using clock = std::chrono::steady_clock;
	std::vector<double> times;
	call();
	CHECK(cudaDeviceSynchronize());
	auto end = clock::now() + std::chrono::milliseconds(300);
	while (times.size() < 5 || (clock::now() < end && times.size() < 2000)) {
		auto start = clock::now();
		call();
		CHECK(cudaDeviceSynchronize());
		times.push_back(std::chrono::duration<double, std::milli>(clock::now() - start).count());
	}
	std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
	printf("%s\t%.4f\n", name.c_str(), times[times.size() / 2]);
	fflush(stdout);
}

template<class T> static T *device(size_t n)
{
	T *p;
	CHECK(cudaMalloc(&p, n * sizeof(T)));
	CHECK(cudaMemset(p, 0, n * sizeof(T)));
	return p;
}

// Memory that a function of CUB asks for.
template<class F> static void time_cub(const std::string &name, F call)
{
	size_t bytes = 0;
	call((void *)nullptr, bytes);
	char *room = device<char>(bytes + 16);
	time_row(name, [&] { call((void *)room, bytes); });
	CHECK(cudaFree(room));
}

__global__ void map4(const float4 *xs, float4 *out, size_t n)
{
	size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
	if (i < n) {
		float4 x = xs[i];
		out[i] = make_float4(x.x * 2 + 1, x.y * 2 + 1, x.z * 2 + 1, x.w * 2 + 1);
	}
}

__global__ void transpose(const float *a, float *b, int n, int m)
{
	__shared__ float tile[32][33];
	int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
	for (int k = 0; k < 32; k += 8)
		if (y + k < n && x < m)
			tile[threadIdx.y + k][threadIdx.x] = a[(size_t)(y + k) * m + x];
	__syncthreads();
	x = blockIdx.y * 32 + threadIdx.x;
	y = blockIdx.x * 32 + threadIdx.y;
	for (int k = 0; k < 32; k += 8)
		if (y + k < m && x < n)
			b[(size_t)(y + k) * n + x] = tile[threadIdx.x][threadIdx.y + k];
}

__global__ void columns(const float *a, float *sums, int n, int m, int rows)
{
	int j = blockIdx.x * blockDim.x + threadIdx.x, first = blockIdx.y * rows;
	float s = 0;
	if (j >= m)
		return;
#pragma unroll 8
	for (int i = first; i < min(first + rows, n); i++)
		s += a[(size_t)i * m + j];
	atomicAdd(&sums[j], s);
}

// A block to a row.
__global__ void rows(const float *a, float *sums, int m)
{
	using Reduce = cub::BlockReduce<float, 256>;
	__shared__ typename Reduce::TempStorage room;
	const float *row = a + (size_t)blockIdx.x * m;
	float s = 0;
#pragma unroll 8
	for (int i = threadIdx.x; i < m; i += 256)
		s += row[i];
	s = Reduce(room).Sum(s);
	if (threadIdx.x == 0)
		sums[blockIdx.x] = s;
}

// A warp to a row of 32.
__global__ void short_rows(const float *a, float *sums, size_t n)
{
	size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
	float s = i < n ? a[i] : 0;
	for (int k = 16; k > 0; k /= 2)
		s += __shfl_down_sync(0xffffffffu, s, k);
	if (i < n && i % 32 == 0)
		sums[i / 32] = s;
}

__global__ void transpose_narrow(const float *a, float *b, size_t n, int m)
{
	size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
	for (int j = 0; i < n && j < m; j++)
		b[j * n + i] = a[i * m + j];
}

__global__ void transpose_flat(const float *a, float *b, int n, size_t m)
{
	size_t j = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
	for (int i = 0; j < m && i < n; i++)
		b[j * n + i] = a[i * m + j];
}

__global__ void scatter(const long long *is, const float *xs, float *out, size_t n)
{
	size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
	if (i < n)
		out[is[i]] = xs[i];
}

// Every block counts in shared memory first.
__global__ void count_small(const long long *is, size_t n, int *out, int k)
{
	extern __shared__ int counts[];
	for (int i = threadIdx.x; i < k; i += blockDim.x)
		counts[i] = 0;
	__syncthreads();
	for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += gridDim.x * (size_t)blockDim.x)
		atomicAdd(&counts[is[i]], 1);
	__syncthreads();
	for (int i = threadIdx.x; i < k; i += blockDim.x)
		atomicAdd(&out[i], counts[i]);
}

__global__ void count_large(const long long *is, size_t n, int *out)
{
	size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
	if (i < n)
		atomicAdd(&out[is[i]], 1);
}

// A histogram of each row, by several blocks (gridDim.x) that count in shared memory first.
__global__ void add_rows(const int *is, const float *xs, int m, float *out, int k)
{
	extern __shared__ float sums[];
	size_t row = blockIdx.y;
	for (int i = threadIdx.x; i < k; i += blockDim.x)
		sums[i] = 0;
	__syncthreads();
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < m; i += gridDim.x * blockDim.x)
		atomicAdd(&sums[is[row * m + i]], xs[row * m + i]);
	__syncthreads();
	for (int i = threadIdx.x; i < k; i += blockDim.x)
		atomicAdd(&out[row * k + i], sums[i]);
}

// Of short rows: a warp for each, eight to a block.
__global__ void add_short_rows(const int *is, const float *xs, size_t n, int m, float *out, int k)
{
	extern __shared__ float sums[];
	size_t row = blockIdx.x * (size_t)8 + threadIdx.y;
	float *own = sums + threadIdx.y * k;
	for (int i = threadIdx.x; i < k; i += 32)
		own[i] = 0;
	__syncwarp();
	for (int i = threadIdx.x; row < n && i < m; i += 32)
		atomicAdd(&own[is[row * m + i]], xs[row * m + i]);
	__syncwarp();
	for (int i = threadIdx.x; row < n && i < k; i += 32)
		out[row * k + i] = own[i];
}

// Rows of 16 that are added to bins, a thread for each element.
__global__ void add_vectors(const int *is, const float *xs, size_t n, float *out)
{
	size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
	if (i < n * 16)
		atomicAdd(&out[is[i / 16] * 16 + i % 16], xs[i]);
}

__global__ void gather(const long long *is, const float *xs, float *out, size_t n)
{
	size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = xs[is[i]];
}

__global__ void fill_random(long long *is, size_t n, size_t k)
{
	size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
	if (i < n)
		is[i] = (long long)((i * 6364136223846793005ull + 1442695040888963407ull) >> 20) % k;
}

__global__ void fill_bins(int *is, size_t n, size_t k)
{
	size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
	if (i < n)
		is[i] = (int)(((i * 6364136223846793005ull + 1442695040888963407ull) >> 20) % k);
}

__global__ void fill_numbers(int *xs, size_t n)
{
	size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
	if (i < n)
		xs[i] = (int)((i * 2654435761u >> 7) % 100);
}

struct IsEven {
	__device__ bool operator()(int x) const { return x % 2 == 0; }
};

static unsigned blocks(size_t n)
{
	return (unsigned)((n + 255) / 256);
}

static void products(size_t mm)
{
	cublasHandle_t h;
	if (cublasCreate(&h) != CUBLAS_STATUS_SUCCESS)
		return;
	int n = (int)mm;
	double *a = device<double>(mm * mm), *b = device<double>(mm * mm), *c = device<double>(mm * mm);
	float one = 1, zero = 0;
	double one_d = 1, zero_d = 0;
	std::string size = std::to_string(mm);
	time_row("matmul f32 " + size, [&] {
		cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, (float *)a, n, (float *)b, n, &zero, (float *)c, n);
	});
	time_row("matmul f64 " + size, [&] {
		cublasDgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one_d, a, n, b, n, &zero_d, c, n);
	});
	cublasDestroy(h);
}

int main(int argc, char **argv)
{
	size_t n = argc > 1 ? strtoull(argv[1], NULL, 10) : 1 << 26, s = argc > 2 ? atoi(argv[2]) : 8192;
	size_t mm = argc > 3 ? atoi(argv[3]) : 4096, k = argc > 4 ? atoi(argv[4]) : 100000, q = n / 4;
	float *xs = device<float>(n), *ys = device<float>(n), *sum = device<float>(s + 1);
	double *ds = device<double>(n), *sum_d = device<double>(1);
	int *is = device<int>(n), *js = device<int>(n), *counts = device<int>(k), *one = device<int>(1);
	long long *places = device<long long>(q);
	std::string all = std::to_string(n), square = std::to_string(s) + "x" + std::to_string(s);
	fill_numbers<<<blocks(n), 256>>>(is, n);
	time_row("map f32 " + all, [&] { map4<<<blocks(n / 4), 256>>>((float4 *)xs, (float4 *)ys, n / 4); });
	time_row("copy f32 " + all, [&] { cudaMemcpyAsync(ys, xs, 4 * n, cudaMemcpyDeviceToDevice); });
	time_cub("sum f32 " + all, [&](void *t, size_t &b) { cub::DeviceReduce::Sum(t, b, xs, sum, n); });
	time_cub("sum f64 " + all, [&](void *t, size_t &b) { cub::DeviceReduce::Sum(t, b, ds, sum_d, n); });
	time_cub("maximum i32 " + all, [&](void *t, size_t &b) { cub::DeviceReduce::Max(t, b, is, one, n); });
	time_row("sum of rows " + square, [&] { rows<<<(unsigned)s, 256>>>(xs, sum, (int)s); });
	time_row("sum of rows " + std::to_string(n / 32) + "x32", [&] { short_rows<<<blocks(n), 256>>>(xs, ys, n); });
	time_row("sum of columns " + square, [&] {
		cudaMemsetAsync(sum, 0, 4 * s);
		columns<<<dim3(blocks(s), 64), 256>>>(xs, sum, (int)s, (int)s, (int)(s + 63) / 64);
	});
	time_cub("scan i32 " + all, [&](void *t, size_t &b) { cub::DeviceScan::InclusiveSum(t, b, is, js, n); });
	time_cub("scan f32 " + all, [&](void *t, size_t &b) { cub::DeviceScan::InclusiveSum(t, b, xs, ys, n); });
	time_cub("scan of segments " + all, [&](void *t, size_t &b) {
		cub::DeviceScan::InclusiveSumByKey(t, b, is, xs, ys, (int)n);
	});
	time_row("transpose " + std::to_string(n / 8) + "x8", [&] {
		transpose_narrow<<<blocks(n / 8), 256>>>(xs, ys, n / 8, 8);
	});
	time_row("transpose " + std::to_string(n / 3) + "x3", [&] {
		transpose_narrow<<<blocks(n / 3), 256>>>(xs, ys, n / 3, 3);
	});
	time_row("transpose 3x" + std::to_string(n / 3), [&] {
		transpose_flat<<<blocks(n / 3), 256>>>(xs, ys, 3, n / 3);
	});
	time_row("transpose " + square, [&] {
		transpose<<<dim3((unsigned)(s + 31) / 32, (unsigned)(s + 31) / 32), dim3(32, 8)>>>(xs, ys, (int)s, (int)s);
	});
	time_cub("filter i32 " + all, [&](void *t, size_t &b) { cub::DeviceSelect::If(t, b, is, js, one, n, IsEven()); });
	fill_random<<<blocks(q), 256>>>(places, q, 100);
	time_row("histogram of " + std::to_string(q) + " in 100", [&] {
		cudaMemsetAsync(counts, 0, 400);
		count_small<<<132 * 8, 256, 400>>>(places, q, counts, 100);
	});
	fill_random<<<blocks(q), 256>>>(places, q, k);
	time_row("histogram of " + std::to_string(q) + " in " + std::to_string(k), [&] {
		cudaMemsetAsync(counts, 0, 4 * k);
		count_large<<<blocks(q), 256>>>(places, q, counts);
	});
	size_t bins = k / 100, m = q / 8;
	fill_bins<<<blocks(q), 256>>>(is, q, bins);
	time_row("histograms of 8 rows of " + std::to_string(m) + " in " + std::to_string(bins), [&] {
		cudaMemsetAsync(ys, 0, 4 * 8 * bins);
		add_rows<<<dim3(132, 8), 256, 4 * bins>>>(is, xs, (int)m, ys, (int)bins);
	});
	time_row("histogram of " + std::to_string(q / 16) + " rows f32 [16] in " + std::to_string(bins), [&] {
		cudaMemsetAsync(ys, 0, 4 * 16 * bins);
		add_vectors<<<blocks(q), 256>>>(is, xs, q / 16, ys);
	});
	fill_bins<<<blocks(q), 256>>>(is, q, 16);
	time_row("histograms of " + std::to_string(q / 160) + " rows of 160 in 16", [&] {
		add_short_rows<<<blocks(q / 160 * 32), dim3(32, 8), 4 * 8 * 16>>>(is, xs, q / 160, 160, ys, 16);
	});
	fill_random<<<blocks(q), 256>>>(places, q, q);
	time_row("scatter " + std::to_string(q), [&] {
		cudaMemsetAsync(ys, 0, 4 * q);
		scatter<<<blocks(q), 256>>>(places, xs, ys, q);
	});
	time_row("gather " + std::to_string(q), [&] { gather<<<blocks(q), 256>>>(places, xs, ys, q); });
	products(mm);
	return 0;
}
