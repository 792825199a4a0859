import { Declined } from '../contract/attempt.ts'
import type { Candidate } from '../contract/candidate.ts'
import { GatewayError, defectCodes } from '../contract/errors.ts'
import type { Received } from '../contract/exchange.ts'
import type { Reply } from '../contract/outcome.ts'
import type { GatewayPlugin } from '../contract/plugin.ts'
import { checkReply } from '../exchange/deliver.ts'
import { beginWork, finishWork } from '../exchange/record.ts'
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

/** A hook of plugins `P`, one for all of its calls: an object for each would be garbage of every request. */
export interface Hook<P, I, T> {
  /** The name of the hook, for reports. */
  readonly name: string
  readonly call: (plugin: P, input: I) => MaybePromise<T>
}

/** Calls hooks whose errors fail the exchange, and reports each error once, with its plugin. */
export class PluginFailures {
  readonly #report: OnHookError

  constructor(report: OnHookError) {
    this.#report = report
  }

  /**
   * Calls a hook, and `accept` with its result. Rethrows errors of both unchanged. The report of an error
   * comes before the hook's caller sees it: a hook need not await its `next`.
   */
  guard<P extends GatewayPlugin, I extends { readonly exchange: Received }, T, R>(
    hook: Hook<P, I, T>,
    plugin: P,
    input: I,
    accept: (result: T) => R,
  ): MaybePromise<R> {
    try {
      return this.#accepted(hook, plugin, input, hook.call(plugin, input), accept)
    } catch (error) {
      this.#failed(hook.name, plugin, input, error)
      throw error
    }
  }

  #accepted<P extends GatewayPlugin, I extends { readonly exchange: Received }, T, R>(
    hook: Hook<P, I, T>,
    plugin: P,
    input: I,
    result: MaybePromise<T>,
    accept: (result: T) => R,
  ): MaybePromise<R> {
    if (!isThenable(result)) return accept(result)
    const accepted = Promise.resolve(result).then(accept)
    void accepted.catch((error: unknown) => this.#failed(hook.name, plugin, input, error))
    return accepted
  }

  /**
   * Calls a hook as `guard` does, and rejects where that throws. A hook that returns the promise of its `next`, as
   * `passed` has it, has no part in the reply: it costs no promise. With the short way of `sendThroughHooks` this
   * saves 8 of 31 promises of a JSON call, and 0 to 7 % of its time.
   */
  guardReply<P extends GatewayPlugin, I extends { readonly exchange: Received }>(
    hook: Hook<P, I, Reply>,
    plugin: P,
    input: I,
    passed: () => Promise<Reply> | undefined,
  ): Promise<Reply> {
    try {
      const reply = hook.call(plugin, input)
      if (isThenable(reply) && reply === passed()) return reply
      return Promise.resolve(this.#accepted(hook, plugin, input, reply, checkReply))
    } catch (error) {
      this.#failed(hook.name, plugin, input, error)
      // oxlint-disable-next-line prefer-promise-reject-errors -- it is passed on as it was thrown
      return Promise.reject(error)
    }
  }

  /**
   * Runs the work inside the innermost hook. Its errors are not blamed on the plugins they pass through. The exchange
   * does not end before the work does, for which its hooks need not wait.
   */
  innermost<R>(exchange: Received, last: () => Promise<R>): Promise<R> {
    const { progress } = exchange
    const passes = (error: unknown) => {
      this.#note(exchange, error, false)
      finishWork(progress)
    }
    beginWork(progress)
    try {
      const done = last()
      void done.then(() => finishWork(progress), passes)
      return done
    } catch (error) {
      passes(error)
      throw error
    }
  }

  /** Whether an error has been reported as a plugin's. */
  hasReported(exchange: Received, error: unknown): boolean {
    return exchange.progress.hookErrors?.get(error) ?? false
  }

  #failed(
    hook: string,
    plugin: GatewayPlugin,
    { exchange }: { readonly exchange: Received },
    error: unknown,
  ): void {
    if (isIntended(error) || exchange.progress.hookErrors?.has(error)) return
    this.#note(exchange, error, true)
    this.#report(plugin, hook, error, aboutOf(exchange, plugin))
  }

  #note(exchange: Received, error: unknown, isReported: boolean): void {
    const errors = (exchange.progress.hookErrors ??= new Map())
    if (!errors.get(error)) errors.set(error, isReported)
  }
}

/** Log fields of a failure in an exchange. Default of `candidate`: the current attempt's. */
export function aboutOf(
  { id, progress }: Received,
  plugin?: GatewayPlugin,
  candidate?: Candidate,
): About {
  const account = (candidate ?? progress.attempt?.candidate)?.account
  return { ...(plugin && { plugin: plugin.name }), request_id: id, account: account?.id }
}

/** Whether a plugin throws an error for the client or for routing, which is no failure of the plugin. */
function isIntended(error: unknown): boolean {
  return GatewayError.isInstance(error) || error instanceof Declined
}

/** Options of the composed hooks. */
export interface HookOptions {
  /** How long critical outcome hooks may take, in milliseconds. */
  readonly outcomeMs: number
  /** See `Timeouts.pluginMs`. */
  readonly pluginMs: number
  /** Called for each error of a hook. */
  readonly onHookError: OnHookError
}

/** Reports a defect that ended an exchange, unless the report of a hook has it. */
export function reportDefect(
  exchange: Received,
  hooks: Pick<PluginFailures, 'hasReported'>,
  report: (message: string, error: unknown, about: About) => void,
): void {
  const { error } = exchange.progress
  if (!error || !defectCodes.has(error.code) || hooks.hasReported(exchange, error.cause)) return
  report('an exchange failed', error.cause ?? error, aboutOf(exchange))
}
