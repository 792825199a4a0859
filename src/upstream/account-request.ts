import type { Routed } from '../contract/exchange.ts'
import type { AccountCall } from '../media/account-call.ts'
import { encodeForm } from '../body/form/encode.ts'
import type { Outbound } from '../contract/attempt.ts'
import { createOutbound, withoutHeaders } from './outbound.ts'

/** The header by which clients control the sandbox (docs/sandbox.md). */
const sandboxHeader = 'x-sandbox'

/**
 * Builds a request that the gateway itself makes to an account, such as a poll or a download. It
 * carries no headers of the client, which belong to another request, except that native candidates
 * get the client's sandbox header, as native requests do.
 */
export function createAccountRequest({ candidate, request }: Routed, call: AccountCall): Outbound {
  const body = bodyOf(call)
  const sandboxValue = candidate.native ? request.headers[sandboxHeader] : undefined
  return createOutbound(candidate, withoutHeaders(request), {
    method: call.method,
    path: call.path,
    query: call.query,
    accept: 'application/json',
    contentType: body?.type,
    headers: typeof sandboxValue === 'string' ? { [sandboxHeader]: sandboxValue } : undefined,
    body: body?.bytes ?? null,
  })
}

function bodyOf({ json, form }: AccountCall): { bytes: Buffer; type: string } | undefined {
  if (form) return encodeForm(form)
  return json && { bytes: Buffer.from(JSON.stringify(json)), type: 'application/json' }
}
