import type { KeyView } from '../admin/key-view.ts'
import type { ShownToken } from '../admin/tokens.ts'
import type { Settings } from '../configuration/settings.ts'
import type { Account, AccountSetting, AliasSetting } from '../contract/account.ts'
import type { Limit } from '../contract/quota.ts'
import { formatUsd } from '../lib/usd.ts'
import { limitsOf } from '../limits/limit-set.ts'
import { describeToken, tokenRow, tokenTitles } from './admin-tokens/describe.ts'
import type { CommandConfiguration } from './command-configuration.ts'
import {
  describeImageModels,
  describePublicUrl,
  describeSpool,
  describeUploads,
  storageRows,
} from './describe-media.ts'
import { withoutLogin } from './hints.ts'
import { describeKey, keyRow, keyTitles } from './keys/describe.ts'
import type { Plan } from './plan.ts'
import { alignColumns } from './table.ts'

/** Where accounts of the store may have credentials. */
function describeCredentials({ credentialPlaces: { permitted } }: Settings): string {
  const places = permitted.length > 0 ? permitted.join(', ') : 'no variable and no file'
  return `accounts of the store may name ${places}`
}

/** The limits and the permitted origins of remote files, in one line. */
function describeRemote(remote: Settings['remote']): string {
  const { maxFiles, maxBytes, timeoutMs } = remote
  if (maxFiles === 0) return 'not fetched'
  return [
    `${remote.allowHttp ? 'http and https' : 'https'} from ${describePlaces(remote)}`,
    `at most ${maxFiles} per request, of ${maxBytes} bytes`,
    `each within ${timeoutMs} ms`,
  ].join(', ')
}

function describePlaces({ allow, forbid }: Settings['remote']): string {
  const parts = [
    'public addresses',
    forbid.length > 0 ? ` except ${forbid.join(', ')}` : '',
    allow.length > 0 ? ` and ${allow.join(', ')}` : '',
  ]
  return parts.join('')
}

/** The records of the store that a plan shows. */
interface StoredState {
  readonly keys: readonly KeyView[]
  readonly tokens: readonly ShownToken[]
  /** Ids of the accounts that the store disables. */
  readonly disabled: ReadonlySet<string>
  /** Ids of the accounts that only the store has. */
  readonly stored: ReadonlySet<string>
}

/**
 * Describes a plan as text for people, which ends with a summary. Secrets appear as "set" or "missing".
 * `withRoutes`: all routes are described, which are many.
 */
export function describePlan(
  plan: Plan,
  { settings, file }: CommandConfiguration,
  { keys, tokens, disabled, stored }: StoredState,
  withRoutes: boolean,
): string {
  const { listen, admin, store, accounts, aliases, losses, errors, remote } = settings
  const routes = plan.routes.filter(({ operation }) => !operation.hidden)
  return [
    ...section('Configuration', [
      ['file', file ?? 'none: the sandbox, and provider keys from the environment'],
      ['API', `${listen.host}:${listen.port}`],
      ['admin', admin ? `${admin.host}:${admin.port}` : 'off'],
      ['public URL', describePublicUrl(settings)],
      ['store', withoutLogin(store)],
      ['credentials', describeCredentials(settings)],
      ['losses', losses],
      ['errors', errors],
      ['remote files', describeRemote(remote)],
      ['spool', describeSpool(settings)],
      ['uploads', describeUploads(settings)],
      ['image models', describeImageModels(settings)],
    ]),
    ...section(
      'Pipeline',
      plan.plugins.map(({ name }, index) => [String(index + 1), name]),
    ),
    ...(withRoutes ? section('Routes', routeRows(routes)) : []),
    ...section('Storages', storageRows(settings)),
    ...section('Accounts', accountRows(accounts, plan.snapshot.accounts, { disabled, stored })),
    ...section(
      'Aliases',
      Object.entries(aliases).map(([name, alias]) =>
        typeof alias === 'string' ? [name, alias] : [name, alias.model, describeAlias(alias)],
      ),
    ),
    ...section(
      'Keys',
      tableOf(keyTitles, keys, (key) => keyRow(describeKey(key))),
    ),
    ...section('Limits', tableOf(['LIMIT', 'AMOUNT', 'ACTION'], limitsOf(settings), limitRow)),
    ...section(
      'Admin tokens',
      tableOf(tokenTitles, tokens, (one) => tokenRow(describeToken(one))),
    ),
    ...section('Summary', [
      ['accounts', countOf(accounts, ({ id, enabled }) => enabled && !disabled.has(id), 'enabled')],
      ['aliases', String(Object.keys(aliases).length)],
      ['keys', countOf(keys, ({ state }) => state === 'ACTIVE', 'active')],
      ['admin tokens', countOf(tokens, ({ state }) => state === 'ACTIVE', 'active')],
      ['routes', `${routes.length}${withRoutes ? '' : ' (`--routes` shows them)'}`],
    ]),
  ].join('\n')
}

/** The id of a limit says whose it is, what it counts, and in which window. */
function limitRow({ id, kind, amount, action, strict }: Limit): string[] {
  const shown = kind === 'cost' ? `${formatUsd(amount)} USD` : String(amount)
  return [id, shown, strict ? `${action}, strict` : action]
}

function describeAlias({ replyModel, strategy, fallbacks = [] }: AliasSetting): string {
  return [
    ...(replyModel ? [`replyModel: ${replyModel}`] : []),
    ...(strategy ? [`strategy: ${strategy}`] : []),
    ...fallbacks.map(({ on, model }) => `on ${on.join(', ')}: ${model}`),
  ].join('; ')
}

function routeRows(routes: Plan['routes']): string[][] {
  return routes.map(({ method, dialect, operation, pattern }) => [
    method,
    dialect.id,
    operation.id,
    pattern,
  ])
}

/** `3 (2 enabled)`: all, and those that are `usable`, which `word` names. */
function countOf<Item>(all: readonly Item[], usable: (one: Item) => boolean, word: string): string {
  return all.length === 0 ? '0' : `${all.length} (${all.filter(usable).length} ${word})`
}

function tableOf<One>(
  titles: readonly string[],
  all: readonly One[],
  row: (one: One) => readonly string[],
): (readonly string[])[] {
  return all.length === 0 ? [] : [titles, ...all.map(row)]
}

function section(title: string, rows: ReadonlyArray<readonly string[]>): string[] {
  const lines = rows.length === 0 ? ['(none)'] : alignColumns(rows)
  return [title, ...lines.map((line) => `  ${line}`), '']
}

function accountRows(
  settings: readonly AccountSetting[],
  accounts: readonly Account[],
  { disabled, stored }: Pick<StoredState, 'disabled' | 'stored'>,
) {
  if (settings.length === 0) return []
  // Without an account in the store, all are of the configuration.
  const from = (text: string) => (stored.size > 0 ? [text] : [])
  const header = [
    'ID',
    'PROVIDER',
    ...from('FROM'),
    'BASE URL',
    'KEY',
    'ENABLED',
    'SPEAKS',
    'MODELS',
  ]
  const rows = settings.map(({ id, provider, baseUrl, apiKey, enabled, speaks, models }) => {
    const account = accounts.find((candidate) => candidate.id === id)
    return [
      id,
      provider,
      ...from(stored.has(id) ? 'store' : 'configuration'),
      account ? describeRoots(account) : (baseUrl ?? '?'),
      apiKey === undefined ? 'none' : 'set',
      describeEnabled(enabled, disabled.has(id)),
      (account?.speaks ?? speaks)?.join(',') ?? '?',
      describeModels(models),
    ]
  })
  return [header, ...rows]
}

/** Where an account is asked, and the dialects that are asked elsewhere. */
function describeRoots({ origin, basePath, roots = {} }: Account): string {
  const others = Object.entries(roots).map(([id, one]) => `${id}: ${one.origin}${one.basePath}`)
  const own = origin + basePath
  return others.length === 0 ? own : `${own} (${others.join(', ')})`
}

function describeEnabled(enabled: boolean, isDisabledInStore: boolean): string {
  if (!enabled) return 'no'
  return isDisabledInStore ? 'no (disabled in the store)' : 'yes'
}

function describeModels(models: AccountSetting['models']): string {
  if (Array.isArray(models)) return models.join(',')
  return Object.entries(models)
    .map(([name, own]) => `${name} (as ${own})`)
    .join(',')
}
