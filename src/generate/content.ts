// The parts of turns and replies in the neutral model. Codecs convert them from and to their dialects.

/** The content of a medium: base64, a URL, or text. */
export type MediaSource =
  | { readonly kind: 'data'; readonly base64: string }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'text'; readonly text: string }

/** The end of a beginning of the prompt that the provider may cache. */
export interface CacheMark {
  /** How long. Absent: as long as the provider does. */
  readonly ttl?: '1h'
}

/** Text. */
export interface TextPart {
  readonly type: 'text'
  readonly text: string
  readonly citations?: readonly Citation[]
  readonly logprobs?: readonly TokenLogprob[]
  /** Some providers sign text as well. */
  readonly signature?: Signature
  readonly cache?: CacheMark
}

/** An image. */
export interface ImagePart {
  readonly type: 'image'
  readonly source: MediaSource
  /** Such as `image/png`. Absent if unknown. */
  readonly mediaType?: string
  readonly detail?: 'auto' | 'low' | 'high' | 'original'
  /** The client's field: `messages[3].content[1].image_url`. */
  readonly field?: string
  /** The size above which the client's dialect discards the image, which is then a loss. */
  readonly discarded?: DiscardRule
  readonly cache?: CacheMark
}

/** When an image by URL is discarded, and the loss that the client reads. */
export interface DiscardRule {
  /** In bytes. */
  readonly above: number
  /** The lost field. */
  readonly field: string
  readonly reason: string
}

/** A document, or any other file that is neither an image nor audio. */
export interface FilePart {
  readonly type: 'file'
  readonly source: MediaSource
  readonly mediaType?: string
  readonly name?: string
  readonly title?: string
  readonly context?: string
  /** The client's field. */
  readonly field?: string
  readonly cache?: CacheMark
}

/** Audio. */
export interface AudioPart {
  readonly type: 'audio'
  readonly source: MediaSource
  /** Such as `audio/wav`. */
  readonly mediaType: string
  /** The client's field. */
  readonly field?: string
}

/** The text with which the model refuses to reply. */
export interface RefusalPart {
  readonly type: 'refusal'
  readonly text: string
}

/** The model's reasoning. The text is empty if the provider returns only a signature. */
export interface ReasoningPart {
  readonly type: 'reasoning'
  readonly text: string
  /** `summary`: the provider's summary. `redacted`: a signature without text. */
  readonly form: 'raw' | 'summary' | 'redacted'
  readonly signature?: Signature
}

/** A tool call of the model. */
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

/** The result of a tool call. */
export interface ToolResult {
  readonly callId: string
  /** The tool's name, if the client sends it. */
  readonly name?: string
  readonly content: readonly (TextPart | ImagePart | FilePart)[]
  readonly failed?: boolean
  readonly cache?: CacheMark
}

/** The source of a range of text. Positions count UTF-16 units. */
export interface Citation {
  readonly url: string
  readonly title?: string
  readonly start?: number
  readonly end?: number
}

/** The log probability of a token, and of its alternatives. */
export interface TokenLogprob {
  readonly token: string
  readonly logprob: number
  readonly bytes?: readonly number[]
  readonly top: readonly Omit<TokenLogprob, 'top'>[]
}

/**
 * Opaque data that a provider requires back, byte for byte, to continue from its model's reasoning.
 * Other providers reject it.
 */
export interface Signature {
  /** The dialect whose accounts accept it. */
  readonly dialect: string
  readonly value: string
  /** The provider's id of the signed item. */
  readonly id?: string
  /** An opaque mark of the account that issued it, if no other account accepts it. */
  readonly account?: string
}

/** A part of a user's turn. */
export type UserPart = TextPart | ImagePart | FilePart | AudioPart

/** A part of a model's turn or reply. */
export type AssistantPart =
  | TextPart
  | RefusalPart
  | ReasoningPart
  | ToolCallPart
  | ImagePart
  | AudioPart
