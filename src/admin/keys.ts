import { checkShape } from '../configuration/shape.ts'
import { keySchema } from '../configuration/key-schema.ts'
import type { Problem } from '../contract/problems.ts'
import type { ErrorForm } from '../contract/request.ts'
import type { LossPolicy } from '../generate/unsupported.ts'
import { lastUsesOf } from '../stores/key-uses.ts'
import {
  type KeyChange,
  KeyConflict,
  type KeyRecord,
  type Labels,
  getKey,
  keyRecords,
  readKey,
} from '../stores/keys.ts'
import type { RingKey } from '../stores/key-ring.ts'
import { setEnabled } from '../stores/operator-states.ts'
import { UnreadableRecord } from '../stores/store.ts'
import type { ActResult } from './act.ts'
import type { Page, PageArguments } from './connections.ts'
import { type ActFailure, conflict, managedByFile, notFound } from './failures.ts'
import type { ListedNode } from './listed-node.ts'
import { type KeyState, type KeyView, type Label, stateOf, viewOf } from './key-view.ts'
import { listPage } from './list-page.ts'
import type { AdminServices } from './services.ts'

const clash = 'The store has a key of this id too, which has no effect.'

/** Reads a page of the keys of the configuration and the store, in the order of their ids. */
export async function listKeyViews(
  services: AdminServices,
  page: PageArguments,
  filter: KeyFilter,
  signal?: AbortSignal,
): Promise<Page<KeyView>> {
  const reading = {
    list: (part: Parameters<typeof readKeys>[1]) => readKeys(services, part),
    matches: matcherOf(filter),
  }
  // Another process may have just disabled a key, or deleted a team.
  await catchUp(services)
  const found = await listPage<KeyView>(page, reading, signal)
  const keys = await withUses(
    services,
    found.edges.map(({ node }) => node),
  )
  return {
    ...found,
    edges: found.edges.map(({ cursor }, index) => ({ cursor, node: keys[index]! })),
  }
}

/** Which keys a list shows: the keys to which all members apply that are present. */
interface KeyFilter {
  readonly state?: KeyState | null | undefined
  readonly team?: string | null | undefined
  readonly label?: Label | null | undefined
  readonly search?: string | null | undefined
}

function matcherOf({
  state,
  team,
  label,
  search,
}: KeyFilter): ((key: KeyView) => boolean) | undefined {
  const text = search?.toLowerCase()
  const tests = [
    state && ((key: KeyView) => key.state === state),
    typeof team === 'string' && ((key: KeyView) => key.team === team),
    label &&
      (({ labels = {} }: KeyView) =>
        new Map(Object.entries(labels)).get(label.name) === label.value),
    text && ((key: KeyView) => textsOf(key).some((one) => one.toLowerCase().includes(text))),
  ].filter((one) => typeof one === 'function')
  return tests.length === 0 ? undefined : (key) => tests.every((matches) => matches(key))
}

/** What a search for a key finds. */
function textsOf({ id, labels = {} }: KeyView): string[] {
  return [id, ...Object.entries(labels).map(([name, value]) => `${name}=${value}`)]
}

/** How many keys have each state, as this process knows them. */
export function countKeys({ running: { keys }, now }: AdminServices): Map<KeyState, number> {
  const fromFile = new Set(keys.configured.map(({ id }) => id))
  const counts = new Map<KeyState, number>([['DAMAGED', keys.unreadable]])
  for (const key of keys.all()) {
    const { state } = stateOf(key, fromFile.has(key.id) ? 'FILE' : 'STORE', now(), keys.states)
    counts.set(state, (counts.get(state) ?? 0) + 1)
  }
  return counts
}

/** The key of an id; `undefined` if neither the configuration nor the store has it. */
export async function findKeyView(
  services: AdminServices,
  id: string,
): Promise<KeyView | undefined> {
  const [view] = await findKeyViews(services, [id])
  return view
}

/** The keys of some ids, without those that neither the configuration nor the store has. */
export async function findKeyViews(
  services: AdminServices,
  ids: readonly string[],
): Promise<KeyView[]> {
  const { running } = services
  const possible = ids.filter(isRecordId)
  const values = await keyRecords(running.store).getMany(possible)
  await catchUp(services)
  const fromFile = new Map(running.keys.configured.map((key) => [key.id, key]))
  const found: KeyView[] = []
  for (const [index, id] of possible.entries()) {
    const configured = fromFile.get(id)
    const value = values[index]
    // A read of many shows a damaged record as none.
    const mayBeDamaged = value === undefined && running.keys.unreadable > 0
    const stored = mayBeDamaged ? await getKey(running.store, id) : value && readKey({ id, value })
    const own = stored && shown(services, stored, 'STORE')
    const view = configured ? withProblem(shown(services, configured, 'FILE'), own) : own
    if (view) found.push(view)
  }
  return await withUses(services, found)
}

async function catchUp({ running: { keys, storedTeams } }: AdminServices): Promise<void> {
  await Promise.all([keys.catchUp(), storedTeams.catchUp()])
}

/** A key of the configuration file, and the one that the store has of its id. */
function withProblem(key: KeyView, stored: KeyView | undefined): KeyView {
  return stored?.state === 'ACTIVE' ? { ...key, problem: clash } : key
}

/**
 * A key for operators, as it is after an act. Never rejects: the act is done, and a new secret must
 * not be lost. Without the store, `lastUsedAt` is the last use in this process.
 */
export async function changedKeyView(
  services: AdminServices,
  key: KeyRecord | RingKey,
  managedBy: KeyView['managedBy'] = 'STORE',
): Promise<KeyView> {
  await catchUp(services)
  const view = shown(services, key, managedBy)
  const [complete] = await withUses(services, [view]).catch(() => [withUse(services, view, 0)])
  return complete ?? view
}

/** Enables a key of the configuration or the store, or disables it. Rejects with `StoreUnavailable`. */
export async function switchKey(
  services: AdminServices,
  id: string,
  enabled: boolean,
  reason?: string,
): Promise<ActResult<{ key: KeyView }>> {
  const { keys, store } = services.running
  const configured = configuredKey(services, id)
  const key = configured ?? (isRecordId(id) ? await getKey(store, id) : undefined)
  if (!key) return notFound('API key', id)
  const { state } = viewOf(key, configured ? 'FILE' : 'STORE', services.now())
  if (state === 'REVOKED') return conflict(new KeyConflict('revoked', id).message)
  if (state === 'DAMAGED') return conflict(new KeyConflict('damaged', id).message)
  // The configuration disables it.
  if (enabled && key.disabled) return keyOfFile(services, id) ?? notFound('API key', id)
  await keys.catchUp()
  const before = { enabled: !keys.states.disabled.has(id) }
  await setEnabled(store, 'key', id, enabled, reason)
  return {
    done: { key: await changedKeyView(services, key, configured ? 'FILE' : 'STORE') },
    changes: { before, after: { enabled } },
  }
}

/** Why no act may change the key of an id: the configuration file has it. */
export function keyOfFile(services: AdminServices, id: string): ActFailure | undefined {
  const index = services.running.keys.configured.findIndex((key) => key.id === id)
  if (index < 0) return undefined
  return managedByFile({ type: 'API key', id, path: `keys[${index}]` }, services.configuration.file)
}

/** The failure of an act whose key is in another state. Throws every other error again. */
export function keyFailure(error: unknown, id: string): ActFailure {
  if (error instanceof KeyConflict) {
    if (error.reason === 'missing') return notFound('API key', id)
    return conflict(error.message, { type: 'key', id })
  }
  if (error instanceof UnreadableRecord) return conflict(new KeyConflict('damaged', id).message)
  throw error
}

const { id: idSchema, models, team, labels, explain, losses, errors } = keySchema.shape

/** The settings of a key that an act names. */
interface KeyInput {
  readonly id?: string
  readonly models?: readonly string[] | null | undefined
  readonly team?: string | null | undefined
  readonly labels?: Labels | null | undefined
  readonly explain?: boolean | null | undefined
  readonly losses?: LossPolicy | null | undefined
  readonly errors?: ErrorForm | null | undefined
}

/** In characters, and in models of a key or a team. */
const longestModel = 512
const mostModels = 1_000

/** Checks the settings of a key as the configuration does. A member that is null is not checked. */
export function checkKeyInput(input: KeyInput): Problem[] {
  const problems: Problem[] = []
  if (input.id !== undefined) checkShape(idSchema, input.id, 'input.id', problems)
  checkShape(models, input.models ?? undefined, 'input.models', problems)
  checkShape(team, input.team ?? undefined, 'input.team', problems)
  checkShape(labels, input.labels ?? undefined, 'input.labels', problems)
  // It is no member of what the schema reads.
  if (Object.hasOwn(input.labels ?? {}, '__proto__')) {
    problems.push({ path: 'input.labels', message: 'has a name of objects', fix: 'use another' })
  }
  checkShape(explain, input.explain ?? undefined, 'input.explain', problems)
  checkShape(losses, input.losses ?? undefined, 'input.losses', problems)
  checkShape(errors, input.errors ?? undefined, 'input.errors', problems)
  return [...problems, ...tooManyModels(input.models)]
}

/** Reports a list of models that is too large: the store is read as a whole by every process. */
export function tooManyModels(models: readonly string[] | null | undefined): Problem[] {
  const path = 'input.models'
  return [
    ...(models?.some((name) => name.length > longestModel || !name.isWellFormed())
      ? [problem(path, 'has a name that is too long or no valid Unicode', '512')]
      : []),
    ...((models?.length ?? 0) > mostModels ? [problem(path, 'has too many names', '1000')] : []),
  ]
}

/** The settings of a key that a change replaces, for an audit record. */
export function settingsOf(key: KeyRecord, change: KeyChange): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(change)
      .filter(([, value]) => value !== undefined)
      .map(([name]) => [name, key[name as keyof KeyChange] ?? null]),
  )
}

function problem(path: string, message: string, most: string): Problem {
  return { path, message, fix: `write at most ${most}` }
}

/** Whether a store can have a record of this id. */
export function isRecordId(id: string): boolean {
  return id !== '' && id.length <= 512 && id.isWellFormed()
}

function configuredKey({ running }: AdminServices, id: string) {
  return running.keys.configured.find((key) => key.id === id)
}

/** Merges both origins in the order of ids. */
async function readKeys(
  services: AdminServices,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<ListedNode<KeyView>[]> {
  const { running } = services
  const configured = running.keys.configured.filter(({ id }) => after === undefined || id > after)
  const taken = new Set(running.keys.configured.map(({ id }) => id))
  const page = await keyRecords(running.store).list({
    limit,
    ...(after !== undefined && { after }),
  })
  const stored = new Map(
    page.map((record) => [record.id, shown(services, readKey(record), 'STORE')]),
  )
  const fromFile = configured.map((key) => {
    const node = withProblem(shown(services, key, 'FILE'), stored.get(key.id))
    return { cursor: key.id, node }
  })
  const fromStore = [...stored].map(([cursor, node]) => {
    return { cursor, node: taken.has(cursor) ? undefined : node }
  })
  const all = [...fromFile, ...fromStore]
  return all.toSorted((one, other) => (one.cursor < other.cursor ? -1 : 1)).slice(0, limit)
}

function shown(
  { running, now }: AdminServices,
  key: KeyRecord | RingKey,
  managedBy: KeyView['managedBy'],
): KeyView {
  const view = viewOf(key, managedBy, now(), running.keys.states)
  const { team } = view
  if (team === undefined || running.teams.get(team) || running.storedTeams.isStale) return view
  return { ...view, problem: `Its team "${team}" does not exist, so that it may use no model.` }
}

async function withUses(services: AdminServices, keys: readonly KeyView[]): Promise<KeyView[]> {
  const uses = await lastUsesOf(
    services.running.store,
    keys.map(({ id }) => id),
  )
  return keys.map((key, index) => withUse(services, key, uses[index] ?? 0))
}

function withUse({ running }: AdminServices, key: KeyView, stored: number): KeyView {
  const lastUsedAt = Math.max(running.keyUses.pending(key.id) ?? 0, stored)
  return lastUsedAt === 0 ? key : { ...key, lastUsedAt }
}
