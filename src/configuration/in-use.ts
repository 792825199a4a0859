import { createHash } from 'node:crypto'
import { basename } from 'node:path'

import type { GatewayPlugin } from '../contract/plugin.ts'
import type { Problem } from '../contract/problems.ts'
import { type Work, runInTurns } from '../lib/turns.ts'
import { describeSettings } from './describe.ts'
import { sourceOf } from './plugins/source.ts'
import { sectionsOf } from './sections.ts'
import type { DescribedSetting, Settings } from './settings.ts'

/** The configuration that a process uses, and what became of its last reload. */
export interface ConfigurationInUse {
  /** The settings that take effect: the start's, with the last reload's where no restart is needed. */
  readonly settings: Settings
  /** The name of the file, without its directory. Absent: the configuration has no file. */
  readonly file: string | undefined
  /** When it was read, in milliseconds since 1970. */
  readonly loadedAt: number
  /** The problems of the last reload, which was refused. Empty: it was not. */
  readonly problems: readonly Problem[]
  /** Settings of the file that take effect after a restart. */
  readonly needsRestart: readonly string[]
  /** The settings that take effect, for operators: the same list until a reload takes effect. */
  describe(): Promise<readonly DescribedSetting[]>
  /**
   * A digest of `describe()`: equal for processes with the same values. Origins and secrets do not count,
   * nor do `perProcess` settings.
   */
  hash(): Promise<string>
}

/** Follows the configuration of a process. */
export interface ConfigurationTracker {
  readonly inUse: ConfigurationInUse
  /** Describes settings that are about to take effect, which takes a while for ten thousand accounts. */
  prepare(settings: Settings): Promise<void>
  /** Notes a reload that took effect. Returns the settings that need a restart. */
  reloaded(settings: Settings): readonly string[]
  /** Notes a reload that was refused. */
  refused(problems: readonly Problem[]): void
}

/** Follows the configuration that a process starts with. `file`: its path; `now`: milliseconds since 1970. */
export function trackConfiguration(
  started: Settings,
  {
    file,
    now = Date.now,
  }: { readonly file?: string | undefined; readonly now?: () => number } = {},
): ConfigurationTracker {
  let latest = started
  let settings = started
  let loadedAt = now()
  let problems: readonly Problem[] = []
  let needsRestart: readonly string[] = []

  // A gateway may have 10,000 accounts, and operators ask often.
  let described: Described | undefined
  let prepared: { readonly of: Settings; readonly described: Described } | undefined

  const current = () => (described ??= describeBoth(started, latest))

  return {
    inUse: {
      get settings() {
        return settings
      },
      file: file && basename(file),
      get loadedAt() {
        return loadedAt
      },
      get problems() {
        return problems
      },
      get needsRestart() {
        return needsRestart
      },
      describe: () => current().settings,
      hash: () => current().hash,
    },
    async prepare(next) {
      prepared = { of: next, described: describeBoth(started, next) }
      await prepared.described.hash
      sectionsOf(await prepared.described.settings)
    },
    reloaded(next) {
      latest = next
      described = prepared?.of === next ? prepared.described : undefined
      prepared = undefined
      settings = settingsAfterReload(started, next)
      loadedAt = now()
      problems = []
      needsRestart = settingsNeedingRestart(started, next)
      return needsRestart
    },
    refused(found) {
      problems = found
    },
  }
}

/** The described settings, and their digest. */
interface Described {
  readonly settings: Promise<readonly DescribedSetting[]>
  readonly hash: Promise<string>
}

function describeBoth(started: Settings, latest: Settings): Described {
  const settings = runInTurns(settingsOf(started, latest))
  return { settings, hash: settings.then((all) => runInTurns(digestOf(all))) }
}

/** The settings of a start and, where a reload replaces them, the latest settings. */
function* settingsOf(started: Settings, latest: Settings): Work<DescribedSetting[]> {
  const all: DescribedSetting[] = []
  for (const part of ['start', 'reload'] as const) {
    for (const one of describeSettings(part === 'start' ? started : latest)) {
      if (isReloaded(one) === (part === 'reload')) all.push(one)
      yield
    }
  }
  return all
}

/** Whether a reload replaces a described setting: of the members of `admin` all but its address. */
function isReloaded({ path }: DescribedSetting): boolean {
  if (path.startsWith('admin.')) return !perProcess.has(path)
  const [name = ''] = /^[^.[]*/.exec(path) ?? []
  return names.some((one) => one === name && effects[one] === 'reload')
}

/** The described settings that each replica may have for itself. */
const perProcess: ReadonlySet<string> = new Set([
  'listen.host',
  'listen.port',
  'admin.host',
  'admin.port',
  'store',
  'spool',
  'publicUrl',
])

function* digestOf(settings: readonly DescribedSetting[]): Work<string> {
  const hash = createHash('sha256')
  for (const { path, value } of settings) {
    if (!perProcess.has(path)) hash.update(JSON.stringify([path, value]))
    yield
  }
  return hash.digest('hex').slice(0, 16)
}

/** When a change of each setting takes effect. */
const effects = {
  listen: 'restart',
  admin: 'restart',
  adminTokens: 'reload',
  adminAccess: 'reload',
  credentialPlaces: 'reload',
  store: 'restart',
  keys: 'reload',
  accounts: 'reload',
  teams: 'reload',
  quotas: 'reload',
  alerts: 'restart',
  aliases: 'reload',
  prices: 'reload',
  errors: 'restart',
  limits: 'restart',
  timeouts: 'restart',
  spool: 'restart',
  clientGone: 'restart',
  losses: 'restart',
  publicUrl: 'restart',
  trustedProxies: 'reload',
  uploads: 'restart',
  imageModels: 'restart',
  passthrough: 'restart',
  remote: 'restart',
  capture: 'restart',
  history: 'restart',
  log: 'reload',
  telemetry: 'restart',
  plugins: 'restart',
} as const satisfies Readonly<Record<keyof Settings, 'reload' | 'restart'>>

const names = Object.keys(effects) as (keyof typeof effects)[]

/** The settings of a start, with the settings of a reload that take effect without a restart. */
function settingsAfterReload(started: Settings, next: Settings): Settings {
  // TypeScript does not know that the two halves have every member.
  return { ...pick(started, 'restart'), ...pick(next, 'reload') } as Settings
}

function pick(settings: Settings, effect: 'reload' | 'restart'): Partial<Settings> {
  const picked = names.filter((name) => effects[name] === effect && settings[name] !== undefined)
  return Object.fromEntries(picked.map((name) => [name, settings[name]]))
}

/** The names of changed settings that take effect only after a restart. */
export function settingsNeedingRestart(before: Settings, after: Settings): string[] {
  return names.filter(
    (name) => effects[name] === 'restart' && text(name, before) !== text(name, after),
  )
}

/** Plugins are code: their names and, of those that are named by their modules, the options are compared. */
function text(name: keyof Settings, settings: Settings): string {
  const value = name === 'plugins' ? settings.plugins.map(sourceText) : settings[name]
  return JSON.stringify(value) ?? ''
}

function sourceText(plugin: GatewayPlugin): unknown {
  return [plugin.name, sourceOf(plugin)?.digest]
}
