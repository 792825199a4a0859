import {
  type FeatureSupport,
  type LacksBeside,
  native,
  silent,
  warn,
} from '../../../../src/generate/unsupported.ts'

const supports = [
  'assistant_prefill',
  'audio_input',
  'cache_points',
  'document_context',
  'file_input',
  'image_input',
  'json_schema',
  'metadata',
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

/** The support of each feature by the Converse API. */
export const converseFeatures: FeatureSupport = {
  supports,
  lacks: {
    audio_url: native('the Converse API fetches no audio; it accepts bytes'),
    cache_key: silent('the Converse API finds caches by the beginning of a prompt'),
    candidates: native('the Converse API returns one answer to a request'),
    custom_tools: native('the Converse API has no tools with free text as input'),
    empty_message: warn('the Converse API accepts no message without content; it is left out'),
    end_user: silent('the Converse API has no field for the end user'),
    file_url: native('the Converse API fetches no files; it accepts bytes'),
    frequency_penalty: warn('the Converse API has no penalties'),
    image_detail: warn('the Converse API has no detail setting for images'),
    image_url: native('the Converse API fetches no images; it accepts bytes'),
    json_object: warn('the Converse API has no JSON mode; the prompt asks for JSON'),
    logprobs: native('the Converse API returns no probabilities of tokens'),
    parallel_tool_calls: warn('the Converse API cannot limit the model to one call at a time'),
    presence_penalty: warn('the Converse API has no penalties'),
    reasoning_history: silent('reasoning returns only to the accounts that signed it'),
    reasoning_summary: silent('the Converse API has no setting for summaries'),
    seed: warn('the Converse API has no seed'),
    store: warn('the Converse API stores no replies'),
    system_midway: warn(
      'the Converse API accepts system texts only at the beginning; they are moved there',
    ),
    temperature_above_1: warn(
      'the Converse API has no temperature above 1; it is lowered to 1',
      'use 1 or less',
    ),
    tool_output_schema: warn('the Converse API has no schema of results'),
    tool_result_stray: warn(
      'the Converse API accepts no result without its call; a user message has it as text',
    ),
    verbosity: warn('the Converse API has no verbosity setting'),
  } satisfies LacksBeside<typeof supports>,
}
