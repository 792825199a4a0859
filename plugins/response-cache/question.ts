import { createHash } from 'node:crypto'

import type { Understood } from '../../src/contract/exchange.ts'
import { forwardedHeaders } from '../../src/exchange/headers.ts'
import { isObject } from '../../src/lib/json/object.ts'

/** In bytes. Hashing a longer body would stall other clients. */
const longestQuestion = 1024 * 1024

/** Whether another call with the same bytes may get the same reply. */
export function isCacheable(
  { body, call, operation }: Understood,
  temperature: 'zero' | 'any',
): boolean {
  if (operation.capability !== 'generate' || body.form) return false
  if (body.bytes.length > longestQuestion) return false
  // A reply that goes on from another one, or that can be read or continued later, belongs to its call.
  if (call.refersTo.length > 0 || call.names?.length || call.replyNamedAs) return false
  if (mayBeContinued(operation.id, body.json)) return false
  return temperature === 'any' || temperatureOf(body.json) === 0
}

/** Responses are kept by the provider unless the request says otherwise, chat completions if it says so. */
function mayBeContinued(operation: string, json: Readonly<Record<string, unknown>>): boolean {
  return operation.startsWith('responses.') ? json['store'] !== false : json['store'] === true
}

function temperatureOf(json: Readonly<Record<string, unknown>>): unknown {
  const config = json['generationConfig'] ?? json['generation_config']
  return isObject(config) ? config.temperature : json['temperature']
}

/**
 * All that a reply depends on; `pipeline` is a fingerprint of the plugins that shape it. With `key`, the caller
 * too, so that no key gets a reply to another key.
 */
export function nameOf(exchange: Understood, share: 'key' | 'all', pipeline: string): string {
  const { caller, request, body, model, dialect } = exchange
  const query = new URLSearchParams(request.query)
  // The secret of a client, which may differ between equal requests.
  query.delete('key')
  query.sort()
  const owner = share === 'key' ? caller.keyId : ''
  const facts = [
    owner,
    pipeline,
    dialect.id,
    request.path,
    query.toString(),
    model.name,
    // A key with a stricter policy must not get a reply with losses that another key allows.
    caller.losses,
    request.headers.accept,
    headersOf(exchange),
  ]
  return createHash('sha256').update(JSON.stringify(facts)).update(body.bytes).digest('hex')
}

/** Headers that differ between equal requests, and that no reply depends on. */
const ofOneRequest =
  /^(?:user-agent|idempotency-key|x-client-request-id|x-stainless-.*|session[-_]id|x-session-.*)$/

/** The headers of the client that an account may get: versions, betas, and the headers that its configuration names. */
function headersOf(exchange: Understood): readonly (readonly [string, string])[] {
  const { request, model, dialect, operation, snapshot, caller, credential } = exchange
  const forwarded: Record<string, string> = {}
  for (const candidate of snapshot.pool(model.name, dialect, operation.capability ?? '')) {
    const { upstream } = candidate.dialect
    if (!upstream) continue
    const recipient = { upstream, account: candidate.account, credential, keyId: caller.keyId }
    Object.assign(forwarded, forwardedHeaders(request.headers, recipient))
  }
  return Object.entries(forwarded)
    .filter(([name]) => !ofOneRequest.test(name))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
}
