import type { Settings } from './settings.ts'

/** Settings that a running process cannot change. */
const needRestart = [
  'listen',
  'admin',
  'store',
  'errors',
  'limits',
  'timeouts',
  'spool',
  'clientGone',
  'samplingFields',
  'unknownIds',
  'losses',
  'publicUrl',
  'uploads',
  'imageModels',
  'remote',
] as const satisfies readonly (keyof Settings)[]

/** The names of changed settings that take effect only after a restart. */
export function settingsNeedingRestart(before: Settings, after: Settings): string[] {
  const names: string[] = needRestart.filter((name) => text(before[name]) !== text(after[name]))
  // Plugins are code, so only their names can be compared.
  const [old, fresh] = [before, after].map(({ plugins }) => text(plugins.map(({ name }) => name)))
  return old === fresh ? names : [...names, 'plugins']
}

function text(value: unknown): string {
  return JSON.stringify(value) ?? ''
}
