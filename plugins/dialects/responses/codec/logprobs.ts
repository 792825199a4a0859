import type { JsonObject } from '../../../../src/lib/json/object.ts'
import type { TokenLogprob } from '../../../../src/generate/content.ts'
import { numberAt, objectsIn, stringAt } from '../../../../src/lib/json/read.ts'

/** Decodes a `logprobs` list. */
export function readLogprobs(list: unknown): TokenLogprob[] {
  return objectsIn(list).map((entry) => ({
    ...readToken(entry),
    top: objectsIn(entry.top_logprobs).map(readToken),
  }))
}

function readToken(entry: JsonObject): Omit<TokenLogprob, 'top'> {
  const { bytes } = entry
  return {
    token: stringAt(entry, 'token') ?? '',
    logprob: numberAt(entry, 'logprob') ?? 0,
    ...(Array.isArray(bytes) && { bytes: bytes as number[] }),
  }
}

/** Encodes token log probabilities as a `logprobs` list. */
export function writeLogprobs(logprobs: readonly TokenLogprob[]): JsonObject[] {
  return logprobs.map((entry) => ({
    ...writeToken(entry),
    top_logprobs: entry.top.map(writeToken),
  }))
}

function writeToken({ token, logprob, bytes }: Omit<TokenLogprob, 'top'>): JsonObject {
  return { token, logprob, bytes: bytes ?? [] }
}
