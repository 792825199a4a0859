import type { Account } from '../../accounts.ts'
import { newId } from '../../ids.ts'
import { type JsonObject, objectsOf, textOf } from '../../json.ts'
import { badRequest } from '../../problem.ts'
import type { Conversation } from '../../stored.ts'
import { findConversation } from '../conversations/store.ts'
import { conversationIdOf } from '../conversations/conversation-id.ts'
import { inputItemNotFound, previousNotFound } from '../not-found.ts'
import { canBeContinued } from './store.ts'

/** The input items of a request, and the items before them. */
export type History = {
  /** The items of the previous turns, oldest first. */
  before: JsonObject[]
  inputItems: JsonObject[]
  /** The decrypted content of the compaction items among both. */
  summaries: string[]
  /** The conversation that the request names; undefined for none. */
  conversation: Conversation | undefined
}

/**
 * Resolves the ids in a request and checks its encrypted content and its tool calls.
 * Throws OpenAI's errors for ids and encrypted content of other accounts.
 */
export function readHistory(body: JsonObject, account: Account): History {
  const conversationId = conversationIdOf(body)
  const conversation =
    conversationId === undefined ? undefined : findConversation(account, conversationId)
  const before = conversation?.items ?? transcriptBefore(body['previous_response_id'], account)
  const inputItems = readItems(body['input'], account)
  checkCalls(before, inputItems)
  const summaries = [...before, ...inputItems]
    .filter(({ type }) => type === 'compaction')
    .map((item) => unsealed(item, account))
  return { before, inputItems, summaries, conversation }
}

/**
 * Input items as they are stored and listed: references resolved, encrypted content checked, each with
 * an id.
 */
export function readItems(input: unknown, account: Account): JsonObject[] {
  const items = itemsOf(input).map((item) => resolveReference(item, account))
  items.forEach((item) => checkReasoning(item, account))
  return items.map(asListed)
}

function itemsOf(input: unknown): JsonObject[] {
  if (typeof input !== 'string') return objectsOf(input)
  return [{ type: 'message', role: 'user', content: input }]
}

function transcriptBefore(id: unknown, account: Account): JsonObject[] {
  if (typeof id !== 'string') return []
  const stored = account.responses.get(id)
  if (!stored || !canBeContinued(stored)) throw previousNotFound(id)
  return stored.transcript
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
  for (const { items } of account.conversations.values()) {
    const item = items.find((candidate) => candidate['id'] === id)
    if (item) return item
  }
  throw inputItemNotFound(id)
}

function checkReasoning(item: JsonObject, account: Account): void {
  if (item['type'] !== 'reasoning') return
  const encrypted = item['encrypted_content']
  if (typeof encrypted !== 'string') storedItem(textOf(item['id']), account)
  else if (!account.verify('reasoning', encrypted)) throw notVerified(item)
}

function unsealed(item: JsonObject, account: Account): string {
  const summary = account.unseal(textOf(item['encrypted_content']))
  if (summary === undefined) throw notVerified(item)
  return summary
}

function notVerified(item: JsonObject): Error {
  return badRequest(
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

/** What the ids of items begin with, for items that have a status in replies. */
const prefixes: Record<string, string> = {
  message: 'msg_',
  function_call: 'fc_',
  function_call_output: 'fc_',
  custom_tool_call: 'ctc_',
  custom_tool_call_output: 'ctc_',
}

/** An item as OpenAI lists it: with its type, an id, its status and the parts of its content. */
function asListed(item: JsonObject): JsonObject {
  const type = textOf(item['type']) || 'message'
  const prefix = prefixes[type]
  const id = item['id'] ?? newId(prefix ?? (type === 'compaction' ? 'cmp_' : 'item_'))
  if (prefix === undefined) return { ...item, type, id }
  const listed = { ...item, type, id, status: item['status'] ?? 'completed' }
  return type === 'message' ? { ...listed, content: partsOf(item) } : listed
}

function partsOf({ role, content }: JsonObject): JsonObject[] {
  const type = role === 'assistant' ? 'output_text' : 'input_text'
  const parts = typeof content === 'string' ? [{ type, text: content }] : objectsOf(content)
  return parts.map(completePart)
}

function completePart(part: JsonObject): JsonObject {
  const { type, detail, annotations, logprobs } = part
  if (type === 'input_image') return { ...part, detail: detail ?? 'auto' }
  if (type !== 'output_text') return part
  return { ...part, annotations: annotations ?? [], logprobs: logprobs ?? [] }
}
