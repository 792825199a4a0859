import type { Problem } from '../contract/problems.ts'
import type { Account, AccountOptions, AccountSetting, AliasSettings } from '../contract/account.ts'
import type { ProviderPreset } from '../contract/dialect-info.ts'
import { type AnyDialect, hasAccounts } from '../contract/dialect.ts'
import { checkOptions } from './options.ts'
import { connectionOf } from './connection.ts'
import { replacedCredentials } from './replaced-credentials.ts'
import { compileModels } from './patterns.ts'
import type { Snapshot } from '../contract/candidate.ts'
import { type Work, run } from '../lib/turns.ts'
import { snapshotSteps } from './snapshot.ts'
import { computedOnce } from '../lib/computed-once.ts'
import { compileForbiddenHosts } from '../lib/forbidden-hosts.ts'

/**
 * Completes accounts with their provider's presets and compiles a snapshot. Returns all problems; an
 * account with a problem is not in the snapshot. An account that equals one of `previous` is the same
 * object, so that caches keyed by the account remain valid. `previous` is of the same dialects.
 */
export function compileSnapshot(
  settings: readonly AccountSetting[],
  aliases: AliasSettings,
  dialects: readonly AnyDialect[],
  previous?: Snapshot,
): CompiledSnapshot {
  return run(compileSteps(settings, aliases, dialects, previous))
}

/** A snapshot of the accounts without problems. */
interface CompiledSnapshot {
  readonly snapshot: Snapshot
  readonly problems: Problem[]
}

/** Does the same, one account at a step. */
export function* compileSteps(
  settings: readonly AccountSetting[],
  aliases: AliasSettings,
  dialects: readonly AnyDialect[],
  previous?: Snapshot,
): Work<CompiledSnapshot> {
  const problems: Problem[] = []
  const former = new Map(previous?.accounts.map((account) => [account.id, account]))
  const compiler = compilerOf(dialects)
  const accounts: Account[] = []
  for (const [index, setting] of settings.entries()) {
    yield
    const compiled = compileWith(compiler, setting)
    if ('account' in compiled) {
      const account = sameOrNew(compiled.account, former.get(setting.id))
      if (account !== compiled.account) compiler.known.set(setting, { account })
      accounts.push(account)
      continue
    }
    for (const { path, ...rest } of compiled.problems)
      problems.push({ path: `accounts[${index}]${path}`, ...rest })
  }
  return { snapshot: yield* snapshotSteps(accounts, aliases, dialects, previous), problems }
}

/** A compiled account, or its problems: their paths begin below the account's path, with `.baseUrl`. */
type Compiled = { readonly account: Account } | { readonly problems: readonly Problem[] }

/** The compiled settings for some dialects. */
interface Compiler {
  readonly dialects: readonly AnyDialect[]
  readonly presets: ReadonlyMap<string, Preset>
  /** The dialects that an account may speak. */
  readonly accepted: readonly string[]
  readonly known: WeakMap<AccountSetting, Compiled>
}

/**
 * Compiles the setting of an account. A setting is compiled once for the same list of dialects: of ten thousand, a
 * change concerns few, and the settings of a reload are compiled before it takes effect.
 */
export function compileSetting(setting: AccountSetting, dialects: readonly AnyDialect[]): Compiled {
  return compileWith(compilerOf(dialects), setting)
}

function compileWith(compiler: Compiler, setting: AccountSetting): Compiled {
  const before = compiler.known.get(setting)
  if (before) return before
  const compiled = compileNew(compiler, setting)
  if ('account' in compiled) noteDefinition(compiled.account, setting)
  compiler.known.set(setting, compiled)
  return compiled
}

function compileNew({ dialects, presets, accepted }: Compiler, setting: AccountSetting): Compiled {
  const compiled = compileAccount(setting, '', presets, accepted)
  if ('problems' in compiled) return compiled
  const problems = replacedCredentials(compiled.account, '', dialects)
  return problems.length > 0 ? { problems } : compiled
}

const compilerOf = computedOnce((dialects: readonly AnyDialect[]): Compiler => ({
  dialects,
  presets: collectPresets(dialects),
  accepted: dialects.filter(hasAccounts).map((dialect) => dialect.id),
  known: new WeakMap(),
}))

/** The definition of an account. */
interface Definition {
  /** Since a compiled account contains functions. Prices and quotas are no part of it. */
  readonly text: string
  /** Whether the account is one of a snapshot. */
  readonly isUsed: boolean
}

const definitions = new WeakMap<Account, Definition>()

function noteDefinition(account: Account, setting: AccountSetting): void {
  const { origin, basePath, speaks, outputLimitField } = account
  const own = { ...setting, prices: undefined, quotas: undefined }
  const text = JSON.stringify([own, origin, basePath, speaks, outputLimitField])
  definitions.set(account, { text, isUsed: false })
}

/** An account that comes back is a new object: nothing is known of it any more, such as its circuits. */
function sameOrNew(account: Account, old: Account | undefined): Account {
  const { text = '', isUsed } = definitions.get(account) ?? {}
  if (old && (old === account || definitions.get(old)?.text === text)) return old
  const fresh = isUsed ? { ...account } : account
  definitions.set(fresh, { text, isUsed: true })
  return fresh
}

interface Preset extends ProviderPreset {
  readonly base: 'versioned' | 'bare'
  readonly speaks: readonly string[]
}

/** Merges the presets of all dialects by provider, see `Upstream.providers`. */
export function collectPresets(dialects: readonly AnyDialect[]): Map<string, Preset> {
  const presets = new Map<string, Preset>()
  for (const { id, upstream } of dialects) {
    for (const [provider, preset] of Object.entries(upstream?.providers ?? {})) {
      const known = presets.get(provider)
      presets.set(provider, {
        base: preset.base ?? upstream?.base ?? 'bare',
        ...known,
        ...preset,
        speaks: [...(known?.speaks ?? []), ...(preset.onlyIfNamed ? [] : [id])],
      })
    }
  }
  return presets
}

function compileAccount(
  setting: AccountSetting,
  path: string,
  presets: ReadonlyMap<string, Preset>,
  dialects: readonly string[],
): Compiled {
  const preset = presets.get(setting.provider)
  const problems: Problem[] = (setting.speaks ?? [])
    .filter((dialect) => !dialects.includes(dialect))
    .map((dialect) => ({
      path: `${path}.speaks`,
      message: `unknown dialect "${dialect}"`,
      fix: `use one of ${dialects.join(', ')}`,
    }))
  if (!preset) problems.unshift(unknownProvider(setting.provider, path, presets))
  const place = { provider: setting.provider, path: `${path}.options` }
  const checked = preset ? checkOptions(setting.options, preset.options, place) : { value: {} }
  if ('problems' in checked) return { problems: [...problems, ...checked.problems] }
  const options = checked.value
  const url = parseBaseUrl(setting.baseUrl ?? baseUrlOf(preset, options))
  if (!url && (preset || setting.baseUrl !== undefined)) {
    problems.push({
      path: `${path}.baseUrl`,
      message: setting.baseUrl
        ? 'is not a valid base URL'
        : `provider "${setting.provider}" has no default base URL`,
      fix: 'set an http(s) URL without credentials, query or fragment',
    })
  }
  if (url) problems.push(...forbiddenHost(setting, url, path))
  if (!preset || !url || problems.length > 0) return { problems }
  const connection = connectionOf(setting)
  return {
    account: {
      id: setting.id,
      provider: setting.provider,
      origin: url.origin,
      basePath: url.pathname.replace(/\/+$/, ''),
      base: preset.base,
      credential: setting.apiKey,
      speaks: setting.speaks ?? preset.speaks,
      ...(preset.options && { options }),
      models: compileModels(setting.models),
      weight: setting.weight,
      priority: setting.priority,
      enabled: setting.enabled,
      outputLimitField:
        setting.outputLimitField ?? preset.outputLimitField ?? 'max_completion_tokens',
      asksForUsage: setting.asksForUsage,
      ...(setting.lacks && { lacks: setting.lacks }),
      replyModel: setting.replyModel,
      ...(setting.forward && { forward: setting.forward }),
      ...(setting.headers && { headers: setting.headers }),
      ...(setting.secrets && { secrets: setting.secrets }),
      ...(setting.timeouts && { timeouts: setting.timeouts }),
      ...(setting.maxConcurrent !== undefined && { maxConcurrent: setting.maxConcurrent }),
      ...(connection && { connection }),
    },
  }
}

/** The problem of an account of the store that leads to a host which such accounts may not reach. */
function forbiddenHost(
  { baseUrl, options, forbidden = [] }: AccountSetting,
  { hostname }: URL,
  path: string,
): Problem[] {
  if (!compileForbiddenHosts(forbidden).has(hostname)) return []
  const isOfOptions = baseUrl === undefined && options !== undefined
  return [
    {
      path: `${path}.${isOfOptions ? 'options' : 'baseUrl'}`,
      message: 'names a host that admin.accounts.forbid of the configuration forbids',
      fix: 'use another address, or name the account in the file',
    },
  ]
}

function baseUrlOf(preset: Preset | undefined, options: AccountOptions): string | undefined {
  const { baseUrl } = preset ?? {}
  if (typeof baseUrl !== 'function') return baseUrl
  try {
    return baseUrl(options)
  } catch {
    return undefined
  }
}

function parseBaseUrl(text: string | undefined): URL | undefined {
  const url = text === undefined ? null : URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  return url.username || url.password || url.search || url.hash ? undefined : url
}

function unknownProvider(
  provider: string,
  path: string,
  presets: ReadonlyMap<string, Preset>,
): Problem {
  return {
    path: `${path}.provider`,
    message: `unknown provider "${provider}"`,
    fix: `use one of ${[...presets.keys()].sort().join(', ')}; "openai-compatible" with a baseUrl fits most others`,
  }
}
