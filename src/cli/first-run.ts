import { firstRunSettings } from '../configuration/first-run.ts'
import type { Invocation } from './command.ts'
import type { Configured } from './configured.ts'
import { toFlags } from './flags.ts'

/** What a server works with where there is no configuration. Throws `ConfigurationError`. */
export function withoutConfiguration(
  configured: Configured,
  { options, terminal }: Invocation,
  sandboxUrl: string,
): Configured {
  const settings = firstRunSettings({ env: terminal.env, flags: toFlags(options), sandboxUrl })
  const accountPaths = settings.accounts.map(({ id }) => `(no configuration) account ${id}`)
  return { ...configured, settings, accountPaths }
}
