import type { Citation, Signature, TokenLogprob } from './content.ts'
import type { GenerateUsage, Stop } from './result.ts'

/**
 * An event of a streamed reply in the neutral model. The order is: `start`; then parts, each `part` ..
 * `delta`* .. `end`, of which several may be open at once; `stop` once for each choice, after its
 * parts; `finish`. An `error` may replace the rest. Only `finish` and `error` end a stream; a stream
 * without either is broken.
 */
export type GenerateEvent =
  | StartEvent
  | PartEvent
  | DeltaEvent
  | SignatureEvent
  | CitationEvent
  | EndEvent
  | StopEvent
  | FinishEvent
  | ErrorEvent

/** The reply begins. */
export interface StartEvent {
  readonly type: 'start'
  readonly id?: string
  readonly model?: string
  readonly serviceTier?: string
}

/** A part begins. Indexes count parts from 0 in the order in which they begin, without gaps. */
export interface PartEvent {
  readonly type: 'part'
  readonly index: number
  /** The index of the choice that it belongs to. */
  readonly choice: number
  readonly part: PartHead
}

/** The facts of a part that are known when it begins. */
export type PartHead =
  | { readonly type: 'text' }
  | { readonly type: 'refusal' }
  | { readonly type: 'reasoning'; readonly form: 'raw' | 'summary' | 'redacted' }
  | {
      readonly type: 'tool_call'
      readonly id: string
      readonly name: string
      readonly kind: 'function' | 'custom'
    }
  /** Complete: only `end` follows. */
  | { readonly type: 'image' | 'audio'; readonly mediaType: string; readonly base64: string }

/** The next text of a part, or of a tool call's arguments. Never empty. */
export interface DeltaEvent {
  readonly type: 'delta'
  readonly index: number
  readonly text: string
  readonly logprobs?: readonly TokenLogprob[]
}

/** The signature of an open part. */
export interface SignatureEvent {
  readonly type: 'signature'
  readonly index: number
  readonly signature: Signature
}

/** A citation of an open text part. */
export interface CitationEvent {
  readonly type: 'citation'
  readonly index: number
  readonly citation: Citation
}

/** A part ends. */
export interface EndEvent {
  readonly type: 'end'
  readonly index: number
}

/** A choice ends. */
export interface StopEvent {
  readonly type: 'stop'
  readonly choice: number
  readonly stop: Stop
}

/** The reply is complete. */
export interface FinishEvent {
  readonly type: 'finish'
  readonly usage: GenerateUsage
}

/** The upstream reports a failure inside its reply. */
export interface ErrorEvent {
  readonly type: 'error'
  readonly message: string
  /** The HTTP status that the failure stands for. */
  readonly status: number
  /** The input exceeds the model's context, which every dialect has an error code for. */
  readonly code?: 'context_length_exceeded'
  /** The model has given no usable answer: another account may, and the failure is no evidence against this one. */
  readonly about?: 'answer'
}
