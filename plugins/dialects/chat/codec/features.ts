import {
  type FeatureSupport,
  type LacksBeside,
  native,
  silent,
  warn,
} from '../../../../src/generate/unsupported.ts'

const supports = [
  'audio_input',
  'cache_key',
  'candidates',
  'custom_tools',
  'document_context',
  'empty_message',
  'end_user',
  'file_input',
  'frequency_penalty',
  'image_detail',
  'image_input',
  'image_url',
  'json_object',
  'json_schema',
  'logprobs',
  'parallel_tool_calls',
  'presence_penalty',
  'reasoning_effort',
  'seed',
  'service_tier',
  'stop',
  'store',
  'strict_tools',
  'system_midway',
  'temperature_above_1',
  'tool_subset',
  'verbosity',
] as const

/** The support of each feature by the Chat Completions API. */
export const chatFeatures: FeatureSupport = {
  supports,
  lacks: {
    assistant_prefill: native(
      'the Chat Completions API has no prefilled answers that the model continues',
    ),
    audio_url: native('the Chat Completions API accepts audio as bytes, not as a URL'),
    cache_points: silent('the Chat Completions API finds caches by the beginning of a prompt'),
    file_url: native('the Chat Completions API accepts files as bytes, not as URLs'),
    metadata: silent('the Chat Completions API accepts metadata only for stored completions'),
    reasoning_budget: warn(
      'the Chat Completions API has no budget for reasoning; the nearest effort is sent',
    ),
    reasoning_history: silent('plain reasoning returns only to the account that sent it'),
    reasoning_summary: warn('the Chat Completions API has no summaries of reasoning'),
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
    top_k: warn('the Chat Completions API has no top_k'),
  } satisfies LacksBeside<typeof supports>,
}
