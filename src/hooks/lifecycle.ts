import type { GatewayPlugin } from '../contract/plugin.ts'
import type { StartInput, TaskInput } from '../contract/plugin-start.ts'
import { inScope } from '../lib/named-scope.ts'
import { within } from '../lib/deadline.ts'

/** How long the start of the gateway waits for its plugins, in milliseconds. */
const longestStartMs = 5_000

/** The plugins that have started, and those that have not. */
export interface PluginStarts {
  /** The names of plugins whose `onStart` failed or has not ended. */
  readonly unstarted: ReadonlySet<string>
}

/**
 * Starts all plugins at once, and waits for them for a bounded time. One that fails or does not end is
 * reported, and the others go on; one that ends late has started then.
 */
export async function startPlugins(
  plugins: readonly GatewayPlugin[],
  inputOf: (plugin: GatewayPlugin) => StartInput,
  onError: (plugin: GatewayPlugin, error: unknown) => void,
  waitMs = longestStartMs,
): Promise<PluginStarts> {
  const unstarted = new Set<string>()
  await Promise.all(
    plugins.map(async (plugin) => {
      if (!plugin.onStart) return
      unstarted.add(plugin.name)
      const input = inputOf(plugin)
      const started = inScope(plugin.name, () => startOf(plugin, input)).then(
        () => void unstarted.delete(plugin.name),
      )
      let isLate = false
      const late = () => {
        isLate = true
        return new Error(`It did not finish within ${waitMs} ms.`)
      }
      await within(waitMs, started, late).catch((error: unknown) => onError(plugin, error))
      // A late failure has not been reported.
      if (isLate) started.catch((error: unknown) => onError(plugin, error))
    }),
  )
  return { unstarted }
}

/** A plugin that throws at once fails as one that rejects. */
async function startOf(plugin: GatewayPlugin, input: StartInput): Promise<void> {
  await plugin.onStart?.(input)
}

/** How long the end of the gateway waits for all tasks together, in milliseconds. */
const longestEndMs = 2_000

/** The state of a task. A task that ended or failed does not run again. */
type TaskState = 'running' | 'ended' | 'failed'

/** The tasks of all plugins. */
export interface PluginTasks {
  /** The states of a plugin's tasks, by their names. */
  statesOf(plugin: string): Readonly<Record<string, TaskState>>
  /** Resolves when all tasks have ended after their signal, or their time is over. Never rejects. */
  end(): Promise<void>
}

/** The options of `startTasks`. */
interface TasksOptions {
  readonly inputOf: (plugin: GatewayPlugin) => TaskInput
  /** Called for a task that fails, or does not end in time. */
  readonly onError: (plugin: GatewayPlugin, task: string, error: unknown) => void
}

/** A task that runs. */
interface RunningTask {
  readonly plugin: GatewayPlugin
  readonly name: string
  readonly done: Promise<void>
}

/** No tasks: a gateway that only explains runs none. */
export const noTasks: PluginTasks = { statesOf: () => ({}), end: () => Promise.resolve() }

/** Starts the tasks of all plugins. A failure ends its task alone. */
export function startTasks(
  plugins: readonly GatewayPlugin[],
  { inputOf, onError }: TasksOptions,
): PluginTasks {
  const states = new Map<string, Record<string, TaskState>>()
  const running = new Set<RunningTask>()

  function start(plugin: GatewayPlugin, name: string): void {
    const own = states.get(plugin.name) ?? {}
    states.set(plugin.name, own)
    own[name] = 'running'
    const input = inputOf(plugin)
    const task: RunningTask = {
      plugin,
      name,
      done: inScope(plugin.name, () => callTask(plugin, name, input)).then(
        () => {
          own[name] = 'ended'
          running.delete(task)
          if (!input.signal.aborted) input.log.info(`the task ${name} has ended`)
        },
        (error: unknown) => {
          running.delete(task)
          // A task that fails after the signal was aborted has only stopped waiting.
          own[name] = input.signal.aborted ? 'ended' : 'failed'
          if (!input.signal.aborted) onError(plugin, name, error)
        },
      ),
    }
    running.add(task)
  }

  for (const plugin of plugins) {
    for (const name of Object.keys(plugin.tasks ?? {})) start(plugin, name)
  }

  return {
    statesOf: (plugin) => states.get(plugin) ?? {},
    async end() {
      const all = Promise.all([...running].map(({ done }) => done))
      await within(longestEndMs, all, lateEnd).catch((error: unknown) => {
        for (const { plugin, name } of running) onError(plugin, name, error)
      })
    },
  }
}

/** A task that throws at once fails as one that rejects. */
async function callTask(plugin: GatewayPlugin, name: string, input: StartInput): Promise<void> {
  await plugin.tasks?.[name]?.(input)
}

function lateEnd(): Error {
  return new Error(`It did not end within ${longestEndMs} ms after its signal.`)
}

/** How long a plugin may take to dispose of itself, in milliseconds. */
const longestDisposalMs = 2_000

/**
 * Disposes of plugins, the last one first. Reports each that fails or does not finish in time, and goes
 * on with the others.
 */
export async function disposePlugins(
  plugins: readonly GatewayPlugin[],
  onError: (plugin: GatewayPlugin, error: unknown) => void,
): Promise<void> {
  for (const plugin of plugins.toReversed()) {
    if (!plugin.onDispose) continue
    await within(longestDisposalMs, disposeOf(plugin), lateDisposal).catch((error) =>
      onError(plugin, error),
    )
  }
}

/** A plugin that throws at once fails as one that rejects. */
async function disposeOf(plugin: GatewayPlugin): Promise<void> {
  await plugin.onDispose?.()
}

function lateDisposal(): Error {
  return new Error(`It did not finish within ${longestDisposalMs} ms.`)
}
