import {
  type FeatureSupport,
  type LacksBeside,
  native,
  silent,
  warn,
} from '../../../../src/generate/unsupported.ts'

const supports = [
  'audio_input',
  'candidates',
  'document_context',
  'empty_message',
  'file_input',
  'frequency_penalty',
  'image_input',
  'json_object',
  'json_schema',
  'logprobs',
  'presence_penalty',
  'reasoning_budget',
  'reasoning_effort',
  'seed',
  'service_tier',
  'stop',
  'store',
  'temperature_above_1',
  'tool_output_schema',
  'tool_result_failed',
  'tool_result_media',
  'tool_subset',
  'top_k',
] as const

/** The support of each feature by the Gemini API. */
export const generateFeatures: FeatureSupport = {
  supports,
  lacks: {
    assistant_prefill: native('the Gemini API has no prefilled answers that the model continues'),
    audio_url: native('not every model of the Gemini API fetches audio; all accept bytes'),
    cache_key: silent('the Gemini API finds caches without a key'),
    cache_points: silent('the Gemini API finds caches by the beginning of a prompt'),
    custom_tools: native('the Gemini API has no tools with free text as input'),
    end_user: silent('the Gemini API has no field for the end user'),
    file_url: native('not every model of the Gemini API fetches files; all accept bytes'),
    image_detail: warn('the Gemini API has no detail setting for a single image'),
    image_url: native('not every model of the Gemini API fetches images; all accept bytes'),
    metadata: silent('the Gemini API accepts no metadata'),
    parallel_tool_calls: warn('the Gemini API cannot limit the model to one call at a time'),
    reasoning_history: silent('reasoning returns only to the accounts that signed it'),
    reasoning_summary: silent('the Gemini API has no setting for summaries of thoughts'),
    strict_tools: warn('the Gemini API does not enforce the schema of a tool'),
    system_midway: warn(
      'the Gemini API accepts system texts only at the beginning; they are moved there',
    ),
    tool_result_stray: warn(
      'the Gemini API accepts no result without its call; a user content has it as text',
    ),
    verbosity: warn('the Gemini API has no verbosity setting'),
  } satisfies LacksBeside<typeof supports>,
}
