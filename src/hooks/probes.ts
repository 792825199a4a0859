import type { GatewayPlugin } from '../contract/plugin.ts'
import type { Probe, ProbeResult } from '../contract/plugin-start.ts'
import { isObject } from '../lib/json/object.ts'
import { inScope } from '../lib/named-scope.ts'
import { within } from '../lib/deadline.ts'
import type { PluginStarts, PluginTasks } from './lifecycle.ts'

/** The states of the parts of plugins, by the plugin's name and the probe's. */
export type ProbeResults = Readonly<Record<string, Readonly<Record<string, ProbeResult>>>>

/** The time for all probes, in milliseconds, and how long their results are used again. */
const longestMs = 1_000

/** In characters. */
const longestMessage = 200

/** Options of `createProbes`. */
interface ProbesOptions {
  /** Called for a probe that fails or does not end. */
  readonly onError: (plugin: GatewayPlugin, error: unknown) => void
  readonly starts: () => PluginStarts
  readonly tasks: () => Pick<PluginTasks, 'statesOf'>
}

/**
 * Runs the probes of all plugins, at most once a second. A probe that throws, or does not end within a
 * second, is not ok; its error is reported, and not shown.
 */
export function createProbes(
  plugins: readonly GatewayPlugin[],
  { onError, starts, tasks }: ProbesOptions,
): () => Promise<ProbeResults> {
  const probed = plugins.filter((plugin) => plugin.probes || plugin.onStart || plugin.tasks)
  let last: { readonly at: number; readonly results: Promise<ProbeResults> } | undefined

  async function run(): Promise<ProbeResults> {
    const results = await Promise.all(
      probed.map(async (plugin) => [plugin.name, await ofPlugin(plugin)] as const),
    )
    return Object.fromEntries(results.filter(([, result]) => Object.keys(result).length > 0))
  }

  async function ofPlugin(plugin: GatewayPlugin) {
    const hasStarted = !starts().unstarted.has(plugin.name)
    const own = Object.entries(plugin.probes ?? {}).map(
      async ([name, probe]) => [name, await resultOf(plugin, probe)] as const,
    )
    const states = Object.entries(tasks().statesOf(plugin.name)).map(
      ([name, state]) => [`task ${name}`, { ok: state !== 'failed', message: state }] as const,
    )
    return {
      ...Object.fromEntries(await Promise.all(own)),
      ...Object.fromEntries(states),
      ...(!hasStarted && { onStart: { ok: false, message: 'has not finished' } }),
    }
  }

  async function resultOf(plugin: GatewayPlugin, probe: Probe): Promise<ProbeResult> {
    try {
      const probing = inScope(plugin.name, () => call(probe))
      return readResult(await within(longestMs, probing, late))
    } catch (error) {
      onError(plugin, error)
      return { ok: false, message: 'the probe failed' }
    }
  }

  return () => {
    const now = performance.now()
    if (!last || now - last.at >= longestMs) last = { at: now, results: run() }
    return last.results
  }
}

async function call(probe: Probe): Promise<unknown> {
  return probe()
}

function readResult(result: unknown): ProbeResult {
  if (!isObject(result) || typeof result.ok !== 'boolean') throw new Error('It returned no result.')
  const { ok, message } = result
  return typeof message === 'string' ? { ok, message: message.slice(0, longestMessage) } : { ok }
}

function late(): Error {
  return new Error(`It did not finish within ${longestMs} ms.`)
}
