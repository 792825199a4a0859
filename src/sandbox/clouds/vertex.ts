import { messages } from '../anthropic/messages.ts'
import { renderAnthropicError } from '../anthropic/provider.ts'
import { generateContent } from '../gemini/generate-content.ts'
import { gemini } from '../gemini/provider.ts'
import { operations } from '../gemini/videos/operations.ts'
import { predictLongRunning } from '../gemini/videos/predict.ts'
import { listedModels } from '../models.ts'
import { chatCompletions } from '../openai/chat/completions.ts'
import { openai } from '../openai/provider.ts'
import { createResponse } from '../openai/responses/create.ts'
import { badRequest, Problem } from '../problem.ts'
import type { Call, Endpoint, Provider } from '../provider.ts'

/** Google Cloud: a token of a service account, or a key of the express mode. */
const vertex: Provider = {
  ...gemini,
  credentials: ['authorization', 'x-goog-api-key'],
  audience: 'google',
  wantsToken: true,
  wrongKey: () =>
    new Problem(
      401,
      'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.',
    ),
}

/** Models of partners have the errors of their vendors, and Google's for what Google itself refuses. */
const partner: Provider = {
  ...vertex,
  credentials: ['authorization'],
  renderProblem: (problem, requestId) =>
    problem.status === 400 || problem.status >= 500
      ? { ...renderAnthropicError(problem), request_id: requestId }
      : gemini.renderProblem(problem, requestId),
}

/** OpenAI's models, with a token of Google Cloud. */
const ofOpenAi: Provider = {
  ...openai,
  credentials: ['authorization'],
  audience: 'google',
  wantsToken: true,
}

const place = String.raw`^\/v1(?:beta1)?\/projects\/(?<project>[^/]+)\/locations\/(?<location>[^/]+)`

/** The location is a part of the path and of the host; behind another host it is the path's alone. */
function checkLocation({ params, origin }: Call): void {
  const [, region] = /\/\/([a-z0-9-]+)-aiplatform\.googleapis\.com$/.exec(origin) ?? []
  if (region !== undefined && params['location'] !== undefined && region !== params['location'])
    throw badRequest(`Location in the path does not match the host: ${region}`)
}

const [createMessage, countMessage] = messages

/** Claude: the model in the path, and the version in the body, in place of the header. */
function answerClaude(call: Call) {
  checkLocation(call)
  const { anthropic_version: version, ...body } = call.body
  const isCount = call.params['model'] === 'count-tokens'
  if (call.headers['anthropic-version'] !== undefined)
    throw badRequest('anthropic-version: header is not permitted')
  if (version !== 'vertex-2023-10-16')
    throw badRequest(
      version === undefined
        ? 'anthropic_version: Field required'
        : 'anthropic_version: Input should be vertex-2023-10-16',
    )
  if (!isCount && body['model'] !== undefined)
    throw badRequest('model: Extra inputs are not permitted')
  const isStream = call.params['verb'] === 'streamRawPredict'
  if (!isCount && isStream !== (body['stream'] === true))
    throw badRequest('stream: does not fit the method')
  const asked: Call = {
    ...call,
    headers: { ...call.headers, 'anthropic-version': '2023-06-01' },
    body: isCount ? body : { ...body, model: call.params['model'] },
  }
  return (isCount ? countMessage : createMessage)!.answer(asked)
}

const [, googleContent] = generateContent
const [, predict] = predictLongRunning
const [, fetchOperation] = operations

/** Google's own models, for a token: a request with a key is one of the express mode or of the Gemini API. */
const ofGoogle: Endpoint[] = [predict!, fetchOperation!, googleContent!].map((endpoint) => ({
  ...endpoint,
  provider: vertex,
  applies: (headers) => headers.authorization !== undefined,
  answer(call) {
    checkLocation(call)
    return endpoint.answer(call)
  },
}))

/** Gemini, Claude, OpenAI's models, the list of Google's and the endpoint that is compatible with OpenAI's. */
export const vertexEndpoints: Endpoint[] = [
  {
    provider: partner,
    method: 'POST',
    path: new RegExp(
      String.raw`${place}\/publishers\/anthropic\/models\/(?<model>[^/:]+):(?<verb>rawPredict|streamRawPredict)$`,
    ),
    hasBody: true,
    modelOf: ({ model = '' }) => model,
    answer: answerClaude,
  },
  {
    ...chatCompletions,
    provider: { ...vertex, credentials: ['authorization'] },
    path: new RegExp(String.raw`${place}\/endpoints\/openapi\/chat\/completions$`),
    answer(call) {
      checkLocation(call)
      return chatCompletions.answer(call)
    },
  },
  {
    ...createResponse,
    provider: ofOpenAi,
    path: new RegExp(String.raw`${place}\/publishers\/openai\/v1\/responses$`),
    answer(call) {
      checkLocation(call)
      return createResponse.answer(call)
    },
  },
  {
    provider: vertex,
    method: 'GET',
    path: /^\/v1beta1\/publishers\/google\/models$/,
    hasBody: false,
    answer: () => ({
      json: {
        publisherModels: listedModels.map((id) => ({
          name: `publishers/google/models/${id}`,
          versionId: 'default',
        })),
      },
    }),
  },
  ...ofGoogle,
]
