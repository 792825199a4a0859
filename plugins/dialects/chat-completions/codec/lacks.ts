import type { Lacks } from '../../../../src/generate/losses.ts'

/** What chat completions has no words for. */
export const chatLacks: Lacks = {
  assistant_prefill: {
    treatment: 'native',
    reason: 'an answer cannot be begun for the model in chat completions',
  },
  audio_url: {
    treatment: 'native',
    reason: 'chat completions takes the bytes of sound and no address',
  },
  file_url: {
    treatment: 'native',
    reason: 'chat completions takes the bytes of a file and no address',
  },
  metadata: {
    treatment: 'silent',
    reason: 'chat completions takes metadata only for what it stores',
  },
  reasoning_budget: {
    treatment: 'warn',
    reason: 'told as a reasoning effort, since chat completions has no budget',
  },
  reasoning_history: {
    treatment: 'silent',
    reason: 'only an account that gave its reasoning as plain text gets it back',
  },
  reasoning_summary: {
    treatment: 'warn',
    reason: 'chat completions cannot be asked for summaries',
  },
  tool_result_failed: {
    treatment: 'warn',
    reason: 'told as a text in front of the result',
  },
  tool_result_media: {
    treatment: 'warn',
    reason: 'moved into a user message after the results',
  },
  top_k: {
    treatment: 'warn',
    reason: 'chat completions has no top_k',
  },
}
