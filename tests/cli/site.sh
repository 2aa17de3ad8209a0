#!/bin/sh
# The site of the documentation: pages from Markdown, the prelude, names to look for; no dead links.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/cli/lib.sh"

about "Markdown"
cat >a.md <<'END'
# Title *here*

Text with [a link](sub/b.md#in-place-updates), [another](http://x.y/z.md) and ![a picture](p.png).

| name | `a \| b` |
|---|---|
| [x](b.md) <br> y | 1 \* 2 |

    indented
    code

## In-place updates, etc.

Some `code
over lines`, [a long
link](sub/b.md).
END
mkdir sub
echo '# Other' >sub/b.md
run raido doc -o out a.md sub/b.md
silent
exits 0
run cat out/a.html
says '^<title>Title \*here\*</title>$'
says '^<h2 id="title-here">Title <em>here</em></h2>$'
says '<a href="sub/b.html#in-place-updates">a link</a>'
says '<a href="http://x.y/z.md">another</a>'
says '<img src="p.png" alt="a picture">'
says '^<tr><th>name</th><th><code>a \| b</code></th></tr>$'
says '^<tr><td><a href="b.html">x</a> <br> y</td><td>1 \* 2</td></tr>$'
says '^<pre><code>indented$'
says '^code</code></pre>$'
says '^over lines</code>, <a href="sub/b\.html">a long$'
says '^<h3 id="in-place-updates-etc">In-place updates, etc\.</h3>$'
run cat out/names.js
says '^\["In-place updates, etc\.", "section", "a\.html#in-place-updates-etc"\],$'
run cat out/index.html
says '^<h2 id="title-here">Title <em>here</em></h2>$'
says '^<li><a href="sub/b\.html">Other</a></li>$'
printf '```futhark\n-- c\ndef f (x: f64) = #some (x < 1.5) "a<b"\n```\n' >code.md
run raido doc -o out code.md
silent
run cat out/code.html
says '^<pre><code><i class="c">-- c</i>$'
says '^<i class="w">def</i> f \(x: f64\) = <i class="n">#some</i> \(x &lt; <i class="n">1\.5</i>\) <i class="s">&quot;a&lt;b&quot;</i>$'
printf '# Long: a page\n\nText.\n\n## A\n## B `b`\n## C\n## D\n## E\n## F\n### G\n' >long.md
run raido doc -o out a.md long.md
silent
run cat out/long.html
says '^<a href="long\.html">Long</a>$'
says '^<details class="contents" open>'
says '^<li><a href="#b-b">B b</a></li>$'
if grep -q '"#g"' out/long.html; then not_ok "a subsection among the contents"; else ok; fi
run cat out/a.html
says '^<a href="long\.html">Long</a>$'
if grep -q contents out/a.html; then not_ok "contents of a short page"; else ok; fi
run raido doc -o out missing.md
exits 1
complains 'Cannot read missing\.md: No such file'

about "the site"
run sh "$root/tools/site.sh" "$work/site"
exits 0
run cat "$work/site/doc/prelude/soacs.html"
says '<dt id="map"><code>val <b>map</b>'
run sh -c "find site -name '*.html' ! -name index.html -exec sed -n 's,^<title>\(.*\)</title>\$,\1,p' {} + | sort | uniq -d"
is ''
cat >links.py <<'END'
import os, re, sys
top, dead, links = sys.argv[1], [], 0
for folder, _, names in os.walk(top):
    for name in names:
        if not name.endswith(".html"):
            continue
        page = os.path.join(folder, name)
        text = open(page).read()
        for link in re.findall(r'(?:href|src)="([^"]+)"', text):
            if re.match(r"[a-z]+:", link):
                continue
            path, _, anchor = link.partition("#")
            target = os.path.normpath(os.path.join(folder, path)) if path else page
            links += 1
            if not os.path.exists(target):
                dead.append(f"{os.path.relpath(page, top)}: {link}")
            elif anchor and target.endswith(".html") and f'id="{anchor}"' not in open(target).read():
                dead.append(f"{os.path.relpath(page, top)}: {link} (no such place)")
print("\n".join(dead) or ("no dead links" if links > 500 else f"only {links} links"))
END
run python3 links.py "$work/site"
is "no dead links"
finish
