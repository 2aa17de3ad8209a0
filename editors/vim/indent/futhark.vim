" Vim indentation for Futhark, by the line before.  `raido fmt` has the last word.
if exists('b:did_indent')
	finish
endif
let b:did_indent = 1

setlocal indentexpr=FutharkIndent()
setlocal indentkeys=o,O,0),0],0},=in,=then,=else,=case,=for,=while,=with,0=\|>,!^F
let b:undo_indent = 'setlocal indentexpr< indentkeys<'

if exists('*FutharkIndent')
	finish
endif

" The column of the construct that a line beginning with `word` belongs to.
function! s:Opener(lnum, pattern)
	let l:n = prevnonblank(a:lnum - 1)
	while l:n > 0
		let l:at = match(getline(l:n), a:pattern)
		if l:at >= 0
			return l:at
		endif
		if getline(l:n) =~# '^\%(def\|entry\|let\|type\|module\)\>'
			break
		endif
		let l:n = prevnonblank(l:n - 1)
	endwhile
	return -1
endfunction

function! FutharkIndent()
	let l:before = prevnonblank(v:lnum - 1)
	if l:before == 0
		return 0
	endif
	let l:line = getline(v:lnum)
	if l:line =~# '^\%(def\|entry\|type\|module\|open\|import\|local\)\>'
		return indent(v:lnum)
	endif
	let l:at = -1
	if l:line =~# '^\s*in\>'
		let l:at = s:Opener(v:lnum, '\<let\>')
	elseif l:line =~# '^\s*\%(then\|else\)\>'
		let l:at = s:Opener(v:lnum, '\<if\>')
	elseif l:line =~# '^\s*case\>'
		let l:at = s:Opener(v:lnum, '\%(\<match\>\|^\s*\zscase\>\)')
	elseif l:line =~# '^\s*\%(for\|while\)\>'
		let l:at = s:Opener(v:lnum, '\<loop\>')
	endif
	if l:at >= 0
		return l:at
	endif
	let l:text = substitute(getline(l:before), '\s*--.*$', '', '')
	let l:indent = indent(l:before)
	if l:line =~# '^\s*[\])}]'
		return max([0, l:indent - (l:text =~# '[\[({]$' ? 0 : shiftwidth())])
	endif
	if l:text =~# '\%(=\|->\|[\[({]\|\<do\|\<then\|\<else\)$'
		return l:indent + shiftwidth()
	endif
	return l:indent
endfunction
