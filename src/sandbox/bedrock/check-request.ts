import type { Account } from '../accounts.ts'
import { ruleFault } from '../fault.ts'
import { type JsonObject, numberOf, objectOf, objectsOf, textOf } from '../json.ts'
import {
  type Members,
  boolean,
  choice,
  dictionary,
  integer,
  list,
  number,
  object,
  string,
} from '../shape.ts'
import { cachePoint, contentBlock, systemBlock, toolName, union } from './block-shapes.ts'
import { checkTurns } from './check-turns.ts'

const empty = object({})

const message = object({
  required: { role: choice('user', 'assistant'), content: list(contentBlock, { min: 1 }) },
})

const toolSpec = object({
  required: {
    name: toolName,
    inputSchema: union({ json: object({ required: { type: choice('object') }, open: true }) }),
  },
  omittable: { description: string({ min: 1 }), strict: boolean },
})

const toolConfig = object({
  required: {
    tools: list(union({ toolSpec, cachePoint, systemTool: object({ open: true }) }), { min: 1 }),
  },
  omittable: {
    toolChoice: union({ auto: empty, any: empty, tool: object({ required: { name: toolName } }) }),
  },
})

const counted: Members = {
  messages: list(message, { min: 1 }),
  system: list(systemBlock),
  toolConfig,
  additionalModelRequestFields: object({ open: true }),
}

const jsonSchema = object({
  required: { schema: string({ min: 2 }) },
  omittable: {
    name: string({ pattern: /^[a-zA-Z0-9_-]{1,64}$/ }),
    description: string({ min: 1 }),
  },
})

const body = object({
  required: { messages: counted['messages']! },
  omittable: {
    ...counted,
    inferenceConfig: object({
      omittable: {
        maxTokens: integer({ min: 1 }),
        temperature: number({ min: 0, max: 1 }),
        topP: number({ min: 0, max: 1 }),
        stopSequences: list(string({ pattern: /\S/ })),
      },
    }),
    guardrailConfig: object({
      omittable: {
        guardrailIdentifier: string({ min: 1 }),
        guardrailVersion: string({ pattern: /^(?:DRAFT|[1-9]\d*)$/ }),
        trace: choice('enabled', 'disabled', 'enabled_full'),
        streamProcessingMode: choice('sync', 'async'),
      },
    }),
    additionalModelResponseFieldPaths: list(string({ pattern: /^\// })),
    requestMetadata: dictionary(string({ max: 256 }), { keyLength: 256, size: 16 }),
    performanceConfig: object({ required: { latency: choice('standard', 'optimized') } }),
    serviceTier: object({ required: { type: choice('default', 'flex', 'priority', 'reserved') } }),
    outputConfig: object({
      omittable: {
        effort: choice('low', 'medium', 'high', 'xhigh', 'max'),
        textFormat: object({
          required: { type: choice('json_schema'), structure: union({ jsonSchema }) },
        }),
      },
    }),
  },
})

/** Throws unless Converse accepts this body. */
export function checkConverseRequest(request: JsonObject, account: Account): void {
  body(request, [])
  checkConversation(request, account)
  checkThinking(request)
}

/** Throws unless CountTokens accepts this body. Returns the request that is counted. */
export function checkCountRequest(request: JsonObject, account: Account): JsonObject {
  const input = union({
    converse: object({ omittable: counted }),
    invokeModel: object({ required: { body: string() } }),
  })
  object({ required: { input } })(request, [])
  const converse = objectOf(objectOf(request['input'])['converse'])
  checkConversation(converse, account)
  return converse
}

function checkConversation(request: JsonObject, account: Account): void {
  const messages = objectsOf(request['messages'])
  checkTurns(messages, account)
  const tools = objectsOf(objectOf(request['toolConfig'])['tools'])
  const names = tools.flatMap(({ toolSpec: spec }) => textOf(objectOf(spec)['name']) || [])
  if (new Set(names).size < names.length)
    throw ruleFault(['toolConfig', 'tools'], 'Tool names must be unique')
  const hasTools = messages.some(({ content }) =>
    objectsOf(content).some((block) => 'toolUse' in block || 'toolResult' in block),
  )
  if (hasTools && tools.length === 0)
    throw ruleFault(
      ['toolConfig'],
      'The toolConfig field must be defined when using toolUse and toolResult content blocks',
    )
}

// The rules of Anthropic's models.
function checkThinking(request: JsonObject): void {
  const thinking = objectOf(objectOf(request['additionalModelRequestFields'])['thinking'])
  if (thinking['type'] !== 'enabled') return
  const { maxTokens, temperature } = objectOf(request['inferenceConfig'])
  if ((numberOf(thinking['budget_tokens']) ?? 0) >= (numberOf(maxTokens) ?? 0))
    throw ruleFault(['max_tokens'], 'must be greater than `thinking.budget_tokens`')
  if (temperature !== undefined && temperature !== 1)
    throw ruleFault(['temperature'], 'may only be set to 1 when thinking is enabled')
  const choice = objectOf(objectOf(request['toolConfig'])['toolChoice'])
  if ('any' in choice || 'tool' in choice)
    throw ruleFault(['thinking'], 'Thinking may not be enabled when tool_choice forces tool use.')
  const [answer, results] = objectsOf(request['messages'])
    .slice(-2)
    .map(({ content }) => objectsOf(content))
  const continues = results?.some((block) => 'toolResult' in block)
  if (continues && !('reasoningContent' in (answer?.[0] ?? {})))
    throw ruleFault(['messages'], 'a final `assistant` message must start with a thinking block')
}
