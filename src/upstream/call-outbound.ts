import { pathOnAccount } from '../accounts/base-url.ts'
import type { Routed } from '../exchange.ts'
import { encodeForm } from '../media/form-bytes.ts'
import type { VideoCall } from '../media/video.ts'
import type { Outbound } from '../plugin.ts'

/**
 * A request that the gateway itself makes to an account. Of the client's headers none goes along:
 * what they mean is another request's business.
 */
export function createCallOutbound({ candidate, request }: Routed, call: VideoCall): Outbound {
  const { account, dialect } = candidate
  const { upstream } = dialect
  if (!upstream) throw new Error(`Dialect "${dialect.name}" has no upstream side.`)
  const path = pathOnAccount(account, upstream, call.path)
  const body = bodyOf(call)
  return {
    method: call.method,
    origin: account.origin,
    path: call.query ? `${path}?${call.query}` : path,
    headers: {
      accept: 'application/json',
      'accept-encoding': 'identity',
      ...upstream.headers(account, { ...request, headers: {}, query: '' }),
      ...(body && { 'content-type': body.type }),
    },
    body: body?.bytes ?? null,
  }
}

function bodyOf({ json, form }: VideoCall): { bytes: Buffer; type: string } | undefined {
  if (form) return encodeForm(form)
  return json && { bytes: Buffer.from(JSON.stringify(json)), type: 'application/json' }
}
