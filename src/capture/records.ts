import { newId } from '../lib/ids.ts'
import { followRecords } from '../stores/follow.ts'
import { listAll } from '../stores/list-all.ts'
import { isTime } from '../stores/record-values.ts'
import type { ListedRecord, Records, Store } from '../stores/store.ts'

/** A capture that an operator has started. Its record is in the store until it ends. */
export interface CaptureRecord {
  /** The id of the only API key whose exchanges are captured. */
  readonly keyId: string
  /** The platform model, if only its calls are captured. */
  readonly model?: string
  /** The account, if only calls that asked it last are captured. */
  readonly accountId?: string
  /** The most exchanges of each process. */
  readonly exchanges: number
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly endsAt: number
  /** The kind and the id of an actor, such as `token:ops`. */
  readonly startedBy: string
}

/** A capture with its id. */
export interface Capture extends CaptureRecord {
  readonly id: string
}

/** The longest capture, in milliseconds. */
export const longestCaptureMs = 60 * 60_000

/** The most exchanges of a capture in one process. */
export const mostExchanges = 1_000

const idPrefix = 'cap_'

/** Whether a text is an id of `startCapture`, with which the names of files begin. */
function isCaptureId(id: string): boolean {
  return id.startsWith(idPrefix) && /^[\dA-Za-z]{1,64}$/.test(id.slice(idPrefix.length))
}

type Stored = Pick<Store, 'records'>

/** Starts a capture in all processes on the store. The store itself forgets it at its end. */
export async function startCapture(store: Stored, record: CaptureRecord): Promise<Capture> {
  const id = newId(idPrefix)
  await captureRecords(store).set(id, record, { ttlMs: record.endsAt - record.startedAt })
  return { id, ...record }
}

/** Ends a capture before its time. Resolves with it, or with `undefined` if none of this id is on. */
export async function stopCapture(store: Stored, id: string): Promise<Capture | undefined> {
  const found = (await listCaptures(store)).find((one) => one.id === id)
  return found && (await captureRecords(store).delete(id)) ? found : undefined
}

/** The captures that are on. */
export async function listCaptures(store: Stored): Promise<Capture[]> {
  return readable(await listAll(captureRecords(store)))
}

/** Follows the captures of the store: starts and stops by other processes are known within two seconds. */
export function followCaptures(
  store: Stored,
  onCaptures: (captures: readonly Capture[]) => void,
  onError: (error: unknown) => void,
): Promise<{ close(): void }> {
  return followRecords({
    records: captureRecords(store),
    onRecords: (records) => onCaptures(readable(records)),
    onError,
  })
}

/** A damaged record captures nothing; nor does one with another kind of id, which would name a file elsewhere. */
function readable(records: readonly ListedRecord<CaptureRecord>[]): Capture[] {
  return records.flatMap(({ id, value }) =>
    value && isCaptureId(id) && isCapture(value) ? [{ ...value, id }] : [],
  )
}

function isCapture(value: Partial<Record<keyof CaptureRecord, unknown>>): boolean {
  const { keyId, model, accountId, exchanges, startedAt, endsAt, startedBy } = value
  const isText = (one: unknown) => typeof one === 'string' && one !== ''
  return (
    [keyId, startedBy].every(isText) &&
    [model, accountId].every((one) => one === undefined || isText(one)) &&
    Number.isInteger(exchanges) &&
    (exchanges as number) <= mostExchanges &&
    isTime(startedAt) &&
    isTime(endsAt) &&
    endsAt - startedAt <= longestCaptureMs
  )
}

function captureRecords(store: Stored): Records<CaptureRecord> {
  return store.records<CaptureRecord>('captures', { listed: true })
}
