import { type Unsupported, native, silent, warn } from '../../../../src/generate/unsupported.ts'

/** What no account of this dialect can be asked for, or only in another form. */
export const messagesUnsupported: Unsupported = {
  audio_input: native('the Messages API takes no audio'),
  audio_url: native('the Messages API takes no audio'),
  cache_key: silent('the Messages API finds caches by what a prompt begins with'),
  candidates: native('the Messages API gives one answer to a request'),
  custom_tools: native('the Messages API has no tools that take free text'),
  frequency_penalty: warn('the Messages API has no penalties'),
  image_detail: silent('the Messages API has one quality of images'),
  json_object: warn('the Messages API has no JSON mode; JSON is asked for in words'),
  logprobs: native('the Messages API tells no probabilities of tokens'),
  metadata: silent('the Messages API has no metadata but the id of a user'),
  presence_penalty: warn('the Messages API has no penalties'),
  reasoning_history: silent('reasoning goes back only to the accounts that signed it'),
  reasoning_summary: silent('the Messages API has one length of summaries'),
  seed: warn('the Messages API has no seed'),
  store: silent('the Messages API keeps no replies'),
  system_midway: warn(
    'the Messages API takes system texts only at the beginning; they are moved there',
  ),
  temperature_above_1: warn(
    'the Messages API has no temperature above 1; it is lowered to 1',
    'give 1 or less',
  ),
  tool_result_stray: warn(
    'the Messages API takes no result without its call; the user tells it in words',
  ),
  verbosity: warn('the Messages API has no setting of verbosity'),
}
