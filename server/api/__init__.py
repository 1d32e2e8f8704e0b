"""The edge: wire types, REST, WebSocket and the mapping of refusals; no rules and no SQL."""
