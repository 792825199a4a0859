import { RecentMap } from '../lib/recent-map.ts'

/** A session, as a cookie names it. */
export interface SeenSession {
  readonly id: string
  /** The hash of the secret in the cookie. */
  readonly hash: string
}

/** The sessions in memory. Guesses of an address lock none of them out, and cost no read of the store. */
interface KnownSessions {
  has(session: SeenSession): boolean
  add(session: SeenSession): void
  delete(id: string): void
  /** Reads a page of the sessions, at most one in two seconds. Those who ask meanwhile share it. */
  learn(): Promise<void>
}

/** Options of `createKnownSessions`. */
interface KnownSessionsOptions {
  /** Reads the sessions behind an id. `next` is absent at the end. */
  readonly read: (after: string | undefined) => Promise<{
    readonly sessions: readonly SeenSession[]
    readonly next: string | undefined
  }>
}

/** The sessions that a process remembers. */
const mostKnown = 20_000

/** The least time between two pages, in milliseconds. */
const learnPauseMs = 2_000

/** Creates the register of sessions of a process. It learns the sessions of other processes page by page. */
export function createKnownSessions({ read }: KnownSessionsOptions): KnownSessions {
  const hashes = new RecentMap<string>(mostKnown)
  let after: string | undefined
  let learntAt = -Infinity
  let learning: Promise<void> | undefined

  const add = ({ id, hash }: SeenSession) => hashes.set(id, hash)

  async function readPage(): Promise<void> {
    const { sessions, next } = await read(after)
    after = next
    sessions.forEach(add)
  }

  return {
    has: ({ id, hash }) => hashes.get(id) === hash,
    add,
    delete: (id) => hashes.delete(id),
    learn() {
      if (learning || performance.now() - learntAt < learnPauseMs)
        return learning ?? Promise.resolve()
      learntAt = performance.now()
      learning = readPage().finally(() => (learning = undefined))
      return learning
    },
  }
}
