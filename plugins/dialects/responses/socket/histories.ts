import { RecentMap } from '../../../../src/lib/recent-map.ts'

/** What the responses of all sockets of a process may take that no account stores, in bytes. */
const mostBytes = 64 * 1024 * 1024

/** The longest history, in bytes. The client of a longer one sends it whole. */
const longest = 16 * 1024 * 1024

const histories = new RecentMap<Buffer>(mostBytes, ({ length }) => length)

let sockets = 0

/**
 * The responses of one socket that no account stores: the latest one of each lane, with all items before it. They end
 * with the socket. One that others have displaced is not found, as after a reconnect: its client then sends the whole input.
 */
export class Histories {
  readonly #socket = String(++sockets)
  /** The latest response of each lane. */
  readonly #latest = new Map<string | undefined, string>()

  find(id: string): Buffer | undefined {
    for (const known of this.#latest.values()) {
      if (known === id) return histories.get(this.#keyOf(id))
    }
    return undefined
  }

  /** Keeps the items of a response, in place of the one before it in its lane. */
  keep(streamId: string | undefined, id: string, items: Buffer): void {
    this.#drop(streamId)
    if (items.length > longest) return
    this.#latest.set(streamId, id)
    histories.set(this.#keyOf(id), items)
  }

  clear(): void {
    for (const streamId of this.#latest.keys()) this.#drop(streamId)
  }

  #drop(streamId: string | undefined): void {
    const id = this.#latest.get(streamId)
    if (id === undefined) return
    this.#latest.delete(streamId)
    histories.delete(this.#keyOf(id))
  }

  #keyOf(id: string): string {
    return `${this.#socket}:${id.slice(0, 200)}`
  }
}
