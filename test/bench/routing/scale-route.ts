/** Routing alone: from a request and the bytes of its body to the account that is asked. */

import { Latencies } from '../../../src/accounts/latencies.ts'
import { AccountSlots } from '../../../src/accounts/slots.ts'
import { PassThrough } from 'node:stream'

import { parseJsonBody } from '../../../src/body/read-body.ts'
import { route as rankAccounts } from '../../../src/route/route.ts'
import type { ForwardOperation } from '../../../src/contract/operation.ts'
import type { ClientConnection } from '../../../src/contract/request.ts'
import { resolveModel } from '../../../src/kit/models.ts'
import { isRefused } from '../../../src/exchange/identify.ts'
import {
  enterAuthenticated,
  enterCall,
  enterIdentified,
  enterReceived,
  enterUnderstood,
} from '../../../src/exchange/record.ts'
import { requestHeaders } from '../request.ts'
import { resourceId } from './ids.ts'
import { modelOf, type World } from './scale-world.ts'

const slots = new AccountSlots()

const headers = requestHeaders()
const nobody = new PassThrough()
const client: ClientConnection = {
  gone: false,
  onGone: () => () => {},
  watch() {},
  unwatch() {},
  reset() {},
  signal: AbortSignal.any([]),
}

/** The bodies of so many calls: every second one goes on from a response, those far apart in turn. */
export function callsTo(world: World, calls: number): Buffer[] {
  return Array.from({ length: calls }, (_, call) => {
    const count = (call * 7_919) % world.bindings
    const chain = call % 2 === 0 && { previous_response_id: resourceId('resp', count) }
    const input = [{ role: 'user', content: 'And at low water, what does the harbour pilot do?' }]
    return Buffer.from(JSON.stringify({ model: modelOf(world, count), ...chain, input }))
  })
}

/** The same steps in the same order as `createGateway` takes them, without network and reply. */
export async function route(world: World, body: Buffer): Promise<string> {
  const { dialect, hooks, snapshot } = world
  const request = {
    method: 'POST',
    path: '/v1/responses',
    query: '',
    headers,
    remoteAddress: '127.0.0.1',
    stream: nobody,
  }
  const operation = dialect.operations[0] as ForwardOperation
  const received = enterReceived('req', request, client, snapshot)
  const identified = enterIdentified(received, dialect, operation, {})
  const credential = dialect.credential(request)
  const caller = await hooks.authenticate(identified, credential)
  if (!caller || isRefused(caller)) throw new Error('Nobody knows the caller.')
  const authenticated = enterAuthenticated(identified, caller, credential)
  const parsed = parseJsonBody(body)
  const call = await operation.understand(authenticated, parsed)
  enterCall(authenticated, call)
  const understood = enterUnderstood(authenticated, parsed, call, resolveModel(authenticated, call))
  const ranking = await rankAccounts(understood, { hooks, slots, latencies: new Latencies() })
  const chosen = ranking.next()
  if (!chosen) throw new Error('Nobody was chosen.')
  return chosen.account.id
}
