import {
  type Unsupported,
  native,
  silent,
  supported,
  warn,
} from '../../../../src/generate/unsupported.ts'

/** The support of each feature by the Chat Completions API. */
export const chatUnsupported: Unsupported = {
  assistant_prefill: native(
    'the Chat Completions API has no prefilled answers that the model continues',
  ),
  audio_input: supported,
  audio_url: native('the Chat Completions API accepts audio as bytes, not as a URL'),
  cache_key: supported,
  candidates: supported,
  custom_tools: supported,
  document_context: supported,
  end_user: supported,
  file_input: supported,
  file_url: native('the Chat Completions API accepts files as bytes, not as URLs'),
  frequency_penalty: supported,
  image_detail: supported,
  image_input: supported,
  image_url: supported,
  json_object: supported,
  json_schema: supported,
  logprobs: supported,
  metadata: silent('the Chat Completions API accepts metadata only for stored completions'),
  parallel_tool_calls: supported,
  presence_penalty: supported,
  reasoning_budget: warn(
    'the Chat Completions API has no budget for reasoning; the nearest effort is sent',
  ),
  reasoning_effort: supported,
  reasoning_history: silent('plain reasoning returns only to the account that sent it'),
  reasoning_summary: warn('the Chat Completions API has no summaries of reasoning'),
  seed: supported,
  service_tier: supported,
  stop: supported,
  store: supported,
  strict_tools: supported,
  system_midway: supported,
  temperature_above_1: supported,
  tool_output_schema: warn('the Chat Completions API has no schema of results'),
  tool_result_failed: warn(
    'the Chat Completions API has no mark for failed tools; the result begins with "Error:"',
  ),
  tool_result_media: warn(
    'the Chat Completions API accepts only text from tools; the media follow in a user message',
  ),
  tool_result_stray: warn(
    'the Chat Completions API accepts no result without its call; a user message has it as text',
  ),
  tool_subset: supported,
  top_k: warn('the Chat Completions API has no top_k'),
  verbosity: supported,
}
