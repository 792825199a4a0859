import { callAffinity, sessionAffinity } from '../../../src/kit/affinity-keys.ts'
import type { RequestBody } from '../../../src/contract/body.ts'
import {
  checkObject,
  checkArray,
  checkStringOrObject,
  isPresent,
  requireField,
  wrong,
} from '../../../src/kit/checks.ts'
import type { Call } from '../../../src/contract/call.ts'
import type { Authenticated } from '../../../src/contract/exchange.ts'
import type { ClientRequest } from '../../../src/contract/request.ts'
import { type ByteRange, findMember } from '../../../src/lib/json/scan.ts'
import { objectsIn, objectAt, stringAt } from '../../../src/lib/json/read.ts'
import { generateEdits } from './edits.ts'
import { modelOfPath } from '../shared/google-paths.ts'

/**
 * Validates a request and returns its call. It checks the fields that docs/wire/contract.md 3 bounds, in
 * camelCase and snake_case, which the provider both accepts. Throws a `GatewayError` with `param`.
 */
export function understandGenerate(
  exchange: Authenticated,
  body: RequestBody,
  stream: boolean,
): Call {
  const { json } = body
  requireField(json, 'contents')
  checkArray(json, 'contents', 1)
  for (const name of objects) checkObject(json, name)
  // The provider takes one tool in place of a list of one.
  if (!Array.isArray(json.tools)) checkObject(json, 'tools')
  for (const name of ['safetySettings', 'safety_settings']) checkArray(json, name)
  for (const name of ['systemInstruction', 'system_instruction']) checkStringOrObject(json, name)
  return {
    ...callOf(exchange, stream),
    affinity: [
      ...callAffinity(json.contents, callIdsOf),
      ...sessionAffinity(exchange.request.headers),
    ],
    edits: generateEdits(body),
    ...otherModelsOf(json),
  }
}

/** Returns the model to which the request asks its account to route it (Vertex AI alone does). */
function otherModelsOf(json: RequestBody['json']): Pick<Call, 'otherModels'> {
  const config = objectAt(json, 'generationConfig') ?? objectAt(json, 'generation_config')
  const routing = objectAt(config, 'routingConfig') ?? objectAt(config, 'routing_config')
  const manual = objectAt(routing, 'manualMode') ?? objectAt(routing, 'manual_mode')
  const name = stringAt(manual, 'modelName') ?? stringAt(manual, 'model_name')
  const field = 'generationConfig.routingConfig.manualMode.modelName'
  return name === undefined ? {} : { otherModels: [{ name, field }] }
}

const objects = ['generationConfig', 'generation_config', 'toolConfig', 'tool_config']

function callIdsOf(content: unknown): readonly (string | undefined)[] {
  if (stringAt(content, 'role') !== 'model') return []
  return objectsIn((content as RequestBody['json']).parts).map((one) =>
    stringAt(objectAt(one, 'functionCall') ?? objectAt(one, 'function_call'), 'id'),
  )
}

/** Validates a token count, whose contents may be inside a complete request. */
export function understandCount(exchange: Authenticated, body: RequestBody): Call {
  const { json, members, bytes } = body
  const name = wrappers.find((wrapper) => isPresent(json, wrapper))
  if (name === undefined) requireField(json, 'contents')
  checkArray(json, 'contents', 1)
  const call = { ...callOf(exchange, false), edits: generateEdits(body, name) }
  const wrapper = name === undefined ? undefined : members.get(name)
  const inner = wrapper && findMember(bytes, wrapper.start, 'model')
  return inner
    ? { ...call, ...innerModel(exchange, call, stringAt(json[name ?? ''], 'model'), inner) }
    : call
}

const wrappers = ['generateContentRequest', 'generate_content_request']

/** Checks that the wrapped request names the model of the path, which the API key allows. */
function innerModel(
  { params }: Authenticated,
  call: Call,
  inner: string | undefined,
  at: ByteRange,
): Pick<Call, 'modelAt' | 'modelPrefix'> {
  const prefix = inner?.startsWith('models/') ? 'models/' : ''
  const name = inner?.slice(prefix.length)
  if (name !== call.model && name !== params.model) {
    throw wrong('generateContentRequest.model', 'the model of the path')
  }
  return { modelAt: at, modelPrefix: prefix }
}

function callOf(exchange: Authenticated, stream: boolean): Call {
  return { ...modelOfPath(exchange), stream, refersTo: [], edits: [], losses: [] }
}

/** Whether the client requests a stream of server-sent events; otherwise it is one JSON array. */
export function wantsEvents({ query, headers }: Pick<ClientRequest, 'query' | 'headers'>): boolean {
  return (
    new URLSearchParams(query).get('alt') === 'sse' ||
    /\btext\/event-stream\b/.test(headers.accept ?? '')
  )
}
