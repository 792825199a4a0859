import type { AssistantPart, TextPart, ToolResult, UserPart } from './content.ts'
import type { Extra, RequestFields, RequestSettings } from './unsupported.ts'
import type { Tool, ToolChoice } from './tools.ts'

/** A request in the neutral model. A member is absent if the client did not set it, never a default. */
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
  /** The number of choices. Default: 1. */
  readonly candidates?: number
  /** Requests the log probability of each token, and of `top` alternatives. */
  readonly logprobs?: { readonly top: number }
  /** The id of the client's end user, hashed or not. */
  readonly endUser?: string
  readonly metadata?: Readonly<Record<string, string>>
  readonly cacheKey?: string
  readonly serviceTier?: string
  /** Whether the provider may store the reply. */
  readonly store?: boolean
  /** The id of the exchange, from which ids for tool calls without one are derived. */
  readonly exchangeId?: string
  /** The features that the request uses, by the client's fields. */
  readonly fields: RequestFields
  readonly settings?: RequestSettings
  /** The fields that the neutral model does not represent. */
  readonly extras: readonly Extra[]
}

/** A turn of the conversation. Successive turns may have one role; encoders join them if necessary. */
export type Turn =
  | { readonly role: 'system'; readonly content: readonly TextPart[] }
  | { readonly role: 'user'; readonly content: readonly UserPart[] }
  | { readonly role: 'assistant'; readonly content: readonly AssistantPart[] }
  | { readonly role: 'tool'; readonly results: readonly ToolResult[] }

/** The parts of a turn; of a turn of tools, the parts of its results. */
export function partsOf(turn: Turn): readonly (AssistantPart | UserPart)[] {
  return turn.role === 'tool' ? turn.results.flatMap(({ content }) => content) : turn.content
}

/** The format of the reply's text. */
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

/** How much the model reasons, and how much of it the client reads. */
export interface Reasoning {
  readonly effort?: Effort
  /** In tokens; 0 disables reasoning. */
  readonly budget?: number
  /** Whether the reply contains the reasoning. */
  readonly show?: boolean
  readonly summary?: 'auto' | 'concise' | 'detailed'
}

/** The reasoning effort. */
export type Effort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max'

/** The sampling parameters. */
export interface Sampling {
  readonly temperature?: number
  readonly topP?: number
  readonly topK?: number
  readonly seed?: number
  readonly presencePenalty?: number
  readonly frequencyPenalty?: number
}
