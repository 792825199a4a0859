import { type Unsupported, native, silent, warn } from '../../../../src/generate/unsupported.ts'

/** What accounts that speak Responses cannot be asked for. */
export const responsesUnsupported: Unsupported = {
  assistant_prefill: native('the Responses API cannot go on from the beginning of an answer'),
  audio_input: native('the Responses API takes no audio'),
  audio_url: native('the Responses API takes no audio'),
  candidates: native('the Responses API gives one answer to a request'),
  reasoning_budget: warn(
    'the Responses API has no budget of tokens for reasoning; the nearest effort is asked',
  ),
  reasoning_history: silent('reasoning goes back only to the accounts that signed it'),
  seed: warn('the Responses API has no seed'),
  stop: warn('the Responses API has no stop sequences'),
  tool_result_failed: warn(
    'the Responses API has no mark for failed tools; the result begins with "Error:"',
  ),
  tool_result_stray: warn(
    'the Responses API takes no result without its call; the user tells it in words',
  ),
  top_k: warn('the Responses API has no top-k sampling'),
}
