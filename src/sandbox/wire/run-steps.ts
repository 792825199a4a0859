import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Step } from './steps.ts'

/** A reply that is being sent on a connection. */
export type Delivery = {
  response: ServerResponse
  /** Fires when the connection closes, also when the client disconnects. */
  signal: AbortSignal
  /** Marks the reply as complete: the sandbox sent all that it planned. */
  complete(): void
}

/** Carries out the steps of a reply. Resolves early when the client disconnects. */
export async function runSteps(steps: Step[], delivery: Delivery): Promise<void> {
  delivery.response.flushHeaders()
  try {
    for (const step of steps) await runStep(step, delivery)
  } catch (error) {
    if (!delivery.signal.aborted) throw error
  }
}

async function runStep(step: Step, delivery: Delivery): Promise<void> {
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

// Node joins the writes of one turn; a turn in between makes each write a packet of its own.
async function send(bytes: Buffer, { response, signal }: Delivery): Promise<void> {
  signal.throwIfAborted()
  if (!response.write(bytes)) await once(response, 'drain', { signal })
  await nextTurn(undefined, { signal })
}
