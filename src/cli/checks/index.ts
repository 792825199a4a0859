import type { EnvironmentVariables } from '../../configuration/secrets.ts'
import { ConfigurationError, type Problem } from '../../contract/problems.ts'
import type { Log } from '../../lib/log.ts'
import type { CommandOptions } from '../command.ts'
import type { CommandConfiguration } from '../command-configuration.ts'
import type { Plan } from '../plan.ts'
import type { StoredRecords } from '../stored-records.ts'
import {
  hasAuthenticator,
  issueKeyHint,
  problemsOfPublicAddress,
  problemsOfPublicAdmin,
} from '../public-addresses.ts'
import { clashesWithStore } from './clashes.ts'
import { namesUploads, spoolProblems, uploadsProblems } from './directories.ts'
import { modelPathProblems } from './model-paths.ts'
import { openTelemetryWarnings } from './open-telemetry.ts'
import { priceWarnings, unpricedModels } from './prices.ts'
import {
  accountsWithoutKey,
  aliasesWithoutAccount,
  everyProxy,
  expiredCertificates,
  insecureAdminAddress,
  insecurePublicUrl,
  legacyAsCurrent,
  missingPublicUrl,
  quotasWithoutModel,
  shortSecrets,
  unexpectedDialects,
} from './settings.ts'

/** The input of the checks. A member of the store is `undefined` if that cannot be read, or is not asked. */
export interface Checked {
  readonly configuration: CommandConfiguration
  readonly plan: Pick<Plan, 'plugins' | 'snapshot'>
  readonly options: CommandOptions
  readonly env: EnvironmentVariables
  /** The number of accounts of the configuration and the store. */
  readonly accounts?: number | undefined
  /** The number of keys that callers can use. */
  readonly usableKeys?: number | undefined
  readonly records: () => Promise<StoredRecords | undefined>
}

/**
 * A check of a configuration and its environment. A start runs the checks of its stage, `check` runs all, and
 * `doctor` the checks that need no store.
 */
interface Check {
  readonly name: string
  readonly stage: 'start' | 'check'
  /** Problems that keep a gateway from serving. */
  readonly problems?: (checked: Checked) => readonly Problem[] | Promise<readonly Problem[]>
  /** Probable mistakes: one line each, beginning with the path. */
  readonly warnings?: (checked: Checked) => readonly string[] | Promise<readonly string[]>
  /** The log message of a start that serves in spite of the problems. Absent: the start fails. */
  readonly whatFails?: string
}

/** The checks of a configuration, in the order of their findings. */
const checks: readonly Check[] = [
  {
    name: 'models in paths',
    stage: 'check',
    problems: ({ configuration, plan }) => modelPathProblems(configuration, plan),
  },
  {
    name: 'spool',
    stage: 'start',
    problems: ({ configuration }) => spoolProblems(configuration),
    whatFails: 'the spool is unusable: large forms are answered 503',
  },
  {
    name: 'uploads',
    stage: 'start',
    problems: ({ configuration }) =>
      namesUploads(configuration) ? uploadsProblems(configuration) : [],
    warnings: unusableUploads,
    whatFails: 'uploads cannot be stored: they are answered 503',
  },
  {
    // A start without a file issues a key itself.
    name: 'public API address',
    stage: 'start',
    problems: ({ configuration: { settings, file }, usableKeys, options }) =>
      usableKeys === undefined || file === undefined
        ? []
        : problemsOfPublicAddress(settings, usableKeys, options),
  },
  { name: 'public admin address', stage: 'start', problems: publicAdminProblems },
  {
    name: 'records of two origins',
    stage: 'check',
    problems: async ({ configuration, records }) => {
      const stored = await records()
      return stored ? clashesWithStore(configuration, stored) : []
    },
  },
  {
    name: 'number of accounts',
    stage: 'start',
    warnings: ({ accounts }) =>
      accounts === 0 ? ['accounts: no account exists, so no model is available'] : [],
  },
  check('keys of accounts', 'start', ({ configuration, plan }) =>
    accountsWithoutKey(configuration, plan),
  ),
  check('certificates', 'start', ({ configuration }) =>
    expiredCertificates(configuration, Date.now()),
  ),
  check('dialects of accounts', 'start', ({ configuration, plan }) =>
    unexpectedDialects(configuration, plan),
  ),
  check('image models', 'start', ({ configuration, plan }) => legacyAsCurrent(configuration, plan)),
  check('aliases', 'start', ({ configuration, plan, accounts }) =>
    accounts ? aliasesWithoutAccount(configuration, plan) : [],
  ),
  check('prices', 'start', ({ configuration, accounts }) =>
    priceWarnings(configuration, accounts === configuration.settings.accounts.length),
  ),
  check('quotas', 'start', ({ configuration, plan, accounts }) =>
    accounts ? quotasWithoutModel(configuration, plan) : [],
  ),
  check('public URL', 'start', ({ configuration }) => missingPublicUrl(configuration)),
  check('proxies', 'start', ({ configuration }) => everyProxy(configuration)),
  check('scheme of the public URL', 'start', ({ configuration }) =>
    insecurePublicUrl(configuration),
  ),
  check('admin address', 'start', ({ configuration }) => insecureAdminAddress(configuration)),
  check('OpenTelemetry', 'start', ({ configuration, env }) =>
    openTelemetryWarnings(configuration.settings.telemetry, env),
  ),
  check('models without a price', 'check', ({ configuration }) => unpricedModels(configuration)),
  check('keys', 'check', missingKeys),
  check('secrets of keys', 'check', ({ configuration }) => shortSecrets(configuration)),
  check('plugins', 'start', pluginWarnings),
]

function check(
  name: string,
  stage: Check['stage'],
  warnings: NonNullable<Check['warnings']>,
): Check {
  return { name, stage, warnings }
}

async function publicAdminProblems({
  configuration: { settings },
  records,
  options,
}: Checked): Promise<readonly Problem[]> {
  // The tokens are read for such an address only.
  if (problemsOfPublicAdmin(settings, [], options).length === 0) return []
  const stored = await records()
  // A store that is away may have one, and every request needs one anyway.
  return stored ? problemsOfPublicAdmin(settings, stored.tokens, options) : []
}

/** Without a configuration, a start issues a key; with `onAuthenticate`, a plugin identifies callers. */
function missingKeys({ configuration, usableKeys, options }: Checked): readonly string[] {
  const { settings, file } = configuration
  if (usableKeys !== 0 || file === undefined || hasAuthenticator(settings)) return []
  return [
    `keys: no API key exists, so every call will be rejected: ${issueKeyHint(settings, options)}`,
  ]
}

/** Where no setting names the upload directory, all other requests are served. */
async function unusableUploads({ configuration }: Checked): Promise<readonly string[]> {
  if (namesUploads(configuration)) return []
  const found = await uploadsProblems(configuration)
  return found.map(({ path, message }) => `${path}: ${message}, so uploads are answered 503`)
}

/** The probable mistakes that the plugins of a configuration find in their own options. */
async function pluginWarnings({ configuration, records }: Checked): Promise<string[]> {
  const { plugins, settings } = configuration
  if (plugins.every(({ plugin }) => !plugin.warnings)) return []
  const stored = await records()
  const ids = stored && [...settings.keys, ...stored.keys].map(({ id }) => id)
  const before: string[] = []
  return plugins.flatMap(({ path, plugin }) => {
    const found = plugin.warnings?.({ keys: ids && new Set(ids), before: [...before] }) ?? []
    before.push(plugin.name)
    return found.map((warning) => `${path}: ${warning}`)
  })
}

/** The findings of all checks. `doctor` has closer checks of the directories, and does without these. */
export async function checkAll(
  checked: Checked,
  by: 'check' | 'doctor',
): Promise<{ readonly problems: readonly Problem[]; readonly warnings: readonly string[] }> {
  const problems: Problem[] = []
  const warnings: string[] = []
  for (const one of checks) {
    if (by === 'doctor' && 'whatFails' in one) continue
    problems.push(...((await one.problems?.(checked)) ?? []))
    warnings.push(...((await one.warnings?.(checked)) ?? []))
  }
  return { problems, warnings }
}

/**
 * Runs the checks of a start. Throws `ConfigurationError` for problems that keep it from serving. With `isFirst` it
 * logs the others and the probable mistakes, once for all workers.
 */
export async function checkStart(checked: Checked, log: Log, isFirst: boolean): Promise<void> {
  for (const { stage, problems, warnings, whatFails } of checks) {
    if (stage !== 'start') continue
    const found = isFirst || !whatFails ? ((await problems?.(checked)) ?? []) : []
    if (found.length > 0 && !whatFails) throw new ConfigurationError(found)
    for (const { message } of found) log.warn(whatFails!, { fault: message })
    if (!isFirst) continue
    for (const warning of (await warnings?.(checked)) ?? []) log.warn(warning)
  }
}
