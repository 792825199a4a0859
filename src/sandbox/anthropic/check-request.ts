import type { Account } from '../accounts.ts'
import { type JsonObject, listOf, numberOf, objectOf, objectsOf } from '../json.ts'
import { ruleFault } from '../fault.ts'
import { badRequest } from '../problem.ts'
import {
  type Members,
  type ObjectSpec,
  anything,
  boolean,
  choice,
  integer,
  list,
  number,
  object,
  string,
  stringOr,
  variants,
} from '../shape.ts'
import { cacheControl, contentBlock, textBlocks } from './block-shapes.ts'
import { checkFiles } from './files.ts'
import { checkThinkingFirst, checkTurns } from './check-turns.ts'
import type { MessagesVersion } from './version.ts'
import { messagesTool, messagesToolChoice } from './tool-shapes.ts'

const message = variants('role', {
  user: { required: { content: stringOr(list(contentBlock, { min: 1 })) } },
  assistant: { required: { content: stringOr(list(contentBlock)) } },
  system: { required: { content: stringOr(textBlocks) } },
})

const display = choice('summarized', 'omitted')

/** Fields that may be `null`. */
const countedNullable: Members = { cache_control: cacheControl, speed: choice('standard', 'fast') }

const countedFields: Members = {
  output_config: object({
    optional: {
      effort: choice('low', 'medium', 'high', 'xhigh', 'max'),
      format: variants('type', { json_schema: { required: { schema: object({ open: true }) } } }),
    },
  }),
  system: stringOr(textBlocks),
  thinking: variants('type', {
    enabled: { required: { budget_tokens: integer({ min: 1024 }) }, optional: { display } },
    adaptive: { optional: { display } },
    disabled: {},
    between_tools: {},
  }),
  tool_choice: messagesToolChoice,
  tools: list(messagesTool),
}

const samplingFields: Members = {
  temperature: number({ min: 0, max: 1 }),
  top_k: integer({ min: 0 }),
  top_p: number({ min: 0, max: 1 }),
}

const betaFields: Members = {
  billing_policy: anything,
  compaction: anything,
  context_management: anything,
  fallback_credit_token: anything,
  fallbacks: anything,
  mcp_servers: list(object({ open: true })),
  output_format: anything,
  thread: anything,
}

const basics: Members = {
  model: string({ min: 1 }),
  messages: list(message, { min: 1, max: 100_000 }),
}

const createNullable: Members = {
  ...countedNullable,
  container: stringOr(object({ open: true })),
  diagnostics: object({ optional: { previous_message_id: string() } }),
  inference_geo: string(),
}

const createFields: Members = {
  ...countedFields,
  ...samplingFields,
  metadata: object({ optional: { user_id: string({ max: 256 }) } }),
  service_tier: choice('auto', 'standard_only'),
  stop_sequences: list(string({ pattern: /\S/ })),
  stream: boolean,
}

/** Throws unless Anthropic accepts this body for a message. */
export function checkMessagesRequest(
  body: JsonObject,
  version: MessagesVersion,
  account: Account,
): void {
  const required = { ...basics, max_tokens: integer({ min: 0 }) }
  object({ required, ...withBeta(createNullable, createFields, version) })(body, [])
  checkThread(body)
  checkVersion(body, version)
  checkThinking(body)
  checkTools(body)
  const messages = objectsOf(body['messages'])
  checkFiles(messages, account)
  checkTurns(messages, version.version, account)
  if (objectOf(body['thinking'])['type'] === 'enabled') checkThinkingFirst(messages)
}

/** Throws unless Anthropic accepts this body for counting tokens. */
export function checkMessageCountRequest(
  body: JsonObject,
  version: MessagesVersion,
  account: Account,
): void {
  object({ required: basics, ...withBeta(countedNullable, countedFields, version) })(body, [])
  checkTools(body)
  checkFiles(objectsOf(body['messages']), account)
  checkTurns(objectsOf(body['messages']), version.version, account)
}

function withBeta(optional: Members, omittable: Members, { beta }: MessagesVersion): ObjectSpec {
  return { optional: beta ? { ...optional, ...betaFields } : optional, omittable }
}

// SDK 1.x opens a thread by itself, and continues without one after this error.
function checkThread(body: JsonObject): void {
  if (body['thread'] === undefined) return
  throw badRequest(
    'thread: the sandbox does not support threads',
    'thread',
    'thread_unsupported_request',
  )
}

// The version 2026-10-21 rejects sampling parameters, even with their default values.
function checkVersion(body: JsonObject, { version }: MessagesVersion): void {
  if (version < '2026-10-21') return
  const sampling = Object.keys(samplingFields).find((key) => body[key] !== undefined)
  if (sampling) throw ruleFault([sampling], `Not supported from anthropic-version 2026-10-21 on`)
}

function checkThinking(body: JsonObject): void {
  const thinking = objectOf(body['thinking'])
  if (thinking['type'] !== 'enabled') return
  if ((numberOf(thinking['budget_tokens']) ?? 0) >= (numberOf(body['max_tokens']) ?? 0))
    throw ruleFault(['max_tokens'], 'must be greater than `thinking.budget_tokens`')
  if (body['temperature'] !== undefined && body['temperature'] !== 1)
    throw ruleFault(['temperature'], 'may only be set to 1 when thinking is enabled')
  if (['any', 'tool'].includes(String(objectOf(body['tool_choice'])['type'])))
    throw ruleFault(['thinking'], 'Thinking may not be enabled when tool_choice forces tool use.')
}

function checkTools(body: JsonObject): void {
  const names = objectsOf(body['tools']).map((one) => one['name'])
  if (new Set(names).size < names.length) throw ruleFault(['tools'], 'Tool names must be unique.')
  if (body['tool_choice'] === undefined) return
  if (listOf(body['tools']).length === 0)
    throw ruleFault(['tool_choice'], 'may only be specified while providing tools')
  const { type, name } = objectOf(body['tool_choice'])
  if (type === 'tool' && !names.includes(name))
    throw ruleFault(['tool_choice', 'name'], `Tool '${String(name)}' not found in provided tools`)
}
