import { type Unsupported, native, silent, warn } from '../../../../src/generate/unsupported.ts'

/** The features that the Chat Completions API does not support. */
export const chatUnsupported: Unsupported = {
  assistant_prefill: native(
    'the Chat Completions API has no prefilled answers that the model continues',
  ),
  audio_url: native('the Chat Completions API accepts audio as bytes, not as a URL'),
  file_url: native('the Chat Completions API accepts files as bytes, not as URLs'),
  metadata: silent('the Chat Completions API accepts metadata only for stored completions'),
  reasoning_budget: warn(
    'the Chat Completions API has no budget for reasoning; the nearest effort is sent',
  ),
  reasoning_history: silent('plain reasoning returns only to the account that sent it'),
  reasoning_summary: warn('the Chat Completions API has no summaries of reasoning'),
  tool_result_failed: warn(
    'the Chat Completions API has no mark for failed tools; the result begins with "Error:"',
  ),
  tool_result_media: warn(
    'the Chat Completions API accepts only text from tools; the media follow in a user message',
  ),
  tool_result_stray: warn(
    'the Chat Completions API accepts no result without its call; a user message has it as text',
  ),
  top_k: warn('the Chat Completions API has no top_k'),
}
