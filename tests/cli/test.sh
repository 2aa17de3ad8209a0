# test: blocks, reports, data, properties, scripts.
. "$(dirname "$0")/lib.sh"

t() { # runs the tests of one program
	run raido test -i --no-terminal --concurrency=1 "$@"
}

about "passing"
cat >pass.fut <<'END'
-- Adds.
-- ==
-- tags { some-tag }
-- input { 1 2 } output { 3 }
-- "named" input { 1 -1 }
-- output { 0 }
-- compiled input { 1 1 } output { 99 }
-- notest input { 1 1 } output { 99 }
-- input { 2147483647 1 }
entry main (x: i32) (y: i32) = x + y

-- ==
-- entry: div
-- input { 1 0 } error: division by zero
-- input { 6 3 } output { 2 }
entry div (x: i32) (y: i32) = x / y

-- ==
-- entry: pair swap
-- input { 1 } output { 1 1 }
entry pair (x: i32) = (x, x)
entry swap (x: i32) = (x, x)
END
t pass.fut
exits 0
is '0 failed, 0 passed, 1 to go.
1/1 passed.
1 passed, 0 failed'

about "reports"
cat >fail.fut <<'END'
-- ==
-- input { 1 } output { 3 }
-- input { 2 } output { 3i64 }
-- input { 3 } output { [3] }
-- input { 4 } output { 5 6 }
-- input { 5 } error: some message
-- input { 1 2 } output { 1 }
-- input { 1i64 } output { 1 }
-- input @ nofile.in output { 1 }
entry main (x: i32) = x + 1

-- ==
-- entry: at
-- input { [1,2] 5i64 } output { 1 }
-- input { [1,2] 6i64 } error: another message
entry at (xs: []i32) (i: i64) = xs[i]

-- ==
-- entry: nope
-- input { } output { 1 }
END
t fail.fut
exits 1
says '^fail\.fut:$'
says '^Entry point: main; dataset: #0 \("1i32"\):$'
says '^fail\.fut\.main\.0\.actual and fail\.fut\.main\.0\.expected do not match:$'
says '^Value #0: expected 3, got 2$'
says '^Value #0: expected value of type i64, got i32$'
says '^Value #0: expected array of shape \[1\], got \[\]$'
says '^Expected 2 values, got 1$'
says '^Program succeeded, but expected failure:$'
says '^  ThisError "some message"$'
says '^Expected input of types: i32$'
says '^Provided input of types: i32 i32$'
says '^Provided input of types: i64$'
says '^Failed to open \./nofile\.in: No such file or directory$'
says '^Function failed with error:$'
says '^Expected error:$'
says '^  another message$'
says '^Got error:$'
says '^Unknown entry point: nope$'
says '^0/1 passed\.$'
says '^0 passed, 1 failed$'
run raido datacmp fail.fut.main.0.actual fail.fut.main.0.expected
is 'Value #0: expected 3, got 2'
t -e at fail.fut
exits 1
says '^Entry point: at;'
if printf '%s' "$out" | grep -q 'Entry point: main'; then result no "only entry point at"; else result ok; fi

about "type errors and warnings"
cat >err.fut <<'END'
-- ==
-- error: Unknown name "y"
entry main = y
END
t err.fut
exits 0
cat >err2.fut <<'END'
-- ==
-- error: something else
entry main = y
END
t err2.fut
exits 1
says '^Expected error:$'
says 'Unknown name "y"'
cat >err3.fut <<'END'
-- ==
-- error:
entry main = 1i32
END
t err3.fut
exits 1
says '^Expected failure$'
cat >warn.fut <<'END'
-- ==
-- input { 1 } output { 3 }
-- structure { Screma 1 Loop/SegMap 2 }
-- warning: Unused name "y"
-- warning: no such warning
entry main (x: i32) : i32 = let y = x in 3
END
t warn.fut
exits 1
says '^Expected warning:$'
says '^  no such warning$'
says '^Got warnings:$'
echo 'entry main = 1i32' >plain.fut
t plain.fut
exits 0
t -t fail.fut
exits 0
t -I fail.fut
exits 0

about "mistakes in blocks"
cat >spec.fut <<'END'
-- Description.
-- ==
-- inptu { 1 } output { 2 }
entry main (x: i32) = x
END
t spec.fut
exits 1
complains '^spec\.fut:3:'
complains '^3 \| -- inptu'
complains '^unexpected '
complains '^expecting '
printf -- '-- ==\n-- input { 1 foo } output { 2 }\nentry main (x: i32) = x\n' >spec2.fut
t spec2.fut
exits 1
complains '^spec2\.fut:2:14:$'
printf -- '-- ==\n-- error: .\n-- input { 1 }\nentry main = foo\n' >spec5.fut
t spec5.fut
exits 1
complains '^expecting the end of the block, as the program is to be rejected$'
printf -- '-- ==\n-- input { 1 }\nentry main (x: i32) = x\n\n-- ==\n-- structure { }\n' >spec6.fut
t spec6.fut
exits 1
complains '^expecting a test case or the end of the block$'
printf -- '-- ==\n-- input: 1\n-- output: 2\nentry main (x: i32) = x\n' >spec3.fut
t spec3.fut
exits 1
complains '^Hint: a test case is written "-- input \{ 1i32 \} output \{ 2i32 \}"$'
printf -- '-- ==\n-- input { 1, 2 } output { 3 }\nentry main (x: i32) (y: i32) = x + y\n' >spec4.fut
t spec4.fut
exits 1
complains '^Hint: values are separated by spaces: "input \{ 1 2 \}"$'
printf -- '-- ==\n-- input { 1 } output { 1 }\n-- ==\n-- input { 2 } output { 2 }\nentry main (x: i32) = x\n' >spec5.fut
t spec5.fut
exits 1
complains '^Hint: an empty line is between two test blocks$'
printf -- '-- ==\n-- input { 1 } output { 1 }\n-- input { 1 } output { 1 }\nentry main (x: i32) = x\n' >dup.fut
t dup.fut
exits 0
printf -- '-- ==\n-- "a" input { 1 } output { 1 }\n-- "a" input { 2 } output { 2 }\nentry main (x: i32) = x\n' >dup2.fut
t dup2.fut
exits 1
complains '^dup2\.fut: multiple datasets with name "a"$'

about "directories, tags, exclusion"
mkdir -p dir/sub
cp pass.fut dir/a.fut
cp fail.fut dir/sub/b.fut
printf -- '-- ==\n-- tags { disable }\n-- input { 1 } output { 99 }\nentry main (x: i32) = x\n' >dir/off.fut
echo 'not a program' >dir/readme.txt
t dir
exits 1
says '^0 failed, 0 passed, 2 to go\.$'
says '^1/2 passed\.$'
ln -s .. dir/sub/up
ln -s nowhere dir/nowhere.fut
t dir
says '^0 failed, 0 passed, 2 to go\.$'
rm dir/sub/up dir/nowhere.fut
t --exclude=some-tag dir/a.fut
says '^0/0 passed\.$'
exits 0
printf 'entry main (x: i32) = x\n' >dir/plain.fut
t dir/a.fut dir/plain.fut
says '^Without a test block, so not run: 1 of 2 programs\.$'
says '^2 passed, 0 failed$'
t nowhere
exits 1
complains 'nowhere'

about "back ends"
run raido test --backend=frobnicate pass.fut
exits 2
complains 'frobnicate'

about "data files and random data"
mkdir data_dir
printf '[1,2,3]' >data_dir/in.txt
printf '6' | raido dataset -b >data_dir/out.bin
cat >files.fut <<'END'
-- ==
-- input @ data_dir/in.txt output @ data_dir/out.bin
-- random input { [10]i32 } auto output
-- random input { [10]i32 }
-- "constants" random input { [1, 2] }
entry main (xs: []i32) = i32.sum xs

-- ==
-- entry: two
-- random input { [5]f32 3i64 } auto output
entry two (xs: []f32) (k: i64) = (map (* f32.i64 k) xs, k)
END
sed -i.bak '4d' files.fut
t files.fut
exits 0
for f in 'data/[10]i32.in' data/CACHEDIR.TAG 'data/files:main-[10]i32.out' 'data/[5]f32.in' \
	data/3i64.in 'data/files:two-[5]f32_3i64.out'; do
	if [ -f "$f" ]; then result ok; else result no "$f is there"; fi
done
t files.fut
exits 0
run raido dataget files.fut in.txt
exits 0
raido dataget files.fut in.txt | raido dataset >got
out=$(cat got)
is '[1i32, 2i32, 3i32]'
run raido dataget files.fut frob
exits 1
complains 'No dataset'

about "scripts"
cat >script.fut <<'END'
-- ==
-- script input { (2f32, mk 4i64) } output { [0f32, 2f32, 4f32, 6f32] }
-- script input { (2, mk 3) } output { [0f32, 2f32, 4f32] }
-- script input { let xs = mk 2 in (1f32, xs) } output { [0f32, 1f32] }
-- script input { let (a, b) = pair 3 (b, [1f32, 2]) } output { [3f32, 6f32] }
-- script input { (f32 3, $loaddata "d.txt") } output { [3f32] }
entry main (k: f32) (xs: []f32) = map (*k) xs
entry mk (n: i64) = map f32.i64 (iota n)
entry pair (x: f32) = (x, x)

-- ==
-- entry: getrec
-- script input { {a=1i32, b=[1f32,2f32]} } output { 4f32 }
-- script input { mkrec 3 } output { 6f32 }
entry getrec (r: {a: i32, b: []f32}) = f32.i32 r.a + f32.sum r.b
entry mkrec (x: i32) = {a = x, b = [1f32, 2f32]}

-- ==
-- entry: id
-- script input { (mkrec 3).a } output { 3 }
-- script input { arr[1] } output { 8 }
-- script input { mkrec 3 } output { 3 }
-- script input { mk } output { 3 }
-- script input { nope 3 } output { 3 }
entry id (x: i32) = x
entry arr = [7i32, 8i32]
END
sed -i.bak '/f32 3/d' script.fut
sed -i.bak 's/pair 3 (b/pair 3 in (b/' script.fut
t script.fut
exits 1
says '^Function mk not fully applied\.$'
says '^Unknown entry point: nope$'
says '^Expected input of types: i32$'
if [ "$(printf '%s\n' "$out" | grep -c '^Entry point')" -eq 3 ]; then result ok; else result no "three failures"; fi

about "properties"
cat >prop.fut <<'END'
-- ==
-- property: commutes
-- property: reverses

#[prop]
entry commutes (x: i32, y: i32) = x + y == y + x

#[prop]
entry reverses (xs: []i32) = map2 (==) (reverse (reverse xs)) xs |> and
END
t prop.fut
exits 0
cat >prop2.fut <<'END'
-- ==
-- property: short

#[prop]
entry short (xs: []i32) = length xs < 5
END
t --seed=3 prop2.fut
exits 1
says '^Property short \(size=50, seed=[0-9]+\) failed after [0-9]+ tests:$'
says '^Counterexample: \[(-?[0-9]+i32, ){4}-?[0-9]+i32\]$'
cat >prop3.fut <<'END'
-- ==
-- property: crash small
-- property: unmarked absent

#[prop]
entry crash (x: i32) = 1 / (x - x) == 0

#[prop(gen(mk), shrink(less), size(20))]
entry small (x: i64) = x < 3
entry mk (size: i64) (_seed: u64) = size
entry less (x: i64) (_seed: u64) = x - 1

entry unmarked (x: i32) = x == x
END
t prop3.fut
exits 1
says '^Property crash failed with candidate=-?[0-9]+i32 with error: '
says '^Property small \(size=20, seed=[0-9]+\) failed after 1 tests:$'
says '^Counterexample: 3i64$'
says '^Entry point unmarked is not marked #\[prop\]\.$'
says '^Property absent is not an entry point\.$'
about "a directory for temporary files with a space in its name"
mkdir 'a b'
cat >spaced.fut <<'END'
-- ==
-- input { 1 [2] } output { 3 }
entry main (x: i32) (ys: []i32) = x + ys[0]
END
run env TMPDIR="$PWD/a b" "$RAIDO" test --no-terminal spaced.fut
exits 0
says '^1/1 passed\.$'
run ls 'a b'
silent

about "properties: shrinkers, types, layout"
cat >props.fut <<'END'
-- ==
-- property: p q r s t u v
entry gen (size: i64) (_: u64) : []i32 = replicate size 1
-- drops the last element for one random number in three, else changes nothing
entry shr (xs: []i32) (r: u64) : []i32 =
  if r % 3 == 0 then take (length xs - 1) xs else xs
#[prop(gen(gen),shrink(shr))]
entry p (xs: []i32) : bool = length xs < 1
entry badgen (size: i32) (_: i32) : []i32 = replicate (i64.i32 size) 1
#[prop(gen(badgen))]
entry q (xs: []i32) : bool = length xs < 1
#[prop(gen(nope))]
entry r (xs: []i32) : bool = length xs < 1
entry badshr (xs: []i32) (_: u64) : []i32 = assert (length xs < 3) xs
#[prop(gen(gen),shrink(badshr))]
entry s (xs: []i32) : bool = length xs < 1
#[prop]
entry t (_: {x: i32, y: bool}) : bool = false
#[prop]
entry u (x: [](bool, {a: bool, b: bool})) : bool = length x < 2
entry gf (n: i64) (_: u64) : i32 = assert (n < 3) 2
#[prop(gen(gf))]
entry v (_: i32) : bool = true
END
run raido test -i --no-terminal --seed 3 props.fut
exits 1
says '^Counterexample: \[1i32\]$'
says '^Property q: generator badgen has the wrong type\.$'
says '^Expected: i64 -> u64 -> \[\]i32$'
says '^Actual:   i32 -> i32 -> \[\]i32$'
says '^Property r: gen\(nope\): nope is not an entry point\.$'
says '^Shrinking failed: shrinker badshr, given '
says '^Shrinking note: fell back to smaller sizes\.$'
says '^Counterexample: \{x = -?[0-9]+i32, y = (true|false)\}$'
says '^Counterexample: \[\((true|false), \{a = '
says '^Property v: generator gf failed \(size=50, seed=3\):$'

finish
