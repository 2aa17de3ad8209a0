#!/bin/sh
# The uniform interface of libraries: its client, with sanitizers; libraries of nothing else; two libraries
# in one program.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/cli/lib.sh"
cp "$root/tests/gen/call.fut" "$root/tests/gen/call.c" .
mv call.c client.c

client() {
	run "$@"
	last=$(printf '%s\n' "$out" | tail -n 1)
	case $last in *", 0 failed") ok ;; *) not_ok "checks failed" ;; esac
	exits 0
}

for backend in c multicore; do
	about "$backend, sanitizers"
	run raido $backend --library call.fut
	silent
	run ${CC:-cc} -std=gnu11 -g -O1 -Wall -Wextra -fsanitize=address,undefined \
		-fno-sanitize-recover=undefined -DCALL_PROGRAM=raido_program -o client client.c call.c \
		-pthread -lm
	silent
	client ./client
done

about "only the uniform interface"
run raido c --library --slim --prefix small call.fut
silent
run ${CC:-cc} -std=gnu11 -O1 -Wall -Wextra -DCALL_PROGRAM=small_program -o client client.c call.c -pthread -lm
silent
client ./client
if command -v g++ >/dev/null 2>&1; then
	run g++ -x c++ -std=c++17 -Wall -Wextra -fsyntax-only call.c
	silent
fi
run sh -c "${CC:-cc} -c -o call.o call.c && nm call.o | grep -c ' T '"
is 1

about "two libraries in one program"
echo 'entry f (x: f64) : f64 = x + 1' >one.fut
echo 'entry f (x: f64) : f64 = x * 10' >two.fut
run raido c --library --prefix one one.fut
run raido c --library --prefix two two.fut
cat >both.c <<'END'
#include "one.h"
#include "two.h"
int main(void)
{
	struct one_context_config *a = one_context_config_new();
	struct two_context_config *b = two_context_config_new();
	struct one_context *c = one_context_new(a);
	struct two_context *d = two_context_new(b);
	double x, y;
	one_entry_f(c, &x, 3);
	two_entry_f(d, &y, 3);
	printf("%g %g %d\n", x, y, one_program()->n_entries + two_program()->n_entries);
	one_context_free(c);
	two_context_free(d);
	one_context_config_free(a);
	two_context_config_free(b);
	return 0;
}
END
run ${CC:-cc} -std=gnu11 -Wall -Wextra -o both both.c one.c two.c -lm
silent
run ./both
is '4 30 2'
run raido c --prefix x one.fut
exits 2
complains 'require --library'
run raido c --library --prefix 1x one.fut
complains 'cannot start a C identifier'
finish
