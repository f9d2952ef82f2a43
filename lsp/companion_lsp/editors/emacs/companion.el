;;; companion.el --- Companion by eglot or lsp-mode  -*- lexical-binding: t; -*-

;; Written by `companion connect emacs'.
;;
;; eglot talks to one server for a buffer: `M-x companion' starts Companion in this one in place of
;; the usual server, and modes that have no server get it by `M-x eglot'.  lsp-mode talks to several:
;; there Companion joins whatever you have.

;;; Code:

(defgroup companion nil
  "The context that matters now, for code in git repositories."
  :group 'tools)

(defcustom companion-command '("@COMMAND@" "lsp" "--stdio")
  "Command that runs Companion's language server."
  :type '(repeat string))

(defvar eglot-server-programs)
(defvar lsp-language-id-configuration)
(declare-function eglot "ext:eglot")
(declare-function lsp-register-client "ext:lsp-mode")
(declare-function make-lsp-client "ext:lsp-mode")
(declare-function lsp-stdio-connection "ext:lsp-mode")

(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs `((prog-mode text-mode) . ,companion-command) t))

;;;###autoload
(defun companion ()
  "Start Companion's language server for this buffer, by eglot."
  (interactive)
  (require 'eglot)
  (let ((eglot-server-programs `((,major-mode . ,companion-command))))
    (call-interactively #'eglot)))

(with-eval-after-load 'lsp-mode
  (lsp-register-client
   (make-lsp-client
    :new-connection (lsp-stdio-connection (lambda () companion-command))
    :activation-fn (lambda (file &rest _) (and file (locate-dominating-file file ".git") t))
    :add-on? t
    :multi-root t
    :server-id 'companion)))

(provide 'companion)
;;; companion.el ends here
