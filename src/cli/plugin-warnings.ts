import type { CommandConfiguration } from './command-configuration.ts'

/**
 * The probable mistakes that the plugins of a configuration find in their own options. `keys`: the ids of all keys,
 * if they are known.
 */
export function pluginWarnings(
  { plugins }: Pick<CommandConfiguration, 'plugins'>,
  keys: ReadonlySet<string> | undefined,
): string[] {
  const before: string[] = []
  return plugins.flatMap(({ path, plugin }) => {
    const found = plugin.warnings?.({ keys, before: [...before] }) ?? []
    before.push(plugin.name)
    return found.map((warning) => `${path}: ${warning}`)
  })
}
