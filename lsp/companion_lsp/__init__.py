"""The language server: what is known of the code, shown in the editor where it is looked at.

It knows the verbs of `companion.api` and reaches whoever owns the store by `companion.client`. What an
editor may wait for is answered within a deadline, if need be with nothing. `features` holds one module
for each thing an editor can ask; `convert` alone turns the protocol's types into records and back.
"""
