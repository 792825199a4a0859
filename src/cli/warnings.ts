import type { AccountSetting } from '../configuration/settings.ts'
import { collectPresets } from '../accounts/compile.ts'
import type { Options } from './command.ts'
import type { Configured } from './configured.ts'
import { howToIssueKey } from './guarded.ts'
import type { ListedKey } from './keys/list.ts'
import type { Plan } from './plan.ts'

/** What is around a configuration. */
export interface Seen {
  /** Absent where the store could not be asked for its keys. */
  readonly keys: readonly ListedKey[] | undefined
  readonly options: Options
}

/** What a configuration without problems can hardly be meant to say: a place and words each. */
export function warningsOf(configured: Configured, plan: Plan, seen: Seen): string[] {
  const { accounts } = configured.settings
  return [
    ...(accounts.length === 0 ? ['accounts: there are none, so no model can be asked'] : []),
    ...keylessAccounts(configured, plan),
    ...(accounts.length > 0 ? idleAliases(configured, plan) : []),
    ...missingKeys(configured, seen),
    ...unknownAddress(configured),
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

function idleAliases({ settings }: Configured, { snapshot }: Plan): string[] {
  return Object.keys(settings.aliases)
    .filter((alias) => snapshot.resolve(alias) === undefined)
    .map((alias) => {
      const model = snapshot.platformName(alias)
      return `aliases.${alias}: no account has the model "${model}"`
    })
}

/** What other machines reach by names of its own is not known to be found by any. */
function unknownAddress({ settings: { listen, publicUrl, uploads } }: Configured): string[] {
  if (publicUrl !== undefined || uploads.directory === undefined) return []
  if (/^(?:localhost|::1|127(?:\.\d+){3})$/.test(listen.host)) return []
  return ['publicUrl: is not set, so no URLs for uploads to this gateway can be given out']
}

/** Without a configuration a first key is issued; a plugin may know callers by other means. */
function missingKeys({ settings, file }: Configured, { keys, options }: Seen): string[] {
  if (keys === undefined || file === undefined) return []
  if (keys.some(({ state }) => state === 'active')) return []
  if (settings.plugins.some(({ onAuthenticate }) => onAuthenticate !== undefined)) return []
  return [`keys: nobody gets in yet: ${howToIssueKey(settings, options)}`]
}
