import { firstRunSettings } from '../configuration/first-run.ts'
import type { Invocation } from './command.ts'
import { type CommandConfiguration, readCommandConfiguration } from './command-configuration.ts'
import { toFlags } from './flags.ts'

/** What a server works with where there is no configuration. Throws `ConfigurationError`. */
export function withFirstRunSettings(
  configuration: CommandConfiguration,
  { options, terminal }: Invocation,
  sandboxUrl: string,
): CommandConfiguration {
  const settings = firstRunSettings({ env: terminal.env, flags: toFlags(options), sandboxUrl })
  const accountPaths = settings.accounts.map(({ id }) => `(no configuration) account ${id}`)
  return { ...configuration, settings, accountPaths }
}

/** Without a configuration, what `serve` would work with; its sandbox has no address yet. */
export async function readOrDeriveConfiguration(invocation: Invocation): Promise<CommandConfiguration> {
  const configuration = await readCommandConfiguration(invocation)
  if (configuration.file !== undefined || configuration.problems.length > 0) return configuration
  return withFirstRunSettings(configuration, invocation, 'http://127.0.0.1:0')
}
