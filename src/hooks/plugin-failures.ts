import { Declined } from '../contract/attempt.ts'
import type { Candidate } from '../contract/candidate.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Received } from '../contract/exchange.ts'
import type { GatewayPlugin } from '../contract/plugin.ts'
import { type MaybePromise, isThenable } from '../lib/maybe-promise.ts'

/** For the log: what failed, and on what. */
export interface About {
  /** Absent where the gateway itself failed. */
  readonly plugin?: string
  readonly request_id: string
  readonly account: string | undefined
}

export type OnHookError = (
  plugin: GatewayPlugin,
  hook: string,
  error: unknown,
  about?: About,
) => void

export interface HookCall {
  readonly plugin: GatewayPlugin
  readonly hook: string
  readonly exchange: Received
}

/** Calls the hooks that decide what becomes of an exchange, and tells which plugin failed it. */
export class PluginFailures {
  readonly #report: OnHookError
  /** Errors on their way through the hooks around an exchange, and whether they have been told of. */
  readonly #passing = new WeakMap<Received, Map<unknown, boolean>>()

  constructor(report: OnHookError) {
    this.#report = report
  }

  /** Calls a hook, and `accept` with what it gives. What either throws is thrown on as it is. */
  guard<T, R>(
    { plugin, hook, exchange }: HookCall,
    call: () => MaybePromise<T>,
    accept: (given: T) => R,
  ): MaybePromise<R> {
    const failed = (error: unknown) => {
      if (isMeant(error) || this.#passing.get(exchange)?.has(error)) return
      this.#note(exchange, error, true)
      this.#report(plugin, hook, error, aboutOf(exchange, plugin))
    }
    return watched(() => {
      const given = call()
      return isThenable(given) ? Promise.resolve(given).then(accept) : accept(given)
    }, failed)
  }

  /** What fails behind the last hook is no plugin's fault, though it passes through their hooks. */
  behind<R>(exchange: Received, last: () => Promise<R>): Promise<R> {
    return watched(last, (error) => this.#note(exchange, error, false))
  }

  /** Whether this error needs no further word. */
  hasReported(exchange: Received, error: unknown): boolean {
    return this.#passing.get(exchange)?.get(error) ?? false
  }

  #note(exchange: Received, error: unknown, isTold: boolean): void {
    const passing = this.#passing.get(exchange)
    if (!passing) this.#passing.set(exchange, new Map([[error, isTold]]))
    else if (!passing.get(error)) passing.set(error, isTold)
  }
}

/** Where no candidate is named, the account that was asked last. */
export function aboutOf(
  { id, progress }: Received,
  plugin?: GatewayPlugin,
  candidate?: Candidate,
): About {
  const account = (candidate ?? progress.attempt?.candidate)?.account
  return { ...(plugin && { plugin: plugin.name }), request_id: id, account: account?.id }
}

/** Looks on at a failure before anybody else does. A hook may stop waiting for what it asked for. */
function watched<T>(work: () => T, failed: (error: unknown) => void): T {
  try {
    const done = work()
    if (isThenable(done)) void done.catch(failed)
    return done
  } catch (error) {
    failed(error)
    throw error
  }
}

/** What a plugin says to the client, or to whoever chooses accounts. */
function isMeant(error: unknown): boolean {
  return GatewayError.isInstance(error) || error instanceof Declined
}

export interface HookOptions {
  /** How long critical outcome hooks may take, in milliseconds. */
  readonly outcomeMs: number
  /** A hook failed. What that makes of the exchange is told nowhere else. */
  readonly onHookError: OnHookError
}
