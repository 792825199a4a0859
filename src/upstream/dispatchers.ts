import type { Dispatcher } from 'undici'

import type { AccountConnection } from '../contract/account.ts'

/** The dispatchers of accounts: one for each distinct way to make connections. */
interface Dispatchers {
  /** The dispatcher of a connection. Absent: that of most accounts. */
  of(connection: AccountConnection | undefined): Dispatcher
  /** Closes those that none of these connections needs. What runs goes on to its end. */
  retain(connections: readonly AccountConnection[]): void
  /** Ends all connections at once. */
  destroy(): Promise<void>
}

/**
 * Dispatchers of former connections, for exchanges from before a reload: their later attempts go to their
 * account as it was.
 */
const mostFormer = 16

/** Creates the dispatchers with `create`. Each exists from its first use on. */
export function createDispatchers(
  create: (connection: Omit<AccountConnection, 'id'>) => Dispatcher,
): Dispatchers {
  const common = create({})
  const open = new Map<string, Dispatcher>()
  const closing = new Set<Dispatcher>()
  let used: ReadonlySet<string> = new Set()

  function close(id: string, dispatcher: Dispatcher): void {
    open.delete(id)
    closing.add(dispatcher)
    const forget = () => void closing.delete(dispatcher)
    void dispatcher.close().then(forget, forget)
  }

  function boundFormer(): void {
    const former = [...open].filter(([id]) => !used.has(id))
    for (const [id, dispatcher] of former.slice(0, -mostFormer)) close(id, dispatcher)
  }

  return {
    of(connection) {
      if (!connection) return common
      const known = open.get(connection.id)
      if (known) return known
      const { id, ...settings } = connection
      const created = create(settings)
      open.set(id, created)
      if (!used.has(id)) boundFormer()
      return created
    },
    retain(connections) {
      used = new Set(connections.map(({ id }) => id))
      for (const [id, dispatcher] of open) if (!used.has(id)) close(id, dispatcher)
    },
    async destroy() {
      await Promise.all([common, ...open.values(), ...closing].map((one) => one.destroy()))
    },
  }
}
