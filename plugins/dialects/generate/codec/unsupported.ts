import { type Unsupported, native, silent, warn } from '../../../../src/generate/unsupported.ts'

/** The features that the Gemini API does not support. */
export const generateUnsupported: Unsupported = {
  assistant_prefill: native('the Gemini API has no prefilled answers that the model continues'),
  audio_url: native('not every model of the Gemini API fetches audio; all accept bytes'),
  cache_key: silent('the Gemini API finds caches without a key'),
  custom_tools: native('the Gemini API has no tools with free text as input'),
  end_user: silent('the Gemini API has no field for the end user'),
  file_url: native('not every model of the Gemini API fetches files; all accept bytes'),
  image_detail: silent('the Gemini API has no detail setting for a single image'),
  image_url: native('not every model of the Gemini API fetches images; all accept bytes'),
  metadata: silent('the Gemini API accepts no metadata'),
  parallel_tool_calls: warn('the Gemini API cannot limit the model to one call at a time'),
  reasoning_history: silent('reasoning returns only to the accounts that signed it'),
  reasoning_summary: silent('the Gemini API has no setting for summaries of thoughts'),
  service_tier: silent('the account determines the tier of the Gemini API'),
  store: silent('the Gemini API stores no replies'),
  strict_tools: warn('the Gemini API does not enforce the schema of a tool'),
  system_midway: warn(
    'the Gemini API accepts system texts only at the beginning; they are moved there',
  ),
  tool_result_stray: warn(
    'the Gemini API accepts no result without its call; a user content has it as text',
  ),
  verbosity: warn('the Gemini API has no verbosity setting'),
}
