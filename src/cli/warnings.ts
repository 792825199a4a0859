import type { KeyView } from '../admin/key-view.ts'
import type { AccountSetting } from '../contract/account.ts'
import { collectPresets } from '../accounts/compile.ts'
import { compilePatterns } from '../accounts/patterns.ts'
import { expiredCertificates } from './expired-certificates.ts'
import type { CommandOptions } from './command.ts'
import type { CommandConfiguration } from './command-configuration.ts'
import { hasAuthenticator, issueKeyHint } from './require-key.ts'
import { isEveryAddress } from '../http/trusted-proxies.ts'
import { isLoopbackHost } from './addresses.ts'
import type { Plan } from './plan.ts'
import type { EnvironmentVariables } from '../configuration/secrets.ts'
import { openTelemetryWarnings } from './open-telemetry-warnings.ts'
import { pluginWarnings } from './plugin-warnings.ts'
import { priceWarnings, unpricedModels } from './price-warnings.ts'
import type { UploadsFault } from './uploads-fault.ts'

/** What of a plan warnings depend on. */
type PlannedParts = Pick<Plan, 'plugins' | 'snapshot'>

/** Facts outside of the configuration that warnings depend on. */
interface CheckFindings {
  /** `undefined` if the keys of the store are unknown. */
  readonly keys: readonly KeyView[] | undefined
  /** The number of accounts in the configuration and the store; `undefined` if the store cannot be read. */
  readonly accounts: number | undefined
  readonly options: CommandOptions
  readonly uploads: UploadsFault | undefined
  readonly env: EnvironmentVariables
}

/** Finds probable mistakes in a valid configuration: one line each, beginning with its path. */
export function warningsOf(
  configuration: CommandConfiguration,
  plan: PlannedParts,
  findings: CheckFindings,
): string[] {
  const { keys, accounts, env } = findings
  return [
    ...mistakesOf(configuration, plan, { accounts, env }),
    ...unpricedModels(configuration),
    ...missingKeys(configuration, findings),
    ...unusableUploads(findings),
    ...pluginWarnings(configuration, keys && new Set(keys.map(({ id }) => id))),
  ]
}

/** Facts on which the mistakes of the configuration alone depend. */
interface Facts {
  /** How many the configuration and the store have; `undefined`, if the store cannot be read. */
  readonly accounts: number | undefined
  readonly env: EnvironmentVariables
}

/** Finds those mistakes that are in the configuration alone. */
export function mistakesOf(
  configuration: CommandConfiguration,
  plan: PlannedParts,
  { accounts: accountCount, env }: Facts,
): string[] {
  return [
    ...(accountCount === 0 ? ['accounts: no account exists, so no model is available'] : []),
    ...accountsWithoutKey(configuration, plan),
    ...expiredCertificates(configuration, Date.now()),
    ...unexpectedDialects(configuration, plan),
    ...legacyAsCurrent(configuration, plan),
    ...(accountCount ? aliasesWithoutAccount(configuration, plan) : []),
    ...priceWarnings(configuration, accountCount === configuration.settings.accounts.length),
    ...missingPublicUrl(configuration),
    ...everyProxy(configuration.settings),
    ...insecurePublicUrl(configuration),
    ...insecureAdminAddress(configuration.settings),
    ...openTelemetryWarnings(configuration.settings.telemetry, env),
  ]
}

/** A provider with a default address requires an API key. */
function accountsWithoutKey(
  { settings, accountPaths }: CommandConfiguration,
  plan: PlannedParts,
): string[] {
  const presets = collectPresets(plan.plugins.flatMap(({ dialects = [] }) => dialects))
  const isKeyless = ({ provider, apiKey, enabled }: AccountSetting) =>
    enabled && apiKey === undefined && presets.get(provider)?.baseUrl !== undefined
  return settings.accounts.flatMap((account, index) =>
    isKeyless(account)
      ? [
          `${accountPaths[index]}.apiKey: account "${account.id}" has no apiKey; provider "${account.provider}" requires one`,
        ]
      : [],
  )
}

/** Without a `baseUrl`, an account is the provider's own API, whose dialects are known. */
function unexpectedDialects(
  { settings, accountPaths }: CommandConfiguration,
  { plugins }: PlannedParts,
): string[] {
  const dialects = plugins.flatMap((plugin) => plugin.dialects ?? [])
  const isUnexpected = (dialect: string, provider: string) =>
    !dialects.some(({ id, upstream }) => id === dialect && upstream?.providers[provider])
  return settings.accounts.flatMap(({ provider, baseUrl, speaks = [] }, index) =>
    baseUrl === undefined
      ? speaks
          .filter((dialect) => isUnexpected(dialect, provider))
          .map((dialect) => {
            const path = `${accountPaths[index]}.speaks`
            return `${path}: provider "${provider}" is not known to speak "${dialect}"`
          })
      : [],
  )
}

/** `current` serves edits that legacy models do not support. */
function legacyAsCurrent({ settings }: CommandConfiguration, { snapshot }: PlannedParts): string[] {
  const { current, legacy } = settings.imageModels
  const isLegacy = compilePatterns(legacy)
  if (![current, snapshot.platformName(current)].some(isLegacy)) return []
  return [
    `imageModels.current: "${current}" is among imageModels.legacy, so an edit without a model cannot use the features of newer models`,
  ]
}

function aliasesWithoutAccount(
  { settings }: CommandConfiguration,
  { snapshot }: PlannedParts,
): string[] {
  return Object.keys(settings.aliases)
    .filter((alias) => snapshot.resolve(alias) === undefined)
    .map((alias) => {
      const model = snapshot.platformName(alias)
      return `aliases.${alias}: no account has the model "${model}"`
    })
}

/** A gateway that other machines reach does not know its own URL. */
function missingPublicUrl({ settings }: CommandConfiguration): string[] {
  const { listen, publicUrl, trustedProxies } = settings
  if (publicUrl !== undefined || trustedProxies.length > 0) return []
  if (isLoopbackHost(listen.host)) return []
  return [
    'publicUrl: is not set, so the gateway cannot issue URLs for uploads and for videos of operations',
  ]
}

/** If every address is a proxy's, every client can name the address that it likes. */
function everyProxy({ trustedProxies }: CommandConfiguration['settings']): string[] {
  return trustedProxies
    .filter(isEveryAddress)
    .map(
      (entry) =>
        `trustedProxies: with "${entry}" every client can forge its address: name the addresses of the proxies`,
    )
}

/** Google's SDKs accept only `https` URIs, so the gateway writes `https` even where it serves http. */
function insecurePublicUrl({ settings: { publicUrl } }: CommandConfiguration): string[] {
  if (publicUrl === undefined || URL.parse(publicUrl)?.protocol !== 'http:') return []
  return [
    'publicUrl: is http, but video URIs of operations begin with https because Google’s SDKs require it: a client that fetches such a URI itself must replace https with http',
  ]
}

/** Admin tokens and cookies go over a network in the clear, unless a proxy in front of the address speaks https. */
function insecureAdminAddress({
  admin,
  adminAccess,
}: Pick<CommandConfiguration['settings'], 'admin' | 'adminAccess'>): string[] {
  if (!admin || isLoopbackHost(admin.host)) return []
  if ((adminAccess?.trustedProxies.length ?? 0) > 0) return []
  return [
    'admin.host: other machines reach the admin address, which has no https: put a proxy with https before it and name that in admin.trustedProxies',
  ]
}

/** The default upload directory is unusable; all other requests are served. */
function unusableUploads({ uploads }: CheckFindings): string[] {
  return uploads ? [`uploads.directory: ${uploads.message}, so uploads are answered 503`] : []
}

/** Without a configuration, `serve` issues a key; with `onAuthenticate`, a plugin identifies callers. */
function missingKeys(
  { settings, file }: CommandConfiguration,
  { keys, options }: CheckFindings,
): string[] {
  if (keys === undefined || file === undefined) return []
  if (keys.some(({ state }) => state === 'ACTIVE')) return []
  if (hasAuthenticator(settings)) return []
  return [
    `keys: no API key exists, so every call will be rejected: ${issueKeyHint(settings, options)}`,
  ]
}
