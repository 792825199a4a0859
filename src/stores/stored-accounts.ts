import type { SealedSecret } from './sealing.ts'
import type { Records, Store } from './store.ts'
import { addVersioned, deleteVersioned } from './versions.ts'

/** An account that the admin API has created. Times are milliseconds since 1970. */
export interface StoredAccount {
  /** 1 for an account with a new id; each change adds 1. No version of an id comes twice. */
  readonly version: number
  readonly createdAt: number
  readonly changedAt: number
  /** The fields of an account of the configuration, without `apiKey`. */
  readonly account: StoredAccountFields
  /** Absent: calls to the account carry no credential. */
  readonly credential?: StoredCredential
}

/** The fields that the store's own code reads. All others pass through it. */
export interface StoredAccountFields extends Readonly<Record<string, unknown>> {
  readonly id: string
  readonly provider: string
  readonly baseUrl?: string
  readonly baseUrls?: Readonly<Record<string, string>>
  /** Where the secret of an application of Microsoft Entra goes. */
  readonly entra?: unknown
  /** The credential is one of Google Cloud. */
  readonly googleAuth?: unknown
  readonly options?: Readonly<Record<string, unknown>>
  readonly enabled?: boolean
}

/** A credential of the store: sealed, or the name of its place (`env:NAME`, `file:/path`). */
export type StoredCredential = { readonly changedAt: number } & (
  | { readonly sealed: SealedSecret; readonly reference?: undefined }
  | { readonly reference: string; readonly sealed?: undefined }
)

/** The accounts in a store. */
export function accountRecords(store: Pick<Store, 'records'>): Records<StoredAccount> {
  return store.records<StoredAccount>(namespace, { listed: true })
}

const namespace = 'accounts'

/** Adds an account with a version of its own; `undefined` if the id exists. */
export function addStoredAccount(
  store: Pick<Store, 'records'>,
  record: Omit<StoredAccount, 'version'>,
): Promise<StoredAccount | undefined> {
  return addVersioned(store, accountRecords(store), { namespace, id: record.account.id, record })
}

/** Deletes an account of a version; whether it did. `undefined`: a damaged record, of any version. */
export function deleteStoredAccount(
  store: Pick<Store, 'records'>,
  id: string,
  version: number | undefined,
): Promise<boolean> {
  const records = accountRecords(store)
  if (version === undefined) return records.delete(id)
  return deleteVersioned(store, records, { namespace, id, version })
}

/**
 * Removes `enabled: false` from the record of an account, whose version grows. Resolves with the record;
 * `undefined` for an unknown id.
 */
export function enableStoredAccount(
  store: Pick<Store, 'records'>,
  id: string,
  now: number = Date.now(),
): Promise<StoredAccount | undefined> {
  return accountRecords(store).update(id, (known) => {
    // The record may contain anything.
    if (Object(Object(known).account).enabled !== false) return undefined
    const { enabled: _enabled, ...account } = known.account
    return { ...known, account, version: known.version + 1, changedAt: now }
  })
}

/** Equal for accounts that send their credential to the same addresses, which a provider may make of options. */
export function destinationOf(
  account: Addresses & Pick<StoredAccountFields, 'provider' | 'baseUrl' | 'options'>,
): string {
  const { provider, baseUrl, options } = account
  const address = addressOf(baseUrl) ?? (options ? jsonOf([provider, options]) : provider)
  const further = others(account)
  return further.length === 0 ? address : jsonOf([address, ...further])
}

/** In code, options may be no JSON: they are a problem of their account. */
function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch {
    return ''
  }
}

/**
 * The subject of an account's sealed credential. It contains the address, so that a changed record sends
 * the credential to no other address. Without a base URL, options may decide the address.
 */
export function credentialSubject(account: StoredAccountFields): string {
  const { id, provider, baseUrl, options } = account
  const chosen = baseUrl === undefined && options ? [options] : []
  const further = others(account)
  return JSON.stringify(['account', id, provider, addressOf(baseUrl), ...chosen, ...further])
}

type Addresses = Pick<StoredAccountFields, 'baseUrls' | 'entra'>

/** The further addresses of an account, in one order. Without any, subjects are as former versions made them. */
function others({ baseUrls = {}, entra }: Addresses): readonly unknown[] {
  const entries = Object.entries(baseUrls).map(([id, url]) => [id, addressOf(url)] as const)
  const urls = entries.toSorted(([one], [other]) => (one < other ? -1 : 1))
  return [
    ...(urls.length > 0 ? [{ baseUrls: urls }] : []),
    ...(entra === undefined ? [] : [{ entra }]),
  ]
}

/**
 * A base URL in the form in which it is compared: normalised, without the last slash. Null: the
 * provider's URL. Hosts serve different tenants at different paths.
 */
function addressOf(baseUrl: string | undefined): string | null {
  if (baseUrl === undefined) return null
  const url = URL.parse(baseUrl)
  if (!url) return baseUrl
  if (url.pathname.endsWith('/')) url.pathname = url.pathname.slice(0, -1)
  return url.href
}
