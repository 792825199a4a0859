import type { IncomingMessage, ServerResponse } from 'node:http'

import type { ServerAdapterPlugin } from '@whatwg-node/server'

import type { EventMapper } from '../generate/mapper.ts'
import type { MaybePromise } from '../lib/maybe-promise.ts'
import type { Outbound } from './attempt.ts'
import type { Exclusion, Pin } from './call.ts'
import type { Candidate } from './candidate.ts'
import type { Dialect } from './dialect.ts'
import type { Attempt, Ended, Identified, Received, Routed, Understood } from './exchange.ts'
import type { Files } from './files.ts'
import type { Outcome, Produced, Reply, Summary } from './outcome.ts'
import type { Caller } from './request.ts'
import type { Storage } from './storage.ts'

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

/** How an attempt ended. By now the exchange may be at the next attempt; `attempt` is the one that ended. */
export interface OutcomeInput {
  readonly exchange: Routed
  readonly candidate: Candidate
  readonly attempt: Attempt
  readonly outcome: Outcome
}

export interface ProducedInput {
  readonly exchange: Understood
  /** Absent where no account was asked. */
  readonly candidate: Candidate | undefined
  readonly produced: Produced
}

export interface Verdict {
  /** Lower is preferred; 0 is neutral. */
  readonly rank?: number
  /** The rule behind a preference, told where routing is explained. */
  readonly why?: string
  readonly excluded?: Omit<Exclusion, 'account'>
}

/** Identity, for types and completion. */
export function definePlugin(plugin: GatewayPlugin): GatewayPlugin {
  return plugin
}
