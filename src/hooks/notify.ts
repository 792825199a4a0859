import { type MaybePromise, isThenable } from '../lib/maybe-promise.ts'
import type { GatewayPlugin, ProducedInput } from '../contract/plugin.ts'
import { type HookOptions, aboutOf } from './plugin-failures.ts'

/**
 * Calls a hook of every plugin and reports errors. Returns `undefined` unless a critical plugin
 * returned a promise; then a promise that resolves when those have settled, or after `outcomeMs`.
 */
export function notify<P extends GatewayPlugin>(
  plugins: readonly P[],
  hook: string,
  input: Pick<ProducedInput, 'exchange' | 'candidate'>,
  call: (plugin: P) => MaybePromise<void>,
  { outcomeMs, onHookError }: HookOptions,
): Promise<void> | undefined {
  const failed = (plugin: P, error: unknown) =>
    onHookError(plugin, hook, error, aboutOf(input.exchange, plugin, input.candidate))
  let awaited: Promise<void>[] | undefined
  for (const plugin of plugins) {
    try {
      const done = call(plugin)
      if (!isThenable(done)) continue
      const settled = Promise.resolve(done).catch((error: unknown) => failed(plugin, error))
      if (plugin.critical) (awaited ??= []).push(settled)
    } catch (error) {
      failed(plugin, error)
    }
  }
  if (!awaited) return undefined
  return untilSettled(outcomeMs, awaited.length === 1 ? awaited[0]! : Promise.all(awaited))
}

/** Resolves when the work has settled, or after the given time. */
function untilSettled(milliseconds: number, work: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    void work.then(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}
