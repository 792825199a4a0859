import type { RequestBody } from '../../../src/contract/body.ts'
import type { Call } from '../../../src/contract/call.ts'
import { insertModel } from '../../../src/body/edits.ts'
import { defineDialect } from '../../../src/contract/dialect.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import type { Authenticated } from '../../../src/contract/exchange.ts'
import { defineOperation } from '../../../src/contract/operation.ts'
import type { Outcome } from '../../../src/contract/outcome.ts'
import { type GatewayPlugin, definePlugin } from '../../../src/contract/plugin.ts'
import {
  checkWord,
  isPresent,
  requireField,
  requireString,
  wrong,
} from '../../../src/kit/checks.ts'
import {
  errorIn,
  failedOutcome,
  outcomeOfOwn,
  statusOfError,
} from '../../../src/kit/upstream-error.ts'
import { type JsonObject, isObject } from '../../../src/lib/json/object.ts'
import { objectAt, objectsIn, tokensAt } from '../../../src/lib/json/read.ts'
import { openAiEndpoint } from '../shared/openai-endpoint.ts'
import { either, list, number, object, text, flag } from '../shared/json-schema.ts'

const path = '/v1/moderations'

/** OpenAI's default. */
const defaultModel = 'omni-moderation-latest'

const part = object({ type: text, text, image_url: object({ url: text }) })

const schema = {
  request: {
    type: 'object',
    required: ['input'],
    additionalProperties: true,
    properties: { model: text, input: either(text, list(either(text, part))) },
  },
  reply: object({
    id: text,
    model: text,
    results: list(
      object({
        flagged: flag,
        categories: { type: 'object', additionalProperties: flag },
        category_scores: { type: 'object', additionalProperties: number },
      }),
    ),
  }),
}

/** A call, and for how many results it asks. Absent: the parts of its input are one thing or several. */
interface ModerationCall extends Call {
  readonly texts?: number
}

/** Checks a request and returns its call. Throws `GatewayError` with `param`. */
function understand({ snapshot }: Authenticated, { json, members }: RequestBody): ModerationCall {
  requireField(json, 'input')
  checkInput(json.input)
  const isNamed = isPresent(json, 'model')
  const model = isNamed ? requireString(json, 'model') : defaultModel
  if (!isNamed && !snapshot.resolve(model)) {
    const message = `\`model\` is required: no account serves the default, \`${model}\`.`
    throw new GatewayError('missing_required_parameter', message, { param: 'model' })
  }
  const modelAt = isNamed ? members.get('model') : undefined
  const texts = textsIn(json.input)
  return {
    model,
    modelAt,
    stream: false,
    refersTo: [],
    edits: [],
    losses: [],
    ...(texts !== undefined && { texts }),
  }
}

function textsIn(input: unknown): number | undefined {
  if (!Array.isArray(input)) return 1
  return input.every((one) => typeof one === 'string') ? input.length : undefined
}

/** Throws `GatewayError` for a reply without a judgement of each text: clients take a missing judgement for harmless. */
function assertJudged({ results }: JsonObject, { texts }: ModerationCall): void {
  const judged = objectsIn(results).filter(isJudgement)
  const all = (results as readonly unknown[]).length
  if (judged.length === all && (texts === undefined ? all > 0 : all === texts)) return
  const message = "The upstream's reply does not classify each input."
  throw new GatewayError('upstream_invalid_reply', message)
}

/** Mistral's have no `flagged`. */
function isJudgement({ flagged, categories }: JsonObject): boolean {
  return typeof flagged === 'boolean' || isObject(categories)
}

function checkInput(input: unknown): void {
  if (typeof input === 'string') return
  if (!Array.isArray(input) || input.length === 0)
    throw wrong('input', 'a string, or an array with at least 1 item')
  for (const [index, one] of input.entries()) {
    const at = `input[${index}]`
    if (typeof one === 'string') continue
    if (!isObject(one)) throw wrong(at, 'a string or an object')
    requireString(one, 'type', at)
    checkWord(one, 'type', ['text', 'image_url'], at)
    if (one.type === 'text' && typeof one.text !== 'string') throw wrong(`${at}.text`, 'a string')
    if (one.type === 'image_url' && typeof objectAt(one, 'image_url')?.url !== 'string')
      throw wrong(`${at}.image_url.url`, 'a string')
  }
}

/** OpenAI reports no use, others report tokens. */
function outcomeOf(json: unknown): Outcome {
  const error = errorIn(json)
  if (error) return failedOutcome(statusOfError(error), error)
  const inputTokens = tokensAt(objectAt(json, 'usage'), 'prompt_tokens')
  return {
    status: 'completed',
    fault: 'none',
    ...(inputTokens !== undefined && { usage: { inputTokens, outputTokens: 0 } }),
  }
}

const create = defineOperation<ModerationCall>({
  id: 'moderations.create',
  method: 'POST',
  paths: [path],
  auth: 'key',
  capability: 'moderate',
  summary: 'Classify texts and images as harmful or not',
  schema,
  understand,
  least: { body: { input: 'Hello' } },
  forward: {
    target: ({ request }) => ({ path, query: request.query }),
    accountEdits: ({ body, call, candidate }) =>
      call.modelAt ? [] : [insertModel(body, candidate.upstreamModel)],
    observer() {
      throw new Error('A moderation is no stream.')
    },
    outcome: outcomeOfOwn(({ results }) => Array.isArray(results), outcomeOf),
    modelPaths: { reply: ['model'], frame: ['model'] },
    corrected(json, { call }) {
      assertJudged(json, call)
      return undefined
    },
  },
})

/** Returns the plugin that serves `POST /v1/moderations`. */
export function moderations(): GatewayPlugin {
  const dialect = defineDialect({
    id: 'moderations',
    title: 'Moderations API',
    ...openAiEndpoint,
    operations: [create],
  })
  return definePlugin({ name: 'moderations', dialects: [dialect] })
}
