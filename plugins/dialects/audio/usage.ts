import type { Usage } from '../../../src/contract/outcome.ts'
import { isAmount, knownUsage, plainTokens } from '../../../src/kit/usage.ts'
import { numberAt, objectAt, tokensAt } from '../../../src/lib/json/read.ts'

/** The usage of a transcription, whole or as the last event of one: tokens, or seconds of audio. */
export function transcriptionUsage(json: unknown): Usage | undefined {
  const usage = objectAt(json, 'usage')
  const tokens = tokensIn(usage)
  if (tokens) {
    const details = objectAt(usage, 'input_token_details')
    return knownUsage({
      ...tokens,
      audioInputTokens: tokensAt(details, 'audio_tokens') || undefined,
    })
  }
  // Replies without a usage may say how long the audio is.
  const seconds = usage ? numberAt(usage, 'seconds') : numberAt(json, 'duration')
  return isAmount(seconds) ? { audioSeconds: Math.ceil(seconds) } : undefined
}

/** The usage of speech: the tokens that the account reports, else the characters that it has spoken. */
export function speechUsage(json: unknown, characters: number): Usage {
  const tokens = tokensIn(objectAt(json, 'usage'))
  if (!tokens) return { characters }
  return knownUsage({ ...tokens, audioOutputTokens: tokens.outputTokens })
}

/** `undefined` without both numbers. */
function tokensIn(
  usage: unknown,
): Required<Pick<Usage, 'inputTokens' | 'outputTokens'>> | undefined {
  const { inputTokens, outputTokens } = plainTokens(usage)
  if (inputTokens === undefined || outputTokens === undefined) return undefined
  return { inputTokens, outputTokens }
}

/** The characters of a text, as Unicode counts them. */
export function charactersOf(text: unknown): number {
  if (typeof text !== 'string') return 0
  let count = 0
  for (const _ of text) count++
  return count
}
