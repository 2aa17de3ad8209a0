# Lowering gives core that the core checker accepts, for every program of the suite.
tests=$(cd "$(dirname "$0")/.." && pwd)
. "$(dirname "$0")/lib.sh"

about "core of programs"
for program in $(find "$tests/lang" "$tests/prelude" "$tests/ad" -name '*.fut' | sort); do
	name=${program#"$tests"/}
	if "$RAIDO" dev --check=each "$program" >.out 2>.err; then
		ok "$name"
	else
		not_ok "$name: $(grep -A 2 Error .err | head -c 300)"
	fi
done
finish
