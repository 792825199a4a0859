import { type JsonObject, listOf, numberOf, objectOf, textOf } from '../json.ts'
import { imageEncoders } from '../media/image.ts'
import { Problem } from '../problem.ts'
import type { Call, Endpoint, Reply } from '../provider.ts'
import { decide } from '../text/decide.ts'
import type { TextResult } from '../text/result.ts'
import { countTokens } from '../text/words.ts'
import { directedProblem } from '../steering/failures.ts'
import { inPieces } from './call-pieces.ts'
import { camelKeys } from './camel-keys.ts'
import { cachedOf } from './check-cached.ts'
import { checkContentCountRequest, checkGenerateRequest } from './check-request.ts'
import { embedBatch, embedOne, predictEmbeddings } from './embeddings.ts'
import { renderGenerateChunks, renderGenerateResponse } from './chunks.ts'
import { signsCalls } from './model-traits.ts'
import { gemini, renderGoogleError } from './provider.ts'
import { readGenerateRequest } from './read-request.ts'
import { newChunkHeading, renderParts } from './reply.ts'

/**
 * `POST …/models/{model}:{verb}` under v1, v1beta and v1alpha, and under v1beta1 with a publisher.
 * A model name may contain one slash, and colons: the verb stands behind the last colon.
 */
export const generateContent: Endpoint[] = [
  /^\/v1(?:beta|alpha)?\/models\/(?<model>[^/]+(?:\/[^/]+)?):(?<verb>[^:/]+)$/,
  /^\/v1beta1\/(?:projects\/[^/]+\/locations\/[^/]+\/)?publishers\/(?<publisher>[^/]+)\/models\/(?<name>[^/]+):(?<verb>[^:/]+)$/,
].map((path) => ({ provider: gemini, method: 'POST', path, hasBody: true, modelOf, answer }))

function answer(call: Call): Reply {
  const body = objectOf(camelKeys(call.body))
  switch (call.params['verb']) {
    case 'generateContent':
      return generate(call, body, false)
    case 'streamGenerateContent':
      return generate(call, body, true)
    case 'countTokens':
      return count(call, body)
    case 'embedContent':
      return embedOne(body, call.params['publisher'] !== undefined)
    case 'batchEmbedContents':
      return embedBatch(body, modelOf(call.params))
    case 'predict':
      return predictEmbeddings(call, body, modelOf(call.params))
    default:
      throw new Problem(
        404,
        `models/${modelOf(call.params)} does not support ${call.params['verb']}.`,
      )
  }
}

function generate(call: Call, body: JsonObject, isStream: boolean): Reply {
  const { account, directives, query } = call
  const model = modelOf(call.params)
  checkGenerateRequest(body, account, model)
  const cached = cachedOf(body, account, model)?.tokens
  const answer = decide(readGenerateRequest(model, body), directives, account.id)
  const decided = cached === undefined ? answer : withCached(answer, cached)
  const heading = newChunkHeading(model, account.id)
  const config = objectOf(body['generationConfig'])
  const parts = [
    ...renderParts(decided, account, signsCalls(model)),
    ...drawnParts(decided.refusal === undefined, config, model),
  ]
  const candidates = numberOf(config['candidateCount']) ?? 1
  const json = renderGenerateResponse(heading, decided, parts, candidates)
  if (!isStream) return { json }

  const streamed = directives.pieces ? inPieces(parts) : parts
  const frames = renderGenerateChunks(heading, decided, streamed, candidates)
  const failure = [{ data: { error: renderGoogleError(directedProblem(directives, 503)) } }]
  const framing = query.get('alt') === 'sse' ? 'sse' : 'json-array'
  return { json, stream: { frames, failure, framing } }
}

/** Google counts cached tokens as a part of the prompt. */
function withCached({ usage, ...answer }: TextResult, cached: number): TextResult {
  return { ...answer, usage: usage && { ...usage, input: usage.input + cached, cached } }
}

/** The image of a model that draws, whose name says so. */
function drawnParts(isAllowed: boolean, config: JsonObject, model: string): JsonObject[] {
  const kinds = listOf(config['responseModalities']).map((kind) => textOf(kind).toUpperCase())
  if (!kinds.includes('IMAGE') || !model.includes('image')) return []
  if (!isAllowed) return []
  const [width = 1, height = 1] = (textOf(objectOf(config['imageConfig'])['aspectRatio']) || '1:1')
    .split(':')
    .map(Number)
  const text = JSON.stringify([model, width, height])
  const image = imageEncoders.png({ text, width: width * 64, height: height * 64 })
  return [{ inlineData: { mimeType: 'image/png', data: image.toString('base64') } }]
}

function count({ account, params }: Call, body: JsonObject): Reply {
  checkContentCountRequest(body)
  const request = objectOf(body['generateContentRequest'] ?? body)
  const cached = cachedOf(request, account, modelOf(params))?.tokens
  const own = countTokens(readGenerateRequest('', request).inputText)
  const totalTokens = own + (cached ?? 0)
  return {
    json: {
      totalTokens,
      ...(cached === undefined ? {} : { cachedContentTokenCount: cached }),
      promptTokensDetails: [{ modality: 'TEXT', tokenCount: totalTokens }],
    },
  }
}

// A publisher other than Google is part of the model name.
function modelOf({ model, publisher, name }: Record<string, string>): string {
  if (model !== undefined) return model
  return publisher === 'google' ? textOf(name) : `${publisher}/${name}`
}
