import {
  type FeatureSupport,
  type LacksBeside,
  native,
  silent,
  warn,
} from '../../../../src/generate/unsupported.ts'

const supports = [
  'assistant_prefill',
  'cache_points',
  'document_context',
  'end_user',
  'file_input',
  'file_url',
  'image_input',
  'image_url',
  'json_schema',
  'parallel_tool_calls',
  'reasoning_budget',
  'reasoning_effort',
  'service_tier',
  'stop',
  'strict_tools',
  'tool_result_failed',
  'tool_result_media',
  'tool_subset',
  'top_k',
] as const

/** The support of each feature by the Messages API. */
export const messagesFeatures: FeatureSupport = {
  supports,
  lacks: {
    audio_input: native('the Messages API accepts no audio'),
    audio_url: native('the Messages API accepts no audio'),
    cache_key: silent('the Messages API finds caches by the beginning of a prompt'),
    candidates: native('the Messages API returns one answer to a request'),
    custom_tools: native('the Messages API has no tools with free text as input'),
    empty_message: warn('the Messages API accepts no message without content; it is left out'),
    frequency_penalty: warn('the Messages API has no penalties'),
    image_detail: warn('the Messages API has no detail setting for images'),
    json_object: warn('the Messages API has no JSON mode; the prompt asks for JSON'),
    logprobs: native('the Messages API returns no probabilities of tokens'),
    metadata: silent('the Messages API has no metadata except the id of the user'),
    presence_penalty: warn('the Messages API has no penalties'),
    reasoning_history: silent('reasoning returns only to the accounts that signed it'),
    reasoning_summary: silent('the Messages API has no setting for summaries'),
    seed: warn('the Messages API has no seed'),
    store: warn('the Messages API stores no replies'),
    system_midway: warn(
      'the Messages API accepts system texts only at the beginning; they are moved there',
    ),
    temperature_above_1: warn(
      'the Messages API has no temperature above 1; it is lowered to 1',
      'use 1 or less',
    ),
    tool_output_schema: warn('the Messages API has no schema of results'),
    tool_result_stray: warn(
      'the Messages API accepts no result without its call; a user message has it as text',
    ),
    verbosity: warn('the Messages API has no verbosity setting'),
  } satisfies LacksBeside<typeof supports>,
}
