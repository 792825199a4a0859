import type { Worker } from 'node:cluster'

import type { Bus, BusListener } from '../stores/bus-port.ts'

/** The URLs that a gateway listens on. */
export interface Addresses {
  readonly api: string
  /** Absent: there is no admin address. */
  admin?: string
}

/** What a worker sends to the primary process, or gets from it, besides its addresses. */
type WorkerMessage = { readonly bus: string } | { readonly drain: true }

/** Messages that wait for a process that does not read them. More are dropped. */
const mostPending = 1_000

/** The bus between the workers of one primary process, which passes messages on. */
export function openWorkerBus(): Bus {
  const listeners: BusListener[] = []
  let pending = 0
  const receive = (message: unknown) => {
    const text = busMessageOf(message)
    if (text !== undefined) for (const listener of listeners) listener.onMessage(text)
  }
  process.on('message', receive)
  return {
    publish(message) {
      if (!process.connected || pending >= mostPending) {
        for (const listener of listeners) listener.onGap()
        return
      }
      pending++
      process.send?.({ bus: message }, undefined, undefined, () => void pending--)
    },
    listen: (listener) => void listeners.push(listener),
    async close() {
      process.off('message', receive)
    },
  }
}

/** Asks the primary process to end all workers. */
export function requestDrain(): void {
  process.send?.({ drain: true } satisfies WorkerMessage)
}

/** Passes what a worker publishes on to the others. Returns whether the message was one for the bus. */
export function createRelay(others: (worker: Worker) => readonly Worker[]) {
  const pending = new WeakMap<Worker, number>()
  const add = (worker: Worker, by: number) => pending.set(worker, (pending.get(worker) ?? 0) + by)
  return (from: Worker, message: unknown): boolean => {
    if (busMessageOf(message) === undefined) return false
    for (const worker of others(from)) {
      if (!worker.isConnected() || (pending.get(worker) ?? 0) >= mostPending) continue
      add(worker, 1)
      // Its error, that the worker is gone, needs no answer.
      worker.send(message as WorkerMessage, () => void add(worker, -1))
    }
    return true
  }
}

/** The addresses of a worker that serves; `undefined` for any other message, such as one of a plugin. */
export function addressesIn(message: unknown): Addresses | undefined {
  const { api, admin } = Object(message) as { api?: unknown; admin?: unknown }
  if (typeof api !== 'string') return undefined
  return typeof admin === 'string' ? { api, admin } : { api }
}

/** Whether a worker asks for the end of all. */
export function asksToDrain(message: unknown): boolean {
  return (Object(message) as { drain?: unknown }).drain === true
}

function busMessageOf(message: unknown): string | undefined {
  const { bus } = Object(message) as { bus?: unknown }
  return typeof bus === 'string' ? bus : undefined
}
