import type { Routed } from '../contract/exchange.ts'
import type { AccountCall } from '../media/account-call.ts'
import { encodeForm } from '../body/form/encode.ts'
import type { Outbound } from '../contract/attempt.ts'
import { createOutbound, withoutHeaders } from './outbound.ts'

/** Clients steer the sandbox by this header. */
const steering = 'x-sandbox'

/**
 * A request that the gateway itself makes to an account. None of the client's headers go along: they
 * belong to another request. The header that steers the sandbox does where the account is asked in
 * the client's own dialect, as with requests that pass as they are.
 */
export function createAccountRequest({ candidate, request }: Routed, call: AccountCall): Outbound {
  const body = bodyOf(call)
  const steered = candidate.native ? request.headers[steering] : undefined
  return createOutbound(candidate, withoutHeaders(request), {
    method: call.method,
    path: call.path,
    query: call.query,
    accept: 'application/json',
    contentType: body?.type,
    headers: typeof steered === 'string' ? { [steering]: steered } : undefined,
    body: body?.bytes ?? null,
  })
}

function bodyOf({ json, form }: AccountCall): { bytes: Buffer; type: string } | undefined {
  if (form) return encodeForm(form)
  return json && { bytes: Buffer.from(JSON.stringify(json)), type: 'application/json' }
}
