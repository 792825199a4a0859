import type { IncomingMessage, ServerResponse } from 'node:http'

import type { ServerAdapterPlugin } from '@whatwg-node/server'

import type { EventMapper } from '../generate/mapper.ts'
import type { GenerateRequest } from '../generate/request.ts'
import type { MaybePromise } from '../lib/maybe-promise.ts'
import type { Outbound } from './outbound.ts'
import type { AccountExclusion, Exclusion, Pin } from './call.ts'
import type { Candidate } from './candidate.ts'
import type { AnyDialect } from './dialect.ts'
import type { Account } from './account.ts'
import type {
  Attempt,
  Authenticated,
  Ended,
  Identified,
  Received,
  Routed,
  Understood,
} from './exchange.ts'
import type { AccountFiles, Files } from './files.ts'
import type { LedgerRow } from './ledger-row.ts'
import type { Outcome, Produced, Reply, Summary } from './outcome.ts'
import type { Probe, StartInput, Task } from './plugin-start.ts'
import type { Providers } from './provider.ts'
import type { RefusalSubject } from './refusal.ts'
import type { Caller, RefusedKey } from './request.ts'
import type { Storage } from './storage.ts'

/** The `serverContext` of an edge plugin. */
export interface HttpContext {
  readonly req: IncomingMessage
  readonly res: ServerResponse
}

/** The part of a configuration that a plugin can see besides its own options. */
interface PluginSurroundings {
  /** The ids of all API keys; `undefined` if the store's keys are unknown. */
  readonly keys: ReadonlySet<string> | undefined
  /** The names of the plugins that the configuration lists before it. */
  readonly before: readonly string[]
}

/**
 * A plugin: a plain object. Every hook takes one object and returns its result. Hooks run in the order
 * of the plugins; of the hooks with `next`, the first plugin's is the outermost.
 */
export interface GatewayPlugin {
  /** Unique among all plugins. Shown by `check` and in errors about this plugin. */
  readonly name: string
  /** Dialects that this plugin adds, for clients or for accounts alone. */
  readonly dialects?: readonly AnyDialect[]
  /** Providers that this plugin adds, by name: how dialects of all plugins reach their accounts. */
  readonly providers?: Providers
  /** Storages for uploads that this plugin adds. */
  readonly storages?: readonly Storage[]
  /** The uploads that requests can name by their paths. The first plugin that has `files` provides them. */
  readonly files?: Files
  /** Files that accounts store, which requests can name by ids of the gateway. */
  readonly accountFiles?: AccountFiles
  /** A `@whatwg-node/server` plugin at the edge, for CORS and the like. */
  readonly http?: ServerAdapterPlugin<HttpContext>
  /** Wraps the whole exchange. */
  onExchange?(input: { exchange: Received; next: () => Promise<Reply> }): MaybePromise<Reply>
  /**
   * Returns the caller of an API key. The first caller wins; without any the reply is 401. A refused key gets the same
   * 401, and operators see the first one.
   */
  onAuthenticate?(input: {
    exchange: Identified
    credential: string | undefined
  }): MaybePromise<Caller | RefusedKey | undefined>
  /**
   * Called when the caller is known, for every operation with a key: those that the gateway serves itself, too.
   * Throws `GatewayError` to refuse the caller.
   */
  onCaller?(input: { exchange: Authenticated }): MaybePromise<void>
  /**
   * Returns the request that accounts get: the same or a changed one, in neutral form. Called once for an
   * exchange, before the call is routed; a plugin gets the request that the plugin before it returned. Throws
   * `GatewayError` to refuse the request. The gateway writes the change into the body in the client's
   * dialect, so that all later stages see the changed request only.
   */
  onRequest?(input: RequestInput): MaybePromise<GenerateRequest>
  /**
   * Called when the call and its model are known, before any `onCall`. Returns headers that the client's reply gets, or
   * nothing. Throws `GatewayError` to refuse the call. Called again, with the other model, where a fallback follows.
   */
  onUnderstood?(input: {
    exchange: Understood
  }): MaybePromise<Readonly<Record<string, string>> | void>
  /**
   * Wraps the call, and may reply instead of an account. Such a reply has no outcome and writes no
   * binding. Called again, with the other model, where a fallback follows.
   */
  onCall?(input: { exchange: Understood; next: () => Promise<Reply> }): MaybePromise<Reply>
  /**
   * Returns a verdict for each candidate, in their order, or a pin to one account. The kernel applies
   * the verdicts of all plugins together.
   */
  onCandidates?(input: {
    exchange: Understood
    candidates: readonly Candidate[]
  }): MaybePromise<readonly (Verdict | undefined)[] | Pin | undefined>
  /**
   * Returns a mapper of the reply's neutral events. With a mapper the gateway decodes and encodes the
   * reply, also for a native account.
   */
  onEvents?(input: { exchange: Routed }): EventMapper | undefined
  /**
   * Wraps one request to an account: attempts, look-ups, and free calls of the gateway (`account.free-call`). `next` resolves
   * when the reply's first output is there. It takes a request with another path, other headers or another body, and
   * rejects for another method or origin, and for what HTTP does not permit.
   */
  onAttempt?(input: {
    exchange: Routed
    outbound: Outbound
    next: (outbound?: Outbound) => Promise<Reply>
  }): MaybePromise<Reply>
  /**
   * Called when a stream announces a resource that clients can retrieve while the stream runs. If the
   * plugin is `critical`, the client learns of the id after the hook has finished.
   */
  onProduced?(input: ProducedInput): MaybePromise<void>
  /**
   * Called when a refusal is `unclear`, before the gateway decides on failover. Returns the
   * subject, or nothing. The first answer wins; the call waits for it.
   */
  onRefusal?(input: RefusalInput): MaybePromise<RefusalSubject | undefined>
  /** Called at the end of every attempt, before the client gets the last bytes. */
  onOutcome?(input: OutcomeInput): MaybePromise<void>
  /** The reply waits for this plugin's `onOutcome` and `onProduced`, for at most `Timeouts.outcomeMs`. */
  readonly critical?: boolean
  /** Called once for every exchange, after the last byte or after the client has left. */
  onEnd?(input: { exchange: Ended; summary: Summary }): void
  /**
   * Returns fields for the line of this exchange in the access log, which has them under the name of the
   * plugin: 16 at most, texts of 256 characters at most. Called where the log has a line for the exchange.
   */
  onAccessLog?(input: { exchange: Ended; summary: Summary }): AccessFields | undefined
  /**
   * Gets the rows of the ledger as they go to the store, some tens to hundreds at a time: for a warehouse. The next
   * ones wait for its promise, 10,000 at most. Rows are not given again after a failure, nor after the end of the
   * process: `/ledger.ndjson` of the admin address has them.
   */
  onLedger?(input: { rows: readonly LedgerRow[] }): MaybePromise<void>
  /**
   * Returns the exclusions of these accounts, or of parts of their calls, for operators. Called every few
   * seconds.
   */
  exclusions?(accounts: readonly Account[]): readonly AccountExclusion[]
  /** Ends exclusions of an account for an operator. Returns how many it has ended. */
  readmit?(account: Account, choice: ReadmissionChoice): number
  /**
   * Called once, when the gateway starts, which waits for it for at most five seconds. A failure is
   * logged, and the gateway serves without the preparations of the hook.
   */
  onStart?(input: StartInput): MaybePromise<void>
  /**
   * Background work, by name: each runs in every process, after `onStart` has ended or its time is over, until
   * its signal aborts. A task that fails or ends earlier is logged, and is not run again.
   */
  readonly tasks?: Readonly<Record<string, Task>>
  /** Probable mistakes in its options, which `check` and the start print. */
  readonly warnings?: (around: PluginSurroundings) => readonly string[]
  /** The states of its parts, by their names, for `/readyz?verbose` of the admin address. */
  readonly probes?: Readonly<Record<string, Probe>>
  /**
   * Adds fields and types to the schema of the admin API. The parameter is the `AdminBuilder` of
   * `dragoman/admin`, whose types are not needed where the admin API is off. Each field of `Query`,
   * `Mutation` and `Subscription`, and each type, needs `authScopes`; `act` of the kit adds mutations, with
   * their audit records. Never called where the API is off.
   */
  readonly admin?: (builder: never, kit: never) => void
  /** Called once, when the gateway is disposed of. */
  onDispose?(): MaybePromise<void>
}

type HookName = Extract<keyof GatewayPlugin, `on${string}`>

const hooks: Record<HookName, true> = {
  onExchange: true,
  onAuthenticate: true,
  onCaller: true,
  onRequest: true,
  onUnderstood: true,
  onCall: true,
  onCandidates: true,
  onEvents: true,
  onAttempt: true,
  onProduced: true,
  onRefusal: true,
  onOutcome: true,
  onEnd: true,
  onAccessLog: true,
  onLedger: true,
  onStart: true,
  onDispose: true,
}

/** The names of all hooks. */
export const hookNames: readonly string[] = Object.keys(hooks)

/** The input of `onRequest`. */
export interface RequestInput {
  readonly exchange: Understood
  /** Frozen: a changed request is a new object. */
  readonly request: GenerateRequest
}

/** Fields of a line of the access log. Names have 1 to 64 letters, digits and underscores, a letter first. */
export type AccessFields = Readonly<Record<string, string | number | boolean | undefined>>

/** The input of `onOutcome`. `attempt` is the attempt that ended; the exchange may be at a later one. */
export interface OutcomeInput {
  readonly exchange: Routed
  readonly candidate: Candidate
  readonly attempt: Attempt
  readonly outcome: Outcome
}

/** The input of `onRefusal`. The attempt is not settled yet. */
export interface RefusalInput {
  readonly exchange: Routed
  readonly candidate: Candidate
  readonly outcome: Outcome
}

/**
 * The exclusions that an operator ends: the circuits of one dialect or of all, or the pauses and refusals of one
 * model (by its upstream name) or of the whole account with all its models.
 */
export type ReadmissionChoice =
  | { readonly kind: 'circuit'; readonly dialect?: string | undefined }
  | { readonly kind: 'cool-down'; readonly model?: string | undefined }

/** The input of `onProduced`. */
export interface ProducedInput {
  readonly exchange: Understood
  /** Absent if the gateway created the resource itself. */
  readonly candidate: Candidate | undefined
  readonly produced: Produced
}

/** A plugin's verdict on a candidate. */
export interface Verdict {
  /** The preference: lower comes first, 0 is neutral. The ranks of all plugins add up. */
  readonly rank?: number
  /** The rule behind the rank, shown where routing is explained. */
  readonly why?: string
  /** Removes the candidate from the call. */
  readonly excluded?: Omit<Exclusion, 'account'>
}

/** Returns the plugin unchanged. Gives the literal its type, and editors completion. */
export function definePlugin(plugin: GatewayPlugin): GatewayPlugin {
  return plugin
}

/** The dialects of a gateway, and the providers that its plugins add to them. */
export type OfferedDialects = readonly AnyDialect[] & { readonly providers?: Providers }

/** The dialects and providers of plugins. Of two providers with one name the later counts. */
export function dialectsOf(
  plugins: readonly Pick<GatewayPlugin, 'dialects' | 'providers'>[],
): OfferedDialects {
  const providers = Object.assign({}, ...plugins.map((plugin) => plugin.providers)) as Providers
  return Object.assign(
    plugins.flatMap((plugin) => plugin.dialects ?? []),
    { providers },
  )
}
