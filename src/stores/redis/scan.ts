import { type AdapterScan, type StoredPage, headLength } from '../adapter.ts'
import { StoreUnavailable } from '../store.ts'
import { type RedisConnection, type RedisServer, isWrongType, withDeadline } from './connect.ts'
import { type ScanPlace, markOf, openPlace, sealPlace } from './scan-place.ts'

/**
 * The keys that one SCAN asks for: as many as the page needs, within these limits. A page that ends inside of a
 * reply has its records in the cursor, so replies with records are short.
 */
const fewest = 10
const most = 100

/** The keys that a SCAN asks for where the one before has found no record. */
const mostEmpty = 250

/** The values that are read at the same time. */
const batchSize = 100

/** A page with fewer records than it needs has visited as many keys as this many full ones. */
const sparsePages = 4

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
  let isEmpty = false
  const mostExamined = sparsePages * Math.max(limit, mostEmpty)
  while (server && place) {
    const isEnough = found.size >= limit || examined >= mostExamined
    if (isEnough) return { found: [...found.values()], examined, next: sealPlace(place) }
    const needed = limit - found.size + place.seen.length
    const count = isEmpty ? mostEmpty : Math.min(Math.max(needed, fewest), most)
    const { end, ids } = await scanOnce(server, place.at, { base, prefix, count })
    examined += count
    isEmpty = ids.length === 0
    const { fresh, behind } = placesIn(place, end, ids.filter(wants))
    for (const one of fresh) if (!found.has(one.id)) found.set(one.id, one)
    if (end === '0') {
      server = serverFrom(servers, server.slot + 1)
      place = server && (await enter(server))
    } else place = behind
  }
  return { found: [...found.values()], examined }
}

/**
 * The records of a reply that the walk has not found yet, and the place behind the reply. Between two pages, keys
 * come and go: the same SCAN then returns other keys, and ends elsewhere. So the place inside of a reply is no
 * position in it but the marks of its records. Those that are not in the reply may be in the next one.
 */
function placesIn(
  place: ScanPlace,
  end: string,
  ids: readonly string[],
): { fresh: readonly Found[]; behind: ScanPlace } {
  const seen = new Set(place.seen)
  const marked = ids.map((id) => ({ id, mark: markOf(id) }))
  const unseen = marked.filter(({ mark }) => !seen.has(mark))
  const met = new Set(marked.map(({ mark }) => mark))
  const behind = { ...place, at: end, seen: place.seen.filter((mark) => !met.has(mark)) }
  const marks = unseen.map(({ mark }) => mark)
  const fresh = unseen.map(({ id }, index) => {
    const isLast = index === unseen.length - 1 && end !== '0'
    const inside = { ...place, seen: [...place.seen, ...marks.slice(0, index + 1)] }
    return { id, cursor: sealPlace(isLast ? behind : inside) }
  })
  return { fresh, behind }
}

/** The server with this slot as its first, or the next one: slots may have moved. */
function serverFrom(servers: readonly RedisServer[], slot: number): RedisServer | undefined {
  return servers.find((one) => one.slot >= slot)
}

/** The place in a server: the known one, unless another process has taken its part. */
async function enter(server: RedisServer, known?: ScanPlace): Promise<ScanPlace> {
  const info = String(await server.send(['INFO', 'server']))
  const run = /run_id:(\w{1,64})/.exec(info)?.[1] ?? ''
  if (known?.run === run) return { ...known, slot: server.slot }
  return { slot: server.slot, run, at: '0', seen: [] }
}

/** The ids in the reply to one SCAN, and the cursor that it names. */
async function scanOnce(
  server: RedisServer,
  at: string,
  { base, prefix, count }: { base: string; prefix: string; count: number },
): Promise<{ end: string; ids: string[] }> {
  const match = `${literal(base + prefix)}*`
  const reply = await server.send(['SCAN', at, 'MATCH', match, 'COUNT', String(count)])
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
  for (let index = 0; index < keys.length; index += batchSize) {
    const some = keys.slice(index, index + batchSize)
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
