import { tmpdir } from 'node:os'
import { dirname, resolve } from 'node:path'

import { z } from 'zod'

import { ConfigurationError, type Problem } from '../contract/problems.ts'
import { type CheckedPlugin, checkPlugins } from '../hooks/check-plugins.ts'
import { defined, isObject } from '../lib/json/object.ts'
import { type Work, run, runInTurns } from '../lib/turns.ts'
import { readProxies } from '../upstream/environment-proxies.ts'
import { type CheckedAccount, checkAccounts } from './check-accounts.ts'
import { adminSchema } from './admin-schema.ts'
import { adminAccessOf, checkAdmin, checkAdminTokens } from './check-admin.ts'
import { aliasCircles, uselessFallbacks } from './check-names.ts'
import { checkUploads } from './check-uploads.ts'
import { credentialPlacesOf } from './credential-places.ts'
import { noteSource } from './describe.ts'
import { isDataFile, isYamlFile } from './discover.ts'
import { checkStore, resolveEndpoints } from './endpoints.ts'
import { checkKeys } from './key-schema.ts'
import { checkLimits, completeLimits } from './limits-schema.ts'
import { completeLog } from './log-schema.ts'
import type { Flags } from './overrides.ts'
import type { LoadedPlugins } from './plugins/load.ts'
import { isReference } from './plugins/schema.ts'
import { passthroughProblems } from './passthrough-schema.ts'
import { priceProblems } from './prices-schema.ts'
import { type alertsSchema, checkTeams, quotaProblems, unknownTeams } from './quota-schema.ts'
import { configSchema } from './schema.ts'
import { readSecretKeys } from './secret-keys.ts'
import { type EnvironmentVariables, resolveSecret } from './secrets.ts'
import type { Settings } from './settings.ts'
import { checkShape } from './shape.ts'
import { completeTelemetry } from './telemetry-schema.ts'

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
  /** The paths of secrets of API keys that are so short that they can be guessed. */
  shortSecrets: string[]
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
  return run(configurationChecks(config, options))
}

/** The same in turns of the event loop, for a gateway that runs: there may be ten thousand accounts. */
export function checkReloadedConfiguration(
  config: unknown,
  options: ResolveOptions,
): Promise<CheckedConfiguration> {
  return runInTurns(configurationChecks(config, options))
}

function* configurationChecks(
  config: unknown,
  options: ResolveOptions,
): Work<CheckedConfiguration> {
  const { env, flags = {}, file = 'the configuration' } = options
  const problems: Problem[] = []
  const sources = { env, flags, problems }
  const input = checkOutline(config, file, problems)
  const base = options.file === undefined ? (options.cwd ?? '.') : dirname(options.file)
  const absolute = (path: string) => resolve(base, path)
  const part = <Name extends keyof Shape>(name: Name): z.output<Shape[Name]> =>
    partOf(name, input, problems)

  const admin = checkAdmin(input.admin, problems)
  const endpoints = resolveEndpoints(
    {
      listen: part('listen'),
      admin: admin && { host: admin.host, port: admin.port },
      store: checkStore(input.store ?? defaultStore, 'store', sources) ?? defaultStore,
      ...defined({ publicUrl: part('publicUrl') }),
    },
    sources,
  )
  part('$schema')
  readSecretKeys(env, problems)
  readProxies(env, problems)
  const accounts = yield* checkAccounts(listed(input, 'accounts', problems), env, problems)
  const plugins = pluginsOf(part('plugins'), options, problems)
  const shortSecrets: string[] = []
  const teams = checkTeams(listed(input, 'teams', problems), problems)
  const keys = checkKeys(listed(input, 'keys', problems), env, problems, shortSecrets)
  const adminTokens = endpoints.admin ? checkAdminTokens(input.admin, { ...sources, keys }) : []
  const [capture, spool] = [part('capture'), part('spool')]
  const settings: Settings = {
    ...endpoints,
    ...(adminTokens.length > 0 && { adminTokens }),
    ...defined({
      adminAccess: endpoints.admin && admin ? adminAccessOf(admin, env, problems) : undefined,
    }),
    credentialPlaces: credentialPlacesOf(
      isObject(config) ? config : {},
      admin || offAdmin,
      sources,
    ),
    keys,
    teams,
    quotas: part('quotas'),
    alerts: alertsOf(part('alerts'), env, problems),
    accounts: accounts.valid.map(({ setting }) => setting),
    aliases: part('aliases'),
    prices: part('prices'),
    errors: part('errors'),
    limits: completeLimits(part('limits'), input.limits),
    timeouts: part('timeouts'),
    spool: spool === undefined ? tmpdir() : absolute(spool),
    clientGone: part('clientGone'),
    history: part('history'),
    losses: part('losses'),
    trustedProxies: part('trustedProxies'),
    uploads: checkUploads(input.uploads, {
      env,
      problems,
      store: endpoints.store,
      ...(options.file !== undefined && { directory: dirname(options.file) }),
      added: plugins.flatMap(({ plugin }) => plugin.storages?.map(({ name }) => name) ?? []),
    }),
    imageModels: part('imageModels'),
    passthrough: part('passthrough'),
    remote: part('remote'),
    capture: capture && { ...capture, directory: absolute(capture.directory) },
    log: completeLog(part('log'), { ...sources, absolute }),
    telemetry: completeTelemetry(part('telemetry'), env),
    plugins: plugins.map(({ plugin }) => plugin),
  }
  noteSource({ config, settings, env, flags })
  problems.push(
    ...aliasCircles(input.aliases),
    ...uselessFallbacks(input.aliases),
    ...priceProblems('prices', input.prices),
    ...unknownTeams(listed(input, 'keys', []), listed(input, 'teams', [])),
    ...quotaProblems('quotas', { type: 'gateway', id: '' }, input.quotas),
    ...checkLimits(settings.limits),
    ...passthroughProblems(settings.passthrough),
  )
  return {
    settings,
    problems,
    accountPaths: accounts.valid.map(({ path }) => path),
    shortSecrets,
    plugins,
    invalidAccounts: accounts.invalid,
  }
}

function alertsOf(
  { webhook }: z.output<typeof alertsSchema>,
  env: EnvironmentVariables,
  problems: Problem[],
): Settings['alerts'] {
  if (!webhook) return {}
  const secret = resolveSecret(webhook.secret, 'alerts.webhook.secret', env, problems)
  return secret === undefined ? {} : { webhook: { url: webhook.url, secret } }
}

type Shape = typeof configSchema.shape

/** Accounts of the store keep their rules where the admin API is off. */
const offAdmin = adminSchema.parse({})

const defaultStore = configSchema.shape.store.parse(undefined)

/** A part of a configuration; an invalid one has its default. */
function partOf<Name extends keyof Shape>(
  name: Name,
  input: Outline,
  problems: Problem[],
): z.output<Shape[Name]> {
  const schema: z.ZodType = configSchema.shape[name]
  const value = checkShape(schema, input[name], name, problems) ?? schema.parse(undefined)
  return value as z.output<Shape[Name]>
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

/** The entries of a list. The caller checks each of them. */
function listed(
  input: Outline,
  name: 'accounts' | 'keys' | 'teams',
  problems: Problem[],
): unknown[] {
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
