import { type Lacks, native, silent, warn } from '../../../../src/generate/losses.ts'

/** What chat completions has no words for. */
export const chatLacks: Lacks = {
  assistant_prefill: native('an answer cannot be begun for the model in chat completions'),
  audio_url: native('chat completions takes the bytes of sound and no address'),
  file_url: native('chat completions takes the bytes of a file and no address'),
  metadata: silent('chat completions takes metadata only for what it stores'),
  reasoning_budget: warn('told as a reasoning effort, since chat completions has no budget'),
  reasoning_history: silent('only an account that gave its reasoning as plain text gets it back'),
  reasoning_summary: warn('chat completions cannot be asked for summaries'),
  tool_result_failed: warn('told as a text in front of the result'),
  tool_result_media: warn('moved into a user message after the results'),
  top_k: warn('chat completions has no top_k'),
}
