import { type Unsupported, native, silent, warn } from '../../../../src/generate/unsupported.ts'

/** What accounts of this dialect cannot be asked for. */
export const generateUnsupported: Unsupported = {
  assistant_prefill: native('the Gemini API has no answers that the model is to go on with'),
  audio_url: native('not every model of the Gemini API fetches sound; it takes the bytes'),
  cache_key: silent('the Gemini API finds caches without a key'),
  custom_tools: native('the Gemini API has no tools that take free text'),
  end_user: silent('the Gemini API is not told of users'),
  file_url: native('not every model of the Gemini API fetches files; it takes the bytes'),
  image_detail: silent('the Gemini API has no detail of a single picture'),
  image_url: native('not every model of the Gemini API fetches pictures; it takes the bytes'),
  metadata: silent('the Gemini API takes no metadata'),
  parallel_tool_calls: warn('the Gemini API cannot be held to one call at a time'),
  reasoning_history: silent('reasoning goes back only to the accounts that signed it'),
  reasoning_summary: silent('the Gemini API shows thoughts, but not summarized as one likes'),
  service_tier: silent('the Gemini API serves in the tier of the account'),
  store: silent('the Gemini API keeps no replies to ask for'),
  strict_tools: warn('the Gemini API does not hold arguments to the schema of a tool'),
  system_midway: warn(
    'the Gemini API takes system texts only at the beginning; they are moved there',
  ),
  tool_result_stray: warn(
    'the Gemini API takes no result without its call; the user tells it in words',
  ),
  verbosity: warn('the Gemini API has no setting for how wordy an answer is'),
}
