import { type Lacks, native, silent, warn } from '../../../../src/generate/losses.ts'

/** What no account of this dialect can be asked for, or only in another form. */
export const messagesLacks: Lacks = {
  audio_input: native('no audio is taken'),
  audio_url: native('no audio is taken'),
  cache_key: silent('caches are found by what a prompt begins with'),
  candidates: native('there is one answer to a request'),
  custom_tools: native('the input of a tool is a JSON object, never free text'),
  frequency_penalty: warn('there are no penalties'),
  image_detail: silent('images are seen in one quality'),
  json_object: warn('JSON is asked for in words; nothing enforces it'),
  logprobs: native('no probabilities of tokens are told'),
  metadata: silent('of metadata there is only the id of a user'),
  presence_penalty: warn('there are no penalties'),
  reasoning_history: silent('reasoning goes back only to the accounts that signed it'),
  reasoning_summary: silent('summaries have one length'),
  seed: warn('there is no seed'),
  store: silent('replies are not kept there'),
  system_midway: warn('later system texts move to the beginning'),
  temperature_above_1: warn('the temperature is lowered to 1, the highest there is'),
  verbosity: warn('there is no setting of verbosity'),
}
