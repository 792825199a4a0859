import { callAffinity, sessionAffinity, withAffinity } from '../../../src/kit/affinity-keys.ts'
import type { RequestBody } from '../../../src/contract/body.ts'
import {
  checkArray,
  checkBoolean,
  checkChoice,
  checkInteger,
  checkNumber,
  checkObject,
  checkStop,
  checkString,
  checkStrings,
  checkWord,
  isPresent,
  requireField,
  requireString,
  wrong,
} from '../../../src/kit/checks.ts'
import type { Call } from '../../../src/contract/call.ts'
import type { NamedData } from '../../../src/contract/stored-data.ts'
import type { ClientRequest } from '../../../src/contract/request.ts'
import { isObject } from '../../../src/lib/json/object.ts'
import { objectsIn, stringAt } from '../../../src/lib/json/read.ts'
import { OtherModels } from '../shared/other-models.ts'
import { chatEdits } from './edits.ts'

/** In bytes. The gateway reads the options of each stream, so that a client cannot make them long. */
const longestOptions = 1024

function checkStreamOptions({ json, members }: RequestBody): void {
  const at = members.get('stream_options')
  if (at && at.end - at.start > longestOptions) {
    throw wrong('stream_options', `at most ${longestOptions} bytes`)
  }
  checkObject(json, 'stream_options')
}

/** Bounds of `seed` (docs/wire/contract.md 3: about plus or minus 2^63, as a double). */
const seedLimit = 9223372036854776000

/**
 * Validates a chat request and returns its call. It checks the fields that docs/wire/contract.md 3 bounds
 * and accepts every other field. Throws a `GatewayError` with `param`.
 */
export function understandChat({ headers }: ClientRequest, body: RequestBody): Call {
  const { json } = body
  const model = requireString(json, 'model')
  requireField(json, 'messages')
  checkArray(json, 'messages', 1)
  checkSampling(json)
  checkLists(json)
  checkStreamOptions(body)
  checkShapes(json)
  const { edits, losses } = chatEdits(body)
  return {
    model,
    stream: json.stream === true,
    refersTo: [],
    affinity: [
      ...callAffinity(json.messages, callIdsOf),
      ...withAffinity([], 'cache', json.prompt_cache_key),
      ...sessionAffinity(headers),
    ],
    edits,
    losses,
    modelAt: body.members.get('model'),
    ...spokenBefore(json.messages),
    ...otherModelsOf(json),
  }
}

/** Returns the fallback models that a request names, and the models of tools that accounts run themselves. */
function otherModelsOf(json: RequestBody['json']): Pick<Call, 'otherModels'> {
  const models = new OtherModels()
  models.noteStandIns(json)
  models.noteTools(json.tools, 'tools')
  return models.ofCall
}

/** Returns the audio of earlier answers, which the account stores (docs/wire/contract.md 4.1). */
function spokenBefore(messages: unknown): Pick<Call, 'names'> | undefined {
  if (!Array.isArray(messages)) return undefined
  let names: NamedData[] | undefined
  for (let index = 0; index < messages.length; index++) {
    const audio: unknown = (messages[index] as { audio?: unknown } | null | undefined)?.audio
    const id = audio ? stringAt(audio, 'id') : undefined
    if (id === undefined) continue
    const field = `messages[${index}].audio.id`
    ;(names ??= []).push({ kind: 'audio', id, field, isReference: true })
  }
  return names && { names }
}

function callIdsOf(message: unknown): readonly (string | undefined)[] {
  const calls = (message as RequestBody['json'] | null)?.tool_calls
  return calls ? objectsIn(calls).map((call) => stringAt(call, 'id')) : []
}

function checkSampling(json: RequestBody['json']): void {
  checkBoolean(json, 'stream')
  checkBoolean(json, 'logprobs')
  checkNumber(json, 'temperature', 0, 2)
  checkNumber(json, 'top_p', 0, 1)
  checkNumber(json, 'frequency_penalty', -2, 2)
  checkNumber(json, 'presence_penalty', -2, 2)
  checkInteger(json, 'seed', -seedLimit, seedLimit)
  checkInteger(json, 'n', 1, 128)
  checkInteger(json, 'max_tokens', 0)
  checkInteger(json, 'max_completion_tokens', 0)
  checkInteger(json, 'top_logprobs', 0, 20)
  if (isPresent(json, 'top_logprobs') && json.top_logprobs !== 0 && json.logprobs !== true) {
    throw wrong('top_logprobs', 'left out unless `logprobs` is true')
  }
}

const strings = ['user', 'safety_identifier', 'prompt_cache_key', 'service_tier']

function checkShapes(json: RequestBody['json']): void {
  for (const name of strings) checkString(json, name)
  checkChoice(json, 'tool_choice', ['none', 'auto', 'required'], 'type')
  checkChoice(json, 'function_call', ['none', 'auto'], 'name')
  checkBoolean(json, 'store')
  checkBoolean(json, 'parallel_tool_calls')
  checkWord(json, 'verbosity', ['low', 'medium', 'high'])
  // Accounts have words beside the contract's, so that a translation alone checks the word.
  if (isPresent(json, 'reasoning_effort')) requireString(json, 'reasoning_effort')
  checkFormat(json.response_format)
}

const formats = ['text', 'json_object', 'json_schema']

/** Checks the kind of `response_format`, and that a schema is there if it needs one. */
function checkFormat(format: unknown): void {
  if ((format ?? undefined) === undefined) return
  if (!isObject(format)) throw wrong('response_format', 'an object')
  if (!formats.includes(format.type as string)) {
    throw wrong('response_format.type', `one of ${formats.join(', ')}`)
  }
  if (format.type === 'json_schema' && !isObject(format.json_schema)) {
    throw wrong('response_format.json_schema', 'an object')
  }
}

function checkLists(json: RequestBody['json']): void {
  checkStop(json, 'stop', 4)
  checkArray(json, 'functions', 1, 128)
  checkArray(json, 'tools')
  checkStrings(json, 'modalities')
  checkObject(json, 'metadata')
  checkObject(json, 'logit_bias')
  for (const value of Object.values((json.logit_bias as Record<string, unknown>) ?? {})) {
    if (typeof value !== 'number' || value < -100 || value > 100) {
      throw wrong('logit_bias', 'an object of numbers from -100 to 100')
    }
  }
}
