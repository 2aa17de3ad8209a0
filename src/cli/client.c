// Client of server executables: starts them, sends commands, calls entry points.
//
// Values are exchanged through files in a temporary directory that belongs to the server and is
// removed with it.  A file holds the flat values of the arguments or results, one after the other
// in binary format; the server assembles records and tuples from them.
#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct Server {
	pid_t pid;
	int to, from;
	const char *dir;
	double timeout;                         // seconds for a command; 0: none
	Str unread;                             // bytes received beyond the last line taken
	bool dead;
};

// ---- Temporary directories ----

// Those not yet removed; the end of the process removes them, be it by a bug or a signal, and ends
// the servers they belong to.  A copy of the process must leave them alone.
enum { MAX_DIRS = 8 };
static struct { pid_t owner, server; const char *path; } dirs[MAX_DIRS];

static void wait_for(pid_t pid)
{
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		continue;
}

// Calls only what a signal handler may.
static void remove_tree(const char *path)
{
	pid_t pid = fork();
	if (pid == 0) {
		execlp("rm", "rm", "-rf", "--", path, (char *)NULL);
		_exit(127);
	}
	wait_for(pid);
}

static void remove_all_dirs(void)
{
	pid_t self = getpid();
	for (int i = 0; i < MAX_DIRS; i++)
		if (dirs[i].owner == self) {
			dirs[i].owner = 0;
			if (dirs[i].server) {
				kill(dirs[i].server, SIGKILL);
				wait_for(dirs[i].server);
			}
			remove_tree(dirs[i].path);
		}
}

static void die_of(int sig)
{
	remove_all_dirs();
	signal(sig, SIG_DFL);
	raise(sig);
}

void remove_dirs_at_end(void)
{
	static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
	static bool armed;
	if (armed)
		return;
	armed = true;
	atexit(remove_all_dirs);
	for (int i = 0; i < 3; i++)
		if (signal(ends[i], die_of) == SIG_IGN)
			signal(ends[i], SIG_IGN);
}

static void remember_dir(const char *path)
{
	remove_dirs_at_end();
	for (int i = 0; i < MAX_DIRS; i++)
		if (!dirs[i].owner || dirs[i].owner != getpid()) {
			dirs[i].path = path;
			dirs[i].server = 0;
			dirs[i].owner = getpid();
			return;
		}
}

const char *make_temporary_dir(const char **why)
{
	const char *base = getenv("TMPDIR");
	char *path = (char *)text("%s/raido-XXXXXX", base && *base ? base : "/tmp");
	if (mkdtemp(path)) {
		remember_dir(path);
		return path;
	}
	*why = text("Cannot make a directory %s: %s", path, strerror(errno));
	return NULL;
}

// The server whose directory it is: 0 when it has ended.
static void set_server(const char *dir, pid_t server)
{
	for (int i = 0; i < MAX_DIRS; i++)
		if (dirs[i].path == dir)
			dirs[i].server = server;
}

static void forget_dir(const char *dir)
{
	for (int i = 0; i < MAX_DIRS; i++)
		if (dirs[i].path == dir)
			dirs[i].owner = 0;
}

void remove_temporary_dir(const char *dir, const char *const *names)
{
	for (; *names; names++)
		unlink(text("%s/%s", dir, *names));
	rmdir(dir);
	forget_dir(dir);
}

void remove_temporary_tree(const char *dir)
{
	remove_tree(dir);
	forget_dir(dir);
}

// ---- Lines ----

// More bytes; false when there are none, with *why set if that is for lack of time.
static bool receive(Server *s, double deadline, const char **why)
{
	char buffer[4096];
	for (;;) {
		double left = deadline - seconds();
		struct pollfd fd = {.fd = s->from, .events = POLLIN};
		int wait = s->timeout <= 0 ? -1 : left <= 0 ? 0 : (int)(left * 1000) + 1;
		int ready = poll(&fd, 1, wait);
		if (ready == 0) {
			*why = text("Execution timed out after %g seconds.", s->timeout);
			return false;
		}
		ssize_t n = ready > 0 ? read(s->from, buffer, sizeof buffer) : -1;
		if (n > 0)
			str_putn(&s->unread, buffer, (size_t)n);
		if (n >= 0 || errno != EINTR)
			return n > 0;
	}
}

// The next line without its end; NULL when there is none.
static const char *take_line(Server *s, double deadline, const char **why)
{
	size_t from = 0;
	for (;;) {
		char *end = s->unread.len > from
			? memchr(s->unread.at + from, '\n', s->unread.len - from) : NULL;
		if (end) {
			size_t n = (size_t)(end - s->unread.at);
			const char *line = text("%.*s", (int)n, s->unread.at);
			s->unread.len -= n + 1;
			memmove(s->unread.at, end + 1, s->unread.len);
			return line;
		}
		from = s->unread.len;
		if (!receive(s, deadline, why))
			return NULL;
	}
}

// ---- Life and death ----

bool server_has_ended(const Server *s)
{
	return s->dead;
}

const char *server_stderr(Server *s)
{
	size_t len;
	const char *said = read_file(text("%s/stderr", s->dir), &len);
	return said ? said : "";
}

static const char *obituary(Server *s)
{
	int status = 0;
	while (waitpid(s->pid, &status, 0) < 0 && errno == EINTR)
		continue;
	s->dead = true;
	set_server(s->dir, 0);
	const char *how = WIFSIGNALED(status)
		? text("was killed by signal %d (%s)", WTERMSIG(status),
	                                             strsignal(WTERMSIG(status)))
	                                      : text("exited with code %d", WEXITSTATUS(status));
	return text("The program %s.\n%s", how, server_stderr(s));
}

// Reads an answer up to its end.  What a failed command says goes to *why.
static bool take_answer(Server *s, const char **out, const char **why)
{
	Str said = {0};
	bool failed = false;
	double deadline = seconds() + s->timeout;
	const char *late = NULL;
	for (;;) {
		const char *line = take_line(s, deadline, &late);
		if (!line) {
			if (late)
				kill(s->pid, SIGKILL);
			const char *end = obituary(s);
			*why = late ? late : end;
			return false;
		}
		if (strcmp(line, "%%% OK") == 0)
			break;
		if (strcmp(line, "%%% FAILURE") == 0) {
			failed = true;
			said = (Str){0};
			continue;
		}
		str_printf(&said, "%s\n", line);
	}
	while (failed && said.len && said.at[said.len - 1] == '\n')
		said.at[--said.len] = 0;
	*(failed ? why : out) = str_text(&said);
	return !failed;
}

static NORETURN void become_server(const char *const *argv, int in, int out, const char *err)
{
	int log = open(err, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	dup2(in, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	if (log >= 0)
		dup2(log, STDERR_FILENO);
	execvp(argv[0], (char *const *)argv);
	fprintf(stderr, "%s: %s\n", argv[0], strerror(errno));
	fflush(stderr);
	_exit(127);
}

static bool make_pipe(int ends[2])
{
	if (pipe(ends) != 0)
		return false;
	for (int i = 0; i < 2; i++)
		fcntl(ends[i], F_SETFD, FD_CLOEXEC);
	return true;
}

Server *server_start(const TextVec *command, double timeout, const char **why)
{
	Server *s = NEW(Server, .timeout = timeout);
	int down[2], up[2];
	s->dir = make_temporary_dir(why);
	if (!s->dir)
		return NULL;
	if (!make_pipe(down) || !make_pipe(up)) {
		*why = text("Cannot make a pipe: %s", strerror(errno));
		return NULL;
	}
	signal(SIGPIPE, SIG_IGN);
	fflush(stdout);
	fflush(stderr);
	s->pid = fork();
	if (s->pid == 0) {
		const char **argv = NEW_ARRAY(const char *, command->len + 1);
		for (int i = 0; i < command->len; i++)
			argv[i] = command->at[i];
		signal(SIGPIPE, SIG_DFL);
		become_server(argv, down[0], up[1], text("%s/stderr", s->dir));
	}
	if (s->pid > 0)
		set_server(s->dir, s->pid);
	close(down[0]);
	close(up[1]);
	s->to = down[1];
	s->from = up[0];
	const char *greeting;
	if (s->pid > 0 && take_answer(s, &greeting, why))
		return s;
	if (s->pid < 0)
		*why = text("Cannot start a process: %s", strerror(errno));
	s->dead = true;
	server_stop(s);
	return NULL;
}

void server_stop(Server *s)
{
	static const char *const files[] = {"in", "out", "stderr", NULL};
	close(s->to);
	close(s->from);
	while (!s->dead && waitpid(s->pid, NULL, 0) < 0 && errno == EINTR)
		continue;
	s->dead = true;
	remove_temporary_dir(s->dir, files);
}

bool server_command(Server *s, const char *line, const char **out, const char **why)
{
	const char *ignored;
	size_t n = strlen(line);
	if (s->dead) {
		*why = "The program has ended.";
		return false;
	}
	const char *bytes = text("%s\n", line);
	for (size_t done = 0; done <= n; ) {
		ssize_t k = write(s->to, bytes + done, n + 1 - done);
		if (k < 0 && errno != EINTR)
			break; // it has ended: the answer says how
		done += k > 0 ? (size_t)k : 0;
	}
	return take_answer(s, out ? out : &ignored, why);
}

// ---- Calls ----

static TextVec lines_of(const char *body)
{
	TextVec lines = {0};
	while (*body) {
		size_t n = strcspn(body, "\n");
		VEC_PUSH(&lines, text("%.*s", (int)n, body));
		body += n + (body[n] == '\n');
	}
	return lines;
}

// The header of the binary form, then the elements straight from memory.
static bool write_value(FILE *f, const Value *v)
{
	Value head = *v;
	Str s = {0};
	const uint16_t one = 1;
	// elements are not in memory as they are in files
	if (!*(const char *)&one || v->rank == 0) {
		value_write_binary(&s, v);
		return fwrite(s.at, 1, s.len, f) == s.len;
	}
	head.shape = mem_dup(v->shape, (size_t)v->rank * sizeof *v->shape);
	head.shape[0] = 0;
	value_write_binary(&s, &head);
	memcpy(s.at + 7, &v->shape[0], 8);
	size_t n = (size_t)value_count(v) * (size_t)primtype_size(v->type);
	return fwrite(s.at, 1, s.len, f) == s.len && (n == 0 || fwrite(v->data, 1, n, f) == n);
}

static bool write_values(const char *path, const Values *values)
{
	FILE *f = fopen(path, "wb");
	bool ok = f != NULL;
	for (int i = 0; ok && i < values->len; i++)
		ok = write_value(f, &values->at[i]);
	if (f)
		ok &= fclose(f) == 0;
	return ok;
}

// Uploads the arguments to variables in0, in1, ...
static bool upload(Server *s, const TextVec *types, const Values *args, const char **why)
{
	const char *path = text("%s/in", s->dir);
	if (types->len == 0)
		return true;
	if (!write_values(path, args)) {
		*why = text("Failed to write %s: %s", path, strerror(errno));
		return false;
	}
	Str line = {0};
	str_printf(&line, "restore \"%s\"", path);
	for (int i = 0; i < types->len; i++)
		str_printf(&line, " in%d \"%s\"", i, types->at[i] + (types->at[i][0] == '*'));
	return server_command(s, str_text(&line), NULL, why);
}

static bool discard(Server *s, int n_inputs, const char **why)
{
	Str line = {0};
	if (n_inputs == 0)
		return true;
	str_puts(&line, "free");
	for (int i = 0; i < n_inputs; i++)
		str_printf(&line, " in%d", i);
	return server_command(s, str_text(&line), NULL, why);
}

bool server_prepare(Server *s, ServerCall *c, const char *entry, const Values *args,
                    const char **why)
{
	const char *said;
	*c = (ServerCall){.entry = entry, .args = args};
	if (!server_command(s, text("inputs %s", entry), &said, why))
		return false;
	c->types = lines_of(said);
	for EACH(const char *, t, c->types)
		c->consumes |= (*t)[0] == '*';
	return upload(s, &c->types, args, why);
}

bool server_run(Server *s, ServerCall *c, int64_t *microseconds, const char **why)
{
	Str line = {0};
	const char *said;
	if (c->spent && !(discard(s, c->types.len, why) && upload(s, &c->types, c->args, why)))
		return false;
	str_printf(&line, "call %s out", c->entry);
	for (int i = 0; i < c->types.len; i++)
		str_printf(&line, " in%d", i);
	if (!server_command(s, str_text(&line), &said, why))
		return false;
	c->spent = c->consumes;
	const char *at = strstr(said, "runtime: ");
	*microseconds = at ? strtoll(at + strlen("runtime: "), NULL, 10) : 0;
	return true;
}

bool server_result(Server *s, Values *out, const char **why)
{
	const char *path = text("%s/out", s->dir);
	return server_command(s, text("store \"%s\" out", path), NULL, why) &&
	       values_read_file(path, out, why);
}

bool server_free_result(Server *s, const char **why)
{
	return server_command(s, "free out", NULL, why);
}

bool server_finish(Server *s, ServerCall *c, const char **why)
{
	return discard(s, c->types.len, why);
}

bool server_call(Server *s, const char *entry, const Values *args, Values *results,
                 const char **why)
{
	ServerCall c;
	int64_t time;
	const char *ignored;
	if (!server_prepare(s, &c, entry, args, why))
		return false;
	bool ok = server_run(s, &c, &time, why);
	ok = ok && server_result(s, results, why) && server_free_result(s, why);
	return server_finish(s, &c, ok ? why : &ignored) && ok;
}
