import type { Lacks } from '../../../../src/generate/losses.ts'

/** What accounts of this dialect cannot be asked for. */
export const lacks: Lacks = {
  assistant_prefill: {
    treatment: 'native',
    reason: 'An answer cannot be begun for the model here.',
  },
  cache_key: { treatment: 'silent', reason: 'Caches are found without a key here.' },
  custom_tools: { treatment: 'native', reason: 'Tools take JSON here, never free text.' },
  end_user: { treatment: 'silent', reason: 'The user is not told to the account.' },
  file_url: {
    treatment: 'native',
    reason: 'Files have to be sent along: not every model here fetches them.',
  },
  image_detail: {
    treatment: 'silent',
    reason: 'The detail of a single picture is not chosen here.',
  },
  image_url: {
    treatment: 'native',
    reason: 'Pictures have to be sent along: not every model here fetches them.',
  },
  metadata: { treatment: 'silent', reason: 'Metadata is not told to the account.' },
  parallel_tool_calls: {
    treatment: 'warn',
    reason: 'The model may make several calls at once here.',
  },
  reasoning_history: {
    treatment: 'silent',
    reason: 'Reasoning goes back only to the accounts that signed it.',
  },
  reasoning_summary: {
    treatment: 'silent',
    reason: 'Thoughts are shown, but how they are summarized is not chosen here.',
  },
  service_tier: { treatment: 'silent', reason: 'The account serves in its own tier.' },
  store: { treatment: 'silent', reason: 'The account keeps no replies to ask for.' },
  strict_tools: {
    treatment: 'warn',
    reason: 'Arguments follow the schema of a tool, but are not held to it.',
  },
  system_midway: {
    treatment: 'warn',
    reason: 'System texts are moved to the beginning.',
  },
  verbosity: { treatment: 'warn', reason: 'How wordy an answer is cannot be chosen here.' },
}
