import type { Bus, BusListener } from './bus.ts'

/** Creates what connects the buses of one store in memory. */
export function createMemoryBus(): (self: string) => Bus {
  const buses = new Map<string, BusListener[]>()
  return (self) => {
    const listeners: BusListener[] = []
    buses.set(self, listeners)
    return {
      publish(message, to) {
        for (const [id, others] of buses) {
          if (id === self || (to !== undefined && id !== to)) continue
          // As a socket would: never within the call of the sender.
          for (const one of others) setImmediate(() => one.onMessage(message))
        }
      },
      listen: (listener) => void listeners.push(listener),
      async close() {
        buses.delete(self)
      },
    }
  }
}
