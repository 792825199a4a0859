import { spoolFault } from '../body/spool/fault.ts'
import type { EnvironmentVariables } from '../configuration/secrets.ts'
import type { Log } from '../lib/log.ts'
import type { RunningGateway } from '../runtime/start-gateway.ts'
import { accountRecords } from '../stores/stored-accounts.ts'
import type { CommandConfiguration } from './command-configuration.ts'
import { pluginWarnings } from './plugin-warnings.ts'
import { uploadsFault } from './uploads-fault.ts'
import { mistakesOf } from './warnings.ts'

/** Logs faults that disable only a part of the gateway. */
export async function warnOfFaults(
  configuration: CommandConfiguration,
  log: Log,
  isFirst: boolean,
): Promise<void> {
  const fault = await spoolFault(configuration.settings.spool)
  if (fault) log.warn('the spool is unusable: large forms are answered 503', { fault })
  const { message } = (isFirst && (await uploadsFault(configuration))) || {}
  if (message) log.warn('uploads cannot be stored: they are answered 503', { fault: message })
}

/** Logs the probable mistakes that `check` finds. */
export async function warnOfMistakes(
  configuration: CommandConfiguration,
  { plugins, accounts, storedAccounts, store }: RunningGateway,
  { log, env }: { readonly log: Log; readonly env: EnvironmentVariables },
): Promise<void> {
  const plan = { plugins, snapshot: accounts.snapshot }
  const isRead = await accountRecords(store)
    .list({ limit: 1 })
    .then(() => true)
    .catch(() => false)
  const count = configuration.settings.accounts.length + storedAccounts.accounts.length
  const facts = { accounts: isRead ? count : undefined, env }
  for (const warning of mistakesOf(configuration, plan, facts)) log.warn(warning)
  for (const warning of await warningsOfPlugins(configuration)) log.warn(warning)
}

async function warningsOfPlugins(configuration: CommandConfiguration): Promise<string[]> {
  if (configuration.plugins.every(({ plugin }) => !plugin.warnings)) return []
  // A gateway without such plugins loads nothing of the admin API for it.
  const { allKeys } = await import('./stored-records.ts')
  const keys = await allKeys(configuration).catch(() => undefined)
  return pluginWarnings(configuration, keys && new Set(keys.map(({ id }) => id)))
}
