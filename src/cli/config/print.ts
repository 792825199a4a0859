import { environmentTokenId } from '../../configuration/check-admin.ts'
import { trackConfiguration } from '../../configuration/in-use.ts'
import { shownSecret } from '../../configuration/secrets.ts'
import type { DescribedSetting, Origin } from '../../configuration/settings.ts'
import { settingsBelow } from '../../configuration/with-store.ts'
import { ConfigurationError } from '../../contract/problems.ts'
import { StoreUnavailable } from '../../stores/store.ts'
import { type Invocation, UsageError } from '../command.ts'
import type { CommandConfiguration } from '../command-configuration.ts'
import { readOrDeriveConfiguration } from '../first-run.ts'
import { openLocalGateway } from '../local-gateway.ts'
import { idleServices, planGateway } from '../plan.ts'
import { alignColumns } from '../table.ts'
import { readWorkers } from '../workers.ts'

/** `dragoman config print`: the settings that take effect, each with its origin. No value is a secret. */
export async function run(invocation: Invocation): Promise<number> {
  const { terminal, options } = invocation
  const { json, yaml } = options
  if (json !== undefined && yaml !== undefined)
    throw new UsageError('Choose one of --json and --yaml.')
  const configuration = await readOrDeriveConfiguration(invocation)
  const { problems } = await planGateway(configuration, idleServices())
  if (problems.length > 0) throw new ConfigurationError(problems)
  const settings = [
    ...(await effectiveSettings(configuration, invocation)).map((one) =>
      configuration.file === undefined ? withoutFile(one) : one,
    ),
    ...settingsOfProcess(configuration, invocation),
  ]
  if (json !== undefined) terminal.out(JSON.stringify(settings.map(shown), null, 2))
  else if (yaml === undefined) terminal.out(tableOf(settings).join('\n'))
  else terminal.out((await import('./yaml.ts')).yamlOf(settings).trimEnd())
  return 0
}

/** The settings of the configuration, with the store's additions and changes as far as it can be read. */
async function effectiveSettings(
  configuration: CommandConfiguration,
  invocation: Invocation,
): Promise<readonly DescribedSetting[]> {
  const { settings, file } = configuration
  const { inUse } = trackConfiguration(settings, { file })
  const incomplete = (reason: string) =>
    invocation.terminal.say(`What the store adds and changes is missing: ${reason}`)
  try {
    await using gateway = await openLocalGateway(configuration, invocation)
    const { accounts, aliases, storedAccounts } = gateway.running
    if (aliases.isStale || storedAccounts.isStale) incomplete('it does not answer.')
    return await settingsBelow(inUse, accounts.snapshot, '')
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    incomplete(error.message)
    return inUse.describe()
  }
}

/** The settings of the environment and the flags, besides the settings of the file. */
function settingsOfProcess(
  { settings: { adminTokens = [] } }: CommandConfiguration,
  { options, terminal: { env } }: Invocation,
): DescribedSetting[] {
  const hasToken = adminTokens.some(({ id }) => id === environmentTokenId)
  const token = env['DRAGOMAN_ADMIN_TOKEN'] ?? ''
  const value = shownSecret(token)
  const origin = originOfWorkers(options['workers'], env['DRAGOMAN_WORKERS'])
  return [
    ...(hasToken ? [{ path: 'DRAGOMAN_ADMIN_TOKEN', value, origin: 'ENVIRONMENT' as const }] : []),
    { path: 'workers', value: readWorkers(options, env), origin },
  ]
}

function originOfWorkers(flag: string | undefined, variable: string | undefined): Origin {
  if (flag !== undefined) return 'FLAG'
  return variable ? 'ENVIRONMENT' : 'DEFAULT'
}

/** Without a file the accounts are the sandbox, which is always there, and the accounts of keys in the environment. */
function withoutFile(setting: DescribedSetting): DescribedSetting {
  if (setting.origin !== 'FILE') return setting
  const isSandbox = setting.path.startsWith('accounts[0].')
  return { ...setting, origin: isSandbox ? 'DEFAULT' : 'ENVIRONMENT' }
}

function shown({ path, value, origin }: DescribedSetting) {
  return { path, value, origin: origin.toLowerCase() }
}

function tableOf(settings: readonly DescribedSetting[]): string[] {
  const rows = settings.map(({ path, value, origin }) => [
    path,
    origin.toLowerCase(),
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  return alignColumns([['SETTING', 'ORIGIN', 'VALUE'], ...rows])
}
