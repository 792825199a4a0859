import type { Account } from '../accounts.ts'
import { newId } from '../ids.ts'
import { type JsonObject, textOf } from '../json.ts'
import type { TextResult, TokenUsage } from '../text/result.ts'
import { deltasOf } from '../text/words.ts'

/** The members that all chunks of a reply share. The id contains the account: `<account>-…`. */
export function newChunkHeading(model: string, accountId: string): JsonObject {
  return { modelVersion: model, responseId: newId(`${accountId}-`) }
}

/** Renders the reply as the parts of a stream. */
export function renderParts(
  answer: TextResult,
  account: Account,
  signsCalls = false,
): JsonObject[] {
  const { reasoning, text = '', inOnePiece } = answer
  const thoughts = deltasOf(reasoning ?? '').map((thought) => ({ text: thought, thought: true }))
  const texts = deltasOf(text, inOnePiece).map((delta) => ({ text: delta }))
  const calls = answer.calls.map(({ name, input }) => ({ functionCall: { name, args: input } }))
  const isSigned = reasoning !== undefined || (signsCalls && calls.length > 0)
  if (!isSigned) return [...thoughts, ...texts, ...calls]

  // Of several calls, only the first is signed. Without calls, an empty text at the end is signed.
  const thoughtSignature = account.sign('thought')
  const [firstCall, ...otherCalls] = calls
  return firstCall
    ? [...thoughts, ...texts, { ...firstCall, thoughtSignature }, ...otherCalls]
    : [...thoughts, ...texts, { text: '', thoughtSignature }]
}

/** Joins neighbouring texts of the same kind. */
export function joinParts(parts: JsonObject[]): JsonObject[] {
  const joined: JsonObject[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    if (last && 'text' in last && 'text' in part && last['thought'] === part['thought'])
      Object.assign(last, part, { text: textOf(last['text']) + textOf(part['text']) })
    else joined.push({ ...part })
  }
  return joined
}

/** Renders the reply to a refused prompt, which has no candidates. */
export function renderBlocked(): JsonObject {
  return { promptFeedback: { blockReason: 'SAFETY', safetyRatings: [] } }
}

/** The `finishReason` of a result. */
export function googleFinishReason({ finish, ending }: TextResult): string {
  return finish ?? (ending.reason === 'length' ? 'MAX_TOKENS' : 'STOP')
}

/** Renders the usage. Google counts thoughts apart from the candidates. */
export function renderUsageMetadata({ input, output, reasoning, cached }: TokenUsage): JsonObject {
  return {
    promptTokenCount: input,
    ...(cached === undefined ? {} : { cachedContentTokenCount: cached }),
    candidatesTokenCount: output - reasoning,
    ...(reasoning > 0 ? { thoughtsTokenCount: reasoning } : {}),
    totalTokenCount: input + output,
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: input }],
  }
}
