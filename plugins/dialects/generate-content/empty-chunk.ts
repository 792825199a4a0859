/**
 * A chunk that says nothing, to keep a stream alive. Comments break official SDKs, and a chunk
 * without content makes their chats take the whole answer for invalid and forget the turn.
 */
export const emptyChunk =
  '{"candidates":[{"content":{"parts":[{"text":""}],"role":"model"},"index":0}]}'
