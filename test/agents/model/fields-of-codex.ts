/**
 * What Codex sends to OpenAI though the reference of the Responses API knows nothing of it. OpenAI
 * takes it; the sandbox, which goes by the reference, does not.
 */
export function dropFieldsOfCodex(request: Record<string, unknown>): void {
  delete request['client_metadata']
  const { input } = request
  if (!Array.isArray(input)) return
  for (const item of input as Record<string, unknown>[]) {
    delete item['internal_chat_message_metadata_passthrough']
    if (item['type'] === 'reasoning' && item['content'] === null) delete item['content']
  }
}
