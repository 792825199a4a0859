import type { AssistantPart, TextPart, ToolResult, UserPart } from './content.ts'
import type { Extra, RequestFields, RequestSettings } from './unsupported.ts'
import type { Tool, ToolChoice } from './tools.ts'

/** What a client asks a model for. Absent is what the client did not say, never a default. */
export interface GenerateRequest {
  readonly stream: boolean
  readonly turns: readonly Turn[]
  readonly tools: readonly Tool[]
  readonly toolChoice?: ToolChoice
  readonly parallelToolCalls?: boolean
  readonly output?: OutputFormat
  readonly verbosity?: 'low' | 'medium' | 'high'
  readonly reasoning?: Reasoning
  readonly sampling: Sampling
  readonly maxOutputTokens?: number
  readonly stop?: readonly string[]
  /** How many answers to one question; 1 where absent. */
  readonly candidates?: number
  /** How likely each token was, and so many alternatives of it. */
  readonly logprobs?: { readonly top: number }
  /** The client's own user, hashed or not. */
  readonly endUser?: string
  readonly metadata?: Readonly<Record<string, string>>
  readonly cacheKey?: string
  readonly serviceTier?: string
  /** Whether the provider may keep the reply. */
  readonly store?: boolean
  /** Tells the reply to it from all others, whatever their providers call them. */
  readonly exchangeId?: string
  /** What the client calls the features that it uses. */
  readonly fields: RequestFields
  readonly settings?: RequestSettings
  /** What the client said that has no place here. */
  readonly extras: readonly Extra[]
}

/** Neighbours may be of one kind; encoders join them where their dialect wants that. */
export type Turn =
  | { readonly role: 'system'; readonly content: readonly TextPart[] }
  | { readonly role: 'user'; readonly content: readonly UserPart[] }
  | { readonly role: 'assistant'; readonly content: readonly AssistantPart[] }
  | { readonly role: 'tool'; readonly results: readonly ToolResult[] }

export type OutputFormat =
  | { readonly kind: 'text' }
  | { readonly kind: 'json' }
  | {
      readonly kind: 'schema'
      readonly schema: Readonly<Record<string, unknown>>
      readonly name?: string
      readonly description?: string
      readonly strict?: boolean
    }

export interface Reasoning {
  readonly effort?: Effort
  /** Tokens; 0 asks for none. */
  readonly budget?: number
  /** Whether the client wants to read it. */
  readonly show?: boolean
  readonly summary?: 'auto' | 'concise' | 'detailed'
}

export type Effort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max'

export interface Sampling {
  readonly temperature?: number
  readonly topP?: number
  readonly topK?: number
  readonly seed?: number
  readonly presencePenalty?: number
  readonly frequencyPenalty?: number
}
