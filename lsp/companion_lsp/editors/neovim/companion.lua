-- Companion in Neovim 0.11 and later, by the built-in client. Written by `companion connect neovim`.
-- It attaches beside the language servers you have: hover adds why the code is as it is.
vim.lsp.config('companion', {
  cmd = { "@COMMAND@", 'lsp', '--stdio' },
  root_markers = { '.git' },
  workspace_required = true, -- a file outside a repository starts nothing
})
vim.lsp.enable('companion')

-- :Companion context | refresh | status
vim.api.nvim_create_user_command('Companion', function(given)
  local client = vim.lsp.get_clients({ name = 'companion' })[1]
  if not client then
    vim.notify('Companion is not attached: open a file of a git repository first.', vim.log.levels.WARN)
    return
  end
  client:exec_cmd({
    title = 'Companion',
    command = 'companion.' .. (given.args == '' and 'context' or given.args),
    arguments = { { uri = vim.uri_from_bufnr(0) } },
  })
end, {
  nargs = '?',
  complete = function()
    return { 'context', 'refresh', 'status' }
  end,
  desc = 'Companion: context, refresh or status',
})
