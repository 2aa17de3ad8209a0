// Ctrl-C during a call: the call that the main thread waits for is cancelled.
//
// Python's handler of the signal leaves a note for the interpreter, which reads it after the call.  The handler here lets the
// call end first, and then calls that one.  Others may install theirs at any time (signal.signal, notebooks), so calls look
// whether it is still there; a clock bounds how often.
#include "_raido.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct sigaction python;                 // what ours calls
static Context *running;                        // what the main thread waits for
static int busy;                                // handlers that look at it
static char stopped;                            // that call

static void on_interrupt(int signal, siginfo_t *info, void *state)
{
	__atomic_add_fetch(&busy, 1, __ATOMIC_SEQ_CST);
	Context *c = __atomic_load_n(&running, __ATOMIC_SEQ_CST);
	if (c) {
		__atomic_store_n(&stopped, 1, __ATOMIC_SEQ_CST);
		c->table->cancel(c->ptr);
	}
	__atomic_sub_fetch(&busy, 1, __ATOMIC_SEQ_CST);
	if (python.sa_flags & SA_SIGINFO)
		python.sa_sigaction(signal, info, state);
	else
		python.sa_handler(signal);
}

// Where nothing handles the signal, it ends the process or is ignored, as before.
static void install(void)
{
	struct sigaction now;
	if (sigaction(SIGINT, NULL, &now) != 0)
		return;
	bool plain = !(now.sa_flags & SA_SIGINFO);
	if (plain ? now.sa_handler == SIG_DFL || now.sa_handler == SIG_IGN : now.sa_sigaction == on_interrupt)
		return;
	python = now;
	now.sa_sigaction = on_interrupt;
	now.sa_flags |= SA_SIGINFO;
	sigaction(SIGINT, &now, NULL);
}

// The thread that runs handlers of signals in Python: that of the process.
static bool is_main_thread(void)
{
#ifdef SYS_gettid
	static __thread pid_t me __attribute__((tls_model("initial-exec"))); // quicker than by a function
	static pid_t process;
	static unsigned known = (unsigned)-1;   // the generation that it is of
	if (known != generation) {
		process = getpid();
		me = 0;
		known = generation;
	}
	if (!me)
		me = (pid_t)syscall(SYS_gettid);
	return me == process;
#else
	return false;
#endif
}

// The call that begins now may be stopped, until unwatch; false: it is none of the main thread.
bool watch(Context *c, uint64_t now)
{
	static uint64_t look;           // when to look next
	if (!is_main_thread())
		return false;
	if (now >= look || !now) {
		look = now + 5000 * brief_ticks();
		install();
	}
	stopped = 0;
	__atomic_store_n(&running, c, __ATOMIC_SEQ_CST);
	return true;
}

void unwatch(void)
{
	__atomic_store_n(&running, NULL, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(&busy, __ATOMIC_SEQ_CST))
		continue;               // a handler in another thread, which may still look at the context
}

// Was the last call of this thread stopped?
bool was_stopped(void)
{
	return is_main_thread() && stopped;
}

// Before a call begins, which may have to wait for others, Python's own handler is asked.
bool goes_on(void)
{
	PyGILState_STATE gil = PyGILState_Ensure();
	int err = PyErr_CheckSignals();
	PyGILState_Release(gil);
	return !err;
}
