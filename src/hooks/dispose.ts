import type { GatewayPlugin } from '../contract/plugin.ts'

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
    await inTime(plugin.onDispose.bind(plugin)).catch((error) => onError(plugin, error))
  }
}

async function inTime(dispose: () => void | Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const error = new Error(`It did not finish within ${longestMs} ms.`)
    timer = setTimeout(() => reject(error), longestMs)
  })
  try {
    await Promise.race([dispose(), late])
  } finally {
    clearTimeout(timer)
  }
}
