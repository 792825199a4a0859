import type { Account, StoredResponse } from '../../accounts.ts'
import { newId } from '../../ids.ts'
import { objectOf, objectsOf, textOf, type JsonObject } from '../../json.ts'
import { badRequest, Problem } from '../../problem.ts'

/** The items of one request, and the conversation that they continue. */
export type History = { before: JsonObject[]; inputItems: JsonObject[] }

/**
 * Looks up what the request refers to, and checks what the account has to vouch for.
 * Throws OpenAI's errors for ids and signatures that this account did not issue.
 */
export function readHistory(body: JsonObject, account: Account): History {
  refuseConversation(body['conversation'])
  const previous = previousResponse(body['previous_response_id'], account)
  const items = itemsOf(body['input']).map((item) => resolveReference(item, account))
  items.forEach((item) => checkReasoning(item, account))
  const before = previous?.transcript ?? []
  checkCalls(before, items)
  return { before, inputItems: items.map(withId) }
}

function itemsOf(input: unknown): JsonObject[] {
  if (typeof input !== 'string') return objectsOf(input)
  return [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: input }] }]
}

// The sandbox has no conversations, so no id of one is known.
function refuseConversation(conversation: unknown): void {
  if (conversation === undefined || conversation === null) return
  const id = typeof conversation === 'string' ? conversation : textOf(objectOf(conversation)['id'])
  throw new Problem(404, `Conversation with id '${id}' not found.`)
}

function previousResponse(id: unknown, account: Account): StoredResponse | undefined {
  if (typeof id !== 'string') return undefined
  const stored = account.responses.get(id)
  if (!stored)
    throw badRequest(
      `Previous response with id '${id}' not found.`,
      'previous_response_id',
      'previous_response_not_found',
    )
  return stored
}

function resolveReference(item: JsonObject, account: Account): JsonObject {
  const isReference = item['type'] === 'item_reference' || !('role' in item || item['type'])
  return isReference ? storedItem(textOf(item['id']), account) : item
}

function storedItem(id: string, account: Account): JsonObject {
  for (const { transcript } of account.responses.values()) {
    const item = transcript.find((candidate) => candidate['id'] === id)
    if (item) return item
  }
  throw new Problem(
    404,
    `Item with id '${id}' not found. Items are not persisted when 'store' is set to false.`,
    { param: 'input' },
  )
}

function checkReasoning(item: JsonObject, account: Account): void {
  if (item['type'] !== 'reasoning') return
  const encrypted = item['encrypted_content']
  if (typeof encrypted !== 'string') storedItem(textOf(item['id']), account)
  else if (!account.signed('reasoning', encrypted))
    throw badRequest(
      `The encrypted content for item ${textOf(item['id'])} could not be verified.`,
      'input',
      'invalid_encrypted_content',
    )
}

function checkCalls(before: JsonObject[], items: JsonObject[]): void {
  const all = [...before, ...items]
  const idsOf = (types: string[]) =>
    all.filter(({ type }) => types.includes(textOf(type))).map((item) => textOf(item['call_id']))
  const called = idsOf(['function_call', 'custom_tool_call'])
  const answered = idsOf(['function_call_output', 'custom_tool_call_output'])
  const stray = answered.find((id) => !called.includes(id))
  if (stray !== undefined)
    throw badRequest(`No tool call found for function call output with call_id ${stray}.`, 'input')
  const open = called.find((id) => !answered.includes(id))
  if (open !== undefined)
    throw badRequest(`No tool output found for function call ${open}.`, 'input')
}

const prefixes: Record<string, string> = {
  message: 'msg_',
  function_call: 'fc_',
  function_call_output: 'fc_',
  custom_tool_call: 'ctc_',
  custom_tool_call_output: 'ctc_',
}

function withId(item: JsonObject): JsonObject {
  const type = textOf(item['type']) || 'message'
  return { ...item, type, id: item['id'] ?? newId(prefixes[type] ?? 'item_') }
}
