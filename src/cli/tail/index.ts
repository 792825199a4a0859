import type { Invocation } from '../command.ts'
import { requireRemote } from '../remote/address.ts'
import { adminClientOf } from '../remote/client.ts'
import { shutdownSignal } from '../signals.ts'
import { describeEvent } from './describe.ts'
import { follow } from './follow.ts'
import { variablesOf } from './input.ts'

/** `dragoman tail --url URL`: prints one line for each event, until Ctrl-C. A slow reader slows it down. */
export async function run(invocation: Invocation): Promise<number> {
  requireRemote(invocation, 'tail')
  const { terminal, options } = invocation
  const variables = variablesOf(options)
  const client = adminClientOf(invocation)
  const stop = new AbortController()
  void shutdownSignal().then(() => stop.abort())
  const events = follow(client, { variables, signal: stop.signal, say: terminal.say })
  for await (const event of events) {
    const line =
      options['json'] === undefined ? describeEvent(event, Date.now()) : JSON.stringify(event)
    await terminal.print(`${line}\n`)
  }
  return 0
}
