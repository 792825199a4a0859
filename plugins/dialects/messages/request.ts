import { callAffinity, sessionAffinity, withAffinity } from '../../../src/kit/affinity-keys.ts'
import type { RequestBody } from '../../../src/contract/body.ts'
import {
  checkArray,
  checkBoolean,
  checkInteger,
  checkNumber,
  checkObject,
  checkStrings,
  requireField,
  requireString,
} from '../../../src/kit/checks.ts'
import type { Call } from '../../../src/contract/call.ts'
import type { Authenticated } from '../../../src/contract/exchange.ts'
import { objectAt, objectsIn, stringAt } from '../../../src/lib/json/read.ts'
import { messagesEdits } from './edits.ts'
import { namedDataOf, replyNamed } from './named-data.ts'
import type { JsonObject } from '../../../src/lib/json/object.ts'
import { OtherModels } from '../shared/other-models.ts'

/** The five models whose limits docs/wire/contract.md bounds; it writes `vendor` for the maker's name. */
const boundedModels = new Set(
  [
    '3-5-sonnet-20241022',
    '3-5-haiku-20241022',
    '3-opus-20240229',
    '3-sonnet-20240229',
    '3-haiku-20240307',
  ].flatMap((model) => [`claude-${model}`, `vendor-${model}`]),
)
const boundedTokens = 8192

/**
 * Validates a messages request and returns its call. It checks the fields that docs/wire/contract.md 3
 * bounds and accepts every other field. Throws a `GatewayError` with `param`.
 */
export function understandMessages({ snapshot, request }: Authenticated, body: RequestBody): Call {
  const { json } = body
  const call = understandCount(body)
  requireField(json, 'max_tokens')
  // 0 is valid: the request only warms the prompt cache.
  const model = snapshot.resolve(call.model)?.name ?? call.model
  if (boundedModels.has(model)) checkInteger(json, 'max_tokens', 1, boundedTokens)
  else checkInteger(json, 'max_tokens', 0)
  checkBoolean(json, 'stream')
  checkNumber(json, 'temperature', 0, 1)
  checkNumber(json, 'top_p', 0, 1)
  checkInteger(json, 'top_k', 1)
  checkStrings(json, 'stop_sequences', 4)
  checkObject(json, 'metadata')
  // A header identifies the session exactly; a user id may cover many sessions, or contain one.
  const session = sessionAffinity(request.headers)
  const affinity = [
    ...callAffinity(json.messages, callIdsOf),
    ...withAffinity(session, 'session', objectAt(json, 'metadata')?.user_id),
  ]
  return { ...call, stream: json.stream === true, affinity, ...replyNamed(json) }
}

function callIdsOf(message: unknown): readonly (string | undefined)[] {
  if (stringAt(message, 'role') !== 'assistant') return []
  const blocks = objectsIn((message as RequestBody['json']).content)
  return blocks.map((block) => (block.type === 'tool_use' ? stringAt(block, 'id') : undefined))
}

/** Validates a token count, whose body is a messages request without the generation fields. */
export function understandCount(body: RequestBody): Call {
  const { json, members } = body
  const model = requireString(json, 'model')
  requireField(json, 'messages')
  checkArray(json, 'messages', 1)
  if (typeof json.system !== 'string') checkArray(json, 'system')
  checkArray(json, 'tools')
  checkObject(json, 'tool_choice')
  const { edits, losses } = messagesEdits(body)
  return {
    model,
    stream: false,
    refersTo: [],
    edits,
    losses,
    modelAt: members.get('model'),
    ...namedDataOf(json),
    ...otherModelsOf(json),
  }
}

/** Returns the models that a request names beside `model`: fallbacks, and models of tools. */
function otherModelsOf(json: JsonObject): Pick<Call, 'otherModels'> {
  const models = new OtherModels()
  models.noteStandIns(json)
  models.noteTools(json.tools, 'tools')
  if (Array.isArray(json.messages)) noteAddedTools(json.messages, models)
  return models.ofCall
}

/** Notes the models of tools that a conversation defines on its way. */
function noteAddedTools(messages: readonly unknown[], models: OtherModels): void {
  for (let turn = 0; turn < messages.length; turn++) {
    const content = (messages[turn] as JsonObject | null | undefined)?.content
    if (!Array.isArray(content)) continue
    for (let index = 0; index < content.length; index++) {
      const type = (content[index] as JsonObject | null | undefined)?.type
      if (type === 'tool_addition' || type === 'compaction') {
        noteBlock(content[index], `messages[${turn}].content[${index}]`, models)
      }
    }
  }
}

function noteBlock(block: JsonObject, path: string, models: OtherModels): void {
  noteAddition(block, () => path, models)
  const { tool_changes: changes } = block
  if (!Array.isArray(changes)) return
  for (let index = 0; index < changes.length; index++) {
    noteAddition(changes[index], () => `${path}.tool_changes[${index}]`, models)
  }
}

function noteAddition(addition: unknown, path: () => string, models: OtherModels): void {
  const definition = objectAt(objectAt(addition, 'tool'), 'definition')
  if (definition) models.noteTool(definition, () => `${path()}.tool.definition`)
}
