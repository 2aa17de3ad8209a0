// A line from the terminal, with editing and history.
//
//   left right  ctrl-b ctrl-f   move          backspace ctrl-h   delete before the cursor
//   home end    ctrl-a ctrl-e   ends          delete ctrl-d      delete at the cursor
//   up down     ctrl-p ctrl-n   history       ctrl-k ctrl-u      delete to the end, the start
//   ctrl-l                      clear screen  ctrl-w             delete a word
//   ctrl-c                      empty the line; ctrl-d on an empty line ends the input
//   tab                         complete the word; list what is possible when tried again
//
// The line is kept as UTF-8 and shown on one row, scrolled where it is too long.  The
// history is kept for the life of the process, outside of the arena, since the REPL may
// release that.
#include "cli/cli.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

enum { MAX_HISTORY = 1000 };

static char *history[MAX_HISTORY];
static int n_history;

typedef struct {
	char *text;                     // malloced, zero-terminated
	size_t len, cap, cursor;        // bytes
	const char *prompt;
	int at_history;                 // the line of the history shown; n_history: the new one
	char *draft;                    // the new line while an old one is shown
	CompleteFn *complete;
	void *ctx;
	bool tried;                     // the last key was a tab
} Editor;

// ---- History ----

void history_add(const char *line)
{
	if (!*line || (n_history && strcmp(history[n_history - 1], line) == 0))
		return;
	if (n_history == MAX_HISTORY) {
		free(history[0]);
		memmove(history, history + 1, (MAX_HISTORY - 1) * sizeof *history);
		n_history--;
	}
	history[n_history++] = must(strdup(line));
}

void history_load(const char *path)
{
	FILE *f = fopen(path, "r");
	char *line = NULL;
	size_t cap = 0;
	for (ssize_t n; f && (n = getline(&line, &cap, f)) > 0; ) {
		line[n - (line[n - 1] == '\n')] = 0;
		history_add(line);
	}
	free(line);
	if (f)
		fclose(f);
}

void history_save(const char *path)
{
	FILE *f = fopen(path, "w");
	if (!f)
		return;
	for (int i = 0; i < n_history; i++)
		fprintf(f, "%s\n", history[i]);
	fclose(f);
}

// ---- The text ----

static bool is_inner(char c)            // a byte inside of a UTF-8 character
{
	return ((unsigned char)c & 0xC0) == 0x80;
}

static size_t before(const Editor *e, size_t at)
{
	while (at > 0 && is_inner(e->text[--at]))
		continue;
	return at;
}

static size_t after(const Editor *e, size_t at)
{
	if (at < e->len)
		at++;
	while (at < e->len && is_inner(e->text[at]))
		at++;
	return at;
}

static void insert(Editor *e, char c)
{
	if (e->len + 2 > e->cap) {
		e->cap = e->cap ? e->cap * 2 : 256;
		e->text = must(realloc(e->text, e->cap));
	}
	memmove(e->text + e->cursor + 1, e->text + e->cursor, e->len - e->cursor);
	e->text[e->cursor++] = c;
	e->text[++e->len] = 0;
}

static void delete_range(Editor *e, size_t from, size_t to)
{
	memmove(e->text + from, e->text + to, e->len - to + 1);
	e->len -= to - from;
	e->cursor = from;
}

static size_t word_start(const Editor *e)
{
	size_t at = e->cursor;
	while (at > 0 && e->text[at - 1] == ' ')
		at--;
	while (at > 0 && e->text[at - 1] != ' ')
		at--;
	return at;
}

static void replace_text(Editor *e, const char *with)
{
	e->len = e->cursor = 0;
	e->text[0] = 0;
	for (; *with; with++)
		insert(e, *with);
}

static void show_history(Editor *e, int step)
{
	int to = e->at_history + step;
	if (to < 0 || to > n_history)
		return;
	if (e->at_history == n_history) {
		free(e->draft);
		e->draft = must(strdup(e->text));
	}
	e->at_history = to;
	replace_text(e, to == n_history ? e->draft : history[to]);
}

// ---- The screen ----

static int columns(void)
{
	struct winsize w;
	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 10 ? w.ws_col : 80;
}

static int width(const char *from, size_t n)
{
	int w = 0;
	for (size_t i = 0; i < n; i++)
		w += !is_inner(from[i]);
	return w;
}

static void redraw(const Editor *e)
{
	int room = columns() - (int)strlen(e->prompt) - 1;
	size_t first = 0, last = 0;
	while (width(e->text + first, e->cursor - first) > room)
		first = after(e, first);
	for (last = first; last < e->len && width(e->text + first, last - first) < room; )
		last = after(e, last);
	printf("\r%s%.*s\033[K", e->prompt, (int)(last - first), e->text + first);
	printf("\r\033[%dC", (int)strlen(e->prompt) + width(e->text + first, e->cursor - first));
	fflush(stdout);
}

// ---- Keys ----

enum { CTRL = 0x1F, ESCAPE = 27, BACKSPACE = 127 };

static int read_byte(void)
{
	unsigned char c;
	ssize_t n;
	do
		n = read(STDIN_FILENO, &c, 1);
	while (n < 0 && errno == EINTR);
	return n == 1 ? c : -1;
}

// ESC [ A, ESC O H, ESC [ 3 ~ and so on.
static void escape_sequence(Editor *e)
{
	int kind = read_byte(), c = read_byte();
	if (kind != '[' && kind != 'O')
		return;
	int number = 0;
	for (; c >= '0' && c <= '9'; c = read_byte())
		number = number < 100 ? number * 10 + c - '0' : number;
	if (c == 'A')
		show_history(e, -1);
	else if (c == 'B')
		show_history(e, 1);
	else if (c == 'C')
		e->cursor = after(e, e->cursor);
	else if (c == 'D')
		e->cursor = before(e, e->cursor);
	else if (c == 'H' || (c == '~' && (number == 1 || number == 7)))
		e->cursor = 0;
	else if (c == 'F' || (c == '~' && (number == 4 || number == 8)))
		e->cursor = e->len;
	else if (c == '~' && number == 3)
		delete_range(e, e->cursor, after(e, e->cursor));
}

static void control_key(Editor *e, int key)
{
	switch (key) {
	case 'a' & CTRL: e->cursor = 0; break;
	case 'e' & CTRL: e->cursor = e->len; break;
	case 'b' & CTRL: e->cursor = before(e, e->cursor); break;
	case 'f' & CTRL: e->cursor = after(e, e->cursor); break;
	case 'p' & CTRL: show_history(e, -1); break;
	case 'n' & CTRL: show_history(e, 1); break;
	case 'd' & CTRL: delete_range(e, e->cursor, after(e, e->cursor)); break;
	case 'k' & CTRL: delete_range(e, e->cursor, e->len); break;
	case 'u' & CTRL: delete_range(e, 0, e->cursor); break;
	case 'w' & CTRL: delete_range(e, word_start(e), e->cursor); break;
	case 'l' & CTRL: fputs("\033[H\033[2J", stdout); break;
	case 'c' & CTRL: fputs("^C\r\n", stdout); replace_text(e, ""); break;
	case 'h' & CTRL:
	case BACKSPACE: delete_range(e, before(e, e->cursor), e->cursor); break;
	case ESCAPE: escape_sequence(e); break;
	}
}

// ---- Completion ----

static size_t common_prefix(const TextVec *words)
{
	size_t n = strlen(words->at[0]);
	for EACH(const char *, w, *words) {
		size_t k = 0;
		while (k < n && (*w)[k] == words->at[0][k])
			k++;
		n = k;
	}
	return n;
}

static void list_words(const TextVec *words)
{
	enum { MOST = 200 };
	int longest = 0, n = words->len < MOST ? words->len : MOST;
	for (int i = 0; i < n; i++)
		longest = (int)strlen(words->at[i]) > longest ? (int)strlen(words->at[i]) : longest;
	int across = columns() / (longest + 2);
	across = across < 1 ? 1 : across;
	for (int i = 0; i < n; i++)
		printf("%s%-*s", i % across ? "  " : "\r\n", longest, words->at[i]);
	if (n < words->len)
		printf("\r\n... and %d more", words->len - n);
	fputs("\r\n", stdout);
}

// Where there is nothing to complete, a tab is two spaces.
static void complete_word(Editor *e)
{
	const char *before_cursor = text("%.*s", (int)e->cursor, e->text);
	if (!e->complete || !before_cursor[strspn(before_cursor, " ")]) {
		insert(e, ' ');
		insert(e, ' ');
		return;
	}
	size_t start = e->cursor;
	TextVec words = e->complete(e->ctx, before_cursor, &start);
	if (!words.len)
		return;
	size_t n = common_prefix(&words), typed = e->cursor - start;
	for (size_t i = typed; i < n; i++)
		insert(e, words.at[0][i]);
	if (words.len == 1 && e->cursor == e->len)
		insert(e, ' ');
	else if (n <= typed && e->tried)
		list_words(&words);
}

// Edits until the line is entered; false at the end of the input.
static bool edit(Editor *e)
{
	for (;;) {
		redraw(e);
		int key = read_byte();
		if (key < 0 || (key == ('d' & CTRL) && e->len == 0))
			return false;
		if (key == '\r' || key == '\n')
			return true;
		if (key == '\t')
			complete_word(e);
		else if (key < ' ' || key == BACKSPACE)
			control_key(e, key);
		else
			insert(e, (char)key);
		e->tried = key == '\t';
	}
}

char *edit_line(const char *prompt, CompleteFn *complete, void *ctx)
{
	struct termios old, raw;
	if (tcgetattr(STDIN_FILENO, &old) != 0)
		return NULL;
	raw = old;
	raw.c_iflag &= ~(tcflag_t)(ICRNL | IXON);
	raw.c_lflag &= ~(tcflag_t)(ECHO | ICANON | ISIG | IEXTEN);
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	Editor e = {.prompt = prompt, .at_history = n_history, .cap = 256, .complete = complete,
	            .ctx = ctx};
	e.text = must(calloc(1, e.cap));
	tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
	bool entered = edit(&e);
	tcsetattr(STDIN_FILENO, TCSADRAIN, &old);
	putchar('\n');
	free(e.draft);
	if (entered)
		return e.text;
	free(e.text);
	return NULL;
}
