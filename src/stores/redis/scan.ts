import { type AdapterScan, type StoredPage, headLength } from '../adapter.ts'
import { openCursor, sealCursor } from '../cursor.ts'
import { InvalidCursor, StoreUnavailable } from '../store.ts'
import { type RedisConnection, type RedisServer, isWrongType, withDeadline } from './connect.ts'

/** The keys that one SCAN visits. A cursor inside of its reply is good for a SCAN of as many only. */
const visited = 250

/** The values that are read at the same time. */
const readAtOnce = 100

/** An empty page has visited as many keys as this many full ones: a SCAN passes over keys quickly. */
const emptyPages = 4

/** Where a scan continues. */
interface Place {
  /** The first slot of the server. */
  readonly slot: number
  /** The server's process: another one has another order of keys. */
  readonly run: string
  /** The cursor of the SCAN whose reply contains the place, and the one that this reply names. */
  readonly at: string
  readonly end: string
  /** The last id of the sorted reply before the place; `''` for none. */
  readonly after: string
}

/** A record that a scan has found. */
interface Found {
  readonly id: string
  readonly cursor: string
}

/** The keys of a namespace. */
interface ScannedKeys {
  /** The text before each id. */
  readonly base: string
  record(id: string): string
}

/** A page of a namespace's records, in the order of SCAN: each master of a cluster in turn. */
export function scanRecords(
  connection: RedisConnection,
  keys: ScannedKeys,
  options: AdapterScan,
): Promise<StoredPage> {
  return withDeadline(readPage(connection, keys, options))
}

async function readPage(
  connection: RedisConnection,
  keys: ScannedKeys,
  options: AdapterScan,
): Promise<StoredPage> {
  const { found, ...page } = await findIds(connection, keys.base, options)
  const heads = await headsOf(
    connection,
    found.map(({ id }) => keys.record(id)),
  )
  const records = found.flatMap((one, index) => {
    const head = heads[index]
    return head ? [{ ...one, head }] : []
  })
  return { ...page, records }
}

async function findIds(
  connection: RedisConnection,
  base: string,
  { cursor, limit, prefix = '', wants = () => true }: AdapterScan,
): Promise<{ found: readonly Found[]; examined: number; next?: string }> {
  const known = cursor === undefined ? undefined : openPlace(cursor)
  const servers = await connection.servers()
  let server = serverFrom(servers, known?.slot ?? 0)
  const found = new Map<string, Found>()
  let place = server && (await enter(server, known))
  let examined = 0
  while (server && place) {
    const isEnough = found.size > 0 ? examined >= limit : examined >= emptyPages * limit
    if (isEnough) return { found: [...found.values()], examined, next: sealPlace(place) }
    const { end, ids } = await scanOnce(server, place.at, base, prefix)
    examined += visited
    // With another end, the server has changed the size of its table: the reply has other keys.
    const after = place.end === end ? place.after : ''
    for (const id of ids.toSorted()) {
      if (id <= after || found.has(id) || !wants(id)) continue
      found.set(id, { id, cursor: sealPlace({ ...place, end, after: id }) })
    }
    if (end === '0') {
      server = serverFrom(servers, server.slot + 1)
      place = server && (await enter(server))
    } else place = { ...place, at: end, end: '', after: '' }
  }
  return { found: [...found.values()], examined }
}

/** The server with this slot as its first, or the next one: slots may have moved. */
function serverFrom(servers: readonly RedisServer[], slot: number): RedisServer | undefined {
  return servers.find((one) => one.slot >= slot)
}

/** The place in a server: the known one, unless another process has taken its part. */
async function enter(server: RedisServer, known?: Place): Promise<Place> {
  const info = String(await server.send(['INFO', 'server']))
  const run = /run_id:(\w{1,64})/.exec(info)?.[1] ?? ''
  if (known?.run === run) return { ...known, slot: server.slot }
  return { slot: server.slot, run, at: '0', end: '', after: '' }
}

async function scanOnce(
  server: RedisServer,
  at: string,
  base: string,
  prefix: string,
): Promise<{ end: string; ids: string[] }> {
  const match = `${literal(base + prefix)}*`
  const reply = await server.send(['SCAN', at, 'MATCH', match, 'COUNT', String(visited)])
  const [end, keys] = reply as [unknown, unknown]
  if (!Array.isArray(keys)) throw new StoreUnavailable('The store failed: no reply to SCAN.')
  return { end: String(end), ids: keys.map((key) => String(key).slice(base.length)) }
}

/** A pattern that matches only this text. */
function literal(text: string): string {
  return text.replace(/[\\*?[\]]/g, String.raw`\$&`)
}

/** The beginnings of the records; `''` for one that has gone or is no text. */
async function headsOf(connection: RedisConnection, keys: readonly string[]): Promise<string[]> {
  const heads: string[] = []
  for (let index = 0; index < keys.length; index += readAtOnce) {
    const some = keys.slice(index, index + readAtOnce)
    heads.push(...(await Promise.all(some.map((key) => headOf(connection, key)))))
  }
  return heads
}

async function headOf(connection: RedisConnection, key: string): Promise<string> {
  try {
    const command = ['GETRANGE', key, '0', String(headLength - 1)]
    return String(await connection.send(key, 'read', command))
  } catch (error) {
    if (isWrongType(error)) return ''
    throw error
  }
}

function sealPlace({ slot, run, at, end, after }: Place): string {
  return sealCursor([String(slot), run, at, end, after])
}

const lastSlot = 16_383
/** The greatest cursor that Redis reads. */
const greatest = 2n ** 64n - 1n

function openPlace(cursor: string): Place {
  const [slot = '', run = '', at = '', end = '', after = ''] = openCursor(cursor, 5)
  const isSound =
    /^\d{1,5}$/.test(slot) &&
    Number(slot) <= lastSlot &&
    /^\w{0,64}$/.test(run) &&
    isScanCursor(at) &&
    (end === '' || isScanCursor(end))
  if (!isSound) throw new InvalidCursor()
  return { slot: Number(slot), run, at, end, after }
}

function isScanCursor(text: string): boolean {
  return /^\d{1,20}$/.test(text) && BigInt(text) <= greatest
}
