import { messages } from '../anthropic/messages.ts'
import { anthropic } from '../anthropic/provider.ts'
import { type JsonObject, isObject, objectOf } from '../json.ts'
import { chatCompletions } from '../openai/chat/completions.ts'
import { openaiModels } from '../openai/models.ts'
import { openai } from '../openai/provider.ts'
import { createResponse } from '../openai/responses/create.ts'
import type { Call, Endpoint, Provider, Reply } from '../provider.ts'
import { directedProblem } from '../steering/failures.ts'
import { checkQuirks } from './check-quirks.ts'
import { type Quirks, servers } from './quirks.ts'
import { renderChunks, renderQuirks, renderShape } from './render-quirks.ts'

const describeKey: Endpoint = {
  provider: openai,
  method: 'GET',
  path: /^\/v1\/key$/,
  hasBody: false,
  answer: ({ account }) => ({ json: { data: { label: account.id, limit: null, usage: 0 } } }),
}

/** The endpoints of servers with APIs like OpenAI's, each below its name: `/groq/openai/v1/chat/completions`. */
export const presetEndpoints: Endpoint[] = Object.entries(servers).flatMap(([name, quirks]) =>
  endpointsOf(name, quirks),
)

function endpointsOf(name: string, quirks: Quirks): Endpoint[] {
  const provider = providerOf(quirks)
  const at = (endpoint: Endpoint, root: string, version: string, own: Provider): Endpoint => ({
    ...endpoint,
    provider: own,
    path: new RegExp(endpoint.path.source.replace('^\\/v1', `^/${name}${root}${version}`)),
  })
  const chat = { ...chatCompletions, answer: (call: Call) => answer(call, quirks) }
  const response = {
    ...createResponse,
    answer: (call: Call) => withCost(createResponse.answer(call), quirks),
  }
  const ofMessages = { ...anthropic, credentials: provider.credentials }
  const [createMessage] = messages
  return [
    at(chat, quirks.chat, '', provider),
    ...(quirks.hidesModels ? [] : openaiModels.map((one) => at(one, quirks.chat, '', provider))),
    ...(quirks.describesKey ? [at(describeKey, quirks.chat, '', provider)] : []),
    ...(quirks.responses === undefined ? [] : [at(response, quirks.responses, '', provider)]),
    ...(quirks.messages === undefined || !createMessage
      ? []
      : [at(createMessage, quirks.messages, '/v1', ofMessages)]),
  ]
}

/** The key is a bearer, and errors have the server's shape. */
function providerOf(quirks: Quirks): Provider {
  return {
    ...openai,
    credentials: ['authorization'],
    renderProblem: (problem) => renderShape(problem, quirks.errors),
  }
}

/** The provider of a path below the name of a server. */
export function presetProviderOf(path: string): Provider | undefined {
  const [, name = ''] = path.split('/')
  return Object.hasOwn(servers, name) ? providerOf(servers[name]!) : undefined
}

function answer(call: Call, quirks: Quirks): Reply {
  const { directives } = call
  const isStream = call.body['stream'] === true
  const body = checkQuirks(call.body, quirks)
  const asked = isStream && quirks.usage ? { stream_options: { include_usage: true } } : {}
  const reply = chatCompletions.answer({ ...call, body: { ...body, ...asked } })
  if (!('json' in reply)) return reply
  if (!isStream) {
    if (directives.error !== undefined) {
      const failure = directedProblem(directives, 502)
      if (!quirks.failsWith200) throw failure
      return jsonWith('', renderShape(failure, quirks.errors))
    }
    const json = renderQuirks(reply.json, quirks)
    const { json: before } = quirks.keepAlive ?? {}
    // A body that breaks off is made of JSON.
    return before === undefined || Object.keys(directives).length > 0
      ? { ...reply, json }
      : jsonWith(before, json)
  }
  const { stream } = reply
  const failure = [{ data: failureOf(directedProblem(directives, 502), quirks) }]
  const { stream: keepAlive } = quirks.keepAlive ?? {}
  return {
    ...reply,
    json: renderQuirks(reply.json, quirks),
    ...(stream && {
      stream: {
        ...stream,
        frames: renderChunks(stream.frames, quirks),
        failure,
        ...(keepAlive !== undefined && { keepAlive }),
      },
    }),
  }
}

/** A response whose usage has its cost. */
function withCost(reply: Reply, { cost }: Quirks): Reply {
  if (!cost || !('json' in reply)) return reply
  const priced = (json: JsonObject): JsonObject =>
    isObject(json['usage']) ? { ...json, usage: { ...json['usage'], ...cost } } : json
  const frames = reply.stream?.frames.map((frame) => {
    const data = objectOf(frame.data)
    const { response } = data
    return isObject(response) ? { ...frame, data: { ...data, response: priced(response) } } : frame
  })
  return {
    ...reply,
    json: priced(reply.json),
    ...(reply.stream && frames && { stream: { ...reply.stream, frames } }),
  }
}

function jsonWith(before: string, json: JsonObject): Reply {
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    content: Buffer.from(before + JSON.stringify(json)),
  }
}

/** What ends a stream that fails. OpenRouter has a choice beside its error. */
function failureOf(problem: ReturnType<typeof directedProblem>, quirks: Quirks): JsonObject {
  const body = renderShape(problem, quirks.errors)
  if (quirks.errors !== 'number') return body
  const choice = { index: 0, delta: { content: '' }, finish_reason: 'error' }
  return { ...objectOf(body), object: 'chat.completion.chunk', choices: [choice] }
}
