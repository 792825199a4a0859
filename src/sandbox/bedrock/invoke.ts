import { anthropic } from '../anthropic/provider.ts'
import { messages } from '../anthropic/messages.ts'
import { type JsonObject, isObject, listOf, objectOf, textOf } from '../json.ts'
import { badRequest } from '../problem.ts'
import type { Call, Endpoint, JsonReply, Provider, Reply } from '../provider.ts'
import { directedProblem } from '../steering/failures.ts'
import type { Frame } from '../wire/frame.ts'
import { padded } from './events.ts'
import { bedrock, exceptionFrame } from './provider.ts'

/** Claude by InvokeModel: exceptions of AWS with the texts of its vendor. */
const invoke: Provider = { ...bedrock, explainFault: (fault) => anthropic.explainFault(fault) }

const onModel = {
  provider: invoke,
  method: 'POST',
  hasBody: true,
  modelOf: ({ model = '' }: Record<string, string>) => model,
} as const

/** `POST /model/{id}/invoke` and `/invoke-with-response-stream`, for Claude. */
export const invokeModel: Endpoint[] = [
  { ...onModel, path: /^\/model\/(?<model>[^/]+)\/invoke$/, answer: createReply },
  {
    ...onModel,
    path: /^\/model\/(?<model>[^/]+)\/invoke-with-response-stream$/,
    answer: createStream,
  },
]

const [createMessage, countMessage] = messages

/** What other accounts of Anthropic take, and Bedrock does not. */
const foreign = [
  'model',
  'stream',
  'container',
  'inference_geo',
  'mcp_servers',
  'service_tier',
  'speed',
]

const betas =
  /^(?:compact|computer-use|context-1m|context-management|effort|fine-grained-tool-streaming|interleaved-thinking|output-128k|token-efficient-tools|tool-examples|tool-search-tool)-\d{4}-\d\d-\d\d$/

/** The request of Anthropic's API that a body for InvokeModel stands for. */
function ofVendor(call: Call, { anthropic_version, anthropic_beta, ...body }: JsonObject): Call {
  const model = textOf(call.params['model'])
  if (!/^(?:sandbox\/|arn:|(?:[a-z-]+\.)?anthropic\.)/.test(model))
    throw badRequest('Malformed input request: #: extraneous key [messages] is not permitted')
  if (anthropic_version !== 'bedrock-2023-05-31')
    throw badRequest(
      anthropic_version === undefined
        ? 'anthropic_version: Field required'
        : 'anthropic_version: "bedrock-2023-05-31" is the only version',
    )
  const extra = foreign.find((name) => name in body)
  if (extra) throw badRequest(`${extra}: Extra inputs are not permitted`)
  if (anthropic_beta !== undefined && !Array.isArray(anthropic_beta))
    throw badRequest('anthropic_beta: Input should be a valid list')
  const asked = listOf(anthropic_beta)
  if (!asked.every((beta) => betas.test(textOf(beta)))) throw badRequest('invalid beta flag')
  const headers = {
    ...call.headers,
    'anthropic-version': '2023-06-01',
    'anthropic-beta': asked.length > 0 ? asked.join(',') : undefined,
  }
  return { ...call, headers, query: new URLSearchParams(), body: { ...body, model } }
}

function createReply(call: Call): Reply {
  const { json } = createMessage!.answer(ofVendor(call, call.body)) as JsonReply
  const { input_tokens: input, output_tokens: output } = objectOf(json['usage'])
  return {
    json,
    headers: {
      'x-amzn-bedrock-input-token-count': String(input),
      'x-amzn-bedrock-output-token-count': String(output),
    },
  }
}

function createStream(call: Call): Reply {
  const asked = ofVendor(call, call.body)
  const body = { ...asked.body, stream: true }
  const { json, stream } = createMessage!.answer({ ...asked, body }) as JsonReply
  const events = stream!.frames.filter(({ name }) => name !== 'ping')
  const failure = [exceptionFrame(directedProblem(call.directives, 503))]
  return {
    json,
    headers: { 'x-amzn-bedrock-content-type': 'application/json' },
    stream: { frames: events.map(chunkOf), failure, framing: 'aws-messages' },
  }
}

/** Each chunk has one event; the last one has what the invocation has used. */
function chunkOf({ name, data }: Frame, index: number): Frame {
  const metrics = {
    inputTokenCount: 1,
    outputTokenCount: 1,
    invocationLatency: 1,
    firstByteLatency: 1,
  }
  const event = name === 'message_stop' ? { ...(data as object), [metricsName]: metrics } : data
  const bytes = Buffer.from(JSON.stringify(event)).toString('base64')
  return { name: 'chunk', data: padded({ bytes }, index) }
}

const metricsName = 'amazon-bedrock-invocationMetrics'

/** The tokens of a body for InvokeModel, in base64. */
export function countInvoked(call: Call, encoded: string): Reply {
  const body = jsonIn(encoded)
  const { max_tokens: limit, ...request } = body
  if (limit === undefined) throw badRequest('max_tokens: Field required')
  const budget = Number(objectOf(request['thinking'])['budget_tokens'] ?? 0)
  if (!(Number(limit) > budget))
    throw badRequest('`max_tokens` must be greater than `thinking.budget_tokens`.')
  const { json } = countMessage!.answer(ofVendor(call, request)) as JsonReply
  return { json: { inputTokens: json['input_tokens'] } }
}

function jsonIn(encoded: string): JsonObject {
  try {
    const json: unknown = JSON.parse(Buffer.from(encoded, 'base64').toString())
    if (isObject(json)) return json
  } catch {
    // The same as another value.
  }
  throw badRequest('Malformed input request, please reformat your input and try again.')
}
