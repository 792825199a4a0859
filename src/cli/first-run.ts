import { firstRunSettings } from '../configuration/first-run.ts'
import type { Invocation } from './command.ts'
import { type Configured, readConfigured } from './configured.ts'
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

/** Without a configuration, what `serve` would work with; its sandbox has no address yet. */
export async function readOrImagine(invocation: Invocation): Promise<Configured> {
  const configured = await readConfigured(invocation)
  if (configured.file !== undefined || configured.problems.length > 0) return configured
  return withoutConfiguration(configured, invocation, 'http://127.0.0.1:0')
}
