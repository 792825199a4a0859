import { firstRunSettings } from '../configuration/first-run.ts'
import type { Invocation } from './command.ts'
import { type CommandConfiguration, readCommandConfiguration } from './command-configuration.ts'
import { toFlags } from './flags.ts'

/**
 * Adds the settings of a start without a configuration file: the sandbox at `sandboxUrl` and the
 * provider keys of the environment. Throws `ConfigurationError`.
 */
export function withFirstRunSettings(
  configuration: CommandConfiguration,
  { options, terminal }: Invocation,
  sandboxUrl: string,
): CommandConfiguration {
  const settings = firstRunSettings({ env: terminal.env, flags: toFlags(options), sandboxUrl })
  const accountPaths = settings.accounts.map(({ id }) => `(no configuration) account ${id}`)
  return { ...configuration, settings, accountPaths }
}

/**
 * Reads the configuration; without a file, derives the settings that `serve` would use. Their sandbox
 * has no address.
 */
export async function readOrDeriveConfiguration(
  invocation: Invocation,
): Promise<CommandConfiguration> {
  const configuration = await readCommandConfiguration(invocation)
  if (configuration.file !== undefined || configuration.problems.length > 0) return configuration
  return withFirstRunSettings(configuration, invocation, 'http://127.0.0.1:0')
}
