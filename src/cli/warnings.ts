import type { AccountSetting } from '../contract/account.ts'
import { collectPresets } from '../accounts/compile.ts'
import { compilePatterns } from '../accounts/patterns.ts'
import type { CommandOptions } from './command.ts'
import type { Configured } from './configured.ts'
import { howToIssueKey, knowsOtherCallers } from './guarded.ts'
import type { ListedKey } from './keys/list.ts'
import { isOfThisMachine } from './addresses.ts'
import type { Plan } from './plan.ts'
import type { UploadsFault } from './uploads-fault.ts'

/** What is around a configuration. */
export interface CheckFindings {
  /** Absent where the store could not be asked for its keys. */
  readonly keys: readonly ListedKey[] | undefined
  readonly options: CommandOptions
  readonly uploads: UploadsFault | undefined
}

/** What a configuration without problems can hardly be meant to say: a place and words each. */
export function warningsOf(configured: Configured, plan: Plan, seen: CheckFindings): string[] {
  const { accounts } = configured.settings
  return [
    ...(accounts.length === 0 ? ['accounts: there are none, so no model can be asked'] : []),
    ...keylessAccounts(configured, plan),
    ...foreignFamilies(configured, plan),
    ...legacyCurrent(configured, plan),
    ...(accounts.length > 0 ? idleAliases(configured, plan) : []),
    ...missingKeys(configured, seen),
    ...unknownAddress(configured),
    ...plainAddress(configured),
    ...unusableUploads(seen),
  ]
}

/** Providers with an address of their own want to know whom they serve. */
function keylessAccounts({ settings, accountPaths }: Configured, plan: Plan): string[] {
  const presets = collectPresets(plan.plugins.flatMap(({ dialects = [] }) => dialects))
  const isKeyless = ({ provider, apiKey, enabled }: AccountSetting) =>
    enabled && apiKey === undefined && presets.get(provider)?.baseUrl !== undefined
  return settings.accounts.flatMap((account, index) =>
    isKeyless(account)
      ? [
          `${accountPaths[index]}.apiKey: "${account.id}" has none, but ${account.provider} wants one`,
        ]
      : [],
  )
}

/** At its own address a provider speaks what is known of it; anything else may be another server. */
function foreignFamilies({ settings, accountPaths }: Configured, { plugins }: Plan): string[] {
  const dialects = plugins.flatMap((plugin) => plugin.dialects ?? [])
  const isForeign = (family: string, provider: string) =>
    !dialects.some(({ id, upstream }) => id === family && upstream?.providers[provider])
  return settings.accounts.flatMap(({ provider, baseUrl, speaks = [] }, index) =>
    baseUrl === undefined
      ? speaks
          .filter((family) => isForeign(family, provider))
          .map((family) => {
            const path = `${accountPaths[index]}.speaks`
            return `${path}: ${provider} is not known to speak "${family}"`
          })
      : [],
  )
}

/** It is meant for what legacy models cannot do. */
function legacyCurrent({ settings }: Configured, { snapshot }: Plan): string[] {
  const { current, legacy } = settings.imageModels
  const isLegacy = compilePatterns(legacy)
  if (![current, snapshot.platformName(current)].some(isLegacy)) return []
  return [
    `imageModels.current: "${current}" is among imageModels.legacy, so no edit without a model can ask for what only newer ones have`,
  ]
}

function idleAliases({ settings }: Configured, { snapshot }: Plan): string[] {
  return Object.keys(settings.aliases)
    .filter((alias) => snapshot.resolve(alias) === undefined)
    .map((alias) => {
      const model = snapshot.platformName(alias)
      return `aliases.${alias}: no account has the model "${model}"`
    })
}

/** What other machines reach by names of its own is not known to be found by any. */
function unknownAddress({ settings: { listen, publicUrl } }: Configured): string[] {
  if (publicUrl !== undefined) return []
  if (isOfThisMachine(listen.host)) return []
  return [
    'publicUrl: is not set, so no URLs of this gateway can be given out, for uploads and for the videos of operations',
  ]
}

/** Google's SDKs read no URIs but those with `https`; whoever follows one as it stands needs it there. */
function plainAddress({ settings: { publicUrl } }: Configured): string[] {
  if (publicUrl === undefined || URL.parse(publicUrl)?.protocol !== 'http:') return []
  return [
    'publicUrl: is http, while URIs of the videos of operations begin with https, as Google’s SDKs want it: a client that follows one by itself has to write http in its place',
  ]
}

/** Nobody has asked for uploads in so many words, and the rest is served. */
function unusableUploads({ uploads }: CheckFindings): string[] {
  return uploads ? [`uploads.directory: ${uploads.message}, so uploads are answered 503`] : []
}

/** Without a configuration a first key is issued; a plugin may know callers by other means. */
function missingKeys({ settings, file }: Configured, { keys, options }: CheckFindings): string[] {
  if (keys === undefined || file === undefined) return []
  if (keys.some(({ state }) => state === 'active')) return []
  if (knowsOtherCallers(settings)) return []
  return [`keys: nobody gets in yet: ${howToIssueKey(settings, options)}`]
}
