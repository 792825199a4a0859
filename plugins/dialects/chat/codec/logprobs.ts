import type { JsonObject } from '../../../../src/lib/json/object.ts'
import type { TokenLogprob } from '../../../../src/generate/content.ts'
import { numberAt, objectsIn, objectAt, stringAt } from '../../../../src/lib/json/read.ts'

/** Reads the log probabilities of a choice's text. */
export function readLogprobs(choice: JsonObject): TokenLogprob[] {
  return objectsIn(objectAt(choice, 'logprobs')?.content).map((token) => ({
    ...readToken(token),
    top: objectsIn(token.top_logprobs).map(readToken),
  }))
}

function readToken(token: JsonObject): Omit<TokenLogprob, 'top'> {
  const { bytes } = token
  return {
    token: stringAt(token, 'token') ?? '',
    logprob: numberAt(token, 'logprob') ?? 0,
    ...(isByteList(bytes) && { bytes }),
  }
}

function isByteList(bytes: unknown): bytes is number[] {
  return Array.isArray(bytes) && bytes.every((byte) => typeof byte === 'number')
}

/** Writes `logprobs` of a choice; returns null without log probabilities. */
export function writeLogprobs(logprobs: readonly TokenLogprob[]): JsonObject | null {
  if (logprobs.length === 0) return null
  const content = logprobs.map((token) => ({
    ...writeToken(token),
    top_logprobs: token.top.map(writeToken),
  }))
  return { content, refusal: null }
}

function writeToken({ token, logprob, bytes }: Omit<TokenLogprob, 'top'>): JsonObject {
  return { token, logprob, bytes: bytes ?? null }
}
