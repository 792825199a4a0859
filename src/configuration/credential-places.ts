import { realpathSync } from 'node:fs'
import { dirname, normalize, resolve, sep } from 'node:path'

import { isObject } from '../lib/json/object.ts'
import type { EnvironmentVariables } from './secrets.ts'

/**
 * The places that the store may name without a setting: where credentials of providers usually are. Other
 * variables and files may have secrets of another kind.
 */
export const defaultCredentialPlaces: readonly string[] = ['env:*_API_KEY', 'file:/run/secrets/*']

/** The places of secrets, as `env:NAME` and `file:/path`. */
export interface CredentialPlacesSetting {
  /** The places that accounts of the store may name, with `*` for any characters but a slash. */
  permitted: string[]
  /** The places of the gateway's own secrets, which no such account may name. */
  used: string[]
}

/** The places that accounts of the store may name for their credentials. */
export interface CredentialPlaces {
  /** Whether an account may name it. An account can send the content of the place to any address. */
  permits(reference: string): boolean
}

/** The parts of a configuration that may name a secret of another kind than an account's. */
const parts = ['store', 'keys', 'admin', 'uploads'] as const

/** Reads which places accounts of the store may name. `config`: as the user wrote it. */
export function credentialPlacesOf(
  config: Readonly<Record<string, unknown>>,
  permitted: readonly string[] = defaultCredentialPlaces,
  env: EnvironmentVariables,
): CredentialPlacesSetting {
  const admin = isObject(config['admin']) ? { ...config['admin'], credentials: undefined } : {}
  const own = Object.entries(env).flatMap(([name, value]) =>
    /^DRAGOMAN_/i.test(name) && value !== undefined ? [value] : [],
  )
  const ofParts = parts.map((name) => (name === 'admin' ? admin : config[name]))
  const used = [...ofParts, secretsBesideKeys(config['accounts']), own]
  return {
    permitted: [...permitted],
    used: [...new Set(used.flatMap((part) => referencesIn(part)))],
  }
}

/** The fields of accounts with secrets of another kind than an API key. */
const besideKeys = ['headers', 'proxy', 'ca', 'clientCertificate'] as const

function secretsBesideKeys(accounts: unknown): unknown[] {
  if (!Array.isArray(accounts)) return []
  return accounts.flatMap((account: unknown) => {
    const fields = Object(account) as Record<string, unknown>
    return besideKeys.flatMap((name) => fields[name] ?? [])
  })
}

/** The deepest level of a setting of the configuration is far above. */
const mostLevels = 8

function referencesIn(value: unknown, levels = mostLevels): string[] {
  if (typeof value === 'string') return /^(?:env|file):/.test(value) ? [value] : []
  if (levels === 0 || typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap((one) => referencesIn(one, levels - 1))
}

/** Compiles a setting. `store`: the URL of the store, whose files are refused too; `cwd`: its base. */
export function createCredentialPlaces(
  { permitted, used }: CredentialPlacesSetting,
  { store, cwd }: { readonly store: string; readonly cwd: string },
): CredentialPlaces {
  const patterns = permitted.map(compile)
  const names = new Set(used.filter((one) => one.startsWith('env:')))
  const files = used.flatMap((one) => (one.startsWith('file:') ? [one.slice('file:'.length)] : []))
  const directory = store.startsWith('file:')
    ? resolve(cwd, store.slice('file:'.length))
    : undefined

  function permitsFile(file: string): boolean {
    if (normalize(file) !== file) return false
    const real = realOf(file)
    if (files.some((one) => realOf(resolve(cwd, one)) === real)) return false
    return directory === undefined || !`${real}${sep}`.startsWith(`${realOf(directory)}${sep}`)
  }

  return {
    permits(reference) {
      if (/^env:DRAGOMAN_/i.test(reference) || names.has(reference)) return false
      if (!patterns.some((pattern) => pattern.test(reference))) return false
      return reference.startsWith('env:') || permitsFile(reference.slice('file:'.length))
    },
  }
}

/** `*` stands for any characters of a name, but not for a slash. */
function compile(pattern: string): RegExp {
  const escaped = pattern.split('*').map((text) => RegExp.escape(text))
  return new RegExp(`^${escaped.join('[^/]*')}$`)
}

/** A path without symbolic links. Of a missing file, only its directory is resolved. */
function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const parent = dirname(path)
    return parent === path
      ? path
      : resolve(realOf(parent), path.slice(parent.length).replace(/^\/+/, ''))
  }
}
