import { readStoredAccount } from '../../configuration/stored-accounts.ts'
import { isHiddenUrl, shownUrl } from '../../configuration/shown-url.ts'
import { dialectsOf } from '../../contract/plugin.ts'
import type { Problem } from '../../contract/problems.ts'
import { isObject } from '../../lib/json/object.ts'
import { forgetState, setEnabled } from '../../stores/operator-states.ts'
import {
  type StoredAccount,
  type StoredAccountFields,
  accountRecords,
  addStoredAccount,
  deleteStoredAccount,
  credentialSubject,
  enableStoredAccount,
} from '../../stores/stored-accounts.ts'
import { UnreadableRecord } from '../../stores/store.ts'
import {
  type ActFailure,
  conflict,
  invalid,
  isFailure,
  managedByFile,
  notFound,
  otherVersion,
} from '../failures.ts'
import type { AdminServices } from '../services.ts'
import { type AccountInput, applyInput, checkFields, storeCredential } from './input.ts'
import { catchUpAccounts } from './catch-up.ts'
import { findAccount, findLatestAccount } from './find.ts'
import { type AccountView, ofStore } from './views.ts'

/** A change of an account, and the changed fields for its audit record. */
interface AccountChange {
  readonly done: { readonly account: AccountView }
  readonly changes: {
    readonly before?: Readonly<Record<string, unknown>>
    readonly after?: Readonly<Record<string, unknown>>
  }
}

/** The result of an act on an account. The functions of this file reject with `StoreUnavailable`. */
type AccountResult = ActFailure | AccountChange

/** Creates an account in the store. */
export async function createAccount(
  services: AdminServices,
  input: AccountInput,
): Promise<AccountResult> {
  const { running, now } = services
  const { id } = input
  const managed = managedByFileFailure(services, id)
  if (managed) return managed
  const problems: Problem[] = []
  const account = checkInput(services, {}, input, problems)
  const at = now()
  const credential =
    account && typeof input.credential === 'string'
      ? storeCredential(input.credential, account, running.storedAccounts.access, at, problems)
      : undefined
  if (!account || problems.length > 0) return invalid(problems)
  const record = await addStoredAccount(running.store, {
    createdAt: at,
    changedAt: at,
    account,
    ...(credential && { credential }),
  })
  if (!record) return conflict(`The account "${id}" exists already.`)
  // A former account of this id, which the configuration had, may have been disabled.
  await forgetState(running.store, 'account', id)
  return {
    done: { account: await viewAfter(services, id, record) },
    changes: differences({}, describe(record)),
  }
}

/** Changes an account of the store. */
export async function updateAccount(
  services: AdminServices,
  input: AccountInput & { readonly expectedVersion?: number | null | undefined },
): Promise<AccountResult> {
  const { id, expectedVersion } = input
  const managed = managedByFileFailure(services, id)
  if (managed) return managed
  const known = await readRecord(services, id)
  if ('failure' in known) return known
  const { version, createdAt } = known
  if (typeof expectedVersion === 'number' && expectedVersion !== version) {
    const about = { type: 'account', id }
    return conflict(`The account "${id}" has the version ${version} by now.`, about)
  }
  const problems: Problem[] = []
  const account = checkInput(services, known.account, input, problems)
  if (!account) return invalid(problems)
  const credential = changedCredential(services, known, { account, input, problems })
  if (problems.length > 0) return invalid(problems)
  const record: StoredAccount = {
    version: version + 1,
    createdAt,
    changedAt: services.now(),
    account,
    ...(credential && { credential }),
  }
  if (!(await replace(services, known, record))) return otherVersion('account', id)
  return {
    done: { account: await viewAfter(services, id, record) },
    changes: differences(describe(known), describe(record)),
  }
}

/**
 * Deletes an account of the store, also one whose id the configuration has. The resources of the account stay
 * bound to its id until they expire.
 */
export async function deleteAccount(
  services: AdminServices,
  { id, expectedVersion }: { id: string; expectedVersion?: number | null | undefined },
): Promise<ActFailure | { done: { id: string }; changes: AccountChange['changes'] }> {
  const { store } = services.running
  const known = await readRecord(services, id)
  if ('failure' in known && known.failure === 'NotFound')
    return managedByFileFailure(services, id) ?? known
  const version = 'failure' in known ? undefined : known.version
  if (typeof expectedVersion === 'number' && expectedVersion !== version) {
    return otherVersion('account', id)
  }
  if (!(await deleteStoredAccount(store, id, version))) return otherVersion('account', id)
  if (!managedByFileFailure(services, id)) await forgetState(store, 'account', id)
  await catchUpAccounts(services)
  return {
    done: { id },
    changes: 'failure' in known ? {} : differences(describe(known), {}),
  }
}

/** Enables an account, or disables it. */
export async function switchAccount(
  services: AdminServices,
  id: string,
  enabled: boolean,
  reason?: string,
): Promise<AccountResult> {
  const { accounts, store } = services.running
  const view = await findLatestAccount(services, id)
  if (isFailure(view)) return view
  const setting = accounts.configured.accounts.find((one) => one.id === id)
  if (enabled && setting && !setting.enabled)
    return managedByFileFailure(services, id) ?? notFound('account', id)
  if (enabled && !setting) {
    // The record of the account says whether it is enabled, too.
    await enableStoredAccount(store, id, services.now())
  }
  await setEnabled(store, 'account', id, enabled, reason)
  await catchUpAccounts(services)
  const now = findAccount(services, id) ?? view
  return {
    done: { account: now },
    changes: { before: { enabled: view.enabled }, after: { enabled } },
  }
}

function managedByFileFailure(
  { running, configuration }: AdminServices,
  id: string,
): ActFailure | undefined {
  const index = running.accounts.configured.accounts.findIndex((one) => one.id === id)
  if (index < 0) return undefined
  return managedByFile({ type: 'account', id, path: `accounts[${index}]` }, configuration.file)
}

async function readRecord(
  services: AdminServices,
  id: string,
): Promise<StoredAccount | ActFailure> {
  const { store, storedAccounts } = services.running
  const damaged = conflict(`The record of the account "${id}" is damaged: delete it first.`)
  try {
    const value = id === '' ? undefined : await accountRecords(store).get(id)
    if (value === undefined) return notFound('account', id)
    return readStoredAccount(id, value, storedAccounts.access).record ?? damaged
  } catch (error) {
    if (error instanceof UnreadableRecord) return damaged
    // Only a malformed id.
    if (error instanceof TypeError) return notFound('account', id)
    throw error
  }
}

function checkInput(
  { running }: AdminServices,
  known: Readonly<Record<string, unknown>>,
  input: AccountInput,
  problems: Problem[],
): StoredAccountFields | undefined {
  if (input.models && input.modelMap) {
    const message = 'is in the input beside modelMap'
    problems.push({ path: 'input.models', message, fix: 'give one of the two' })
  }
  const urls = { baseUrl: input.baseUrl, ...prefixed('baseUrls.', input.baseUrls) }
  for (const [name, url] of Object.entries(urls)) {
    if (typeof url !== 'string' || !isHiddenUrl(url)) continue
    const message = 'is a URL whose path is hidden'
    const fix = 'leave it out to keep the present one'
    problems.push({ path: `input.${name}`, message, fix })
  }
  const dialects = dialectsOf(running.plugins)
  const { forbidden } = running.storedAccounts.access.places
  return checkFields(applyInput(known, input), dialects, forbidden, problems)
}

/** The members of an object under names with a prefix. */
function prefixed(prefix: string, value: unknown): Record<string, unknown> {
  const entries = isObject(value) ? Object.entries(value) : []
  return Object.fromEntries(entries.map(([name, one]) => [prefix + name, one]))
}

/** The credential of a changed account. Another address gets no credential that was set for this one. */
function changedCredential(
  { running, now }: AdminServices,
  known: StoredAccount,
  {
    account,
    input: { credential },
    problems,
  }: { account: StoredAccountFields; input: AccountInput; problems: Problem[] },
): StoredAccount['credential'] {
  if (credential === null) return undefined
  if (credential !== undefined) {
    return storeCredential(credential, account, running.storedAccounts.access, now(), problems)
  }
  const isMoved = credentialSubject(account) !== credentialSubject(known.account)
  if (known.credential && isMoved) {
    problems.push({
      path: 'input.credential',
      message: 'is missing: another address needs the credential again',
      fix: 'give the credential for the new provider, address or options, or null for none',
    })
  }
  return known.credential
}

/** Writes a record unless it was changed since it was read. */
async function replace(
  { running }: AdminServices,
  known: StoredAccount,
  changed: StoredAccount,
): Promise<boolean> {
  let isSame = false
  await accountRecords(running.store).update(known.account.id, (present) => {
    isSame = Object(present).version === known.version
    return isSame ? changed : undefined
  })
  return isSame
}

/** The account after the write, also if the store fails meanwhile. */
async function viewAfter(
  services: AdminServices,
  id: string,
  record: StoredAccount,
): Promise<AccountView> {
  await catchUpAccounts(services)
  const view = findAccount(services, id)
  if (view?.version === record.version) return view
  const { access } = services.running.storedAccounts
  const read = readStoredAccount(id, record, access)
  return ofStore(read, view?.account, read.problems)
}

/** A record for people. It says of the credential only when it was set. */
function describe({ account, credential }: StoredAccount): Record<string, unknown> {
  return { ...account, ...(credential && { credential: `set at ${credential.changedAt}` }) }
}

/** The fields that differ. The credential appears as `changed`, and a base URL as it is shown. */
function differences(
  one: Readonly<Record<string, unknown>>,
  other: Readonly<Record<string, unknown>>,
): AccountChange['changes'] {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])]
  const changed = names.filter((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]))
  const pick = (from: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(
      changed
        .filter((name) => from[name] !== undefined)
        .map((name) => [name, shown(name, from[name])]),
    )
  return { before: pick(one), after: pick(other) }
}

function shown(name: string, value: unknown): unknown {
  if (name === 'credential') return 'changed'
  if (name === 'baseUrls' && isObject(value))
    return Object.fromEntries(Object.entries(value).map(([id, url]) => [id, shown('baseUrl', url)]))
  return name === 'baseUrl' && typeof value === 'string' ? shownUrl(value) : value
}
