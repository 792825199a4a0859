import type { Problem } from '../contract/problems.ts'
import type { Account, AccountOptions, AccountSetting, AliasSettings } from '../contract/account.ts'
import { type ProviderPreset, credentialSettings, providerSettings } from '../contract/provider.ts'
import { hasAccounts } from '../contract/dialect.ts'
import type { OfferedDialects } from '../contract/plugin.ts'
import { checkOptions } from './options.ts'
import { connectionOf } from './connection.ts'
import { type DialectPreset, compileRoots } from './roots.ts'
import { replacedCredentials } from './replaced-credentials.ts'
import { compileModels } from './patterns.ts'
import type { Snapshot } from '../contract/candidate.ts'
import { type Work, run } from '../lib/turns.ts'
import { snapshotSteps } from './snapshot.ts'
import { computedOnce } from '../lib/computed-once.ts'

/**
 * Completes accounts with their provider's presets and compiles a snapshot. Returns all problems; an
 * account with a problem is not in the snapshot. An account that equals one of `previous` is the same
 * object, so that caches keyed by the account remain valid. `previous` is of the same dialects.
 */
export function compileSnapshot(
  settings: readonly AccountSetting[],
  aliases: AliasSettings,
  dialects: OfferedDialects,
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
  dialects: OfferedDialects,
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
  readonly dialects: OfferedDialects
  readonly presets: ReadonlyMap<string, Preset>
  /** The dialects that an account may speak. */
  readonly accepted: readonly string[]
  readonly known: WeakMap<AccountSetting, Compiled>
}

/**
 * Compiles the setting of an account. A setting is compiled once for the same list of dialects: of ten thousand, a
 * change concerns few, and the settings of a reload are compiled before it takes effect.
 */
export function compileSetting(setting: AccountSetting, dialects: OfferedDialects): Compiled {
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
  const compiled = compileAccount(setting, presets, accepted, dialects)
  if ('problems' in compiled) return compiled
  const problems = replacedCredentials(compiled.account, '', dialects)
  return problems.length > 0 ? { problems } : compiled
}

const compilerOf = computedOnce((dialects: OfferedDialects): Compiler => ({
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
  const { origin, basePath, roots, speaks, outputLimitField } = account
  const own = { ...setting, prices: undefined, quotas: undefined }
  const text = JSON.stringify([own, origin, basePath, roots, speaks, outputLimitField])
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

/** A provider: what its dialects have in common, and the preset of each. */
interface Preset extends ProviderPreset {
  readonly rows: ReadonlyMap<string, DialectPreset>
  readonly speaks: readonly string[]
}

/** Merges the presets of all dialects by provider, see `Upstream.providers` and `GatewayPlugin.providers`. */
export function collectPresets(dialects: OfferedDialects): Map<string, Preset> {
  const presets = new Map<string, Preset>()
  for (const { id, upstream } of dialects) {
    for (const [provider, preset] of Object.entries(upstream?.providers ?? {})) {
      const known = presets.get(provider)
      const base = preset.base ?? upstream?.base ?? 'bare'
      presets.set(provider, {
        ...known,
        ...preset,
        rows: new Map([...(known?.rows ?? []), [id, { ...preset, base }]]),
        speaks: [...(known?.speaks ?? []), ...(preset.onlyIfNamed ? [] : [id])],
      })
    }
  }
  for (const [name, { dialects: own, ...common }] of Object.entries(dialects.providers ?? {})) {
    // A dialect of a plugin may have brought a provider of this name before the gateway had one.
    if (presets.has(name)) continue
    const rows = Object.entries(own).flatMap(([id, row]): [string, DialectPreset][] => {
      const { upstream } = dialects.find((one) => one.id === id) ?? {}
      return upstream ? [[id, { base: upstream.base, ...common, ...row }]] : []
    })
    const speaks = rows.flatMap(([id, { onlyIfNamed }]) => (onlyIfNamed ? [] : [id]))
    const first = rows[0]?.[1]
    presets.set(name, { ...first, ...common, rows: new Map(rows), speaks })
  }
  return presets
}

function compileAccount(
  setting: AccountSetting,
  presets: ReadonlyMap<string, Preset>,
  accepted: readonly string[],
  dialects: OfferedDialects,
): Compiled {
  const preset = presets.get(setting.provider)
  const problems: Problem[] = (setting.speaks ?? [])
    .filter((dialect) => !accepted.includes(dialect))
    .map((dialect) => ({
      path: '.speaks',
      message: `unknown dialect "${dialect}"`,
      fix: `use one of ${accepted.join(', ')}`,
    }))
  if (!preset) problems.unshift(unknownProvider(setting.provider, presets))
  if (preset) problems.push(...problemsOfSettings(setting, preset))
  const checked = preset ? optionsIn(setting, preset) : { value: {} }
  if ('problems' in checked) return { problems: [...problems, ...checked.problems] }
  const options = checked.value
  const speaks = setting.speaks ?? preset?.speaks ?? []
  const rows = preset?.rows ?? noRows
  const baseOf = (id: string) => dialects.find((one) => one.id === id)?.upstream?.base ?? 'bare'
  const found = compileRoots(setting, { rows, options, speaks, baseOf })
  // Without a preset only a base URL of the account's own can be wrong.
  const isChecked = preset || setting.baseUrl !== undefined
  if ('problems' in found) problems.push(...(isChecked ? found.problems : []))
  if (!preset || 'problems' in found || problems.length > 0) return { problems }
  const connection = connectionOf(setting)
  const { origin } = found.root
  // Only accounts of the store have hosts that they may not reach.
  const isStored = setting.forbidden !== undefined
  const authorizer = preset.credential?.({ ...setting, options, origin, isStored })
  const secrets = authorizer ? secretsOf(setting) : setting.secrets
  return {
    account: {
      id: setting.id,
      provider: setting.provider,
      ...found.root,
      ...(found.roots && { roots: found.roots }),
      credential: authorizer ? undefined : setting.apiKey,
      ...(authorizer && { authorizer }),
      speaks,
      textDialects: textDialectsOf(speaks, dialects),
      ...ofRows(rows, speaks, options),
      ...(preset.options && { options }),
      models: compileModels(setting.models),
      ...(preset.listsModels === false && { listsModels: false }),
      weight: setting.weight,
      priority: setting.priority,
      enabled: setting.enabled,
      outputLimitField:
        setting.outputLimitField ?? preset.outputLimitField ?? 'max_completion_tokens',
      asksForUsage: setting.asksForUsage,
      ...(preset.errorStatuses && { errorStatuses: preset.errorStatuses }),
      ...(preset.freeCall !== undefined && {
        freeCall: freeCallOf(preset.freeCall, setting, options),
      }),
      ...(preset.reportsCost && { reportsCost: true }),
      ...(preset.thinksInText && { thinksInText: true }),
      ...(setting.lacks && { lacks: setting.lacks }),
      replyModel: setting.replyModel,
      ...(setting.forward && { forward: setting.forward }),
      ...(setting.headers && { headers: setting.headers }),
      ...(secrets && { secrets }),
      ...(setting.timeouts && { timeouts: setting.timeouts }),
      ...(setting.maxConcurrent !== undefined && { maxConcurrent: setting.maxConcurrent }),
      ...(connection && { connection }),
    },
  }
}

function textDialectsOf(speaks: readonly string[], dialects: OfferedDialects): readonly string[] {
  const texts = dialects.filter(({ generate }) => generate && !generate.clientsOnly)
  const spoken = speaks.filter((id) => texts.some((dialect) => dialect.id === id))
  return spoken.length > 0 ? spoken : speaks
}

const noRows: Preset['rows'] = new Map()

/** The secrets of an account whose key is in no header of its dialects. */
function secretsOf({ apiKey, secrets = [] }: AccountSetting): readonly string[] {
  return apiKey === undefined ? secrets : [apiKey, ...secrets]
}

function freeCallOf(
  freeCall: NonNullable<ProviderPreset['freeCall']>,
  { baseUrl }: AccountSetting,
  options: AccountOptions,
): NonNullable<Account['freeCall']> {
  if (typeof freeCall === 'string') return { path: freeCall }
  const { origin, pathname: path } = new URL(freeCall(options))
  return baseUrl === undefined ? { path, origin } : { path }
}

/** How the dialects of an account differ by its provider. */
function ofRows(
  rows: Preset['rows'],
  speaks: readonly string[],
  options: AccountOptions,
): Pick<Account, 'adaptations' | 'lacksIn' | 'servesIn'> {
  const spoken = [...rows].filter(([id]) => speaks.includes(id))
  const adapted = spoken.flatMap(([id, { adapt }]) => (adapt ? [[id, adapt] as const] : []))
  const lacking = spoken.flatMap(([id, { lacks }]) => (lacks ? [[id, lacks] as const] : []))
  return {
    ...(adapted.length > 0 && { adaptations: Object.fromEntries(adapted) }),
    ...(lacking.length > 0 && { lacksIn: Object.fromEntries(lacking) }),
    ...(spoken.some(([, { serves }]) => serves) && {
      servesIn: (dialect, model) => rows.get(dialect)?.serves?.(model, options) ?? true,
    }),
  }
}

/** Settings that the provider of an account does not take. */
function problemsOfSettings(
  setting: AccountSetting,
  { settings = [], credentials = [] }: Preset,
): Problem[] {
  const taken: readonly string[] = [...settings, ...credentials]
  const given = [...providerSettings, ...credentialSettings].filter(
    (name) => setting[name] !== undefined,
  )
  const problems = given
    .filter((name) => !taken.includes(name))
    .map((name) => ({
      path: `.${name}`,
      message: `provider "${setting.provider}" takes none`,
      fix: 'remove it, or use the provider that it is for',
    }))
  const kinds = ['apiKey', ...credentialSettings] as const
  const [first, second] = kinds.filter((name) => setting[name] !== undefined)
  if (second === undefined) return problems
  const message = `is there beside ${first}, and an account has one credential`
  return [...problems, { path: `.${second}`, message, fix: 'remove one of the two' }]
}

/** The options of an account, of which some providers have settings of their own. */
function optionsIn(setting: AccountSetting, preset: Preset): ReturnType<typeof checkOptions> {
  const names: readonly string[] = preset.settings ?? []
  const given = providerSettings.flatMap((name) =>
    names.includes(name) && setting[name] !== undefined ? [[name, setting[name]] as const] : [],
  )
  const written =
    given.length > 0 ? { ...setting.options, ...Object.fromEntries(given) } : setting.options
  const place = { provider: setting.provider, path: '.options' }
  const checked = checkOptions(written, preset.options, place)
  if (!('problems' in checked)) return checked
  const problems = checked.problems.map(({ path, ...rest }) => {
    const [, name = ''] = /^\.options\.(\w+)/.exec(path) ?? []
    return { path: names.includes(name) ? path.replace('.options', '') : path, ...rest }
  })
  return { problems }
}

function unknownProvider(provider: string, presets: ReadonlyMap<string, Preset>): Problem {
  return {
    path: '.provider',
    message: `unknown provider "${provider}"`,
    fix: `use one of ${[...presets.keys()].sort().join(', ')}; "openai-compatible" with a baseUrl fits most others`,
  }
}
