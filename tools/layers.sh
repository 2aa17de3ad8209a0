#!/bin/sh
# Checks the order of the folders of src/: no header includes a header to its right in
#   base < syntax < check < lower      base < core < opt, lower
#   core < opt < par, mem < gen        cli after all
set -eu
cd "$(dirname "$0")/.."

sees() {
	case $1 in
	base) echo base ;;
	syntax) echo base syntax ;;
	check) echo base syntax check ;;
	core) echo base core ;;
	opt) echo base core opt ;;
	par) echo base core opt par ;;
	mem) echo base core opt mem ;;
	ad) echo base core opt ad ;;
	gen) echo base core opt par mem gen ;;
	lower) echo base syntax check core lower ;;
	cli) echo base syntax check core opt ad par mem gen lower cli ;;
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
exit $status
