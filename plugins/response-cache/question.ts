import { createHash } from 'node:crypto'

import type { Understood } from '../../src/contract/exchange.ts'
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
  if (call.refersTo.length > 0 || mayBeContinued(operation.id, body.json)) return false
  return temperature === 'any' || temperatureOf(body.json) === 0
}

/** Responses are kept by the provider unless the request says otherwise. */
function mayBeContinued(operation: string, json: Readonly<Record<string, unknown>>): boolean {
  return operation.startsWith('responses.') && json['store'] !== false
}

function temperatureOf(json: Readonly<Record<string, unknown>>): unknown {
  const config = json['generationConfig'] ?? json['generation_config']
  return isObject(config) ? config.temperature : json['temperature']
}

/** All that a reply depends on. With `key`, the caller too: no key gets what another has asked for. */
export function nameOf(
  { caller, request, body, model, dialect }: Understood,
  share: 'key' | 'all',
): string {
  const query = new URLSearchParams(request.query)
  // The secret of a client, which may differ between equal requests.
  query.delete('key')
  query.sort()
  const owner = share === 'key' ? caller.keyId : ''
  // The version of the API and the betas that a client asks for change what it gets.
  const { 'anthropic-version': version, 'anthropic-beta': betas, accept } = request.headers
  const facts = [
    owner,
    dialect.id,
    request.path,
    query.toString(),
    model.name,
    version,
    betas,
    accept,
  ]
  return createHash('sha256').update(JSON.stringify(facts)).update(body.bytes).digest('hex')
}
