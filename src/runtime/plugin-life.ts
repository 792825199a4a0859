import { hash } from 'node:crypto'

import { sourceOf } from '../configuration/plugins/source.ts'
import type { GatewayPlugin } from '../contract/plugin.ts'
import type { StartInput } from '../contract/plugin-start.ts'
import { type ProbeResults, createProbes } from '../hooks/probes.ts'
import {
  type PluginStarts,
  type PluginTasks,
  noTasks,
  startPlugins,
  startTasks,
} from '../hooks/lifecycle.ts'
import { type Log, describeError, withFields } from '../lib/log.ts'
import { inScope } from '../lib/named-scope.ts'
import type { Store } from '../stores/store.ts'
import { countersOfPlugin } from './plugin-counters.ts'
import { recordsOfPlugin } from './plugin-records.ts'

/** The options of `createLife`. */
interface LifeOptions {
  readonly store: Pick<Store, 'records' | 'counters'>
  readonly log: Log
  /** Whether logged errors carry their stacks. */
  readonly debug?: boolean | undefined
}

/** The work of plugins besides calls: their starts, tasks and probes. */
interface PluginLife {
  /** Runs `onStart` of all plugins, then their tasks. Never rejects. */
  start(): Promise<void>
  readonly probe: () => Promise<ProbeResults>
  /** Aborts the signals of all plugins, and waits for their tasks for a bounded time. Never rejects. */
  end(): Promise<void>
}

/** The life of plugins, which begins with `start`. */
export function createLife(
  plugins: readonly GatewayPlugin[],
  { store, log, debug }: LifeOptions,
): PluginLife {
  let starts: PluginStarts = { unstarted: new Set() }
  let tasks: PluginTasks = noTasks
  const inputs = new Map<GatewayPlugin, StartInput>()
  const endings = new Map<string, AbortController>()
  const report = (plugin: GatewayPlugin, place: string, error: unknown) =>
    log.error(`${plugin.name}: ${place} failed`, describeError(error, debug))

  function inputOf(plugin: GatewayPlugin): StartInput {
    const known = inputs.get(plugin)
    if (known) return known
    const ending = new AbortController()
    endings.set(plugin.name, ending)
    const input: StartInput = {
      // Its messages name it.
      log: withFields(log, { plugin: plugin.name }),
      records: recordsOfPlugin(store, plugin.name),
      counters: countersOfPlugin(store, plugin.name),
      signal: ending.signal,
      // Few plugins read it, and it takes the code of all others.
      get pipelineFingerprint() {
        return pipelineFingerprint(plugins, plugin)
      },
    }
    inputs.set(plugin, input)
    return input
  }

  return {
    probe: createProbes(plugins, {
      starts: () => starts,
      tasks: () => tasks,
      onError: (plugin, error) => report(plugin, 'a probe', error),
    }),
    async start() {
      starts = await startPlugins(plugins, inputOf, (plugin, error) =>
        report(plugin, 'onStart', error),
      )
      tasks = startTasks(plugins, {
        inputOf,
        onError: (plugin, name, error) => report(plugin, `the task ${name}`, error),
      })
    },
    async end() {
      for (const [name, ending] of endings) inScope(name, () => ending.abort())
      await tasks.end()
    },
  }
}

/**
 * A text that differs where a plugin of the pipeline beside `own` does: its name, its module and options, or the code
 * of its hooks. Of a plugin that code makes, what its hooks close over does not count.
 */
function pipelineFingerprint(plugins: readonly GatewayPlugin[], own: GatewayPlugin): string {
  const facts = plugins
    .filter((plugin) => plugin !== own)
    .map((plugin) => [plugin.name, sourceOf(plugin)?.digest, codeOf(plugin)])
  return hash('sha256', JSON.stringify(facts), 'base64url')
}

function codeOf(plugin: GatewayPlugin): readonly string[] {
  return Object.values(plugin)
    .filter((member) => typeof member === 'function')
    .map(String)
}
