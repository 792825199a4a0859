import type { Account } from '../contract/account.ts'
import { isObject } from '../lib/json/object.ts'
import { type EnvironmentVariables, secretMask } from './secrets.ts'
import type { Flags } from './endpoints.ts'
import { describeTelemetry, field, fromFile } from './describe-telemetry.ts'
import { sourceOf } from './plugins/source.ts'
import type { DescribedSetting, Origin, Settings } from './settings.ts'
import { shownUrl } from './shown-url.ts'

/** What is described: a checked configuration, and what it was made from. */
interface DescribeInput {
  /** As the user wrote it. */
  readonly config: unknown
  readonly settings: Settings
  readonly env: EnvironmentVariables
  readonly flags: Flags
}

/** How a field is shown. Fields without an entry are not shown at all. */
type Show = (value: unknown) => unknown

/** What settings were made from. */
const sources = new WeakMap<Settings, DescribeInput>()

/** Notes what settings were made from, for `describeSettings`. */
export function noteSource(input: DescribeInput): void {
  sources.set(input.settings, input)
}

/**
 * Describes settings for operators, one after another; nothing for settings that were made from no
 * configuration. Ten thousand accounts have a hundred thousand settings.
 */
export function describeSettings(settings: Settings): Iterable<DescribedSetting> {
  const input = sources.get(settings)
  return input ? describe(input) : []
}

/**
 * Describes the settings that take effect, each with its origin. It goes by a list of fields, so that a new
 * one is hidden until this list says how to show it. No value is a secret.
 */
function* describe(input: DescribeInput): Generator<DescribedSetting, void> {
  const { settings, env, flags } = input
  const config = isObject(input.config) ? input.config : {}
  const within = (name: string) => (isObject(config[name]) ? config[name] : {})
  const chosen = (path: string, value: unknown, place: Place, written: unknown) => [
    { path, value, origin: originOf(place, { env, flags }, written) },
  ]

  yield* chosen('listen.host', settings.listen.host, places.host, within('listen').host)
  yield* chosen('listen.port', settings.listen.port, places.port, within('listen').port)
  if (isObject(settings.admin)) {
    yield* chosen('admin.host', settings.admin.host, places.adminHost, within('admin').host)
    yield* chosen('admin.port', settings.admin.port, places.adminPort, within('admin').port)
  } else yield* chosen('admin', false, places.admin, config.admin)
  yield* accessOf(settings, within('admin'))
  yield* listOf('admin.tokens', within('admin').tokens, [], tokenFields)
  const store = storeOf(settings.store, config.store, { env, flags })
  yield* chosen('store', store, places.store, config.store)
  yield* chosen('publicUrl', describeUrl(settings.publicUrl), places.publicUrl, config.publicUrl)
  yield field('trustedProxies', settings.trustedProxies, config.trustedProxies)
  if (config.spool !== undefined) yield fromFile('spool', config.spool)
  for (const name of words) yield field(name, settings[name], config[name])
  for (const name of groups) {
    for (const [key, value] of Object.entries(settings[name])) {
      yield field(`${name}.${key}`, value, within(name)[key])
    }
  }
  if (!settings.capture) yield field('capture', false, config.capture)
  for (const [name, value] of Object.entries(settings.capture || {})) {
    yield field(`capture.${name}`, value, within('capture')[name])
  }
  const { level, format, access, file, accessFile } = within('log')
  yield* chosen('log.level', settings.log.level, places.logLevel, level)
  yield* chosen('log.format', settings.log.format, places.logFormat, format)
  yield field('log.access', settings.log.access, access)
  if (file !== undefined) yield fromFile('log.file', file)
  if (accessFile !== undefined) yield fromFile('log.accessFile', accessFile)
  yield* describeTelemetry(settings, within('telemetry'))
  yield* uploadsOf(settings, within('uploads'))
  for (const [name, alias] of Object.entries(settings.aliases)) {
    yield fromFile(`aliases.${name}`, alias)
  }
  for (const [name, price] of Object.entries(settings.prices)) {
    yield fromFile(`prices.${name}`, price)
  }
  yield* listOf('keys', config.keys, settings.keys, keyFields)
  yield* listOf('accounts', config.accounts, settings.accounts, accountFields)
  for (const [index, plugin] of settings.plugins.entries()) {
    const { use, options } = sourceOf(plugin) ?? {}
    yield fromFile(`plugins[${index}].name`, plugin.name)
    if (use !== undefined) yield fromFile(`plugins[${index}].use`, use)
    if (options !== undefined) yield fromFile(`plugins[${index}].options`, options)
  }
}

/** Settings that are words. */
const words = ['errors', 'clientGone', 'samplingFields', 'unknownIds', 'losses'] as const

/** Groups of settings without a secret. */
const groups = ['limits', 'timeouts', 'imageModels', 'remote'] as const

interface Place {
  readonly flag: keyof Flags
  readonly variable: string
}

const places = {
  host: { flag: 'host', variable: 'DRAGOMAN_HOST' },
  port: { flag: 'port', variable: 'DRAGOMAN_PORT' },
  admin: { flag: 'admin', variable: 'DRAGOMAN_ADMIN' },
  adminHost: { flag: 'adminHost', variable: 'DRAGOMAN_ADMIN_HOST' },
  adminPort: { flag: 'adminPort', variable: 'DRAGOMAN_ADMIN_PORT' },
  store: { flag: 'store', variable: 'DRAGOMAN_STORE' },
  publicUrl: { flag: 'publicUrl', variable: 'DRAGOMAN_PUBLIC_URL' },
  logLevel: { flag: 'logLevel', variable: 'DRAGOMAN_LOG_LEVEL' },
  logFormat: { flag: 'logFormat', variable: 'DRAGOMAN_LOG_FORMAT' },
} as const satisfies Record<string, Place>

type Sources = Pick<DescribeInput, 'env' | 'flags'>

function originOf({ flag, variable }: Place, { env, flags }: Sources, written: unknown): Origin {
  if (flags[flag] !== undefined) return 'FLAG'
  if (env[variable]) return 'ENVIRONMENT'
  return written === undefined ? 'DEFAULT' : 'FILE'
}

/** The user's own text for a store: a URL may carry a password. */
function storeOf(store: string, written: unknown, { env, flags }: Sources): unknown {
  const text = flags.store ?? (env['DRAGOMAN_STORE'] || written)
  return isReference(text) ? text : describeUrl(store)
}

const plain: Show = (value) => value ?? null

/** Only the name of its source, or that there is one. */
const secret: Show = (value) => (isReference(value) ? value : secretMask)

/** Secrets by name. */
const secrets: Show = (value) =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, secret(one)]))
    : secretMask

const proxy: Show = (value) => (value === false || isReference(value) ? value : describeUrl(value))

/** `env:NAME` and `file:PATH`, which name a secret and are none. */
function isReference(value: unknown): boolean {
  return typeof value === 'string' && /^(?:env:[A-Za-z_]\w{0,127}|file:.+)$/s.test(value)
}

const describeUrl: Show = (value) => (typeof value === 'string' ? shownUrl(value) : null)

const keyFields: Readonly<Record<string, Show>> = {
  id: plain,
  models: plain,
  expiresAt: plain,
  disabled: plain,
  explain: plain,
  losses: plain,
  secret,
  hash: secret,
}

const tokenFields: Readonly<Record<string, Show>> = {
  id: plain,
  role: plain,
  expiresAt: plain,
  secret,
  hash: secret,
}

const oidcFields: Readonly<Record<string, Show>> = {
  issuer: describeUrl,
  clientId: plain,
  clientSecret: secret,
  scopes: plain,
  groupsClaim: plain,
  roles: plain,
  redirectUrl: describeUrl,
}

const accountFields: Readonly<Record<string, Show>> = {
  id: plain,
  provider: plain,
  baseUrl: describeUrl,
  apiKey: secret,
  speaks: plain,
  models: plain,
  outputLimitField: plain,
  asksForUsage: plain,
  replyModel: plain,
  forward: plain,
  propagate: plain,
  headers: secrets,
  timeouts: plain,
  maxConcurrent: plain,
  prices: plain,
  proxy,
  ca: secret,
  clientCertificate: secrets,
  weight: plain,
  priority: plain,
  enabled: plain,
}

/** Describes an account of the store as those of the configuration are described. No value is a secret. */
export function describeStoredAccount(account: Account): DescribedSetting[] {
  const { id, origin, basePath, credential, models } = account
  const shown: Readonly<Record<string, unknown>> = {
    ...account,
    baseUrl: origin + basePath,
    // The shown text of a secret: the credential itself could look like the name of its place.
    apiKey: credential === undefined ? undefined : secretMask,
    models: models.patterns ?? models.names,
  }
  return Object.entries(accountFields).flatMap(([name, show]) => {
    const value = shown[name]
    if (value === undefined || name === 'id') return []
    return [{ path: `accounts.${id}.${name}`, value: show(value), origin: 'STORE' as const }]
  })
}

const storageFields: Readonly<Record<string, Show>> = {
  kind: plain,
  bucket: plain,
  region: plain,
  endpoint: describeUrl,
  prefix: plain,
  pathStyle: plain,
  overwrite: plain,
  accessKeyId: secret,
  secretAccessKey: secret,
  sessionToken: secret,
}

/** The entries of a list: what the user wrote, and the defaults that apply beside it. */
function* listOf(
  name: string,
  written: unknown,
  effective: readonly object[],
  fields: Readonly<Record<string, Show>>,
): Generator<DescribedSetting, void> {
  const entries: unknown[] = Array.isArray(written) ? written : []
  for (const [index, entry] of entries.entries()) {
    const own = isObject(entry) ? entry : {}
    yield* entryOf(`${name}[${index}]`, own, effective[index] ?? {}, fields)
  }
}

function entryOf(
  path: string,
  written: Readonly<Record<string, unknown>>,
  effective: object,
  fields: Readonly<Record<string, Show>>,
): DescribedSetting[] {
  return Object.entries(fields).flatMap(([name, show]) => {
    if (written[name] !== undefined) return [fromFile(`${path}.${name}`, show(written[name]))]
    const value = (effective as Readonly<Record<string, unknown>>)[name]
    const isShown = value !== undefined && show === plain
    return isShown ? [{ path: `${path}.${name}`, value, origin: 'DEFAULT' as const }] : []
  })
}

/** Who reaches the admin address, and who signs in there. */
function accessOf(
  { admin, adminAccess, credentialPlaces }: Settings,
  written: Readonly<Record<string, unknown>>,
): DescribedSetting[] {
  if (!admin) return []
  const { allowedHosts = [], trustedProxies = [], oidc } = adminAccess ?? {}
  return [
    field('admin.allowedHosts', allowedHosts, written.allowedHosts),
    field('admin.trustedProxies', trustedProxies, written.trustedProxies),
    field('admin.credentials', credentialPlaces.permitted, written.credentials),
    ...(isObject(written.oidc) ? entryOf('admin.oidc', written.oidc, oidc ?? {}, oidcFields) : []),
  ]
}

function uploadsOf(
  { uploads }: Settings,
  written: Readonly<Record<string, unknown>>,
): DescribedSetting[] {
  const storages = isObject(written.storages) ? written.storages : {}
  return [
    field('uploads.default', uploads.default, written.default),
    // The default directory is a path of the machine.
    ...(written.directory === undefined ? [] : [fromFile('uploads.directory', written.directory)]),
    field('uploads.maxBytes', uploads.maxBytes, written.maxBytes),
    field('uploads.keepDays', uploads.keepDays ?? false, written.keepDays),
    field('uploads.types', uploads.types, written.types),
    ...(written.secret === undefined ? [] : [fromFile('uploads.secret', secret(written.secret))]),
    ...Object.entries(storages).flatMap(([name, storage]) =>
      entryOf(`uploads.storages.${name}`, isObject(storage) ? storage : {}, {}, storageFields),
    ),
  ]
}
