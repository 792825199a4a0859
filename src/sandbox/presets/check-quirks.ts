import { type JsonObject, isGiven, listOf, numberOf, objectOf, objectsOf, textOf } from '../json.ts'
import { Problem } from '../problem.ts'
import type { Quirks } from './quirks.ts'

const plainFields = ['reasoning', 'reasoning_content']

/** Throws for what a server refuses, and returns the rest of a request in OpenAI's words. */
export function checkQuirks(body: JsonObject, quirks: Quirks): JsonObject {
  const { refuses = [], takes = [], most = {} } = quirks
  const refused =
    refuses.find((name) => body[name] !== undefined) ??
    Object.keys(most).find((name) => (numberOf(body[name]) ?? 0) > most[name]!)
  if (refused) throw refusal(refused, quirks)
  const messages = objectsOf(body['messages'])
  messages.forEach((message, index) => checkMessage(message, index, quirks))
  const { role, prefix } = messages.at(-1) ?? {}
  if (quirks.wantsPrefix && role === 'assistant' && prefix !== true)
    throw new Problem(400, 'Expected last role User or Tool (or Assistant with prefix True).')
  return {
    ...withoutMembers(body, takes),
    messages: messages.map(withoutReasoning),
    ...(body['tool_choice'] === 'any' && { tool_choice: 'required' }),
    ...(body['logprobs'] === 1 && { logprobs: true }),
  }
}

function refusal(param: string, { errors }: Quirks): Problem {
  if (errors !== 'flat') return new Problem(400, `Unsupported parameter: ${param}`, { param })
  const msg = 'Extra inputs are not permitted'
  const detail = [{ type: 'extra_forbidden', loc: ['body', param], msg }]
  return new Problem(422, msg, { param, members: { message: { detail } } })
}

function checkMessage(message: JsonObject, index: number, quirks: Quirks): void {
  const { refusesInTurns = [], reasoning = 'reasoning_content', wantsReasoning, callIds } = quirks
  const at = (name: string) => `messages[${index}].${name}`
  if (message['role'] === 'developer') throw refusal(at('role'), quirks)
  const foreign = plainFields.filter((name) => name !== reasoning)
  const names = message['role'] === 'tool' ? [] : refusesInTurns
  const refused = [...names, ...foreign].find((name) => message[name] !== undefined)
  if (refused) throw refusal(at(refused), quirks)
  const calls = objectsOf(message['tool_calls'])
  const isWanted = wantsReasoning === 'answers' || (wantsReasoning && calls.length > 0)
  if (message['role'] === 'assistant' && isWanted && typeof message[reasoning] !== 'string')
    throw new Problem(400, `Missing '${at(reasoning)}'.`, { param: at(reasoning) })
  const ids = [...calls.map(({ id }) => id), message['tool_call_id']].filter(isGiven)
  if (callIds && !ids.every((id) => callIds.test(textOf(id))))
    throw new Problem(400, 'Tool call id must be a-z, A-Z, 0-9, with a length of 9.')
}

function withoutMembers(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))
}

/** A message as OpenAI has it: without what the model has thought. */
function withoutReasoning(message: JsonObject): JsonObject {
  const own = ['reasoning', 'reasoning_content', 'prefix', 'partial']
  const { content, ...rest } = withoutMembers(message, own)
  if (!Array.isArray(content)) return { ...rest, ...('content' in message && { content }) }
  const parts = listOf(content).filter((part) => objectOf(part)['type'] !== 'thinking')
  return { ...rest, content: parts.length > 0 ? parts : null }
}
