import { dirname, resolve } from 'node:path'

import { z } from 'zod'

import { type CheckedAccount, checkAccounts } from './check-accounts.ts'
import { isObject } from '../lib/json/object.ts'
import { adminAccessShape } from './admin-access-schema.ts'
import { credentialPlacesOf } from './credential-places.ts'
import { checkAdminAddress, checkAdminTokens } from './check-admin.ts'
import { checkAdminAccess } from './check-admin-access.ts'
import { aliasCircles } from './check-names.ts'
import { priceProblems } from './check-prices.ts'
import { checkKeys } from './check-keys.ts'
import { checkLimits, completeLimits } from './check-limits.ts'
import { completeCapture } from './capture-schema.ts'
import { completeLog } from './check-log.ts'
import { completeTelemetry } from './check-telemetry.ts'
import { checkUploads, defaultUploadsFor } from './check-uploads.ts'
import { noteSource } from './describe.ts'
import { isDataFile, isYamlFile } from './discover.ts'
import { type CheckedPlugin, checkPlugins } from '../hooks/check-plugins.ts'
import { type Flags, checkStore, resolveEndpoints } from './endpoints.ts'
import { defined } from '../lib/json/object.ts'
import { type Work, run, runInTurns } from '../lib/turns.ts'
import { ConfigurationError, type Problem } from '../contract/problems.ts'
import type { LoadedPlugins } from './plugins/load.ts'
import { isReference } from './plugins/schema.ts'
import { configSchema } from './schema.ts'
import { readProxies } from '../upstream/environment-proxies.ts'
import { readSecretKeys } from './secret-keys.ts'
import type { EnvironmentVariables } from './secrets.ts'
import { type Settings, defaults } from './settings.ts'
import { checkShape } from './shape.ts'

/** The inputs of `resolveSettings` besides the configuration. */
export interface ResolveOptions {
  env: EnvironmentVariables
  flags?: Flags
  /** Absolute path of the configuration file. */
  file?: string
  /** The base of a relative spool directory without a file. Default: the working directory. */
  cwd?: string
  /** The plugins that the configuration names by their modules, from `loadPlugins`. */
  plugins?: LoadedPlugins
}

/** The valid parts of a configuration, and all of its problems. */
export interface CheckedConfiguration {
  settings: Settings
  problems: Problem[]
  /** The path of each of `settings.accounts` in the configuration: `accounts[1]`. */
  accountPaths: string[]
  /** The plugins of `settings` with their paths. */
  plugins: CheckedPlugin[]
  /** The readable fields of invalid accounts. The dialects may find further problems in them. */
  invalidAccounts: CheckedAccount[]
}

/**
 * Checks a configuration and applies the defaults. Flags override the environment, and the
 * environment overrides the configuration. Throws `ConfigurationError` with every problem.
 */
export function resolveSettings(config: unknown, options: ResolveOptions): Settings {
  const { settings, problems } = checkConfiguration(config, options)
  if (problems.length > 0) throw new ConfigurationError(problems)
  return settings
}

/** Like `resolveSettings`, but returns the valid settings and the problems instead of throwing. */
export function checkConfiguration(config: unknown, options: ResolveOptions): CheckedConfiguration {
  return run(checkInSteps(config, options))
}

/** The same in turns of the event loop, for a gateway that runs: there may be ten thousand accounts. */
export function checkConfigurationInTurns(
  config: unknown,
  options: ResolveOptions,
): Promise<CheckedConfiguration> {
  return runInTurns(checkInSteps(config, options))
}

function* checkInSteps(config: unknown, options: ResolveOptions): Work<CheckedConfiguration> {
  const { env, flags = {}, file = 'the configuration' } = options
  const problems: Problem[] = []
  const input = checkOutline(config, file, problems)
  const { shape } = configSchema
  const part = <S extends z.ZodType>(name: keyof Outline, schema: S) =>
    checkShape(schema, input[name], name, problems)

  const fromFile = {
    listen: { ...defaults.listen, ...defined(part('listen', shape.listen) ?? {}) },
    admin: addressOf(checkAdminAddress(input.admin, problems)),
    store: checkStore(input.store ?? defaults.store, 'store', env, problems) ?? defaults.store,
    ...defined({ publicUrl: part('publicUrl', shape.publicUrl) }),
  }
  part('$schema', shape.$schema)
  readSecretKeys(env, problems)
  readProxies(env, problems)
  const endpoints = resolveEndpoints(fromFile, { environment: env, flags, problems })
  const accounts = yield* checkAccounts(listed(input, 'accounts', problems), env, problems)
  const plugins = pluginsOf(part('plugins', shape.plugins) ?? [], options, problems)
  const keys = checkKeys(listed(input, 'keys', problems), env, problems)
  const adminTokens = endpoints.admin
    ? checkAdminTokens(input.admin, { environment: env, problems, keys })
    : []
  const settings: Settings = {
    ...endpoints,
    ...(adminTokens.length > 0 && { adminTokens }),
    ...defined({
      adminAccess: endpoints.admin ? checkAdminAccess(input.admin, env, problems) : undefined,
    }),
    credentialPlaces: credentialPlacesOf(isObject(config) ? config : {}, credentialsOf(input), env),
    keys,
    accounts: accounts.valid.map(({ setting }) => setting),
    aliases: part('aliases', shape.aliases) ?? {},
    prices: part('prices', shape.prices) ?? {},
    errors: part('errors', shape.errors) ?? defaults.errors,
    limits: completeLimits(part('limits', shape.limits) ?? {}, defaults.limits),
    timeouts: { ...defaults.timeouts, ...defined(part('timeouts', shape.timeouts) ?? {}) },
    spool: spoolOf(part('spool', shape.spool), options),
    clientGone: part('clientGone', shape.clientGone) ?? defaults.clientGone,
    samplingFields: part('samplingFields', shape.samplingFields) ?? defaults.samplingFields,
    unknownIds: part('unknownIds', shape.unknownIds) ?? defaults.unknownIds,
    losses: part('losses', shape.losses) ?? defaults.losses,
    trustedProxies: part('trustedProxies', shape.trustedProxies) ?? defaults.trustedProxies,
    uploads: checkUploads(input.uploads, {
      env,
      problems,
      base: defaultUploadsFor(endpoints.store),
      ...(options.file !== undefined && { directory: dirname(options.file) }),
      added: plugins.flatMap(({ plugin }) => plugin.storages?.map(({ name }) => name) ?? []),
    }),
    imageModels: {
      ...defaults.imageModels,
      ...defined(part('imageModels', shape.imageModels) ?? {}),
    },
    remote: { ...defaults.remote, ...defined(part('remote', shape.remote) ?? {}) },
    capture: completeCapture(part('capture', shape.capture) ?? false, options),
    log: completeLog(part('log', shape.log) ?? {}, {
      env,
      flags,
      file: options.file,
      cwd: options.cwd,
      problems,
    }),
    telemetry: completeTelemetry(part('telemetry', shape.telemetry) ?? {}, env),
    plugins: plugins.map(({ plugin }) => plugin),
  }
  noteSource({ config, settings, env, flags })
  problems.push(
    ...aliasCircles(input.aliases),
    ...priceProblems('prices', input.prices),
    ...checkLimits(settings.limits),
  )
  return {
    settings,
    problems,
    accountPaths: accounts.valid.map(({ path }) => path),
    plugins,
    invalidAccounts: accounts.invalid,
  }
}

/** Their shape is checked with `admin` as a whole. */
function credentialsOf({ admin }: Outline): string[] | undefined {
  const { credentials } = isObject(admin) ? admin : {}
  return adminAccessShape.credentials.safeParse(credentials).data
}

function addressOf(admin: ReturnType<typeof checkAdminAddress>): Settings['admin'] {
  return admin && { ...defaults.admin, ...defined(admin) }
}

/** The parts are checked one by one. */
const outlineSchema = z.strictObject(
  Object.fromEntries(Object.keys(configSchema.shape).map((name) => [name, z.unknown().optional()])),
)

type Outline = { [K in keyof typeof configSchema.shape]?: unknown }

/** Checks only the top level: an object without unknown settings. */
function checkOutline(config: unknown, file: string, problems: Problem[]): Outline {
  const result = outlineSchema.safeParse(config)
  for (const issue of result.error?.issues ?? []) {
    if (issue.path.length > 0) continue
    if (issue.code === 'unrecognized_keys') {
      const unknown = Object.fromEntries(issue.keys.map((key) => [key, undefined]))
      checkShape(configSchema, unknown, '', problems)
    } else {
      problems.push(noObject(file))
    }
  }
  return typeof config === 'object' && config !== null && !Array.isArray(config) ? config : {}
}

/** A relative spool directory starts at the configuration file. */
function spoolOf(
  directory: string | undefined,
  { file, cwd = '.' }: Pick<ResolveOptions, 'file' | 'cwd'>,
): string {
  if (directory === undefined) return defaults.spool
  return resolve(file === undefined ? cwd : dirname(file), directory)
}

/** The entries of a list. The caller checks each of them. */
function listed(input: Outline, name: 'accounts' | 'keys', problems: Problem[]): unknown[] {
  const value = input[name]
  if (Array.isArray(value)) return value
  if (value !== undefined) checkShape(configSchema.shape[name], value, name, problems)
  return []
}

/** The plugins of the configuration, and those that were loaded for its references. */
function pluginsOf(
  entries: readonly unknown[],
  { plugins: loaded, file = '' }: Pick<ResolveOptions, 'plugins' | 'file'>,
  problems: Problem[],
): CheckedPlugin[] {
  const given = entries.flatMap((entry, index) => {
    const path = `plugins[${index}]`
    const known = loaded?.get(index)
    problems.push(...(known?.problems ?? []))
    if (known) return 'plugin' in known ? [{ path, plugin: known.plugin }] : []
    if (!isReference(entry) && !isDataFile(file)) return [{ path, plugin: entry }]
    problems.push(notLoaded(`${path}.use`))
    return []
  })
  return checkPlugins(given, problems)
}

function noObject(file: string): Problem {
  return {
    path: file,
    message: 'does not contain an object of settings',
    fix: fixOfOutline(file),
  }
}

function fixOfOutline(file: string): string {
  if (isYamlFile(file)) return 'write settings as keys of the top level, for example accounts: []'
  if (isDataFile(file)) return 'write settings between braces, for example { "accounts": [] }'
  return 'write export default defineConfig({ ... })'
}

function notLoaded(path: string): Problem {
  const message = 'names a module, which has not been loaded'
  return {
    path,
    message,
    fix: 'pass the result of loadPlugins(config, { file, env }) as `plugins`',
  }
}
