// Compiles a file of CUDA text by NVRTC, which needs no device: nvrtc FILE [ARCH].
// Exit code 77 where there is no NVRTC.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

typedef void *Program;

static char *read_all(const char *path)
{
	FILE *f = fopen(path, "r");
	size_t cap = 1 << 24, n;
	char *s = malloc(cap);
	if (!f || !s)
		return NULL;
	n = fread(s, 1, cap - 1, f);
	s[n] = 0;
	fclose(f);
	return s;
}

int main(int argc, char **argv)
{
	void *lib = dlopen("libnvrtc.so", RTLD_NOW);
	if (!lib)
		lib = dlopen("/usr/local/cuda/lib64/libnvrtc.so", RTLD_NOW);
	if (!lib) {
		fprintf(stderr, "%s\n", dlerror());
		return 77;
	}
	int (*create)(Program *, const char *, const char *, int, const char *const *,
	              const char *const *) = dlsym(lib, "nvrtcCreateProgram");
	int (*compile)(Program, int, const char *const *) = dlsym(lib, "nvrtcCompileProgram");
	int (*log_size)(Program, size_t *) = dlsym(lib, "nvrtcGetProgramLogSize");
	int (*log)(Program, char *) = dlsym(lib, "nvrtcGetProgramLog");
	char *text = argc > 1 ? read_all(argv[1]) : NULL, arch[64], *said;
	const char *options[] = {arch, "-default-device", "--std=c++17"};
	Program p;
	size_t n = 0;
	if (!text)
		return 2;
	snprintf(arch, sizeof arch, "--gpu-architecture=%s", argc > 2 ? argv[2] : "sm_90");
	if (create(&p, text, argv[1], 0, NULL, NULL) != 0)
		return 2;
	int err = compile(p, 3, options);
	log_size(p, &n);
	said = malloc(n + 1);
	log(p, said);
	if (err)
		printf("%s", said);
	return err ? 1 : 0;
}
