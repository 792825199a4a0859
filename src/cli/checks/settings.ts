import type { AccountSetting } from '../../contract/account.ts'
import type { QuotaSetting } from '../../contract/quota.ts'
import { collectPresets } from '../../accounts/compile.ts'
import { credentialSettings } from '../../contract/provider.ts'
import { dialectsOf } from '../../contract/plugin.ts'
import { compileOverlap, compilePatterns } from '../../accounts/patterns.ts'
import { certificatesIn, expiryOf, subjectOf } from '../../configuration/certificates.ts'
import type { CommandConfiguration } from '../command-configuration.ts'
import { leastSecret } from '../../configuration/check-secret.ts'
import { isEveryAddress } from '../../exchange/client.ts'
import { isLoopbackHost } from '../../lib/hosts.ts'
import type { Plan } from '../plan.ts'

/** The parts of a plan on which the warnings depend. */
type PlannedParts = Pick<Plan, 'plugins' | 'snapshot'>

/** Secrets of API keys that strangers can guess. */
export function shortSecrets({ shortSecrets: paths }: CommandConfiguration): string[] {
  return paths.map(
    (path) =>
      `${path}: has fewer than ${leastSecret} characters, so that it can be guessed; set it to the output of \`openssl rand -hex 32\``,
  )
}

/** A provider with a default address requires an API key. */
export function accountsWithoutKey(
  { settings, accountPaths }: CommandConfiguration,
  plan: PlannedParts,
): string[] {
  const presets = collectPresets(dialectsOf(plan.plugins))
  const isKeyless = (account: AccountSetting) => {
    const { baseUrl, mayLackKey = false } = presets.get(account.provider) ?? {}
    const kinds = ['apiKey', ...credentialSettings] as const
    const hasNone = kinds.every((kind) => account[kind] === undefined)
    return account.enabled && hasNone && baseUrl !== undefined && !mayLackKey
  }
  return settings.accounts.flatMap((account, index) =>
    isKeyless(account)
      ? [
          `${accountPaths[index]}.apiKey: account "${account.id}" has no apiKey; provider "${account.provider}" requires one`,
        ]
      : [],
  )
}

/** Certificates of accounts that are not valid at a time, in milliseconds since 1970. One line each. */
export function expiredCertificates(
  { settings, accountPaths }: Pick<CommandConfiguration, 'settings' | 'accountPaths'>,
  now: number,
): string[] {
  return settings.accounts.flatMap(({ ca, clientCertificate }, index) => {
    const path = accountPaths[index] ?? 'accounts'
    return [
      ...expired(clientCertificate?.cert, now).map(
        (why) => `${path}.clientCertificate.cert: ${why}; renew it and reload`,
      ),
      ...expired(ca, now).map((why) => `${path}.ca: ${why}; replace it and reload`),
    ]
  })
}

function expired(pem: string | undefined, now: number): string[] {
  const read = certificatesIn(pem ?? '')
  if (!('certificates' in read)) return []
  return read.certificates.flatMap((certificate) => {
    const why = expiryOf(certificate, now)
    return why === undefined ? [] : [`the certificate of "${subjectOf(certificate)}" ${why}`]
  })
}

/** Without a `baseUrl`, an account is the provider's own API, whose dialects are known. */
export function unexpectedDialects(
  { settings, accountPaths }: CommandConfiguration,
  { plugins }: PlannedParts,
): string[] {
  const presets = collectPresets(dialectsOf(plugins))
  const isUnexpected = (dialect: string, provider: string) =>
    !presets.get(provider)?.rows.has(dialect)
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
export function legacyAsCurrent(
  { settings }: CommandConfiguration,
  { snapshot }: PlannedParts,
): string[] {
  const { current, legacy } = settings.imageModels
  const isLegacy = compilePatterns(legacy)
  if (![current, snapshot.platformName(current)].some(isLegacy)) return []
  return [
    `imageModels.current: "${current}" is among imageModels.legacy, so an edit without a model cannot use the features of newer models`,
  ]
}

/** Aliases of models that no account has, and their fallbacks of such models. */
export function aliasesWithoutAccount(
  { settings }: CommandConfiguration,
  { snapshot }: PlannedParts,
): string[] {
  const named = Object.entries(settings.aliases).flatMap(([name, alias]) => {
    const { fallbacks = [] } = typeof alias === 'string' ? {} : alias
    const models = fallbacks.map(({ model }, index) => [`${name}.fallbacks[${index}].model`, model])
    return [[name, name], ...models] as [path: string, name: string][]
  })
  return named
    .filter(([, name]) => snapshot.resolve(name) === undefined)
    .map(
      ([path, name]) =>
        `aliases.${path}: no account has the model "${snapshot.platformName(name)}"`,
    )
}

/** Quotas of models that no account has count nothing, and limit nothing. */
export function quotasWithoutModel(
  { settings, accountPaths }: CommandConfiguration,
  { snapshot }: PlannedParts,
): string[] {
  const names = snapshot.accounts.flatMap(({ models }) => models.patterns ?? models.names)
  const isServed = compileOverlap(names)
  const among = (path: string, quotas: readonly QuotaSetting[] = []) =>
    quotas.flatMap(({ models = [] }, index) =>
      models
        .filter((name) => !isServed(name))
        .map((name) => {
          const aliased = snapshot.platformName(name)
          const hint =
            aliased === name ? '' : `; calls of the alias "${name}" count as "${aliased}"`
          return `${path}[${index}].models: no account has a model "${name}"${hint}`
        }),
    )
  return [
    ...among('quotas', settings.quotas),
    ...settings.keys.flatMap(({ quotas }, index) => among(`keys[${index}].quotas`, quotas)),
    ...settings.teams.flatMap(({ quotas }, index) => among(`teams[${index}].quotas`, quotas)),
    ...settings.accounts.flatMap(({ quotas }, index) =>
      among(`${accountPaths[index]}.quotas`, quotas),
    ),
  ]
}

/** A gateway that other machines reach does not know its own URL. */
export function missingPublicUrl({ settings }: CommandConfiguration): string[] {
  const { listen, publicUrl, trustedProxies } = settings
  if (publicUrl !== undefined || trustedProxies.length > 0) return []
  if (isLoopbackHost(listen.host)) return []
  return [
    'publicUrl: is not set, so the gateway cannot issue URLs for uploads and for videos of operations',
  ]
}

/** If every address is a proxy's, every client can name the address that it likes. */
export function everyProxy({ settings: { trustedProxies } }: CommandConfiguration): string[] {
  return trustedProxies
    .filter(isEveryAddress)
    .map(
      (entry) =>
        `trustedProxies: with "${entry}" every client can forge its address: name the addresses of the proxies`,
    )
}

/** Google's SDKs accept only `https` URIs, so the gateway writes `https` even where it serves http. */
export function insecurePublicUrl({ settings: { publicUrl } }: CommandConfiguration): string[] {
  if (publicUrl === undefined || URL.parse(publicUrl)?.protocol !== 'http:') return []
  return [
    'publicUrl: is http, but video URIs of operations begin with https because Google’s SDKs require it: a client that fetches such a URI itself must replace https with http',
  ]
}

/** Admin tokens and cookies go over a network in the clear, unless a proxy in front of the address speaks https. */
export function insecureAdminAddress({
  settings: { admin, adminAccess },
}: CommandConfiguration): string[] {
  if (!admin || isLoopbackHost(admin.host)) return []
  if ((adminAccess?.trustedProxies.length ?? 0) > 0) return []
  return [
    'admin.host: other machines reach the admin address, which has no https: put a proxy with https before it and name that in admin.trustedProxies',
  ]
}
