import {
  bearer,
  firstCredential,
  queryKey,
  xApiKey,
  xGoogApiKey,
} from '../../../src/kit/credential.ts'
import { jsonOrEvents } from '../../../src/contract/dialect-info.ts'
import { jsonArray } from '../../../src/kit/framing/json-array.ts'
import { sse } from '../../../src/kit/framing/sse.ts'
import { defineDialect } from '../../../src/contract/dialect.ts'
import { defineOperation } from '../../../src/contract/operation.ts'
import type { ClientRequest } from '../../../src/contract/request.ts'
import { type GatewayPlugin, definePlugin } from '../../../src/contract/plugin.ts'
import { isCount } from '../../../src/kit/counting.ts'
import { outcomeOfOwn } from '../../../src/kit/upstream-error.ts'
import { isGenerateBody } from './codec/decode-reply/read-reply.ts'
import { generateCodec } from './codec/index.ts'
import { generateCounting } from './count.ts'
import { googleErrorFormat as generateError } from '../shared/google-error.ts'
import { generateDrawing } from './draw.ts'
import { generateFiles } from './files.ts'
import { GenerateObserver } from './observer.ts'
import { countOutcome, explainsEnd, generateAnswerOutcome } from './outcome.ts'
import { googleRefusals } from '../shared/google-refusals.ts'
import { accountPath, modelOfPath, verbPaths } from '../shared/google-paths.ts'
import { googleHeaders } from '../shared/google-headers.ts'
import { understandCount, understandGenerate, wantsEvents } from './request.ts'
import { countSchemas, generateSchemas } from './schema.ts'

const least = { body: { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] } }

const create = defineOperation({
  id: 'generate.create',
  method: 'POST',
  paths: verbPaths('generateContent'),
  auth: 'key',
  capability: 'generate',
  summary: 'Generate content',
  schema: generateSchemas,
  modelOf: modelOfPath,
  understand: (exchange, body) => understandGenerate(exchange, body, false),
  least,
  forward: {
    target: (exchange) => ({
      path: accountPath(exchange, 'generateContent'),
      query: exchange.request.query,
    }),
    observer: (exchange) => new GenerateObserver(exchange),
    outcome: outcomeOfOwn(isGenerateBody, generateAnswerOutcome),
    modelPaths: { reply: ['modelVersion'], frame: ['modelVersion'] },
    reportsFailure: explainsEnd,
  },
})

const stream = defineOperation({
  id: 'generate.stream',
  method: 'POST',
  paths: verbPaths('streamGenerateContent'),
  auth: 'key',
  capability: 'generate',
  summary: 'Generate content in chunks: a JSON array, or events with `alt=sse`',
  schema: generateSchemas,
  replies: jsonOrEvents,
  modelOf: modelOfPath,
  understand: (exchange, body) => understandGenerate(exchange, body, true),
  least,
  forward: {
    target: (exchange) => ({
      path: accountPath(exchange, 'streamGenerateContent'),
      query: exchange.request.query,
      ownQuery: 'alt=sse',
    }),
    observer: (exchange) => new GenerateObserver(exchange),
    outcome: outcomeOfOwn(isGenerateBody, generateAnswerOutcome),
    modelPaths: { reply: ['modelVersion'], frame: ['modelVersion'] },
    reportsFailure: explainsEnd,
  },
})

const countTokens = defineOperation({
  id: 'generate.count_tokens',
  method: 'POST',
  paths: verbPaths('countTokens'),
  auth: 'key',
  capability: 'count-tokens',
  summary: 'Count the tokens of contents',
  schema: countSchemas,
  modelOf: modelOfPath,
  understand: understandCount,
  least,
  forward: {
    target: (exchange) => ({
      path: accountPath(exchange, 'countTokens'),
      query: exchange.request.query,
    }),
    observer: (exchange) => new GenerateObserver(exchange),
    outcome: outcomeOfOwn(isCount('totalTokens'), countOutcome),
  },
})

/** The dialect of the Gemini API (docs/wire/gemini.md). */
export const generateDialect = defineDialect({
  id: 'generate',
  title: 'Gemini API',
  credential: (request) => firstCredential(request, [xGoogApiKey, queryKey, xApiKey, bearer]),
  credentialAs: ['x-goog-api-key: KEY', '?key=KEY'],
  claims: isGemini,
  framing: (request) => (wantsEvents(request) ? sse : jsonArray),
  error: generateError,
  upstream: {
    base: 'bare',
    framing: sse,
    providers: {
      gemini: { baseUrl: 'https://generativelanguage.googleapis.com' },
      sandbox: {},
    },
    forward: { headers: googleHeaders, query: ['pageSize', 'pageToken'] },
    headers: ({ credential }) => (credential ? { 'x-goog-api-key': credential } : {}),
    ...googleRefusals,
  },
  operations: [create, stream, countTokens],
  files: generateFiles,
  converts: { 'generate-image': generateDrawing },
  generate: {
    codec: generateCodec,
    produces: 'generated.content',
    counting: generateCounting,
  },
})

/** Whether a request is of a Gemini client: only these use these versions and headers. */
function isGemini({ path, headers }: ClientRequest): boolean {
  return (
    /^\/v1(?:beta1?|alpha)\//.test(path) ||
    headers['x-goog-api-key'] !== undefined ||
    headers['x-goog-api-client'] !== undefined
  )
}

/** Returns the plugin that serves `:generateContent`, `:streamGenerateContent` and `:countTokens`. */
export function generate(): GatewayPlugin {
  return definePlugin({ name: 'generate', dialects: [generateDialect] })
}
