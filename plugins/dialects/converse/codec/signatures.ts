import type { Signature } from '../../../../src/generate/content.ts'

/** The id of the dialect. */
export const converseId = 'converse'

/** The signature of reasoning; an empty text is none. */
export function signatureOf(value: unknown): Signature | undefined {
  return typeof value === 'string' && value !== '' ? { dialect: converseId, value } : undefined
}
