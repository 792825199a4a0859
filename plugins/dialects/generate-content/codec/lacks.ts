import { type Lacks, native, silent, warn } from '../../../../src/generate/losses.ts'

/** What accounts of this dialect cannot be asked for. */
export const lacks: Lacks = {
  assistant_prefill: native('an answer cannot be begun for the model here'),
  audio_url: native('sound has to be sent along: not every model here fetches it'),
  cache_key: silent('caches are found without a key here'),
  custom_tools: native('tools take JSON here, never free text'),
  end_user: silent('the user is not told to the account'),
  file_url: native('files have to be sent along: not every model here fetches them'),
  image_detail: silent('the detail of a single picture is not chosen here'),
  image_url: native('pictures have to be sent along: not every model here fetches them'),
  metadata: silent('metadata is not told to the account'),
  parallel_tool_calls: warn('the model may make several calls at once here'),
  reasoning_history: silent('reasoning goes back only to the accounts that signed it'),
  reasoning_summary: silent('thoughts are shown, but how they are summarized is not chosen here'),
  service_tier: silent('the account serves in its own tier'),
  store: silent('the account keeps no replies to ask for'),
  strict_tools: warn('arguments follow the schema of a tool, but are not held to it'),
  system_midway: warn('system texts are moved to the beginning'),
  verbosity: warn('how wordy an answer is cannot be chosen here'),
}
