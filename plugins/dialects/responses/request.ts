import type { RequestBody } from '../../../src/contract/body.ts'
import {
  checkArray,
  checkBoolean,
  checkInteger,
  checkNumber,
  checkObject,
  checkString,
  checkStringOrObject,
  isPresent,
  requireField,
  requireString,
  wrong,
} from '../../../src/kit/checks.ts'
import type { Call, ItemReference, Reference } from '../../../src/contract/call.ts'
import type { ClientRequest } from '../../../src/contract/request.ts'
import { stringAt } from '../../../src/lib/json/read.ts'
import { readAffinity } from './affinity.ts'
import { responsesEdits } from './edits.ts'

/** Checks what the contract bounds and accepts every field that it does not name. */
export function understandResponses(request: ClientRequest, body: RequestBody): Call {
  const { json } = body
  const call = understandInput(request, body)
  // A stored prompt may bring the input along (SDK type `ResponsePrompt`).
  if (!isPresent(json, 'prompt') || typeof json.prompt === 'string') requireField(json, 'input')
  checkSampling(json)
  return {
    ...call,
    stream: json.stream === true,
    ...(json.background === true && inBackground),
  }
}

/** Its id was asked for, and the work is paid for, whoever still listens. */
const inBackground: Pick<Call, 'finishWithoutClient' | 'nativeOnly'> = {
  finishWithoutClient: true,
  nativeOnly: {
    field: 'background',
    reason: 'work in the background is looked up where it is done',
  },
}

/** What a response, a token count and a compaction have in common: a model and an input for it. */
export function understandInput({ headers }: ClientRequest, body: RequestBody): Call {
  const { json, members } = body
  const model = requireString(json, 'model')
  const refersTo = readPreviousResponse(json)
  checkInput(json)
  checkShapes(json)
  return {
    model,
    stream: false,
    refersTo: [...refersTo, ...readConversation(json)],
    ...itemReferencesOf(json.input),
    affinity: readAffinity(json, headers),
    edits: responsesEdits(body),
    losses: [],
    modelAt: members.get('model'),
  }
}

/** Absent and `null` mean no chain; anything but a string that says something is an error. */
function readPreviousResponse(json: RequestBody['json']): Reference[] {
  if (!isPresent(json, 'previous_response_id')) return []
  const id = json.previous_response_id
  if (typeof id !== 'string' || id.trim() === '') {
    throw wrong('previous_response_id', 'a non-empty string')
  }
  return [{ kind: 'response', id, use: 'chain' }]
}

/** The conversation that a response becomes a part of: its id, or an object with its id. */
function readConversation(json: RequestBody['json']): Reference[] {
  if (!isPresent(json, 'conversation')) return []
  const { conversation } = json
  const id = typeof conversation === 'string' ? conversation : stringAt(conversation, 'id')
  if (id === undefined || id.trim() === '') {
    throw wrong('conversation', 'the id of a conversation, or an object with its `id`')
  }
  return [{ kind: 'conversation', id, use: 'own' }]
}

/** Without a type an item is a reference where there is an id and no role. */
function itemReferencesOf(input: unknown): Pick<Call, 'itemReferences'> | undefined {
  if (!Array.isArray(input)) return undefined
  const references: ItemReference[] = []
  for (const [index, item] of input.entries()) {
    const { type, id, role } = Object(item) as Record<string, unknown>
    const isReference = type === 'item_reference' || ((type ?? role) == null && id !== undefined)
    if (isReference && typeof id === 'string') references.push({ id, field: `input[${index}]` })
  }
  return references.length > 0 ? { itemReferences: references } : undefined
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
}

const strings = [
  'instructions',
  'truncation',
  'service_tier',
  'user',
  'safety_identifier',
  'prompt_cache_key',
]

function checkShapes(json: RequestBody['json']): void {
  for (const name of strings) checkString(json, name)
  for (const name of ['tool_choice', 'prompt']) checkStringOrObject(json, name)
  for (const name of ['stream', 'store', 'parallel_tool_calls', 'background']) {
    checkBoolean(json, name)
  }
  for (const name of ['tools', 'include']) checkArray(json, name)
  for (const name of ['metadata', 'text', 'reasoning', 'stream_options']) checkObject(json, name)
  if (isPresent(json, 'stream_options') && json.stream !== true) {
    throw wrong('stream_options', 'left out unless `stream` is true')
  }
}
