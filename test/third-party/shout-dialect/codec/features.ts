import {
  type FeatureSupport,
  type LacksBeside,
  native,
  silent,
  warn,
} from '../../../../src/dialect-kit/index.ts'

const penalties = 'the Shout API has no penalties'
const reasoning = 'the Shout API has no setting for reasoning'

const supports = [
  'empty_message',
  'system_midway',
  'tool_result_failed',
  'tool_result_stray',
  'tool_subset',
] as const

/** What a shout account can be asked for, and what not. */
export const shoutFeatures: FeatureSupport = {
  supports,
  lacks: {
    assistant_prefill: native('a voice does not go on from the beginning of an answer'),
    audio_input: native('the Shout API takes no audio'),
    audio_url: native('the Shout API takes no audio'),
    cache_key: silent('the Shout API has no caches'),
    candidates: native('the Shout API gives one answer to a request'),
    custom_tools: native('helpers take an object and no free text'),
    document_context: native('the Shout API takes no files'),
    end_user: silent('the Shout API does not name users'),
    file_input: native('the Shout API takes no files'),
    file_url: native('the Shout API takes no files'),
    frequency_penalty: warn(penalties),
    image_detail: silent('the Shout API takes no images'),
    image_input: native('the Shout API takes no images'),
    image_url: native('the Shout API takes no images'),
    json_object: native('the Shout API does not hold an answer to a format'),
    json_schema: native('the Shout API does not hold an answer to a format'),
    logprobs: native('the Shout API has no probabilities of tokens'),
    metadata: silent('the Shout API has no metadata'),
    parallel_tool_calls: warn('a voice cannot be held to one call at a time'),
    presence_penalty: warn(penalties),
    reasoning_budget: warn(reasoning),
    reasoning_effort: warn(reasoning),
    reasoning_history: silent('the Shout API has no reasoning'),
    reasoning_summary: warn(reasoning),
    seed: warn('the Shout API has no seed'),
    service_tier: silent('the Shout API has one tier'),
    stop: warn('the Shout API has no stop sequences'),
    store: silent('the Shout API keeps no replies'),
    strict_tools: warn('the Shout API does not hold arguments to the schema of a helper'),
    temperature_above_1: warn('the highest pitch is 1; lowered to that', 'give 1 or less'),
    tool_output_schema: warn('the Shout API has no schema of what helpers answer'),
    tool_result_media: native('helpers answer in words'),
    top_k: warn('the Shout API has no top-k sampling'),
    verbosity: warn('the Shout API has no verbosity'),
  } satisfies LacksBeside<typeof supports>,
}
