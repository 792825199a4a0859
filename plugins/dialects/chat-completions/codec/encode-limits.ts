import type { Drop, JsonObject } from '../../../../src/codec.ts'
import { defined } from '../../../../src/generate/defined.ts'
import { settingField } from '../../../../src/generate/fields.ts'
import { refused } from '../../../../src/codecs/refused.ts'
import type { GenerateRequest } from '../../../../src/generate/request.ts'
import { speakable } from '../../../../src/codecs/stops.ts'

/** The dialect takes no more. */
const mostStops = 4
const mostLogprobs = 20

/** How much is to be answered, and what is to be told of it. */
export function encodeLimits(request: GenerateRequest, drop: Drop): JsonObject {
  const { maxOutputTokens, candidates, logprobs } = request
  if (maxOutputTokens === 0) {
    throw refused(
      'An answer must have room for one token at least.',
      settingField(request, 'max_output_tokens'),
    )
  }
  return defined({
    max_completion_tokens: maxOutputTokens,
    stop: stopsOf(request, drop),
    n: candidates,
    logprobs: logprobs && true,
    top_logprobs: alternativesOf(request, drop),
  })
}

function stopsOf(request: GenerateRequest, drop: Drop): readonly string[] | undefined {
  const stops = speakable(request, drop, (sequence) => sequence !== '')
  if (stops.length > mostStops) {
    throw refused(
      `The accounts of this model take ${mostStops} stop sequences.`,
      request.fields.stop,
    )
  }
  return stops.length > 0 ? stops : undefined
}

function alternativesOf({ logprobs, fields }: GenerateRequest, drop: Drop): number | undefined {
  if (!logprobs || logprobs.top <= 0) return undefined
  if (logprobs.top > mostLogprobs) {
    const reason = `the Chat Completions API tells ${mostLogprobs} at most; lowered to that`
    drop(fields.logprobs ?? 'top_logprobs', reason)
  }
  return Math.min(logprobs.top, mostLogprobs)
}
