import type { IncomingHttpHeaders } from 'node:http'

import type { RequestBody } from '../../../src/contract/body.ts'
import {
  checkArray,
  checkBoolean,
  checkChoice,
  checkInteger,
  checkNumber,
  checkObject,
  checkString,
  checkStringOrObject,
  checkWord,
  isPresent,
  requireField,
  requireString,
  wrong,
} from '../../../src/kit/checks.ts'
import type { Call, Reference } from '../../../src/contract/call.ts'
import type { ClientRequest } from '../../../src/contract/request.ts'
import { stringAt } from '../../../src/lib/json/read.ts'
import { findMember } from '../../../src/lib/json/scan.ts'
import { includable } from './codec/decode-request/decode-hints.ts'
import { responsesEdits } from './edits.ts'
import { namedDataOf } from './named-data.ts'
import { sessionAffinity, withAffinity } from '../../../src/kit/affinity-keys.ts'

/**
 * Returns the call of `POST /v1/responses`. It validates the fields of docs/wire/contract.md and
 * accepts unknown ones; throws `GatewayError`.
 */
export function understandResponses(request: ClientRequest, body: RequestBody): Call {
  const { json } = body
  const call = understandInput(request, body)
  // A stored prompt may contain the input (SDK type `ResponsePrompt`).
  if (!isPresent(json, 'prompt') || typeof json.prompt === 'string') requireField(json, 'input')
  checkSampling(json)
  return {
    ...call,
    stream: json.stream === true,
    ...(json.background === true && backgroundCall),
  }
}

/** A background response is billed and stays retrievable even if the client disconnects. */
const backgroundCall: Pick<Call, 'finishWithoutClient' | 'nativeOnly'> = {
  finishWithoutClient: true,
  nativeOnly: {
    field: 'background',
    reason: 'a background response can only be looked up on the account that runs it',
  },
}

/**
 * Returns the call of a request with a model and an input: a response, a token count, a compaction.
 */
export function understandInput({ headers }: ClientRequest, body: RequestBody): Call {
  const { json, members } = body
  const model = requireString(json, 'model')
  const refersTo = readPreviousResponse(json)
  checkInput(json)
  checkShapes(json)
  return {
    model,
    stream: false,
    refersTo: [...refersTo, ...readConversation(body)],
    ...namedDataOf(json),
    affinity: readAffinity(json, headers),
    edits: responsesEdits(body),
    losses: [],
    modelAt: members.get('model'),
  }
}

/**
 * Returns the chained response, if any. Throws unless the id is absent, `null` or a non-blank
 * string.
 */
function readPreviousResponse(json: RequestBody['json']): Reference[] {
  if (!isPresent(json, 'previous_response_id')) return []
  const id = json.previous_response_id
  if (typeof id !== 'string' || id.trim() === '') {
    throw wrong('previous_response_id', 'a non-empty string')
  }
  return [{ kind: 'response', id, use: 'chain' }]
}

/** Returns the conversation that the response is added to, given as an id or an object with an id. */
function readConversation({ json, members, bytes }: RequestBody): Reference[] {
  if (!isPresent(json, 'conversation')) return []
  const { conversation } = json
  const id = typeof conversation === 'string' ? conversation : stringAt(conversation, 'id')
  if (id === undefined || id.trim() === '') {
    throw wrong('conversation', 'the id of a conversation, or an object with its `id`')
  }
  const member = members.get('conversation')
  const isText = typeof conversation === 'string'
  const at = !member || isText ? member : findMember(bytes, member.start, 'id')
  return [{ kind: 'conversation', id, use: 'own', ...(at && { at }) }]
}

function checkInput(json: RequestBody['json']): void {
  const { input } = json
  if (isPresent(json, 'input') && typeof input !== 'string' && !Array.isArray(input)) {
    throw wrong('input', 'a string or an array of input items')
  }
}

function checkSampling(json: RequestBody['json']): void {
  checkNumber(json, 'temperature', 0, 2)
  checkNumber(json, 'top_p', 0, 1)
  checkInteger(json, 'top_logprobs', 0, 20)
  checkInteger(json, 'max_output_tokens', 0)
  checkInteger(json, 'max_tool_calls', 0)
  for (const name of ['frequency_penalty', 'presence_penalty']) checkNumber(json, name, -2, 2)
}

const strings = ['instructions', 'service_tier', 'user', 'safety_identifier', 'prompt_cache_key']

function checkInclude(json: RequestBody['json']): void {
  checkArray(json, 'include')
  const include = (json.include ?? []) as readonly unknown[]
  for (const [index, value] of include.entries()) {
    if (!includable.has(value)) {
      throw wrong(`include[${index}]`, `one of ${[...includable].join(', ')}`)
    }
  }
}

function checkShapes(json: RequestBody['json']): void {
  for (const name of strings) checkString(json, name)
  checkStringOrObject(json, 'prompt')
  checkChoice(json, 'tool_choice', ['none', 'auto', 'required'], 'type')
  for (const name of ['stream', 'store', 'parallel_tool_calls', 'background']) {
    checkBoolean(json, name)
  }
  checkArray(json, 'tools')
  checkWord(json, 'truncation', ['auto', 'disabled'])
  checkInclude(json)
  for (const name of ['metadata', 'text', 'reasoning', 'stream_options']) checkObject(json, name)
  if (isPresent(json, 'stream_options') && json.stream !== true) {
    throw wrong('stream_options', 'left out unless `stream` is true')
  }
}

/** Maximum number of item ids used: the last items name the most recent account. */
const maxItems = 8

/** Returns the affinity keys of a request, the strongest first. */
function readAffinity(
  json: Readonly<Record<string, unknown>>,
  headers: IncomingHttpHeaders,
): readonly string[] {
  const items = itemAffinity(json.input)
  return [...withAffinity(items, 'cache', json.prompt_cache_key), ...sessionAffinity(headers)]
}

/** Returns affinity keys for the ids of replayed or referenced items, the last items first. */
export function itemAffinity(items: unknown): readonly string[] {
  let keys: readonly string[] = []
  if (!Array.isArray(items)) return keys
  for (let index = items.length - 1; index >= 0 && keys.length < maxItems; index--) {
    const id = stringAt(items[index], 'id')
    if (id !== undefined) keys = withAffinity(keys, 'item', id)
  }
  return keys
}
