import type { Lacks } from '../../../../src/generate/losses.ts'

/** What accounts of this dialect cannot be asked for. */
export const lacks: Lacks = {
  assistant_prefill: {
    treatment: 'native',
    reason: 'an answer cannot be begun for the model here',
  },
  audio_url: {
    treatment: 'native',
    reason: 'sound has to be sent along: not every model here fetches it',
  },
  cache_key: { treatment: 'silent', reason: 'caches are found without a key here' },
  custom_tools: { treatment: 'native', reason: 'tools take JSON here, never free text' },
  end_user: { treatment: 'silent', reason: 'the user is not told to the account' },
  file_url: {
    treatment: 'native',
    reason: 'files have to be sent along: not every model here fetches them',
  },
  image_detail: {
    treatment: 'silent',
    reason: 'the detail of a single picture is not chosen here',
  },
  image_url: {
    treatment: 'native',
    reason: 'pictures have to be sent along: not every model here fetches them',
  },
  metadata: { treatment: 'silent', reason: 'metadata is not told to the account' },
  parallel_tool_calls: {
    treatment: 'warn',
    reason: 'the model may make several calls at once here',
  },
  reasoning_history: {
    treatment: 'silent',
    reason: 'reasoning goes back only to the accounts that signed it',
  },
  reasoning_summary: {
    treatment: 'silent',
    reason: 'thoughts are shown, but how they are summarized is not chosen here',
  },
  service_tier: { treatment: 'silent', reason: 'the account serves in its own tier' },
  store: { treatment: 'silent', reason: 'the account keeps no replies to ask for' },
  strict_tools: {
    treatment: 'warn',
    reason: 'arguments follow the schema of a tool, but are not held to it',
  },
  system_midway: {
    treatment: 'warn',
    reason: 'system texts are moved to the beginning',
  },
  verbosity: { treatment: 'warn', reason: 'how wordy an answer is cannot be chosen here' },
}
