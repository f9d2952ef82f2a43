#!/usr/bin/env bash
# Sells apples from the command line.

source "$(dirname "$0")/lib/stock.sh"

LIMIT=10

# Sells some.
sell() {
  local count="$1"
  take_from_shelf "$count" || exit 1
}

function _hide {
  echo hidden
}

sell "$@"
