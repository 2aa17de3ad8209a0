// Runs a target on files, without libFuzzer:
//
//     replay FILE...
//
// Each file is run in a process of its own, which must end well within ten seconds.  The last
// line is `N passed, N failed`.
#include "fuzz.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS = 10 };

static NORETURN void run_file(const char *path)
{
	size_t len;
	const char *bytes = read_file(path, &len);
	if (!bytes) {
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		_exit(1);
	}
	alarm(SECONDS);
	LLVMFuzzerTestOneInput((const uint8_t *)bytes, len);
	_exit(0);
}

static bool passes_on(const char *path)
{
	fflush(NULL);
	pid_t child = fork();
	if (child == 0)
		run_file(path);
	int status = 0;
	if (child < 0 || waitpid(child, &status, 0) != child) {
		perror("replay");
		return false;
	}
	if (WIFSIGNALED(status))
		printf("%s: %s\n", path, strsignal(WTERMSIG(status)));
	else if (status)
		printf("%s: exit code %d\n", path, WEXITSTATUS(status));
	return status == 0;
}

int main(int argc, char **argv)
{
	int passed = 0, failed = 0;
	setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
	LLVMFuzzerInitialize(&argc, &argv);
	for (int i = 1; i < argc; i++) {
		bool ok = passes_on(argv[i]);
		passed += ok;
		failed += !ok;
	}
	printf("%d passed, %d failed\n", passed, failed);
	return failed != 0;
}
