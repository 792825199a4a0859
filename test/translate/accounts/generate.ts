import type { JsonObject } from '../../../src/lib/json/object.ts'
import { type AccountWriter, dataFrame, type Said } from './said.ts'

const tail = { modelVersion: 'gemini-3-flash', responseId: 'r1' }

export const generateAccount: AccountWriter = {
  frames(said, cut) {
    const chunks = [
      ...cut(said.thoughts).map((text) => candidate([{ text, thought: true }])),
      ...cut(said.text).map((text) => candidate([{ text }])),
      ...callParts(said).map((part) => candidate([part])),
    ]
    return [...chunks, { candidates: [lastOf(said, [{ text: '' }])], ...usageOf(said) }].map(
      (chunk) => dataFrame({ ...chunk, ...tail }),
    )
  },

  body(said) {
    const { thoughts, text } = said
    const parts = [
      ...(thoughts === '' ? [] : [{ text: thoughts, thought: true }]),
      ...(text === '' ? [] : [{ text }]),
      ...callParts(said),
    ]
    return { candidates: [lastOf(said, parts)], ...usageOf(said), ...tail }
  },
}

function candidate(parts: readonly JsonObject[]): JsonObject {
  return { candidates: [{ content: { parts, role: 'model' }, index: 0 }] }
}

function lastOf(said: Said, parts: readonly JsonObject[]): JsonObject {
  return { content: { parts, role: 'model' }, finishReason: reasonOf(said), index: 0 }
}

/** Without ids, as Google's own accounts write them. */
function callParts({ calls }: Said): JsonObject[] {
  return calls.map(({ name, input }) => ({ functionCall: { name, args: input } }))
}

function reasonOf({ ending }: Said): string {
  if (ending === 'length') return 'MAX_TOKENS'
  return ending === 'filtered' ? 'SAFETY' : 'STOP'
}

function usageOf({ usage }: Said): JsonObject {
  if (!usage) return {}
  return {
    usageMetadata: {
      promptTokenCount: usage.input,
      candidatesTokenCount: usage.output - usage.reasoning,
      thoughtsTokenCount: usage.reasoning,
      cachedContentTokenCount: usage.cached,
      totalTokenCount: usage.input + usage.output,
    },
  }
}
