import type { Lack, Lacks } from '../../../../src/generate/losses.ts'

/** What no account of this dialect can be asked for, or only in another form. */
export const messagesLacks: Lacks = {
  audio_input: native('No audio is taken.'),
  cache_key: silent('Caches are found by what a prompt begins with.'),
  candidates: native('There is one answer to a request.'),
  custom_tools: native('The input of a tool is a JSON object, never free text.'),
  frequency_penalty: warn('There are no penalties.'),
  image_detail: silent('Images are seen in one quality.'),
  json_object: warn('JSON is asked for in words; nothing enforces it.'),
  json_schema: warn('What the account does not enforce of a schema is told in descriptions.'),
  logprobs: native('No probabilities of tokens are told.'),
  metadata: silent('Of metadata there is only the id of a user.'),
  presence_penalty: warn('There are no penalties.'),
  reasoning_summary: silent('Summaries have one length.'),
  seed: warn('There is no seed.'),
  store: silent('Replies are not kept there.'),
  system_midway: warn('Later system texts move to the beginning.'),
  temperature_above_1: warn('The temperature is lowered to 1, the highest there is.'),
  verbosity: warn('There is no setting of verbosity.'),
}

function silent(reason: string): Lack {
  return { treatment: 'silent', reason }
}

function warn(reason: string): Lack {
  return { treatment: 'warn', reason }
}

function native(reason: string): Lack {
  return { treatment: 'native', reason }
}
