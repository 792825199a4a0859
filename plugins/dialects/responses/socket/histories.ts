/** What the responses of all sockets of a process may take that no account stores, in bytes. */
const mostBytes = 64 * 1024 * 1024

/** The longest history, in bytes. The client of a longer one sends it whole. */
const longest = 16 * 1024 * 1024

/** The longest id, in characters. No account has a longer one. */
const longestId = 1024

/** The histories of a key, by socket and lane: that used last is the last. */
interface OfKey {
  readonly kept: Map<string, Buffer>
  bytes: number
}

const ofKeys = new Map<string, OfKey>()

let allBytes = 0
let sockets = 0

/**
 * The responses of one socket that no account stores: the latest one of each lane, with all items before it. They end
 * with the socket. One that others of its key have displaced is not found, as after a reconnect: its client then sends the
 * whole input.
 */
export class Histories {
  readonly #keyId: string
  readonly #socket = String(++sockets)
  /** The id of the latest response of each lane. */
  readonly #latest = new Map<string | undefined, string>()

  constructor(keyId: string) {
    this.#keyId = keyId
  }

  find(id: string): Buffer | undefined {
    for (const [streamId, known] of this.#latest) {
      if (known !== id) continue
      const items = remove(this.#keyId, this.#placeOf(streamId))
      if (items) add(this.#keyId, this.#placeOf(streamId), items)
      return items
    }
    return undefined
  }

  /** Keeps the items of a response, in place of the one before it in its lane. */
  keep(streamId: string | undefined, id: string, items: Buffer): void {
    this.#drop(streamId)
    if (items.length > longest || id.length > longestId) return
    this.#latest.set(streamId, id)
    add(this.#keyId, this.#placeOf(streamId), items)
    displace()
  }

  clear(): void {
    for (const streamId of this.#latest.keys()) this.#drop(streamId)
  }

  #drop(streamId: string | undefined): void {
    if (this.#latest.delete(streamId)) remove(this.#keyId, this.#placeOf(streamId))
  }

  #placeOf(streamId = ''): string {
    return `${this.#socket}:${streamId}`
  }
}

function add(keyId: string, place: string, items: Buffer): void {
  const own = ofKeys.get(keyId) ?? { kept: new Map(), bytes: 0 }
  ofKeys.set(keyId, own)
  own.kept.set(place, items)
  own.bytes += items.length
  allBytes += items.length
}

function remove(keyId: string, place: string): Buffer | undefined {
  const own = ofKeys.get(keyId)
  const items = own?.kept.get(place)
  if (!own || !items) return undefined
  own.kept.delete(place)
  own.bytes -= items.length
  allBytes -= items.length
  if (own.kept.size === 0) ofKeys.delete(keyId)
  return items
}

/** Drops the oldest histories of the keys that have the most: no key displaces the histories of another one. */
function displace(): void {
  for (let rest = allBytes; rest > mostBytes; rest = allBytes) {
    let [keyId, most] = ['', -1]
    for (const [id, { bytes }] of ofKeys) if (bytes > most) [keyId, most] = [id, bytes]
    const [oldest = ''] = ofKeys.get(keyId)?.kept.keys() ?? []
    remove(keyId, oldest)
  }
}
