import { realpathSync } from 'node:fs'
import { dirname, normalize, resolve, sep } from 'node:path'

import { isObject } from '../lib/json/object.ts'
import { objectsIn } from '../lib/json/read.ts'
import { destinationOf } from '../stores/stored-accounts.ts'
import type { Flags } from './overrides.ts'
import type { EnvironmentVariables } from './secrets.ts'

/** The places that the store may name without a setting: variables that exist for this purpose alone. */
export const defaultCredentialPlaces: readonly string[] = ['env:DRAGOMAN_ACCOUNT_*']

/** Where clouds serve the credentials of a machine. No kind of credential of an account comes from there. */
export const metadataHosts: readonly string[] = [
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  '100.100.100.200',
  'fd00:ec2::254',
  'fd00:ec2::23',
  'fd20:ce::254',
  'metadata.google.internal',
]

/** The variables of the gateway itself. */
const ownVariable = /^env:DRAGOMAN_(?!ACCOUNT_)/i

/** The fields of an account that decide which address gets its credential. */
type Destination = Parameters<typeof destinationOf>[0]

/** The places of secrets, as `env:NAME` and `file:/path`. */
export interface CredentialPlacesSetting {
  /** The places that accounts of the store may name, with `*` for any characters but a slash. */
  permitted: string[]
  /** The places that other settings name, which no such account may name. */
  used: string[]
  /** The places of API keys of the configuration's accounts, each with the only address that may get the key. */
  apiKeys: { place: string; address: string }[]
  /** Names, addresses and networks that no account of the store may reach. */
  forbidden: readonly string[]
}

/** The places that accounts of the store may name for their credentials, and what they may not reach. */
export interface CredentialPlaces extends Pick<CredentialPlacesSetting, 'forbidden'> {
  /** Whether an account may name it. The account sends the content of the place to its address. */
  permits(reference: string, account: Destination): boolean
}

/** Reads which places accounts of the store may name. `config`: as the user wrote it. */
export function credentialPlacesOf(
  config: Readonly<Record<string, unknown>>,
  {
    credentials: permitted,
    accounts: { forbid },
  }: {
    readonly credentials: readonly string[]
    readonly accounts: { readonly forbid: readonly string[] }
  },
  { env, flags = {} }: { readonly env: EnvironmentVariables; readonly flags?: Flags | undefined },
): CredentialPlacesSetting {
  const { accounts, plugins, admin, ...rest } = config
  const others = isObject(admin) ? { ...admin, credentials: undefined } : {}
  const own = Object.entries(env).flatMap(([name, value]) =>
    ownVariable.test(`env:${name}`) && value !== undefined ? [value] : [],
  )
  const fields = objectsIn(accounts)
  const options = objectsIn(plugins).map((plugin) => plugin['use'] && plugin['options'])
  // Lists of models and prices name no place, and ten thousand accounts have many.
  const besideKeys = fields.map((one) => ({ ...one, apiKey: '', models: '', prices: '' }))
  return {
    permitted: [...permitted],
    forbidden: [...forbid],
    used: [...new Set(referencesIn([rest, others, own, flags, options, besideKeys]))],
    apiKeys: fields.flatMap(({ apiKey, provider, baseUrl, baseUrls, entra, options: chosen }) =>
      referencesIn(apiKey).map((place) => ({
        place,
        address: destinationOf({
          provider: String(provider),
          ...(typeof baseUrl === 'string' && { baseUrl }),
          ...(isObject(baseUrls) && { baseUrls: baseUrls as Record<string, string> }),
          ...(entra !== undefined && { entra }),
          ...(isObject(chosen) && { options: chosen }),
        }),
      })),
    ),
  }
}

/** Options of plugins, the deepest of all settings, are resolved down to the 32nd level. */
const mostLevels = 40

function referencesIn(value: unknown, around: readonly unknown[] = []): string[] {
  if (typeof value === 'string') return /^(?:env|file):/.test(value) ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  // In code, an object may contain itself.
  if (around.length === mostLevels || around.includes(value)) return []
  return Object.values(value).flatMap((one) => referencesIn(one, [...around, value]))
}

/** Compiles a setting. `store`: the URL of the store, whose files are refused too; `cwd`: its base. */
export function createCredentialPlaces(
  { permitted, used, apiKeys, forbidden }: CredentialPlacesSetting,
  { store, cwd }: { readonly store: string; readonly cwd: string },
): CredentialPlaces {
  const patterns = permitted.map(compile)
  /** The addresses that settings name each place for; `undefined` is another purpose. */
  const namings = new Map<string, Set<string | undefined>>()
  for (const place of used) namings.set(place, new Set([undefined]))
  for (const { place, address } of apiKeys) {
    namings.set(place, (namings.get(place) ?? new Set()).add(address))
  }
  const files = [...namings].flatMap(([place, addresses]) =>
    place.startsWith('file:') ? [{ file: resolve(cwd, fileOf(place)), addresses }] : [],
  )
  const directory = store.startsWith('file:') ? resolve(cwd, fileOf(store)) : undefined

  function permitsFile(file: string, mayGet: (addresses: Addresses) => boolean): boolean {
    if (normalize(file) !== file) return false
    const real = realOf(file)
    // Under any name: symbolic links lead to a file.
    const isAnother = ({ file: named }: { file: string }) => realOf(named) !== real
    if (!files.every((one) => isAnother(one) || mayGet(one.addresses))) return false
    return directory === undefined || !`${real}${sep}`.startsWith(`${realOf(directory)}${sep}`)
  }

  return {
    forbidden,
    permits(reference, account) {
      if (ownVariable.test(reference) || !patterns.some((one) => one.test(reference))) return false
      const address = destinationOf(account)
      const mayGet = (addresses: Addresses) => addresses.has(address) && !addresses.has(undefined)
      if (reference.startsWith('file:')) return permitsFile(fileOf(reference), mayGet)
      const addresses = namings.get(reference)
      return addresses === undefined || mayGet(addresses)
    },
  }
}

type Addresses = ReadonlySet<string | undefined>

function fileOf(place: string): string {
  return place.slice('file:'.length)
}

/** `*` stands for any characters of a variable's name, or of a file's, but not for a slash. */
function compile(pattern: string): RegExp {
  const escaped = pattern.split('*').map((text) => RegExp.escape(text))
  return new RegExp(`^${escaped.join(pattern.startsWith('env:') ? '\\w*' : '[^/]*')}$`)
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
