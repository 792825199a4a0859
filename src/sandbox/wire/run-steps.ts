import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Step } from './steps.ts'

/** The reply under way on one connection. */
export type Delivery = {
  response: ServerResponse
  /** Fires when the connection is done with, also when the client has gone away. */
  signal: AbortSignal
  /** Says that the sandbox has done all it meant to do with this request. */
  complete(): void
}

/** Plays a score on the connection. Ends early, without a throw, when the client goes away. */
export async function runSteps(steps: Step[], delivery: Delivery): Promise<void> {
  delivery.response.flushHeaders()
  try {
    for (const step of steps) await play(step, delivery)
  } catch (error) {
    if (!delivery.signal.aborted) throw error
  }
}

async function play(step: Step, delivery: Delivery): Promise<void> {
  const { response, signal } = delivery
  switch (step.do) {
    case 'send':
      return send(step.bytes, delivery)
    case 'wait':
      await sleep(step.milliseconds, undefined, { signal })
      return
    case 'end':
      response.end()
      return
    case 'destroy':
      delivery.complete()
      response.socket?.destroySoon()
      return
    case 'stall':
      if (!signal.aborted) await once(signal, 'abort')
  }
}

// Writes of the same turn leave as one; a turn in between keeps each write a packet of its own.
async function send(bytes: Buffer, { response, signal }: Delivery): Promise<void> {
  signal.throwIfAborted()
  if (!response.write(bytes)) await once(response, 'drain', { signal })
  await nextTurn(undefined, { signal })
}
