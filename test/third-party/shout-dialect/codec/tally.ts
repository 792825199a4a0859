import {
  defined,
  type GenerateUsage,
  type JsonObject,
  tokensAt,
} from '../../../../src/dialect-kit/index.ts'

/** `tally`: the tokens heard and said. */
export function decodeTally(tally: unknown): GenerateUsage {
  return defined({
    inputTokens: tokensAt(tally, 'heard'),
    outputTokens: tokensAt(tally, 'said'),
  })
}

/** Nothing where no number is known: 0 would be a claim. */
export function encodeTally({ inputTokens, outputTokens }: GenerateUsage): JsonObject {
  if (inputTokens === undefined && outputTokens === undefined) return {}
  return { tally: defined({ heard: inputTokens, said: outputTokens }) }
}
