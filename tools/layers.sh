#!/bin/sh
# Checks the order of the folders of src/: no header includes a header to its right in
#   base < syntax < check < lower      base < core < opt, lower
#   core < opt < ad, loop, mem         loop, mem < thread, device < pass       loop, mem < gen
#   cli after all
# and, where there are object files, no file uses a symbol that a folder to its right defines.
set -eu
cd "$(dirname "$0")/.."

sees() {
	case $1 in
	base) echo base ;;
	syntax) echo base syntax ;;
	check) echo base syntax check ;;
	core) echo base core ;;
	opt) echo base core opt ;;
	loop) echo base core opt loop ;;
	mem) echo base core opt mem ;;
	ad) echo base core opt ad ;;
	thread) echo base core opt loop mem thread ;;
	device) echo base core opt loop device ;;
	pass) echo base core opt ad loop mem thread device pass ;;
	gen) echo base core opt loop mem gen ;;
	lower) echo base syntax check core lower ;;
	cli) echo base syntax check core opt ad loop mem pass gen lower cli ;;
	esac
}

status=0
for dir in src/*/; do
	folder=$(basename "$dir")
	allowed=" $(sees "$folder") "
	if [ "$allowed" = "  " ]; then
		echo "tools/layers.sh does not know the folder src/$folder"
		status=1
		continue
	fi
	for header in "$dir"*.h; do
		[ -e "$header" ] || continue
		for to in $(sed -n 's/^#[ \t]*include[ \t]*"\([^"\/]*\)\/.*/\1/p' "$header"); do
			case $allowed in
			*" $to "*) ;;
			*)
				echo "$header includes a header of src/$to"
				status=1
				;;
			esac
		done
	done
done

# ---- Symbols ----

# A line "FILE SYMBOL FOLDER FOLDER" for each other folder that a file uses a symbol of.  What runs
# passes also runs those between the rounds of others: pass_within is the one symbol from above.
build=${BUILD:-build}
set --
for file in src/*/*.c; do
	object=$build/${file#src/}
	object=${object%.c}.o
	[ ! -e "$object" ] || set -- "$@" "$object"
done
if [ $# -gt 0 ] && command -v nm >/dev/null 2>&1; then
	nm -A "$@" | sed "s|^$build/||; s|\.o:| |; s|/| |" | awk '
		$(NF - 1) ~ /^[TDBR]$/ { at[$NF] = $1 }
		$(NF - 1) == "U" && $NF != "pass_within" { used[++n] = $1 " " $2 " " $NF }
		END {
			for (i = 1; i <= n; i++) {
				split(used[i], u, " ")
				to = at[u[3]]
				if (to != "" && to != u[1] && !seen[u[1], u[2], to]++)
					print "src/" u[1] "/" u[2] ".c", u[3], to, u[1]
			}
		}' | while read -r file symbol to folder; do
		case " $(sees "$folder") " in
		*" $to "*) ;;
		*) echo "$file uses $symbol of src/$to" ;;
		esac
	done >"$build/edges"
	if [ -s "$build/edges" ]; then
		cat "$build/edges"
		status=1
	fi
fi
exit $status
