#!/bin/sh
# Makes manual pages and shell completions of what `raido --help` and `raido COMMAND --help` say.
#
#	tools/share.sh RAIDO DIRECTORY
#
# The directory gets man1/raido.1, man1/raido-COMMAND.1, and raido.bash, _raido (zsh), raido.fish.
set -eu
[ $# -eq 2 ] || { sed -n 's/^# *\t//p' "$0" >&2; exit 2; }
raido=$1
out=$2
rm -rf "$out"
mkdir -p "$out/man1"
version=$("$raido" --version | sed -n '1s/^[^ ]* //p')

# Commands with what they do, one a line, a tab in between.
"$raido" --help | awk '
	/^[A-Z][a-z]*:$/ { inside = $0 == "Commands:"; next }
	inside && /^  [a-z]/ { name = $1; sub(/^  [^ ]+ +/, ""); print name "\t" $0 }
' >"$out/commands"

# Options of a command: letter, name, argument, help.
options_of() {
	"$raido" "$1" --help | awk '
		function flush() {
			if (seen)
				print letter "\t" name "\t" arg "\t" help
			seen = 0
		}
		/^[A-Z][A-Za-z ]*:$/ { flush(); inside = $0 == "Options:"; next }
		/^$/ { flush(); inside = 0 }
		inside && /^ +-/ {
			flush()
			seen = 1
			letter = name = arg = ""
			text = $0
			sub(/^ +/, "", text)
			at = match(text, /  +/)
			key = at ? substr(text, 1, at - 1) : text
			help = at ? substr(text, at + RLENGTH) : ""
			if (match(key, /^-[A-Za-z]/)) {
				letter = substr(key, 2, 1)
				key = substr(key, 3)
				sub(/^, /, "", key)
			}
			if (match(key, /^--[A-Za-z0-9-]+/)) {
				name = substr(key, 3, RLENGTH - 2)
				key = substr(key, RLENGTH + 1)
			}
			sub(/^[ =[]+/, "", key)
			sub(/\]$/, "", key)
			arg = key
			next
		}
		inside { sub(/^ +/, ""); help = help == "" ? $0 : help " " $0 }
		END { flush() }
	'
}

# ---- Manual pages ----

# A page of a help text: usage, description, lists, and the rest as it is.
manual() {
	awk -v title="$1" -v about="$2" -v version="$version" '
		function roff(s) {
			gsub(/\\/, "\\e", s)
			gsub(/-/, "\\-", s)
			if (s ~ /^[.'"'"']/)
				s = "\\&" s
			return s
		}
		function verbatim(on) {
			if (on != as_is)
				print on ? ".nf" : ".fi"
			as_is = on
		}
		function blank(s) { sub(/^ */, "", s); return s }
		NR == 1 {
			printf ".TH %s 1 \"\" \"Raido %s\" \"Raido\"\n", toupper(title), version
			printf ".SH NAME\n%s \\- %s\n.SH SYNOPSIS\n", roff(title), roff(about)
			sub(/^Usage: /, "")
			printf "%s\n.SH DESCRIPTION\n", roff($0)
			next
		}
		/^[A-Z][A-Za-z ]*:$/ {
			verbatim(0)
			sub(/:$/, "")
			printf ".SH %s\n", toupper($0)
			list = 1
			next
		}
		/^$/ {
			if (list) {
				list = 0
				print ".PP"
			} else if (NR > 2) {
				verbatim(0)
				print ".PP"
			}
			next
		}
		list && /^ +[^ ]/ {
			text = blank($0)
			at = match(text, /   *[^ ]/)
			deep = match($0, /[^ ]/)
			if (deep <= 8 && at) {
				printf ".TP\n%s\n%s\n", roff(substr(text, 1, at - 1)), \
					roff(blank(substr(text, at)))
			} else if (deep <= 8) {
				printf ".TP\n%s\n", roff(text)
			} else {
				print roff(text)
			}
			next
		}
		/^  / { verbatim(1) }
		{ print roff($0) }
		END {
			verbatim(0)
			if (title == "raido")
				print ".SH SEE ALSO\n\\fBraido\\-\\fP\\fICOMMAND\\fP(1)"
			else
				print ".SH SEE ALSO\n\\fBraido\\fP(1)"
		}
	'
}

"$raido" --help | manual raido "a compiler for the data-parallel language Futhark" \
	>"$out/man1/raido.1"
while IFS='	' read -r command about; do
	"$raido" "$command" --help | manual "raido-$command" "$about" >"$out/man1/raido-$command.1"
done <"$out/commands"

# ---- Completions ----

names=$(cut -f1 "$out/commands" | tr '\n' ' ')

bash_completion() {
	cat <<END
# Completion of raido for bash; made by tools/share.sh.
_raido() {
	local word=\${COMP_WORDS[COMP_CWORD]} options=
	COMPREPLY=()
	if [ "\$COMP_CWORD" -eq 1 ]; then
		COMPREPLY=(\$(compgen -W "$names--help --version" -- "\$word"))
		return
	fi
	case \${COMP_WORDS[1]} in
END
	cut -f1 "$out/commands" | while read -r command; do
		words=$(options_of "$command" | awk -F '\t' '
			$1 != "" { printf "-%s ", $1 }
			$2 != "" { printf "--%s%s ", $2, $3 == "" ? "" : "=" }')
		printf '\t%s) options="%s" ;;\n' "$command" "${words% }"
	done
	cat <<'END'
	esac
	case $word in
	-*)
		COMPREPLY=($(compgen -W "$options" -- "$word"))
		[[ ${COMPREPLY-} == *= ]] && compopt -o nospace
		;;
	*) COMPREPLY=($(compgen -f -- "$word")) ;;
	esac
}
complete -o filenames -F _raido raido
END
}

fish_completion() {
	echo "# Completion of raido for fish; made by tools/share.sh."
	quote='s/\\/\\\\/g; s/'\''/\\'\''/g'
	while IFS='	' read -r command about; do
		echo "complete -c raido -n __fish_use_subcommand -f -a $command -d '$(
			printf '%s' "$about" | sed "$quote")'"
	done <"$out/commands"
	cut -f1 "$out/commands" | while read -r command; do
		options_of "$command" | sed "$quote" | awk -F '\t' -v command="$command" '{
			printf "complete -c raido -n \"__fish_seen_subcommand_from %s\"", command
			if ($1 != "")
				printf " -s %s", $1
			if ($2 != "")
				printf " -l %s", $2
			if ($3 != "")
				printf " -r"
			printf " -d '\''%s'\''\n", $4
		}'
	done
}

zsh_completion() {
	quote='s/\\/\\\\/g; s/\[/\\[/g; s/\]/\\]/g; s/:/\\:/g; s/'\''/'\'\\\\\'\''/g'
	printf '#compdef raido\n# Completion of raido for zsh; made by tools/share.sh.\n'
	printf '_raido() {\n'
	printf '\tlocal -a commands\n\tcommands=(\n'
	while IFS='	' read -r command about; do
		printf "\t\t'%s:%s'\n" "$command" "$(printf '%s' "$about" | sed "$quote")"
	done <"$out/commands"
	printf '\t)\n\tif (( CURRENT == 2 )); then\n'
	printf "\t\t_describe 'command' commands\n\t\treturn\n\tfi\n"
	printf '\tlocal command=$words[2]\n\tshift words\n\t(( CURRENT-- ))\n\tcase $command in\n'
	cut -f1 "$out/commands" | while read -r command; do
		printf '\t%s)\n\t\t_arguments' "$command"
		options_of "$command" | sed "$quote" | awk -F '\t' '
			function option(name, join) {
				if ($3 != "")
					name = name join
				after = $3 == "" ? "" : ":" $3 ":_files"
				printf " \\\n\t\t\t'\''%s[%s]%s'\''", name, $4, after
			}
			$1 != "" { option("-" $1, "+") }
			$2 != "" { option("--" $2, "=") }'
		printf " \\\\\n\t\t\t'*:file:_files'\n\t\t;;\n"
	done
	printf '\tesac\n}\n_raido "$@"\n'
}

bash_completion >"$out/raido.bash"
fish_completion >"$out/raido.fish"
zsh_completion >"$out/_raido"
rm "$out/commands"
