//! Starts `companion lsp --stdio` for Zed: from the setting `lsp.companion.binary`, else from the PATH.

use zed_extension_api::{self as zed, settings::LspSettings, Command, LanguageServerId, Result, Worktree};

struct Companion;

impl zed::Extension for Companion {
    fn new() -> Self {
        Companion
    }

    fn language_server_command(&mut self, server: &LanguageServerId, worktree: &Worktree) -> Result<Command> {
        let configured = LspSettings::for_worktree(server.as_ref(), worktree)
            .ok()
            .and_then(|settings| settings.binary)
            .and_then(|binary| binary.path);
        let command = configured
            .or_else(|| worktree.which("companion"))
            .ok_or("companion is not on the PATH: install it, or set lsp.companion.binary.path")?;
        Ok(Command {
            command,
            args: vec!["lsp".into(), "--stdio".into()],
            env: worktree.shell_env(),
        })
    }
}

zed::register_extension!(Companion);
