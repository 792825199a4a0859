import type { GatewayPlugin } from '../contract/plugin.ts'
import { within } from '../lib/within.ts'

/** How long a plugin may take to dispose of itself, in milliseconds. */
const longestMs = 2_000

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
    await within(longestMs, disposeOf(plugin), late).catch((error) => onError(plugin, error))
  }
}

/** A plugin that throws at once fails as one that rejects. */
async function disposeOf(plugin: GatewayPlugin): Promise<void> {
  await plugin.onDispose?.()
}

function late(): Error {
  return new Error(`It did not finish within ${longestMs} ms.`)
}
