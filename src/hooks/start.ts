import type { GatewayPlugin } from '../contract/plugin.ts'
import type { StartInput } from '../contract/plugin-start.ts'
import { inScope } from '../lib/named-scope.ts'
import { within } from '../lib/within.ts'

/** How long the start of the gateway waits for its plugins, in milliseconds. */
const longestMs = 5_000

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
  waitMs = longestMs,
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
