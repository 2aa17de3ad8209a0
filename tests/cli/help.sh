# Help, version and mistakes on the command line.
. "$(dirname "$0")/lib.sh"

about "general help"
run raido --help
exits 0
says '^Usage: raido COMMAND'
commands=$(printf '%s\n' "$out" | sed -n '/^Commands:/,/^Options:/s/^  \([a-z][a-z-]*\)  *[A-Z].*/\1/p')
for c in check check-syntax run eval repl test fmt dataset datacmp dataget imports hash defs query \
	tokens; do
	says "^  $c +[A-Z].*\.$"
done
run raido -h
says '^Usage: raido COMMAND'
run raido
exits 2
complains '^Usage: raido COMMAND'

about "version"
run raido --version
exits 0
says '^Raido [0-9]+\.[0-9]+'
run raido -V
says '^Raido [0-9]+\.[0-9]+'

about "help of every command"
for c in $commands; do
	run raido "$c" --help
	exits 0
	says "^Usage: raido $c \[options\]"
	says '^  -h, --help +Print this help\.'
	# Every option is explained.
	if printf '%s\n' "$out" | grep -Eq '^  -[^ ].*[^.]$'; then
		undone=$(printf '%s\n' "$out" | awk '/^  -/ { if ($0 !~ /  [A-Z]/) { getline n; if (n !~ /[A-Za-z]/) print } }')
		if [ -z "$undone" ]; then result ok; else result no "options without help: $undone"; fi
	fi
done

about "mistakes"
run raido chekc
exits 2
complains 'unknown command "chekc"; did you mean "check"\?'
run raido frobnicate
exits 2
complains 'unknown command "frobnicate"'
run raido check
exits 2
complains 'expected PROGRAM'
run raido check a.fut b.fut
exits 2
complains 'unexpected argument "b.fut"'
run raido check --Werorr a.fut
exits 2
complains 'unknown option --Werorr; did you mean --Werror\?'
run raido check -Z a.fut
exits 2
complains 'unknown option -Z'
run raido run --entry-point
exits 2
complains 'needs an argument'
run raido test --concurrency=many .
exits 2
complains 'takes an integer'
run raido dataset --i32-bounds=5
exits 2
complains 'expected MIN:MAX of type i32'
finish
