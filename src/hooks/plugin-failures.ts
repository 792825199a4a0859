import { Declined } from '../contract/attempt.ts'
import type { Candidate } from '../contract/candidate.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Received } from '../contract/exchange.ts'
import type { GatewayPlugin } from '../contract/plugin.ts'
import { type MaybePromise, isThenable } from '../lib/maybe-promise.ts'

/** Log fields of a failure. */
export interface About {
  /** Absent if the gateway itself failed. */
  readonly plugin?: string
  readonly request_id: string
  readonly account: string | undefined
}

/** Reports an error of a plugin's hook. */
type OnHookError = (plugin: GatewayPlugin, hook: string, error: unknown, about?: About) => void

/** One call of a plugin's hook. */
interface HookCall {
  readonly plugin: GatewayPlugin
  readonly hook: string
  readonly exchange: Received
}

/** Calls hooks whose errors fail the exchange, and reports each error once, with its plugin. */
export class PluginFailures {
  readonly #report: OnHookError
  /** Errors that pass through the hooks of an exchange, and whether each has been reported. */
  readonly #passing = new WeakMap<Received, Map<unknown, boolean>>()

  constructor(report: OnHookError) {
    this.#report = report
  }

  /** Calls a hook, and `accept` with its result. Rethrows errors of both unchanged. */
  guard<T, R>(
    { plugin, hook, exchange }: HookCall,
    call: () => MaybePromise<T>,
    accept: (result: T) => R,
  ): MaybePromise<R> {
    const failed = (error: unknown) => {
      if (isIntended(error) || this.#passing.get(exchange)?.has(error)) return
      this.#note(exchange, error, true)
      this.#report(plugin, hook, error, aboutOf(exchange, plugin))
    }
    return observeFailure(() => {
      const result = call()
      return isThenable(result) ? Promise.resolve(result).then(accept) : accept(result)
    }, failed)
  }

  /** Runs the work inside the innermost hook. Its errors are not blamed on the plugins they pass through. */
  innermost<R>(exchange: Received, last: () => Promise<R>): Promise<R> {
    return observeFailure(last, (error) => this.#note(exchange, error, false))
  }

  /** Whether an error has been reported as a plugin's. */
  hasReported(exchange: Received, error: unknown): boolean {
    return this.#passing.get(exchange)?.get(error) ?? false
  }

  #note(exchange: Received, error: unknown, isReported: boolean): void {
    const passing = this.#passing.get(exchange)
    if (!passing) this.#passing.set(exchange, new Map([[error, isReported]]))
    else if (!passing.get(error)) passing.set(error, isReported)
  }
}

/** Log fields of a failure in an exchange. Default of `candidate`: the one of the current attempt. */
export function aboutOf(
  { id, progress }: Received,
  plugin?: GatewayPlugin,
  candidate?: Candidate,
): About {
  const account = (candidate ?? progress.attempt?.candidate)?.account
  return { ...(plugin && { plugin: plugin.name }), request_id: id, account: account?.id }
}

/** Calls `failed` with an error before the hook's caller sees it: a hook need not await its `next`. */
function observeFailure<T>(work: () => T, failed: (error: unknown) => void): T {
  try {
    const done = work()
    if (isThenable(done)) void done.catch(failed)
    return done
  } catch (error) {
    failed(error)
    throw error
  }
}

/** Whether a plugin throws an error for the client or for routing, which is no failure of the plugin. */
function isIntended(error: unknown): boolean {
  return GatewayError.isInstance(error) || error instanceof Declined
}

/** Options of the composed hooks. */
export interface HookOptions {
  /** How long critical outcome hooks may take, in milliseconds. */
  readonly outcomeMs: number
  /** Called for each error of a hook. */
  readonly onHookError: OnHookError
}
