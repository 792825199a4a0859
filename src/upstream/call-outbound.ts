import { pathOnAccount } from '../accounts/base-url.ts'
import type { Routed } from '../contract/exchange.ts'
import type { AccountCall } from '../media/account-call.ts'
import { encodeForm } from '../body/form/encode.ts'
import type { Outbound } from '../contract/attempt.ts'

/** By this header clients steer the sandbox, whatever it is asked for. */
const steering = 'x-sandbox'

/**
 * A request that the gateway itself makes to an account. Of the client's headers none goes along:
 * what they mean is another request's business. What steers the sandbox does where the account is
 * asked in the client's own dialect, as with requests that go on as they came.
 */
export function createAccountRequest({ candidate, request }: Routed, call: AccountCall): Outbound {
  const { account, dialect, native } = candidate
  const { upstream } = dialect
  if (!upstream) throw new Error(`Dialect "${dialect.name}" has no upstream side.`)
  const path = pathOnAccount(account, upstream, call.path)
  const body = bodyOf(call)
  const steered = native ? request.headers[steering] : undefined
  return {
    method: call.method,
    origin: account.origin,
    path: call.query ? `${path}?${call.query}` : path,
    headers: {
      accept: 'application/json',
      'accept-encoding': 'identity',
      ...upstream.headers(account, { ...request, headers: {}, query: '' }),
      ...(body && { 'content-type': body.type }),
      ...(typeof steered === 'string' && { [steering]: steered }),
    },
    body: body?.bytes ?? null,
  }
}

function bodyOf({ json, form }: AccountCall): { bytes: Buffer; type: string } | undefined {
  if (form) return encodeForm(form)
  return json && { bytes: Buffer.from(JSON.stringify(json)), type: 'application/json' }
}
