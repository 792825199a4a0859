import {
  type FeatureSupport,
  type LacksBeside,
  native,
  silent,
  warn,
} from '../../../../src/generate/unsupported.ts'

const supports = [
  'cache_key',
  'custom_tools',
  'document_context',
  'empty_message',
  'end_user',
  'file_input',
  'file_url',
  'frequency_penalty',
  'image_detail',
  'image_input',
  'image_url',
  'json_object',
  'json_schema',
  'logprobs',
  'metadata',
  'parallel_tool_calls',
  'presence_penalty',
  'reasoning_effort',
  'reasoning_summary',
  'service_tier',
  'store',
  'strict_tools',
  'system_midway',
  'temperature_above_1',
  'tool_output_schema',
  'tool_result_media',
  'tool_subset',
  'verbosity',
] as const

/** The support of each feature by the Responses API. */
export const responsesFeatures: FeatureSupport = {
  supports,
  lacks: {
    assistant_prefill: native('the Responses API cannot continue a partial assistant message'),
    audio_input: native('the Responses API accepts no audio'),
    audio_url: native('the Responses API accepts no audio'),
    cache_points: silent('the Responses API finds caches by the beginning of a prompt'),
    candidates: native('the Responses API returns one choice per request'),
    reasoning_budget: warn(
      'the Responses API has no token budget for reasoning; the nearest effort is sent',
    ),
    reasoning_history: silent('reasoning is returned only to the account that signed it'),
    seed: warn('the Responses API has no seed'),
    stop: warn('the Responses API has no stop sequences'),
    tool_result_failed: warn(
      'the Responses API cannot mark a tool result as failed; the result begins with "Error:"',
    ),
    tool_result_stray: warn(
      'the Responses API accepts no tool result without its call; it is sent as user text',
    ),
    top_k: warn('the Responses API has no top-k sampling'),
  } satisfies LacksBeside<typeof supports>,
}
