import type { Account } from '../contract/account.ts'
import { isObject } from '../lib/json/object.ts'
import { defaultTelemetry } from '../telemetry/settings.ts'
import { accountSchema } from './account-schema.ts'
import { sessionIdle } from './admin-schema.ts'
import { type OverrideSources, isOverridePath, overrideOf } from './overrides.ts'
import { joinPath } from '../lib/paths.ts'
import { sourceOf } from './plugins/source.ts'
import { type Expectation, type Node, unwrap } from './schema-nodes.ts'
import { configSchema } from './schema.ts'
import { isReference, secretMask, shownSecret } from './secrets.ts'
import type { AdminAccessSetting, DescribedSetting, Settings } from './settings.ts'
import { shownUrl } from './shown-url.ts'

/** A checked configuration with its sources. */
interface DescribeInput extends OverrideSources {
  /** As the user wrote it. */
  readonly config: unknown
  readonly settings: Settings
}

/** The sources of settings. */
const sources = new WeakMap<Settings, DescribeInput>()

/** Notes the sources of settings, for `describeSettings`. */
export function noteSource(input: DescribeInput): void {
  sources.set(input.settings, input)
}

/**
 * Describes the settings that take effect, one after another, each with its origin; nothing for settings that were
 * made from no configuration. Of a value that its schema marks as a secret, only the place is shown. Ten thousand
 * accounts have a hundred thousand settings.
 */
export function* describeSettings(settings: Settings): Generator<DescribedSetting, void> {
  const input = sources.get(settings)
  if (!input) return
  const { plugins: _, $schema: __, ...shape } = configSchema.shape
  const [written, effective] = [membersOf(input.config), membersOf(effectiveOf(settings))]
  for (const [name, schema] of Object.entries(shape)) {
    const setting = { path: name, written: written[name], effective: effective[name] }
    yield* walk(schema as unknown as Node, setting, input)
  }
  for (const [index, plugin] of settings.plugins.entries()) {
    const { use, options } = sourceOf(plugin) ?? {}
    for (const [name, value] of Object.entries({ name: plugin.name, use, options })) {
      if (value !== undefined) yield { path: `plugins[${index}].${name}`, value, origin: 'FILE' }
    }
  }
}

/** Describes an account of the store as accounts of the configuration are described. No value is a secret. */
export function* describeStoredAccount(account: Account): Generator<DescribedSetting, void> {
  const { id, origin, basePath, roots, credential, models } = account
  const written = {
    ...account,
    id: undefined,
    baseUrl: origin + basePath,
    baseUrls: roots && urlsOf(roots),
    // The shown text of a secret: the credential itself could look like the name of its place.
    apiKey: credential === undefined ? undefined : secretMask,
    models: models.patterns ?? models.names,
  }
  const setting = { path: `accounts.${id}`, written, effective: undefined }
  const node = accountSchema as unknown as Node
  for (const one of walk(node, setting, { env: {}, flags: {} })) yield { ...one, origin: 'STORE' }
}

/** The base URLs of roots, by their dialects. */
function urlsOf(roots: NonNullable<Account['roots']>): Record<string, string> {
  const entries = Object.entries(roots)
  return Object.fromEntries(entries.map(([id, one]) => [id, one.origin + one.basePath]))
}

/** Settings in the form of a configuration. Paths of the machine are shown only as they are written. */
function effectiveOf(settings: Settings): object {
  const { admin, adminAccess, adminTokens, credentialPlaces } = settings
  const access: Partial<AdminAccessSetting> = adminAccess ?? {}
  const { sessionIdleMs: idleMs = sessionIdle.usual, ...reached } = access
  const { spool: _, uploads, log, ...rest } = settings
  const { directory: __, keepDays = false, storages: ___, ...shownUploads } = uploads
  const { file: ____, ...shownLog } = log
  return {
    ...rest,
    admin: admin && {
      ...admin,
      allowedHosts: [],
      trustedProxies: [],
      console: true,
      sessions: { idleMs },
      ...reached,
      tokens: adminTokens,
      credentials: credentialPlaces.permitted,
      accounts: { forbid: credentialPlaces.forbidden },
    },
    uploads: { ...shownUploads, keepDays },
    log: shownLog,
  }
}

/** A setting with its value in the configuration and the one that takes effect. */
interface Setting {
  readonly path: string
  readonly written: unknown
  readonly effective: unknown
}

/** Follows the schema to each setting that is written or has a value in effect. */
function* walk(
  schema: Node,
  setting: Setting,
  from: OverrideSources,
): Generator<DescribedSetting, void> {
  const { written, effective } = setting
  const node = nodeFor(schema, isObject(effective) ? effective : (written ?? effective))
  const { shape, element, valueType } = node._zod.def
  if (shape && isObject(effective ?? written)) {
    for (const [name, part] of Object.entries(shape)) yield* walk(part, within(setting, name), from)
  } else if (element && isGroup(element)) {
    const entries = Array.isArray(written) ? written.keys() : []
    for (const index of entries) yield* walk(element, within(setting, index), from)
  } else if (valueType && isGroup(valueType)) {
    for (const name of Object.keys(membersOf(written))) {
      const entry = within(setting, name)
      if (hasSecret(valueType)) yield* walk(valueType, entry, from)
      else yield { path: entry.path, value: entry.written, origin: 'FILE' }
    }
  } else yield* leaf(schema, setting, from)
}

/** The object of a union that the value is; for another schema, the schema itself. */
function nodeFor(schema: Node, value: unknown): Node {
  const node = unwrap(schema)
  const { options = [] } = node._zod.def
  return (isObject(value) && options.find((one) => one._zod.def.shape)) || node
}

/** Whether a schema may be an object of settings. */
function isGroup(schema: Node): boolean {
  const { shape, options = [] } = unwrap(schema)._zod.def
  return shape !== undefined || options.some(isGroup)
}

function hasSecret(schema: Node): boolean {
  return Object.values(unwrap(schema)._zod.def.shape ?? {}).some((one) => metaOf(one).secret)
}

function metaOf(schema: Node): Partial<Expectation> {
  return unwrap(schema).meta() ?? {}
}

function within({ path, written, effective }: Setting, key: string | number): Setting {
  return {
    path: joinPath(path, [key]),
    written: membersOf(written)[key],
    effective: membersOf(effective)[key],
  }
}

function membersOf(value: unknown): Readonly<Record<PropertyKey, unknown>> {
  return Object(value) as Readonly<Record<PropertyKey, unknown>>
}

function* leaf(
  schema: Node,
  { path, written, effective }: Setting,
  from: OverrideSources,
): Generator<DescribedSetting, void> {
  const { secret, url } = metaOf(schema)
  const show = (value: unknown) => (secret ? masked(value) : url ? shownPlace(value) : value)
  const override = isOverridePath(path) ? overrideOf(path, from) : undefined
  if (override) {
    const value = isReference(override.value) ? override.value : effective
    yield { path, value: show(value), origin: override.origin }
  } else if (path.startsWith('telemetry.') && isOfEnvironment(schema, path, written, effective)) {
    yield { path, value: show(effective), origin: 'ENVIRONMENT' }
  } else if (written !== undefined) yield { path, value: show(written), origin: 'FILE' }
  else if (effective !== undefined && !secret) {
    yield { path, value: show(effective), origin: 'DEFAULT' }
  }
}

/** Whether the variables of OpenTelemetry decide a setting, which the file or its default would have otherwise. */
function isOfEnvironment(
  schema: Node,
  path: string,
  written: unknown,
  effective: unknown,
): boolean {
  const fallback = path
    .split('.')
    .reduce<unknown>((value, name) => membersOf(value)[name], { telemetry: defaultTelemetry })
  const expected = written ?? schema._zod.def.defaultValue ?? fallback
  return effective !== undefined && JSON.stringify(effective) !== JSON.stringify(expected)
}

/** A setting with the place of each secret in place of the secret, or with a mask for a secret without a place. */
function masked(value: unknown): unknown {
  if (!isObject(value)) return typeof value === 'string' ? shownSecret(value) : secretMask
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, masked(one)]))
}

function shownPlace(value: unknown): unknown {
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shownPlace(one)]))
  return typeof value === 'string' && !isReference(value) ? shownUrl(value) : value
}
