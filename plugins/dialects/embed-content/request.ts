import type { RequestBody } from '../../../src/contract/body.ts'
import type { Call } from '../../../src/contract/call.ts'
import type { Authenticated, Routed } from '../../../src/contract/exchange.ts'
import { checkArray, checkObject, isPresent, requireField, wrong } from '../../../src/kit/checks.ts'
import type { ByteEdit } from '../../../src/lib/json/edit.ts'
import { isObject } from '../../../src/lib/json/object.ts'
import { decodeString, eachElement, findMember } from '../../../src/lib/json/scan.ts'
import { modelOfPath } from '../shared/google-paths.ts'
import { mostContents } from './codec.ts'

/** A call, and for how many contents it asks. */
export interface ContentCall extends Call {
  readonly inputs: number
}

/** Checks a request to embed one content. Throws `GatewayError` with `param`. */
export function understandOne(
  exchange: Authenticated,
  { json, members }: RequestBody,
): ContentCall {
  checkContent(json)
  const call = callOf(exchange, 1)
  const inner = isPresent(json, 'model') ? checkModel(exchange, json.model, 'model') : undefined
  return inner === undefined
    ? call
    : { ...call, model: inner.name, modelAt: members.get('model'), modelPrefix: inner.prefix }
}

/** Checks a request to embed a batch. Throws `GatewayError` with `param`. */
export function understandBatch(exchange: Authenticated, { json }: RequestBody): ContentCall {
  requireField(json, 'requests')
  checkArray(json, 'requests', 1, mostContents)
  const requests = json.requests as unknown[]
  for (const [index, item] of requests.entries()) {
    const path = `requests[${index}]`
    if (!isObject(item)) throw wrong(path, 'an object')
    checkContent(item, path)
    if (isPresent(item, 'model')) checkModel(exchange, item.model, `${path}.model`)
  }
  return callOf(exchange, requests.length)
}

function checkContent(json: RequestBody['json'], path?: string): void {
  requireField(json, 'content', path)
  checkObject(json, 'content', path)
}

function callOf(exchange: Authenticated, inputs: number): ContentCall {
  return { ...modelOfPath(exchange), stream: false, refersTo: [], edits: [], losses: [], inputs }
}

const prefix = 'models/'

/** A request names the model of the path, which the API key allows. */
function checkModel(exchange: Authenticated, model: unknown, field: string) {
  const name = typeof model === 'string' ? model.replace(prefix, '') : ''
  const { model: own, alternatives } = modelOfPath(exchange)
  if (name !== own && !alternatives.includes(name)) throw wrong(field, 'the model of the path')
  return { name: own, prefix: String(model).startsWith(prefix) ? prefix : '' }
}

/** The edits that give each request of a batch the account's name of the model. */
export function batchModelEdits({ body, candidate }: Routed): ByteEdit[] {
  const { bytes, members } = body
  const list = members.get('requests')
  if (!list) return []
  const name = JSON.stringify(prefix + candidate.upstreamModel.replace(prefix, ''))
  const edits: ByteEdit[] = []
  eachElement(bytes, list.start, ({ start }) => {
    const at = findMember(bytes, start, 'model')
    if (at && JSON.stringify(decodeString(bytes, at)) !== name) edits.push({ ...at, text: name })
  })
  return edits
}
