import type { EncodedRequest, JsonObject } from './codec.ts'

/**
 * How accounts of a dialect are asked how many tokens a request has, and how its clients ask. It
 * stands beside the codec: a question is a request that nobody answers.
 */
export interface Counting {
  /** The request that a client's question is about, as its codec reads it. */
  asked(question: JsonObject): JsonObject
  /** An account's question, made of what its codec would ask it. */
  question(request: EncodedRequest): EncodedRequest
  /** The number in an account's answer, where there is one. */
  read(answer: JsonObject): number | undefined
  /** The answer to a client. */
  answer(tokens: number): JsonObject
}

/** Only those fields of a request that a question has as well. */
export function fieldsOf(body: JsonObject, fields: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([name]) => fields.includes(name)))
}
