import type { JsonObject } from '../json.ts'
import type { TextResult, TokenUsage } from '../text/result.ts'
import type { Frame } from '../wire/frame.ts'
import { googleFinishReason, joinParts, renderBlocked, renderUsageMetadata } from './reply.ts'

/** Renders the reply as one JSON object, with this number of equal candidates. */
export function renderGenerateResponse(
  heading: JsonObject,
  answer: TextResult,
  parts: JsonObject[],
  candidates: number,
): JsonObject {
  if (answer.refusal !== undefined) return chunk(heading, renderBlocked(), answer.usage)
  const content = { role: 'model', parts: joinParts(parts) }
  const finishReason = googleFinishReason(answer)
  const list = Array.from({ length: candidates }, (_, index) => ({ content, finishReason, index }))
  return chunk(heading, { candidates: list }, answer.usage)
}

/**
 * Renders the reply as a stream: one part a chunk, each with the usage so far, the last with the
 * reason.
 */
export function renderGenerateChunks(
  heading: JsonObject,
  answer: TextResult,
  parts: JsonObject[],
  candidates: number,
): Frame[] {
  if (answer.refusal !== undefined) return [{ data: chunk(heading, renderBlocked(), answer.usage) }]
  const sent = parts.length > 0 ? parts : [{ text: '' }]
  return sent.flatMap((part, position) =>
    Array.from({ length: candidates }, (_, index) => {
      const last = position === sent.length - 1
      const ending = last ? { finishReason: googleFinishReason(answer) } : {}
      const candidate = { content: { role: 'model', parts: [part] }, ...ending, index }
      const usage = last ? answer.usage : soFar(answer.usage, position)
      return { data: chunk(heading, { candidates: [candidate] }, usage) }
    }),
  )
}

function chunk(heading: JsonObject, content: JsonObject, usage?: TokenUsage): JsonObject {
  return { ...content, ...(usage ? { usageMetadata: renderUsageMetadata(usage) } : {}), ...heading }
}

function soFar(usage: TokenUsage | undefined, position: number): TokenUsage | undefined {
  if (!usage) return undefined
  const output = Math.min(position + 1, usage.output)
  return { ...usage, output, reasoning: Math.min(output, usage.reasoning) }
}
