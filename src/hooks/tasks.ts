import type { GatewayPlugin } from '../contract/plugin.ts'
import type { StartInput, TaskInput } from '../contract/plugin-start.ts'
import { inScope } from '../lib/named-scope.ts'
import { within } from '../lib/within.ts'

/** How long the end of the gateway waits for all tasks together, in milliseconds. */
const longestMs = 2_000

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
      await within(longestMs, all, late).catch((error: unknown) => {
        for (const { plugin, name } of running) onError(plugin, name, error)
      })
    },
  }
}

/** A task that throws at once fails as one that rejects. */
async function callTask(plugin: GatewayPlugin, name: string, input: StartInput): Promise<void> {
  await plugin.tasks?.[name]?.(input)
}

function late(): Error {
  return new Error(`It did not end within ${longestMs} ms after its signal.`)
}
