;;; raido-futhark-mode.el --- Futhark programs with Raido  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: ISC
;; Version: 0.2.0
;; Package-Requires: ((emacs "25.1"))
;; Keywords: languages

;;; Commentary:

;; A major mode for Futhark: font lock, indentation by the line before, comments, imenu,
;; `raido fmt' (C-c C-f), and the language server `raido lsp' through eglot.
;;
;;   (add-to-list 'load-path "/usr/local/share/raido/editors/emacs")
;;   (require 'raido-futhark-mode)
;;   (add-hook 'raido-futhark-mode-hook #'eglot-ensure)    ; if the server is wanted

;;; Code:

(require 'subr-x)

(defgroup raido-futhark nil
  "Futhark programs with Raido."
  :group 'languages)

(defcustom raido-futhark-program "raido"
  "The program raido: a name found in the path, or a path."
  :type 'string)

(defcustom raido-futhark-indent 2
  "Columns of one level of indentation."
  :type 'integer
  :safe #'integerp)

(defconst raido-futhark-keywords
  '("if" "then" "else" "def" "let" "loop" "in" "val" "for" "do" "with" "local" "open"
    "include" "import" "type" "entry" "module" "while" "assert" "match" "case")
  "Reserved words, but for truth values.")

(defconst raido-futhark-types
  '("i8" "i16" "i32" "i64" "u8" "u16" "u32" "u64" "f16" "f32" "f64" "bool")
  "Primitive types.")

(defconst raido-futhark--name "[A-Za-z_][A-Za-z0-9_']*")

(defvar raido-futhark-font-lock-keywords
  `(("#\\[[^]]*\\]" . font-lock-preprocessor-face)
    (,(concat "#" raido-futhark--name) . font-lock-constant-face)
    (,(concat "\\_<\\(?:def\\|entry\\|val\\)\\s-+\\(" raido-futhark--name "\\)")
     1 font-lock-function-name-face)
    (,(concat "\\_<type[~^]?\\s-+\\(" raido-futhark--name "\\)") 1 font-lock-type-face)
    (,(concat "\\_<module\\s-+\\(?:type\\s-+\\)?\\(" raido-futhark--name "\\)")
     1 font-lock-type-face)
    (,(regexp-opt raido-futhark-keywords 'symbols) . font-lock-keyword-face)
    (,(regexp-opt '("true" "false") 'symbols) . font-lock-constant-face)
    (,(concat "\\(?:^\\|[^A-Za-z0-9_']\\)\\('[~^]?[A-Za-z_][A-Za-z0-9_]*\\)")
     1 font-lock-type-face)
    (,(concat (regexp-opt raido-futhark-types 'symbols) "[^.]") 1 font-lock-type-face)
    ("\\?\\?\\?" . font-lock-warning-face)
    (,(concat "`" raido-futhark--name "\\(?:\\." raido-futhark--name "\\)*`")
     . font-lock-variable-name-face))
  "What font lock shows in Futhark programs.")

(defvar raido-futhark-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?- ". 12" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?\" "\"" table)
    (modify-syntax-entry ?\\ "." table)
    (modify-syntax-entry ?_ "_" table)
    (modify-syntax-entry ?' "_" table)
    (dolist (c '(?+ ?* ?/ ?% ?= ?! ?> ?< ?| ?& ?^ ?~ ?? ?` ?# ?$ ?. ?: ?,))
      (modify-syntax-entry c "." table))
    table)
  "Syntax of Futhark programs.")

;; A backslash is an escape in strings and a lambda elsewhere; 'c' is a character.
(defconst raido-futhark--propertize
  (syntax-propertize-rules
   ("\\(\\\\\\)." (1 (when (nth 3 (save-excursion (syntax-ppss (match-beginning 0))))
                       (string-to-syntax "\\"))))
   ("\\('\\)\\(?:\\\\\\(?:[0-9]+\\|.\\)\\|[^\\'\n]\\)\\('\\)"
    (1 "\"'") (2 "\"'"))))

;;; Indentation

(defun raido-futhark--column-of (regexp)
  "The column of the last match of REGEXP before this line, or nil.
Only the definition that the line is in counts."
  (save-excursion
    (beginning-of-line)
    (let ((limit (save-excursion
                   (or (re-search-backward "^\\(?:def\\|entry\\|let\\|module\\)\\_>" nil t)
                       (point-min)))))
      (when (re-search-backward regexp limit t)
        (current-column)))))

(defun raido-futhark--indentation ()
  "The column that this line is to be indented to."
  (save-excursion
    (beginning-of-line)
    (skip-chars-forward " \t")
    (let ((close (looking-at "[])}]")))
      (or
       (cond
        ;; Declarations stay where they are.
        ((looking-at
          "\\(?:def\\|entry\\|type\\|module\\|open\\|import\\|local\\|val\\|include\\)\\_>")
         (current-indentation))
        ((looking-at "in\\_>") (raido-futhark--column-of "\\_<let\\_>"))
        ((looking-at "\\(?:then\\|else\\)\\_>") (raido-futhark--column-of "\\_<if\\_>"))
        ((looking-at "case\\_>") (raido-futhark--column-of "\\_<match\\_>"))
        ((looking-at "\\(?:for\\|while\\)\\_>") (raido-futhark--column-of "\\_<loop\\_>")))
       (progn
         (beginning-of-line)
         (skip-chars-backward " \t\n")
         (let* ((before (current-indentation))
                (text (replace-regexp-in-string
                       "[ \t]*--.*\\'" ""
                       (buffer-substring-no-properties (line-beginning-position) (point))))
                (opens (string-match-p
                        "\\(?:=\\|->\\|[[({]\\|\\_<\\(?:do\\|then\\|else\\)\\)\\'" text)))
           (cond
            ((bobp) 0)
            ((and close opens) before)
            (close (max 0 (- before raido-futhark-indent)))
            (opens (+ before raido-futhark-indent))
            (t before))))))))

(defun raido-futhark-indent-line ()
  "Indent this line by the one before."
  (interactive)
  (let ((column (raido-futhark--indentation)))
    (if (<= (current-column) (current-indentation))
        (indent-line-to column)
      (save-excursion (indent-line-to column)))))

;;; Commands

(defun raido-futhark-format-buffer ()
  "Lay the program out anew with `raido fmt'."
  (interactive)
  (let ((buffer (current-buffer))
        (line (line-number-at-pos))
        (column (current-column)))
    (with-temp-buffer
      (let* ((output (current-buffer))
             (status (with-current-buffer buffer
                       (call-process-region nil nil raido-futhark-program nil
                                            (list output t) nil "fmt"))))
        (unless (equal status 0)
          (user-error "%s" (string-trim (buffer-string))))
        (let ((text (buffer-string)))
          (with-current-buffer buffer
            (unless (string= text (buffer-string))
              (erase-buffer)
              (insert text)
              (goto-char (point-min))
              (forward-line (1- line))
              (move-to-column column))))))))

(defvar raido-futhark-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "C-c C-f") #'raido-futhark-format-buffer)
    map)
  "Keys of Futhark programs.")

;;;###autoload
(define-derived-mode raido-futhark-mode prog-mode "Futhark"
  "Major mode for Futhark programs."
  (setq-local comment-start "-- ")
  (setq-local comment-start-skip "--+[ \t]*")
  (setq-local comment-end "")
  (setq-local indent-tabs-mode nil)
  (setq-local indent-line-function #'raido-futhark-indent-line)
  (setq-local font-lock-defaults '(raido-futhark-font-lock-keywords))
  (setq-local syntax-propertize-function raido-futhark--propertize)
  (setq-local compile-command
              (concat raido-futhark-program " check "
                      (shell-quote-argument (or buffer-file-name ""))))
  (setq-local imenu-generic-expression
              `((nil ,(concat "^\\s-*\\(?:def\\|entry\\)\\s-+\\(" raido-futhark--name "\\)") 1)
                ("Types" ,(concat "^\\s-*type[~^]?\\s-+\\(" raido-futhark--name "\\)") 1)
                ("Modules" ,(concat "^\\s-*module\\s-+\\(?:type\\s-+\\)?\\("
                                    raido-futhark--name "\\)") 1))))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.fut\\'" . raido-futhark-mode))

(defvar eglot-server-programs)
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs
               `(raido-futhark-mode . (,raido-futhark-program "lsp"))))

(provide 'raido-futhark-mode)
;;; raido-futhark-mode.el ends here
