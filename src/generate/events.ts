import type { Citation, Signature, TokenLogprob } from './content.ts'
import type { GenerateUsage, Stop } from './result.ts'

/**
 * A reply as it comes. In this order: `start`; then parts, each `part` .. `delta`* .. `end`, of which
 * several may be open at once; `stop` once for each choice, after its parts; `finish`. An `error`
 * may stand instead of the rest. `finish` and `error` are the only terminals, and a stream without
 * one is broken.
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
  /** Which answer it belongs to; 0 where one was asked for. */
  readonly choice: number
  readonly part: PartHead
}

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
  /** Comes whole: nothing but its end follows. */
  | { readonly type: 'image' | 'audio'; readonly mediaType: string; readonly base64: string }

/** More of a part: text, or the text of a call's arguments. Never empty. */
export interface DeltaEvent {
  readonly type: 'delta'
  readonly index: number
  readonly text: string
  readonly logprobs?: readonly TokenLogprob[]
}

/** Of an open part. */
export interface SignatureEvent {
  readonly type: 'signature'
  readonly index: number
  readonly signature: Signature
}

/** Of an open text. */
export interface CitationEvent {
  readonly type: 'citation'
  readonly index: number
  readonly citation: Citation
}

export interface EndEvent {
  readonly type: 'end'
  readonly index: number
}

export interface StopEvent {
  readonly type: 'stop'
  readonly choice: number
  readonly stop: Stop
}

export interface FinishEvent {
  readonly type: 'finish'
  readonly usage: GenerateUsage
}

/** The upstream told of a failure inside its reply. */
export interface ErrorEvent {
  readonly type: 'error'
  readonly message: string
  /** What the status would have been, had it come before the reply. */
  readonly status: number
  /** What every dialect has a word for: the input is beyond the model's context. */
  readonly code?: 'context_length_exceeded'
}
