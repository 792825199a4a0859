import type { JsonObject } from '../../../src/lib/json/object.ts'

/** A chunk with these parts of the only candidate. */
export function chunk(parts: readonly JsonObject[], members: JsonObject = {}): JsonObject {
  return {
    candidates: [{ content: { parts, role: 'model' }, index: 0, ...members }],
    modelVersion: 'gemini-3-flash',
    responseId: 'r1',
  }
}

/** A reply in one piece. */
export function reply(parts: readonly JsonObject[], finishReason = 'STOP'): JsonObject {
  return chunk(parts, { finishReason })
}
