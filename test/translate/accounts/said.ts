import type { JsonObject } from '../../../src/lib/json/object.ts'

/** What an account has to say, before it is put into the words of any dialect. */
export interface Said {
  readonly thoughts: string
  readonly text: string
  readonly calls: readonly SaidCall[]
  readonly ending: 'done' | 'length' | 'filtered'
  /** Absent where the account does not tell. */
  readonly usage?: SaidUsage
}

export interface SaidCall {
  readonly id: string
  readonly name: string
  readonly input: JsonObject
}

export interface SaidUsage {
  /** Of the whole prompt. */
  readonly input: number
  /** Of the whole answer. */
  readonly output: number
  readonly cached: number
  readonly reasoning: number
}

/** Cuts a text into the pieces in which it is streamed; of an empty one there are none. */
export type Cut = (text: string) => readonly string[]

/** How accounts of one dialect write, as its documentation says and independent of any codec. */
export interface AccountWriter {
  /** The frames of a stream, blank lines included. */
  frames(said: Said, cut: Cut): string[]
  body(said: Said): JsonObject
}

export function dataFrame(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`
}

export function namedFrame(data: JsonObject & { readonly type: string }): string {
  return `event: ${data.type}\n${dataFrame(data)}`
}
