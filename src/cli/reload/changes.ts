import type { Settings } from '../../configuration/settings.ts'
import { limitId } from '../../limits/compile.ts'

/** The names and ids that a reload changed. Values may be secret and are left out of the log. */
type Changes = Readonly<Record<string, readonly string[]>>

/**
 * The accounts, keys, teams, quotas of the gateway, admin tokens, aliases, prices, trusted proxies, and settings of `log` and `admin` that a reload adds,
 * removes or changes.
 */
export function changesBetween(before: Settings, after: Settings): Changes {
  const aliases = (settings: Settings) =>
    Object.entries(settings.aliases).map(([id, model]) => ({ id, model }))
  const quotas = (settings: Settings) =>
    settings.quotas.map((quota) => ({ id: limitId({ type: 'gateway', id: '' }, quota), quota }))
  const prices = (settings: Settings) =>
    Object.entries(settings.prices).map(([id, price]) => ({ id, price }))
  const access = ({ adminAccess, credentialPlaces: credentials }: Settings) =>
    Object.entries({
      ...adminAccess,
      credentials: credentials.permitted,
      accounts: credentials.forbidden,
    }).map(([id, value]) => ({ id, value: value as unknown }))
  const log = ({ log: settings }: Settings) =>
    Object.entries(settings).map(([id, value]) => ({ id, value: value as unknown }))
  const proxies = ({ trustedProxies }: Settings) => trustedProxies.map((id) => ({ id }))
  return {
    ...compare('accounts', before.accounts, after.accounts),
    ...compare('keys', before.keys, after.keys),
    ...compare('teams', before.teams, after.teams),
    ...compare('quotas', quotas(before), quotas(after)),
    ...compare('admin_tokens', before.adminTokens ?? [], after.adminTokens ?? []),
    ...compare('aliases', aliases(before), aliases(after)),
    ...compare('prices', prices(before), prices(after)),
    ...compare('trusted_proxies', proxies(before), proxies(after)),
    ...compare('log', log(before), log(after)),
    ...compare('admin', access(before), access(after)),
  }
}

function compare(
  noun: string,
  before: readonly { readonly id: string }[],
  after: readonly { readonly id: string }[],
): Changes {
  const old = textsById(before)
  const fresh = textsById(after)
  const added = [...fresh.keys()].filter((id) => !old.has(id))
  const removed = [...old.keys()].filter((id) => !fresh.has(id))
  const changed = [...fresh].filter(([id, value]) => old.has(id) && old.get(id) !== value)
  return {
    ...field(`${noun}_added`, added),
    ...field(`${noun}_removed`, removed),
    ...field(
      `${noun}_changed`,
      changed.map(([id]) => id),
    ),
  }
}

function textsById(all: readonly { readonly id: string }[]): ReadonlyMap<string, string> {
  return new Map(all.map((one) => [one.id, text(one)]))
}

function field(name: string, ids: readonly string[]): Changes {
  return ids.length === 0 ? {} : { [name]: ids }
}

function text(value: unknown): string {
  return JSON.stringify(value) ?? ''
}
