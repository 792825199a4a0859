import { type Unsupported, native, silent, warn } from '../../../../src/generate/unsupported.ts'

/** What chat completions has no words for. */
export const chatUnsupported: Unsupported = {
  assistant_prefill: native(
    'the Chat Completions API has no answers that the model is to go on with',
  ),
  audio_url: native('the Chat Completions API takes the bytes of sound and no address'),
  file_url: native('the Chat Completions API takes the bytes of a file and no address'),
  metadata: silent('the Chat Completions API takes metadata only for what it stores'),
  reasoning_budget: warn(
    'the Chat Completions API has no budget for reasoning; the nearest effort is asked',
  ),
  reasoning_history: silent('only an account that gave its reasoning as plain text gets it back'),
  reasoning_summary: warn('the Chat Completions API cannot be asked for summaries of reasoning'),
  tool_result_failed: warn(
    'the Chat Completions API has no mark for failed tools; the result begins with "Error:"',
  ),
  tool_result_media: warn(
    'the Chat Completions API takes texts from tools; the media follow in a message of the user',
  ),
  tool_result_stray: warn(
    'the Chat Completions API takes no result without its call; the user tells it in words',
  ),
  top_k: warn('the Chat Completions API has no top_k'),
}
