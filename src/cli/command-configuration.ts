import { dirname } from 'node:path'

import type { Problem } from '../contract/problems.ts'
import { loadConfiguration } from '../configuration/load.ts'
import {
  type CheckedConfiguration,
  checkConfiguration,
  checkReloadedConfiguration,
} from '../configuration/resolve.ts'
import {
  type KnownPlugins,
  type LoadedPlugins,
  loadPlugins,
} from '../configuration/plugins/load.ts'
import type { Invocation } from './command.ts'
import { catchStrayErrors } from './defects.ts'
import { toFlags } from './flags.ts'
import { computedOnce } from '../lib/computed-once.ts'

/** The checked configuration of a command. */
export interface CommandConfiguration extends CheckedConfiguration {
  /** Absolute path of the configuration file; `undefined` without one. */
  file: string | undefined
  /** Directory that a relative store directory starts at. */
  storeBase: string
}

/**
 * Loads and checks the configuration that `--config`, `DRAGOMAN_CONFIG` or the working directory
 * names. Rejects with `ConfigurationError` if the file cannot be read; invalid settings are reported
 * in `problems`. `afresh` imports a module again that this process has imported before.
 */
export async function readCommandConfiguration(
  invocation: Invocation,
  how: 'once' | 'afresh' = 'once',
): Promise<CommandConfiguration> {
  const { options, terminal } = invocation
  const { env, cwd } = terminal
  const path = options['config'] ?? (env['DRAGOMAN_CONFIG'] || undefined)
  const afresh = how === 'afresh'
  const loaded = await loadConfiguration({
    directory: cwd,
    afresh,
    ...(path !== undefined && { path }),
  })
  const file = loaded?.file
  // An empty file has no settings (null), which is a problem; without a file, all are defaults.
  const config = loaded ? loaded.config : {}
  const plugins = file === undefined ? undefined : await pluginsOf(invocation, config, file)
  const flags = toFlags(options)
  const inputs = { env, flags, ...(file !== undefined && { file }), ...(plugins && { plugins }) }
  // A gateway serves while it reads its configuration again.
  const checked = afresh
    ? await checkReloadedConfiguration(config, inputs)
    : checkConfiguration(config, inputs)
  // A path in a file is relative to that file; a path on the command line, to the working directory.
  const typed = options['store'] ?? env['DRAGOMAN_STORE']
  return { ...checked, file, storeBase: typed || file === undefined ? cwd : dirname(file) }
}

/** The plugins that each command has made: a reload makes only those whose references have changed. */
const pluginsOfCommand = computedOnce<Invocation, KnownPlugins>(() => new Map())

async function pluginsOf(
  invocation: Invocation,
  config: unknown,
  file: string,
): Promise<LoadedPlugins> {
  const { env } = invocation.terminal
  const loaded = await loadPlugins(config, { file, env, known: pluginsOfCommand(invocation) })
  if (loaded.size > 0) catchStrayErrors()
  return loaded
}

/** Whether a problem makes the store unusable. */
export function concernsStore({ path }: Problem): boolean {
  return ['store', '--store', 'DRAGOMAN_STORE'].includes(path)
}
