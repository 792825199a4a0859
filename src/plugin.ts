import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'

import type { ServerAdapterPlugin } from '@whatwg-node/server'

import type { Candidate } from './accounts/account.ts'
import type { Exclusion } from './candidates.ts'
import type { Dialect } from './dialect.ts'
import type { GatewayError } from './errors.ts'
import type {
  Caller,
  Identified,
  Outcome,
  Produced,
  Received,
  Reply,
  Routed,
  Summary,
  Understood,
} from './exchange.ts'
import type { Files } from './files.ts'
import type { EventMapper } from './generate/mapper.ts'
import type { Kept } from './kept.ts'
import type { MaybePromise } from './maybe-promise.ts'
import type { Storage } from './storage/storage.ts'

/** What an edge plugin finds as `serverContext`. */
export interface HttpContext {
  readonly req: IncomingMessage
  readonly res: ServerResponse
}

/**
 * A plugin is a plain object. Every hook takes one object and *returns* its result. Order in the
 * array is order of execution; the first around-hook is the outermost.
 */
export interface GatewayPlugin {
  /** Its own among all plugins. Shown by `check` and in errors about this plugin. */
  readonly name: string
  /** Dialects that this plugin adds. */
  readonly dialects?: readonly Dialect[]
  /** Storages for uploads that this plugin adds. */
  readonly storages?: readonly Storage[]
  /** Uploads that requests may name by their paths. The shipped pipeline has some; the first count. */
  readonly files?: Files
  /** A `@whatwg-node/server` plugin at the edge, for CORS and the like. */
  readonly http?: ServerAdapterPlugin<HttpContext>
  /** Around the whole exchange. */
  onExchange?(input: { exchange: Received; next: () => Promise<Reply> }): MaybePromise<Reply>
  /** Who the caller is, or nothing; the first answer wins, none is 401. */
  onAuthenticate?(input: {
    exchange: Identified
    credential: string | undefined
  }): MaybePromise<Caller | undefined>
  /** Around the call: may answer instead of an account. Such an answer settles and binds nothing. */
  onCall?(input: { exchange: Understood; next: () => Promise<Reply> }): MaybePromise<Reply>
  /**
   * A verdict for each candidate, in order, or the one account that must serve the call. The kernel
   * removes and ranks after all have spoken.
   */
  onCandidates?(input: {
    exchange: Understood
    candidates: readonly Candidate[]
  }): MaybePromise<readonly (Verdict | undefined)[] | Pin | undefined>
  /**
   * What is to change in the events of a reply, in the words of the neutral model. The reply is then
   * written anew, also where client and account speak the same.
   */
  onEvents?(input: { exchange: Routed }): EventMapper | undefined
  /** Around one attempt; resolves at commitment, when its first real output is there. */
  onAttempt?(input: {
    exchange: Routed
    outbound: Outbound
    next: (outbound?: Outbound) => Promise<Reply>
  }): MaybePromise<Reply>
  /**
   * A stream announces a resource that can be asked for while it still runs. Awaited where
   * `critical`, before the client learns of the id.
   */
  onProduced?(input: ProducedInput): MaybePromise<void>
  /** How an attempt ended, before its last bytes reach the client. Awaited where `critical`. */
  onOutcome?(input: OutcomeInput): MaybePromise<void>
  /** `onOutcome` and `onProduced` must have finished before the reply goes on. */
  readonly critical?: boolean
  /** After the last byte, whatever happened. */
  onEnd?(input: { exchange: Ended; summary: Summary }): void
  onDispose?(): MaybePromise<void>
}

type HookName = Extract<keyof GatewayPlugin, `on${string}`>

const hooks: Record<HookName, true> = {
  onExchange: true,
  onAuthenticate: true,
  onCall: true,
  onCandidates: true,
  onEvents: true,
  onAttempt: true,
  onProduced: true,
  onOutcome: true,
  onEnd: true,
  onDispose: true,
}

/** Every hook that there is. */
export const hookNames: readonly string[] = Object.keys(hooks)

/** An attempt's end. Its candidate is told apart: by now the exchange may be at the next one. */
export interface OutcomeInput {
  readonly exchange: Routed
  readonly candidate: Candidate
  /** 1 for the first. */
  readonly attempt: number
  readonly outcome: Outcome
}

export interface ProducedInput {
  readonly exchange: Understood
  /** Absent where no account was asked. */
  readonly candidate: Candidate | undefined
  readonly produced: Produced
}

/** What is known in the end: everything up to the stage that was reached. */
export type Ended = Received & Partial<Omit<Routed, keyof Received>>

export interface Verdict {
  /** Lower is preferred; 0 is neutral. */
  readonly rank?: number
  /** The rule behind a preference, told where routing is explained. */
  readonly why?: string
  readonly excluded?: Omit<Exclusion, 'account'>
}

/** A call that belongs to one account and to no other. */
export interface Pin {
  /** The account's id; it may be one that is not among the candidates. Absent: any will do. */
  readonly pinnedTo: string | undefined
  /** What the call refers to, where the gateway keeps it: any dialect of the account's will do. */
  readonly kept?: Kept
  readonly by: string
  /** The error where that account cannot serve the call, and why. */
  unavailable(reason: string): GatewayError
}

/** A request to an account. */
export interface Outbound {
  readonly method: string
  /** Scheme, host and port. */
  readonly origin: string
  /** Path and query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | StreamedBody | null
}

/** A body that is too large to be held: read anew each time that it is sent. */
export interface StreamedBody {
  /** In bytes, exactly. */
  readonly length: number
  open(): Readable
}

export interface DeclineDetails {
  readonly untilMs?: number | undefined
  readonly field?: string
}

/**
 * Thrown for an account that turns out not to be had: the next one is asked, and
 * nothing is held against this one.
 */
export class Declined extends Error {
  readonly by: string
  readonly reason: string
  /** When it may be had again, in milliseconds since 1970. */
  readonly untilMs: number | undefined
  /** What it cannot be asked for, in the client's words. */
  readonly field: string | undefined
  constructor(by: string, reason: string, { untilMs, field }: DeclineDetails = {}) {
    super(`${by}: ${reason}`)
    this.name = 'Declined'
    this.by = by
    this.reason = reason
    this.untilMs = untilMs
    this.field = field
  }
}

/** Identity, for types and completion. */
export function definePlugin(plugin: GatewayPlugin): GatewayPlugin {
  return plugin
}
