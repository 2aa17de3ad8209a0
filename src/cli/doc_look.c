// The appearance of documentation pages: style sheet, search script, syntax highlighting.
#include "cli/doc.h"

const char doc_style[] =
	":root { color-scheme: light dark; --text: #222; --page: #fff; --line: #ddd;\n"
	"        --soft: #f6f6f6; --bar: #eef2f7; --link: #204a87; --quiet: #666;\n"
	"        --word: #7b2d8e; --number: #a8480a; --string: #2a6e2a; }\n"
	"@media (prefers-color-scheme: dark) {\n"
	"  :root { --text: #ddd; --page: #1b1d21; --line: #3a3d44; --soft: #25282e;\n"
	"          --bar: #2a2f38; --link: #8ab4f8; --quiet: #9a9a9a; --word: #d29be0;\n"
	"          --number: #f0a36c; --string: #8fcf8f; }\n"
	"  img { background: #fff; }\n"
	"}\n"
	"body { max-width: 60em; margin: 1em auto; padding: 0 1em; line-height: 1.5;\n"
	"       font-family: system-ui, sans-serif; color: var(--text);\n"
	"       background: var(--page); }\n"
	"nav { display: flex; flex-wrap: wrap; gap: .3em 1em; align-items: center;\n"
	"      padding-bottom: .5em; border-bottom: 1px solid var(--line); position: relative; }\n"
	"nav input { margin-left: auto; padding: .3em .6em; width: 18em; min-width: 8em; }\n"
	"#found { position: absolute; right: 0; top: 100%; z-index: 1; margin: 0; padding: 0;\n"
	"         list-style: none; background: var(--page); box-shadow: 0 2px 8px #0005;\n"
	"         width: 28em; max-width: 100%; max-height: 24em; overflow: auto; }\n"
	"#found a { display: block; padding: .2em .6em; text-decoration: none; }\n"
	"#found a:focus, #found a:hover { background: var(--bar); outline: none; }\n"
	"#found small { color: var(--quiet); float: right; }\n"
	"a { color: var(--link); }\n"
	".contents { margin: 1em 0; padding: .3em .8em; background: var(--soft); }\n"
	".contents ul { margin: .4em 0; }\n"
	".pages { columns: 16em; list-style: none; padding: 0; }\n"
	".pages li { padding: .1em 0; break-inside: avoid; }\n"
	"dt { margin-top: 1em; padding: .3em .5em; background: var(--bar); }\n"
	"dt code { background: none !important; }\n"
	"dt code b { color: var(--link); }\n"
	"[id] { scroll-margin-top: .5em; }\n"
	"dl dl { margin-left: 1em; }\n"
	"code { font-size: .92em; }\n"
	"pre { padding: .6em .8em; background: var(--soft); overflow: auto;\n"
	"      line-height: 1.4; tab-size: 4; }\n"
	":not(pre) > code { background: var(--soft); padding: 0 .2em; }\n"
	"pre i { font-style: normal; }\n"
	"pre .w { color: var(--word); }\n"
	"pre .n { color: var(--number); }\n"
	"pre .s { color: var(--string); }\n"
	"pre .c { color: var(--quiet); }\n"
	"table { border-collapse: collapse; margin: 1em 0; display: block; overflow: auto; }\n"
	"th, td { border: 1px solid var(--line); padding: .3em .6em; text-align: left;\n"
	"         vertical-align: top; }\n"
	"th:empty { border: none; padding: 0; }\n"
	"img { max-width: 100%; }\n"
	"table:has(img) { display: table; table-layout: fixed; width: 100%; }\n"
	"table:has(img) td { overflow-wrap: anywhere; hyphens: auto; }\n"
	"th img { width: 100%; aspect-ratio: 4 / 3; object-fit: contain; }\n";

const char doc_search[] =
	"// What is typed is looked for in all names and headings, which `names` (names.js)\n"
	"// lists as [name, kind, address].  The arrow keys choose, Enter goes there; / begins.\n"
	"const field = document.getElementById('search');\n"
	"const list = document.getElementById('found');\n"
	"const load = new Promise(done => {\n"
	"  field.addEventListener('focus', () => {\n"
	"    const s = document.createElement('script');\n"
	"    s.src = up + 'names.js';\n"
	"    s.onload = done;\n"
	"    document.head.append(s);\n"
	"  }, {once: true});\n"
	"});\n"
	"function show(name, kind, address) {\n"
	"  const item = document.createElement('li'), a = document.createElement('a');\n"
	"  const small = document.createElement('small');\n"
	"  a.href = up + address;\n"
	"  a.textContent = name;\n"
	"  small.textContent = kind;\n"
	"  a.append(small);\n"
	"  item.append(a);\n"
	"  return item;\n"
	"}\n"
	"field.addEventListener('input', async () => {\n"
	"  await load;\n"
	"  const wanted = field.value.toLowerCase();\n"
	"  const rank = n => { const k = n[0].toLowerCase().indexOf(wanted);\n"
	"                      return k < 0 ? -1 : n[0].length + 3 * k; };\n"
	"  const hits = wanted ? names.filter(n => rank(n) >= 0) : [];\n"
	"  hits.sort((a, b) => rank(a) - rank(b));\n"
	"  list.replaceChildren(...hits.slice(0, 20).map(n => show(...n)));\n"
	"});\n"
	"document.addEventListener('keydown', event => {\n"
	"  const links = [...list.querySelectorAll('a')];\n"
	"  const at = links.indexOf(document.activeElement);\n"
	"  const typing = document.activeElement === field;\n"
	"  const go = { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key];\n"
	"  if (go !== undefined && (typing || at >= 0))\n"
	"    (links[go] || (go < 0 ? field : links[at]))?.focus();\n"
	"  else if (event.key === 'Enter' && typing)\n"
	"    links[0]?.click();\n"
	"  else if (event.key === 'Escape' && (typing || at >= 0)) {\n"
	"    field.value = '';\n"
	"    list.replaceChildren();\n"
	"    field.focus();\n"
	"  } else if (event.key === '/' && !typing)\n"
	"    field.focus();\n"
	"  else\n"
	"    return;\n"
	"  event.preventDefault();\n"
	"});\n";

// ---- Programs ----

// w: a reserved word, n: a number or constructor, s: a string; 0: none of these
static char class_of(TokenKind kind)
{
	if (kind >= TOK_TRUE && kind <= TOK_CASE)
		return 'w';
	switch ((int)kind) {
	case TOK_INT: case TOK_FLOAT: case TOK_CONSTR:
		return 'n';
	case TOK_CHAR: case TOK_STRING:
		return 's';
	case TOK_DOC:
		return 'c';
	default:
		return 0;
	}
}

typedef struct { Str *out; const Source *source; uint32_t done; } Colour;

static void put_until(Colour *c, uint32_t to)
{
	if (to > c->done)
		html_escaped(c->out, c->source->text + c->done, to - c->done);
	c->done = to > c->done ? to : c->done;
}

static void put_part(Colour *c, Span span, char class)
{
	put_until(c, span.lo - c->source->start);
	if (class)
		str_printf(c->out, "<i class=\"%c\">", class);
	put_until(c, span.hi - c->source->start);
	if (class)
		str_puts(c->out, "</i>");
}

void html_of_program(Str *out, const char *program, size_t n)
{
	Source *source = source_add("", program, n);
	if (!source) {
		html_escaped(out, program, n);
		return;
	}
	Comments comments = {0};
	Tokens tokens = lex(source, &comments);
	Colour c = {out, source, 0};
	int next = 0;
	for EACH(Token, t, tokens) {
		for (; next < comments.len && comments.at[next].span.lo < t->span.lo; next++)
			put_part(&c, comments.at[next].span, 'c');
		if (t->kind != TOK_EOF)
			put_part(&c, t->span, class_of(t->kind));
	}
	put_until(&c, source->len);
	tokens_free(tokens);
	diag_reset();                   // not every piece of a program is one
}
