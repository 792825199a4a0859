/** What turns and replies are made of. No dialect's words: every codec maps to these and from them. */

/** Where the bytes of a medium are. */
export type MediaSource =
  | { readonly kind: 'data'; readonly base64: string }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'text'; readonly text: string }

export interface TextPart {
  readonly type: 'text'
  readonly text: string
  readonly citations?: readonly Citation[]
  readonly logprobs?: readonly TokenLogprob[]
  /** A text-only answer may be signed as well. */
  readonly signature?: Signature
}

export interface ImagePart {
  readonly type: 'image'
  readonly source: MediaSource
  /** `image/png`; absent where an URL does not tell. */
  readonly mediaType?: string
  readonly detail?: 'auto' | 'low' | 'high' | 'original'
  /** What the client calls it: `messages[3].content[1].image_url`. */
  readonly field?: string
}

/** A document, or any other file that is neither picture nor sound. */
export interface FilePart {
  readonly type: 'file'
  readonly source: MediaSource
  readonly mediaType?: string
  readonly name?: string
  readonly title?: string
  readonly context?: string
  /** What the client calls it. */
  readonly field?: string
}

export interface AudioPart {
  readonly type: 'audio'
  readonly source: MediaSource
  /** `audio/wav`. */
  readonly mediaType: string
  /** What the client calls it. */
  readonly field?: string
}

/** What the model says instead of an answer. */
export interface RefusalPart {
  readonly type: 'refusal'
  readonly text: string
}

/** What the model thought. Its text may be empty where the provider shows only a signature. */
export interface ReasoningPart {
  readonly type: 'reasoning'
  readonly text: string
  /** `summary`: told in other words than it was thought. `redacted`: nothing but a signature. */
  readonly form: 'raw' | 'summary' | 'redacted'
  readonly signature?: Signature
}

export interface ToolCallPart {
  readonly type: 'tool_call'
  readonly id: string
  readonly name: string
  /** `custom`: the input is free text. */
  readonly kind: 'function' | 'custom'
  /** JSON text as the model wrote it, or the free text of a custom tool. */
  readonly arguments: string
  readonly signature?: Signature
}

/** What a tool said to a call. */
export interface ToolResult {
  readonly callId: string
  /** The tool's name, where the client told. */
  readonly name?: string
  readonly content: readonly (TextPart | ImagePart | FilePart)[]
  readonly failed?: boolean
}

/** Where a piece of text comes from. Positions count UTF-16 units of the text. */
export interface Citation {
  readonly url: string
  readonly title?: string
  readonly start?: number
  readonly end?: number
}

export interface TokenLogprob {
  readonly token: string
  readonly logprob: number
  readonly bytes?: readonly number[]
  readonly top: readonly Omit<TokenLogprob, 'top'>[]
}

/**
 * What a provider wants back, byte for byte, to go on from what its model thought. Worthless, and
 * often refused, anywhere else.
 */
export interface Signature {
  /** The dialect whose accounts understand it. */
  readonly dialect: string
  readonly value: string
  /** What its provider calls the piece that it belongs to. */
  readonly id?: string
  /** Tells the account that made it, where no other one takes it; nothing can be read out of it. */
  readonly account?: string
}

export type UserPart = TextPart | ImagePart | FilePart | AudioPart
export type AssistantPart =
  | TextPart
  | RefusalPart
  | ReasoningPart
  | ToolCallPart
  | ImagePart
  | AudioPart
