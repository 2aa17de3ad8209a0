# Sourced: a share of the programs below some directories, another one after each commit, so that as
# many commits as there are shares try all of them.
#
#   choose_share SHARES         sets SHARE, 1 to SHARES, by the number of commits, unless it is set
#                               (1 where git does not know); fails where it is set to something else
#   programs_of_share SHARES DIRECTORY...    those of $SHARE
#
# The number of commits is that of the directory $tests, if that is set.

choose_share() {
	if [ -z "$SHARE" ]; then
		commits=$(git -C "${tests:-.}" rev-list --count HEAD 2>/dev/null) || commits=0
		SHARE=$((commits % $1 + 1))
	fi
	case $SHARE in
	*[!0-9]* | 0) wrong=1 ;;
	*) wrong=$((SHARE > $1)) ;;
	esac
	if [ "$wrong" = 1 ]; then
		echo "SHARE=$SHARE: 1 to $1 is meant"
		return 1
	fi
	echo "share $SHARE of $1"
}

# Programs far from each other in the order of their names, so that all kinds are among them.
programs_of_share() {
	shares=$1
	shift
	find "$@" -name '*.fut' | LC_ALL=C sort | awk -v n="$shares" -v k="$SHARE" 'NR % n == k % n'
}
