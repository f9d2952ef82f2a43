-- Opens the file at hand as a person would, waits until Companion is attached by its own set-up, and asks.
local function say(name, value)
  io.stdout:write(name .. '\t' .. vim.json.encode(value) .. '\n')
end

local function client()
  return vim.lsp.get_clients({ name = 'companion' })[1]
end

vim.cmd('edit shop/price.py')
local attached = vim.wait(30000, function()
  return client() ~= nil and client().initialized
end, 20)
say('attached', attached)

if attached then
  local place = { textDocument = { uri = vim.uri_from_bufnr(0) }, position = { line = 0, character = 5 } }
  local text = ''
  vim.wait(30000, function()
    local answer = client():request_sync('textDocument/hover', place, 5000, 0)
    local result = answer and answer.result
    text = result and result ~= vim.NIL and result.contents and result.contents.value or ''
    return text ~= '' and not text:find(vim.env.STILL_ASKING, 1, true) -- what git takes longer for comes with the next
  end, 200)
  say('hover', text)

  vim.api.nvim_win_set_cursor(0, { 1, 5 })
  vim.lsp.buf.hover()
  local shown = ''
  vim.wait(15000, function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= '' then
        shown = table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false), '\n')
      end
    end
    return shown ~= ''
  end, 20)
  say('float', shown)
end

vim.cmd('qall!')
