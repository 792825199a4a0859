import type { z } from 'zod'

import type { Problem } from '../contract/problems.ts'
import type { EnvironmentVariables } from './secrets.ts'
import { checkShape } from './shape.ts'

/** Settings from the command line, as text. */
export interface Flags {
  host?: string
  port?: string
  adminHost?: string
  adminPort?: string
  /** `on` or `off`. */
  admin?: string
  store?: string
  publicUrl?: string
  logLevel?: string
  logFormat?: string
}

/** Where settings come from besides the file. */
export interface OverrideSources {
  readonly env: EnvironmentVariables
  readonly flags: Flags
}

/** The settings that a flag, and a variable of the same name, may set. */
const flagOf = {
  'listen.host': 'host',
  'listen.port': 'port',
  admin: 'admin',
  'admin.host': 'adminHost',
  'admin.port': 'adminPort',
  store: 'store',
  publicUrl: 'publicUrl',
  'log.level': 'logLevel',
  'log.format': 'logFormat',
} as const satisfies Readonly<Record<string, keyof Flags>>

/** The path of a setting that a flag may set. */
type OverridePath = keyof typeof flagOf

/** The text that goes before the file, and its place: `--port`, `DRAGOMAN_PORT`. */
interface Override {
  readonly path: string
  readonly value: string
  readonly origin: 'FLAG' | 'ENVIRONMENT'
}

/**
 * The flag of a setting, otherwise its environment variable. An empty variable counts as absent, an empty flag
 * does not.
 */
export function overrideOf(
  setting: OverridePath,
  { env, flags }: OverrideSources,
): Override | undefined {
  const flag = flagOf[setting]
  const words = flag.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  const variable = `DRAGOMAN_${words.replaceAll('-', '_').toUpperCase()}`
  const [ofFlag, ofVariable] = [flags[flag], env[variable]]
  if (ofFlag !== undefined) return { path: `--${words}`, value: ofFlag, origin: 'FLAG' }
  return ofVariable ? { path: variable, value: ofVariable, origin: 'ENVIRONMENT' } : undefined
}

/** Whether a flag or a variable may set the setting at a path. */
export function isOverridePath(path: string): path is OverridePath {
  return Object.hasOwn(flagOf, path)
}

/** The value of a flag or a variable; `undefined` if neither is set, or if it is invalid. */
export function overridden<S extends z.ZodType>(
  setting: OverridePath,
  schema: S,
  { problems, ...sources }: OverrideSources & { readonly problems: Problem[] },
): z.output<S> | undefined {
  const found = overrideOf(setting, sources)
  if (!found) return undefined
  const isPort = setting.endsWith('.port') && /^\d+$/.test(found.value)
  return checkShape(schema, isPort ? Number(found.value) : found.value, found.path, problems)
}
