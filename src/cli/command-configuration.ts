import { dirname } from 'node:path'

import type { Problem } from '../contract/problems.ts'
import { loadConfiguration } from '../configuration/load.ts'
import { type CheckedConfiguration, checkConfiguration } from '../configuration/resolve.ts'
import type { Invocation } from './command.ts'
import { toFlags } from './flags.ts'

/** The configuration that a command works with, checked. */
export interface CommandConfiguration extends CheckedConfiguration {
  /** Absent where there is no configuration. */
  file: string | undefined
  /** Where a relative store directory begins. */
  storeBase: string
}

/**
 * Loads and checks what `--config`, `DRAGOMAN_CONFIG` or the working directory offers. Throws
 * `ConfigurationError` where it cannot be read; what is wrong inside is in `problems`. `afresh`
 * reads a file that has been read before.
 */
export async function readCommandConfiguration(
  { options, terminal }: Invocation,
  how: 'once' | 'afresh' = 'once',
): Promise<CommandConfiguration> {
  const { env, cwd } = terminal
  const path = options['config'] ?? (env['DRAGOMAN_CONFIG'] || undefined)
  const afresh = how === 'afresh'
  const loaded = await loadConfiguration({
    directory: cwd,
    afresh,
    ...(path !== undefined && { path }),
  })
  const file = loaded?.file
  const checked = checkConfiguration(loaded?.config ?? {}, {
    env,
    flags: toFlags(options),
    ...(file !== undefined && { file }),
  })
  // What is written in a file is meant from there; what is typed is meant from here.
  const typed = options['store'] ?? env['DRAGOMAN_STORE']
  return { ...checked, file, storeBase: typed || file === undefined ? cwd : dirname(file) }
}

/** Whether a problem stands between a command and the store. */
export function concernsStore({ path }: Problem): boolean {
  return ['store', '--store', 'DRAGOMAN_STORE'].includes(path)
}
