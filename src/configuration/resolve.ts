import { dirname, resolve } from 'node:path'

import type { z } from 'zod'

import { type CheckedAccount, checkAccounts } from './check-accounts.ts'
import { aliasCircles } from './check-names.ts'
import { checkKeys } from './check-keys.ts'
import { checkLimits, completeLimits } from './check-limits.ts'
import { checkUploads, defaultUploadsFor } from './check-uploads.ts'
import { isDataFile, isYamlFile } from './discover.ts'
import { type CheckedPlugin, checkPlugins } from '../hooks/check-plugins.ts'
import { type Flags, checkStore, resolveEndpoints } from './endpoints.ts'
import { defined } from '../lib/json/object.ts'
import { ConfigurationError, type Problem } from '../contract/problems.ts'
import { configSchema } from './schema.ts'
import type { EnvironmentVariables } from './secrets.ts'
import { type Settings, defaults } from './settings.ts'
import { checkShape } from './shape.ts'

export interface ResolveOptions {
  env: EnvironmentVariables
  flags?: Flags
  /** Where the configuration was read from. */
  file?: string
}

/** What could be understood of a configuration, and all that is wrong with it. */
export interface CheckedConfiguration {
  settings: Settings
  problems: Problem[]
  /** Where each of `settings.accounts` stands in the configuration: `accounts[1]`. */
  accountPaths: string[]
  /** The plugins of `settings`, each with its place. */
  plugins: CheckedPlugin[]
  /** Accounts with problems, as far as they can be read: their providers may know of more. */
  invalidAccounts: CheckedAccount[]
}

/**
 * Checks a configuration and completes it: flags win over the environment, the environment over the
 * file, the file over the defaults. Throws `ConfigurationError` with every problem.
 */
export function resolveSettings(config: unknown, surroundings: ResolveOptions): Settings {
  const { settings, problems } = checkConfiguration(config, surroundings)
  if (problems.length > 0) throw new ConfigurationError(problems)
  return settings
}

/** As `resolveSettings`, but goes on: what is in order is in the settings, the rest in `problems`. */
export function checkConfiguration(config: unknown, surroundings: ResolveOptions): CheckedConfiguration {
  const { env, flags = {}, file = 'the configuration' } = surroundings
  const problems: Problem[] = []
  const input = checkOutline(config, file, problems)
  const { shape } = configSchema
  const part = <S extends z.ZodType>(name: keyof Outline, schema: S) =>
    checkShape(schema, input[name], name, problems)

  const fromFile = {
    listen: { ...defaults.listen, ...defined(part('listen', shape.listen) ?? {}) },
    admin: { ...defaults.admin, ...defined(part('admin', shape.admin) ?? {}) },
    store: checkStore(input.store ?? defaults.store, 'store', env, problems) ?? defaults.store,
    ...defined({ publicUrl: part('publicUrl', shape.publicUrl) }),
  }
  const endpoints = resolveEndpoints(fromFile, { environment: env, flags, problems })
  const accounts = checkAccounts(listed(input, 'accounts', problems), env, problems)
  const plugins = pluginsOf(part('plugins', shape.plugins) ?? [], file, problems)
  const settings: Settings = {
    ...endpoints,
    keys: checkKeys(listed(input, 'keys', problems), env, problems),
    accounts: accounts.sound.map(({ setting }) => setting),
    aliases: part('aliases', shape.aliases) ?? {},
    errors: part('errors', shape.errors) ?? defaults.errors,
    limits: completeLimits(part('limits', shape.limits) ?? {}, defaults.limits),
    timeouts: { ...defaults.timeouts, ...defined(part('timeouts', shape.timeouts) ?? {}) },
    spool: spoolOf(part('spool', shape.spool), surroundings.file),
    clientGone: part('clientGone', shape.clientGone) ?? defaults.clientGone,
    samplingFields: part('samplingFields', shape.samplingFields) ?? defaults.samplingFields,
    losses: part('losses', shape.losses) ?? defaults.losses,
    uploads: checkUploads(input.uploads, {
      env,
      problems,
      base: defaultUploadsFor(endpoints.store),
      ...(surroundings.file !== undefined && { directory: dirname(surroundings.file) }),
      added: plugins.flatMap(({ plugin }) => plugin.storages?.map(({ name }) => name) ?? []),
    }),
    imageModels: {
      ...defaults.imageModels,
      ...defined(part('imageModels', shape.imageModels) ?? {}),
    },
    remote: { ...defaults.remote, ...defined(part('remote', shape.remote) ?? {}) },
    plugins: plugins.map(({ plugin }) => plugin),
  }
  problems.push(...aliasCircles(input.aliases), ...checkLimits(settings.limits))
  return {
    settings,
    problems,
    accountPaths: accounts.sound.map(({ path }) => path),
    plugins,
    invalidAccounts: accounts.doubtful,
  }
}

type Outline = { [K in keyof typeof configSchema.shape]?: unknown }

/** The top level alone: an object, and no settings but those that there are. */
function checkOutline(config: unknown, file: string, problems: Problem[]): Outline {
  const result = configSchema.safeParse(config)
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

/** What is written in a file is meant from there. */
function spoolOf(directory: string | undefined, file: string | undefined): string {
  if (directory === undefined) return defaults.spool
  return resolve(file === undefined ? '.' : dirname(file), directory)
}

/** The entries of a list, to be checked one by one. */
function listed(input: Outline, name: 'accounts' | 'keys', problems: Problem[]): unknown[] {
  const value = input[name]
  if (Array.isArray(value)) return value
  if (value !== undefined) checkShape(configSchema.shape[name], value, name, problems)
  return []
}

function pluginsOf(entries: unknown[], file: string, problems: Problem[]): CheckedPlugin[] {
  if (!isDataFile(file)) return checkPlugins(entries, problems)
  if (entries.length > 0) problems.push(pluginsInData())
  return []
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

function pluginsInData(): Problem {
  return {
    path: 'plugins',
    message: 'plugins are code, which JSON and YAML cannot contain',
    fix: 'rename the file to dragoman.config.ts and write export default defineConfig({ ... })',
  }
}
