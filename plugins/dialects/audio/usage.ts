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

/** In bytes: the last subtitle is in the end of a text. */
const mostOfEnd = 8_192

const subtitleTime = /--> *(?:(\d{1,5}):)?(\d\d):(\d\d)[.,](\d{3})/g

/** The usage of a transcription as subtitles, `srt` or `vtt`: the seconds to the end of the last one. */
export function subtitlesUsage(text: Buffer): Usage | undefined {
  const end = text.toString('latin1', Math.max(0, text.length - mostOfEnd))
  const last = [...end.matchAll(subtitleTime)].at(-1)
  if (!last) return undefined
  const [hours = 0, minutes = 0, seconds = 0, ms = 0] = last.slice(1).map((one) => Number(one ?? 0))
  return { audioSeconds: hours * 3_600 + minutes * 60 + seconds + Math.ceil(ms / 1_000) }
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
