#!/bin/sh
# The command doc: what is on the pages.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/cli/lib.sh"

mkdir lib
cat >lib/v.fut <<'END'
-- | Vectors of *two*.
--
-- More about `them` & <others>.

-- | A vector.
type vec = {x: f64, y: f64}

-- | Scale:
--
-- ```
-- scale 2 <v>
-- ```
--
-- * fast
-- * [linked](http://x.y)
def scale (k: f64)
          (v: vec) : vec = {x = k * v.x, y = k * v.y}
def inferred k = k + 1i32
local def hidden = 3i32
def (+.) (a: vec) (b: vec) : vec = {x = a.x + b.x, y = a.y + b.y}
-- | A module type.
module type s = {
  -- | The type.
  type t
  type~ many
  type^ change 'a
  val f [n] : [n]t -> t
}
module m = {
  -- | Inside.
  def zero : i32 = 0
}
module F (P: s) : {val one : i32} = { def one = 1i32 }
END
echo 'import "v"  entry main (x: i32) = inferred x' >lib/w.fut
run raido doc -o out lib
silent
exits 0
run cat out/doc/lib/v.html
says '^<p>Vectors of <em>two</em>\.</p>$'
says '^<p>More about <code>them</code> &amp; &lt;others&gt;\.</p>$'
says '^<dt id="vec"><code>type <b>vec</b> = \{x: f64, y: f64\}</code></dt>$'
says '^<dd><p>A vector\.</p>$'
says '^<dt id="scale"><code>val <b>scale</b> \(k: f64\) \(v: vec\) : vec</code></dt>$'
says '^<pre><code>scale 2 &lt;v&gt;$'
says '^<ul><li>fast</li>$'
says '^<li><a href="http://x.y">linked</a></li></ul>$'
says '^<dt id="inferred"><code>val <b>inferred</b> : i32 -&gt; i32</code></dt>$'
says '^<dt id="\(\+\.\)"><code>val <b>\(\+\.\)</b> \(a: vec\) \(b: vec\) : vec</code></dt>$'
says '^<dt id="s.many"><code>type~ <b>many</b></code></dt>$'
says '^<dt id="s.change"><code>type\^ <b>change</b> .*a</code></dt>$'
says '^<dt id="s.f"><code>val <b>f</b> \[n\] : \[n\]t -&gt; t</code></dt>$'
says '^<dt id="m.zero"><code>val <b>zero</b> : i32</code></dt>$'
says '^<dt id="F"><code>module <b>F</b> \(P: s\)</code></dt>$'
says '^<dt id="F.one"><code>val <b>one</b> : i32</code></dt>$'
case $out in *hidden*) not_ok "a local name is shown" ;; *) ok ;; esac
run python3 -c '
import html.parser
class P(html.parser.HTMLParser):
    open = []
    def handle_starttag(self, tag, attrs):
        if tag not in ("meta", "link", "input"): self.open.append(tag)
    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag
P().feed(open("out/doc/lib/v.html").read())
print("balanced", P.open)'
is 'balanced []'
run cat out/index.html
says '<a href="doc/lib/w.html">lib/w.fut</a>'
says '^<dd><p>Vectors of <em>two</em>\.</p>$'
run cat out/doc-index.html
says '<a href="doc/lib/v.html#m.zero">m.zero</a>'

about "names of the library"
printf -- '-- | Adds one.\n-- ==\n-- input { 1 } output { 2 }\nentry main (x: i32) = x + 1\n' >block.fut
run raido doc -o out block.fut
run cat out/doc/block.html
says '^<dd><p>Adds one\.</p>$'
if grep -q '==' out/doc/block.html; then not_ok "a test block among the documentation"; else ok; fi
run raido test -i --no-terminal block.fut
says '^1 passed, 0 failed$'
# `E` is `V`, where V is a value: the examples in the comments of the prelude.
sed -n 's/^-- |* *//p; /^-- /!s/.*/;/p' "$root"/prelude/*.fut | tr '\n' ' ' |
	grep -o '`[^`;]*` is `[-0-9t[][^`;]*`' >examples
while read -r line; do
	run raido eval -w "$(printf '%s' "$line" | sed 's/^`\(.*\)` is `.*/\1/')"
	out=$(printf '%s' "$out" | tr -s '\n ' ' ')
	is "$(printf '%s' "$line" | sed 's/.*` is `\(.*\)`$/\1/')"
done <examples
ran=examples
if [ "$(wc -l <examples)" -ge 25 ]; then ok; else not_ok "too few examples in the prelude"; fi
run raido doc map f64.sqrt grad
exits 0
says '^map .* : \(a -> x\) -> \[n\]a -> \*\[n\]x$'
says '^Apply a function to each element: '
says '^f64\.sqrt : f64 -> f64$'
says '^The gradient of a function to one number'
run raido doc nope map
exits 1
complains 'the library has no value "nope"'
says '^map '
run raido doc prelude
exits 2
complains 'expected a directory for the output: -o DIR'
about "mistakes"
run raido doc lib
exits 2
complains 'expected a directory'
run raido doc -o out missing
exits 1
complains 'missing: No such file'
echo 'def f = g' >wrong.fut
run raido doc -o out wrong.fut
exits 2
complains 'Unknown name "g"'
run raido doc -o /dev/null/x lib
exits 1
complains 'Cannot write'
about "the prelude by its name"
run raido doc -o byname prelude
exits 0
silent
run cat byname/doc/prelude/soacs.html
says '<dt id="map">'
finish
