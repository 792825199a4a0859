/**
 * Headers of OpenAI's SDKs and of Codex that its API reads (docs/wire/openai.md), besides the headers
 * of every dialect. The organisation and the project of a client are not the account's.
 */
export const openAiHeaders: readonly string[] = [
  'openai-beta',
  'originator',
  'version',
  'x-codex-*',
]
