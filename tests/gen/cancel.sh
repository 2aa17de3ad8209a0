#!/bin/sh
# Calls that are cancelled end soon, whatever they do, and leave the context as it was (cancel.c); so do those of
# servers that are interrupted.  Recursion without end is an error with a name, in libraries too.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/cli/lib.sh"
cp "$root"/tests/gen/cancel.[cfh]* .
: "${LATEST:=1}" # seconds: machines that run tests are busy

for backend in c multicore; do
	about "raido $backend"
	run raido $backend -w --library -o cancel_lib cancel.fut
	silent
	[ $backend = c ] && flags= || flags=-DTHREADS=3
	run ${CC:-cc} -O1 -std=gnu11 -Wall -DLATEST=$LATEST $flags -o client cancel.c cancel_lib.c -lm -lpthread
	silent
	run timeout 60 ./client
	is '59 passed, 0 failed'
done

# Each loop over the elements of a row asks, however short its iterations are, and so do copies; the last asks besides.
about "long rows inside of loops"
rows() { # COUNT EXPRESSION
	echo "entry main [n] (k: i64) (xs: [n]f64) : []f64 = loop ys = copy xs for i < k do $2" >rows.fut
	run raido c -w --library -o rows rows.fut
	silent
	run sh -c "grep -c 'RD_CANCELLED(ctx)) {' rows.c"
	is "$1"
}
rows 2 'map (\y -> y * 0.5 + f64.i64 i) ys'
rows 2 'scan (+) 0 ys'
rows 2 'reverse ys'
rows 2 'map (\j -> ys[(j * 7) % n]) (iota n)'

# Fills ask after fewer elements than loops that compute: their pages are new.
run raido c -w --library -o rows "$root/tests/gen/cancel.fut"
silent
run sh -c "grep -c 'RD_FILLED ? from' rows.c"
is 1

about "a server that is interrupted"
CFLAGS='-O1' run raido c -w --server -o server cancel.fut
silent
echo 1099511627776i64 >many
echo 4i64 >few
mkfifo commands
./server <commands >said &
server=$!
{
	printf 'restore many n i64\nrestore few k i64\ncall endless x n\n'
	sleep 0.5
	kill -INT $server
	printf 'call small y k\nstore out y\n'
} >commands
wait $server
code=$?
exits 0
run cat said
says '^%%% FAILURE$'
says 'cancelled'
run sh -c '"$RAIDO" dataset <out'
is 6i64
mkfifo nothing
./server <nothing >said &
server=$!
exec 3>nothing
sleep 0.2
kill -INT $server
wait $server
code=$?
exec 3>&-
exits 130

about "recursion without end"
cat >deep.fut <<'F'
def down (n: i64) : i64 = if n == 0 then 0 else 1 + down (n + 1)
entry endless (n: i64) : i64 = down n
def sum (n: i64) : i64 = if n == 0 then 0 else n + sum (n - 1)
entry deep (n: i64) : i64 = sum n
F
cat >deep.c <<'C'
#define _GNU_SOURCE
#include "deep_lib.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static struct futhark_context *ctx;

// Something that happens to be 4 MiB below: the stack cannot grow further than to some pages above.
static void map_below_stack(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	uintptr_t at = ((uintptr_t)__builtin_frame_address(0) - (4 << 20)) / page * page;
	mmap((void *)at, page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
}

static void *use(void *arg)
{
	int64_t out = 0;
	int err = futhark_entry_endless(ctx, &out, 1);
	char *error = futhark_context_get_error(ctx);
	puts(err && error && strstr(error, "recursion of \"down\" too deep") ? "an error" : "no error");
	free(error);
	err = futhark_entry_deep(ctx, &out, 500);
	printf("%d %d\n", err, (int)out);
	return arg;
}

int main(void)
{
	struct futhark_context_config *cfg = futhark_context_config_new();
	pthread_attr_t attr;
	pthread_t thread;
	ctx = futhark_context_new(cfg);
	map_below_stack();
	use(NULL);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 1 << 18);
	pthread_create(&thread, &attr, use, NULL);
	pthread_join(thread, NULL);
	futhark_context_free(ctx);
	futhark_context_config_free(cfg);
	return 0;
}
C
in=1i64
run raido run -e endless deep.fut
complains 'Stack overflow: recursion of "down" too deep'
if getconf GNU_LIBC_VERSION 2>/dev/null | grep -qE ' 2\.(3[4-9]|[4-9])'; then
	run raido c --library -o deep_lib deep.fut
	silent
	for compiler in "${CC:-cc} -std=gnu11 -O0" "${CC:-cc} -std=gnu11 -O2"; do
		run $compiler -Wall -o deep deep.c deep_lib.c -lm -lpthread
		silent
		run ./deep
		is 'an error
0 125250
an error
0 125250'
	done
	CFLAGS=-O1 run raido c deep.fut
	in=1i64
	run ./deep -e endless
	exits 1
	complains 'recursion of "down" too deep'
	complains '#0  deep.fut:1:'
fi
finish
