import type { RecordedFetch } from './recorded-fetch.ts'

/** What a client asks for, the same in every request of a conversation. */
export interface Settings {
  readonly system?: string
  readonly tools?: readonly Tool[]
  /** The name of the tool that has to be called. */
  readonly forced?: string
  /** The JSON schema that the answer has to satisfy. */
  readonly schema?: Readonly<Record<string, unknown>>
  /** Think first, and show it. */
  readonly reasoning?: boolean
  /** The provider's own search of the web. */
  readonly search?: boolean
  readonly stop?: string
  readonly maxTokens?: number
}

export interface Tool {
  readonly name: string
  readonly description: string
  readonly parameters: Readonly<Record<string, unknown>>
}

/** A part of what a user says. */
export type Part =
  | { readonly text: string }
  | { readonly image: File }
  | { readonly document: File & { readonly name: string } }

/** Bytes in base64. */
export interface File {
  readonly type: string
  readonly data: string
}

/** What a client read in an answer, in as many words as the SDK gives. */
export interface Reply {
  readonly text: string
  readonly reasoning: string
  readonly refusal: string
  readonly calls: readonly Call[]
  /** Why the answer ended, in the words of the client's dialect. */
  readonly ending: string
  readonly usage: Usage
}

export interface Call {
  /** Absent where an account gives none and the dialect does without. */
  readonly id: string | undefined
  readonly name: string
  readonly input: unknown
}

/** Tokens. What was thought is part of the output. */
export interface Usage {
  readonly input: number | undefined
  readonly output: number | undefined
}

/** What a tool answered to a call. */
export interface Result {
  readonly call: Call
  readonly text: string
}

/** One conversation, of which the SDK's own objects go back as they came. */
export interface Conversation {
  say(parts: readonly Part[]): Promise<Reply>
  answer(results: readonly Result[]): Promise<Reply>
}

/** What an SDK raised, as its users look at it. */
export interface Problem {
  /** The name of the class. */
  readonly raised: string
  readonly status: number | undefined
  readonly message: string
  /** The field of the request at fault, where it is told. */
  readonly field: string | undefined
}

/** Read anew for each request, so that a conversation may move to another gateway. */
export interface Opening {
  readonly url: string
  readonly key: string
  readonly model: string
  readonly stream: boolean
  readonly settings: Settings
  readonly fetch: RecordedFetch['fetch']
}

/** How the official SDK of a dialect is used. */
export interface Driver {
  open(opening: Opening): Conversation
  /** Throws what is no error of the SDK. */
  problemOf(error: unknown): Problem
}
