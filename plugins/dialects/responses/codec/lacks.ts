import type { Lacks } from '../../../../src/generate/losses.ts'

/** What accounts that speak Responses cannot be asked for. */
export const lacks: Lacks = {
  assistant_prefill: {
    treatment: 'native',
    reason: 'the Responses API cannot go on from the beginning of an answer',
  },
  audio_input: { treatment: 'native', reason: 'the Responses API takes no audio' },
  audio_url: { treatment: 'native', reason: 'the Responses API takes no audio' },
  candidates: { treatment: 'native', reason: 'the Responses API gives one answer' },
  reasoning_budget: {
    treatment: 'warn',
    reason: 'the Responses API has no budget of tokens for reasoning; the nearest effort is asked',
  },
  reasoning_history: {
    treatment: 'silent',
    reason: 'reasoning goes back only to the accounts that signed it',
  },
  seed: { treatment: 'warn', reason: 'the Responses API has no seed' },
  stop: { treatment: 'warn', reason: 'the Responses API has no stop sequences' },
  tool_result_failed: {
    treatment: 'warn',
    reason: 'the Responses API has no mark for failed tools; the result begins with "Error:"',
  },
  top_k: { treatment: 'warn', reason: 'the Responses API has no top-k sampling' },
}
