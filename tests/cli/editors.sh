# The files for editors: they have all reserved words and primitive types, and the editors that
# are here read them.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/cli/lib.sh"

editors=$root/editors
# Those from TRUE to CASE.
keywords=$(sed -n '/^TOKEN(TRUE,/,/^TOKEN(CASE,/s/.*"\([a-z]*\)".*/\1/p' "$root/src/syntax/tokens.def")
types='i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 bool'

# A tool that is not here is said to be missing, and its checks are left out.
has() {
	command -v "$1" >/dev/null 2>&1 && return
	echo "editors.sh: no $1, its checks are left out"
	return 1
}

for file in vscode/syntaxes/futhark.tmLanguage.json vim/syntax/futhark.vim \
	emacs/raido-futhark-mode.el tree-sitter/grammar.js tree-sitter/queries/highlights.scm; do
	about "words of $file"
	for word in $keywords $types; do
		# The tree-sitter grammar has types as names; queries know them by a list.
		case $file,$word in tree-sitter/grammar.js,[iuf][0-9]* | tree-sitter/grammar.js,bool) continue ;; esac
		run grep -wq -e "$word" "$editors/$file"
		exits 0
	done
done

cat >program.fut <<'END'
-- a comment
def f 't x (y: f32) =
  let z = #some x
  let w =
    #[unroll]
    loop a = 1
    for i < 3 do
      a + 1
  in if z == 'x'
     then "a\"b"
     else match w
          case 1 -> \x -> x
          case _ ->
            y

module m = {
  def g = 1
}
END

about "programs in their languages"
if has python3; then
	for file in "$editors"/vscode/*.json "$editors"/vscode/syntaxes/*.json \
		"$editors"/tree-sitter/package.json; do
		run python3 -m json.tool "$file"
		exits 0
	done
	run python3 "$root/tests/cli/textmate.py" "$editors/vscode/syntaxes/futhark.tmLanguage.json" \
		"$RAIDO" program.fut "$root"/prelude/*.fut "$root"/examples/*.fut "$root"/tests/lang/entry/*.fut
	is '0 wrong'
fi
if has node; then
	run env NODE_PATH="$root/tests/cli/vscode" RAIDO="$RAIDO" timeout 120 \
		node "$root/tests/cli/vscode/try.js" "$editors/vscode/extension.js"
	exits 0
	is 'all answered: CodeActions CompletionItem Definition DocumentFormattingEdit DocumentHighlight DocumentRangeSemanticTokens DocumentSemanticTokens DocumentSymbol FoldingRange Hover InlayHints Reference Rename SignatureHelp TypeDefinition WorkspaceSymbol'
fi


about "Emacs"
cat >try.el <<'END'
(require 'raido-futhark-mode)
(find-file "program.fut")
(font-lock-ensure)
(dolist (text '("def" "f32" "#some" "'t" "\"a" "'x'" "unroll"))
  (goto-char (point-min))
  (search-forward text)
  (princ (format "%s %s\n" text (get-text-property (match-beginning 0) 'face))))
(let ((before (buffer-string)))
  (indent-region (point-min) (point-max))
  (princ (if (string= before (buffer-string)) "same\n" (buffer-string))))
(goto-char (point-max))
(insert "def   z=1\n")
(raido-futhark-format-buffer)
(goto-char (point-max))
(forward-line -1)
(princ (thing-at-point 'line))
(set-buffer-modified-p nil)
END
if has emacs; then
	run timeout 60 emacs -Q --batch -L "$editors/emacs" \
		--eval "(setq byte-compile-error-on-warn t)" \
		--eval "(setq byte-compile-dest-file-function (lambda (_) \"$work/out.elc\"))" \
		-f batch-byte-compile "$editors/emacs/raido-futhark-mode.el"
	exits 0
	run timeout 60 emacs -Q --batch -L "$editors/emacs" -l thingatpt \
		--eval "(setq raido-futhark-program \"$RAIDO\")" -l try.el
	is "def font-lock-keyword-face
f32 font-lock-type-face
#some font-lock-constant-face
't font-lock-type-face
\"a font-lock-string-face
'x' font-lock-string-face
unroll font-lock-preprocessor-face
same
def z = 1"
fi

about "Vim"
cat >try.vim <<END
set nocompatible
set rtp^=$editors/vim
filetype plugin indent on
syntax on
edit program.fut
END
cat >>try.vim <<'END'
redir! > found
for text in ['def', 'f32', '#some', "'t", '"a', "'x'", 'unroll', '-- a', '\<3\>', '\\x']
	call cursor(1, 1)
	let at = searchpos(text, 'cW')
	echo synIDattr(synID(at[0], at[1], 1), 'name')
endfor
redir END
normal gg=G
write! indented
quitall!
END
if has vim && vim --version | grep -q '+syntax'; then
	run timeout 60 vim -es -u NONE -i NONE -S try.vim
	run cat found
	is '
futharkDeclaration
futharkPrimitive
futharkConstructor
futharkTypeParameter
futharkString
futharkCharacter
futharkAttribute
futharkComment
futharkNumber
futharkOperator'
	run cmp program.fut indented
	exits 0
fi

# All programs but those of tests/error, some of which have mistakes of syntax.
about "tree-sitter"
if has tree-sitter && has node; then
	cp -r "$editors/tree-sitter" grammar
	cd grammar || exit 1
	run timeout 300 tree-sitter generate
	exits 0
	(cd "$root" && find "$root"/tests "$root"/bench "$root"/examples "$root"/prelude \
		-name '*.fut' ! -path '*/tests/error/*') >paths
	run timeout 300 tree-sitter parse --quiet --paths paths
	exits 0
	is ''
	run timeout 60 tree-sitter query queries/highlights.scm "$work/program.fut"
	exits 0
	says 'capture: .* - keyword.function, .* text: `def`'
	says 'capture: .* - type.builtin, .* text: `f32`'
	cd "$work" || exit 1
fi
finish
