/** What the form of the Playground says. A dialect reads what its form has. */
export interface Prompt {
  readonly model: string
  readonly text: string
  readonly system: string
  readonly maxTokens: number
  readonly isStreamed: boolean
  /** Of an image or a video, such as `1024x1024`; empty: the usual one of the model. */
  readonly size: string
  /** Of a video; empty: the usual length of the model. */
  readonly seconds: string
  /** What documents are ranked for. */
  readonly query: string
  /** Numbers of a vector; empty: as many as the model has. */
  readonly dimensions: string
  readonly voice: string
  /** Of audio: `mp3`. */
  readonly format: string
}

/** A call of the inference API, as `POST /console/call` takes it. */
export interface PlaygroundCall {
  readonly method?: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: object
}

/** What a dialect makes: it decides which fields the form has. */
export type Makes =
  | 'text'
  | 'completion'
  | 'vectors'
  | 'ranks'
  | 'verdicts'
  | 'audio'
  | 'images'
  | 'video'

/** A dialect of the Playground: how it asks, and where its replies have their text. */
export interface PlaygroundDialect {
  readonly id: string
  readonly name: string
  readonly makes: Makes
  /** What the last event of a stream has: a stream without it broke off. Absent: its replies are no streams. */
  readonly last?: RegExp
  /** The model that it means without one. Absent: it needs one. */
  readonly usualModel?: string
  call(prompt: Prompt, key: string): PlaygroundCall
  /** The text of a whole reply. */
  textOf(reply: Json, prompt: Prompt): string
  /** The text of an event of a stream. */
  deltaOf?(event: Json): string
}

/** The JSON of a reply; a dialect reads the members that it names. */
export type Json = { readonly [name: string]: Json } & readonly Json[]

/** The header of a key in the dialects of OpenAI and Cohere. */
export const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

/** The header of a key in the dialects of Google. */
export const googleKey = (key: string) => ({ 'x-goog-api-key': key })

/** A path of Google's for a verb on a model. */
export function modelPath(model: string, verb: string): string {
  return `/v1beta/models/${encodeURIComponent(model)}:${verb}`
}

/** The items of a member; none: it is no list. */
export function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : []
}

/** The text of a member; empty: it is no text. */
export function wordsOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The lines of a field that have words. */
export function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
}
