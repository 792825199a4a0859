import type { GatewayPlugin } from '../contract/plugin.ts'
import { sourceOf } from './plugins/source.ts'
import type { Settings } from './settings.ts'

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
  remote: 'restart',
  capture: 'restart',
  log: 'reload',
  telemetry: 'restart',
  plugins: 'restart',
} as const satisfies Readonly<Record<keyof Settings, 'reload' | 'restart'>>

const names = Object.keys(effects) as (keyof typeof effects)[]

/** The settings of a start, with the settings of a reload that take effect without a restart. */
export function settingsAfterReload(started: Settings, next: Settings): Settings {
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
