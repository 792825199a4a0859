import type { Converter } from '../../../src/contract/conversion.ts'
import type { JsonObject } from '../../../src/lib/json/object.ts'
import { isAmount } from '../../../src/kit/usage.ts'
import { numberAt, objectAt, objectsIn, tokensAt } from '../../../src/lib/json/read.ts'
import type { AccountCall } from '../../../src/media/account-call.ts'
import {
  type EmbeddingInput,
  type EmbeddingRequest,
  type EmbeddingResult,
  type Vector,
  listedNumbers,
} from '../../../src/media/embedding.ts'
import { assertWhole, embeddingUsage, textOfInput } from '../shared/embedding-inputs.ts'
import { memberOf, unknownMembers } from '../shared/google-members.ts'
import { accountModelPath } from '../shared/google-paths.ts'

/** The most instances of a request. */
export const mostInstances = 250

const names = {
  inputs: 'instances',
  dimensions: 'parameters.outputDimensionality',
  task: 'instances.task_type',
  title: 'instances.title',
  truncates: 'parameters.autoTruncate',
}

/** The embeddings of Vertex AI: by `:predict`, and for later models by `:embedContent` (docs/wire/gemini.md 3). */
export const predictCodec: Converter<EmbeddingRequest, EmbeddingResult> = {
  decodeRequest(body) {
    const instances = objectsIn(body.instances)
    const parameters = objectAt(body, 'parameters') ?? {}
    const dimensions = memberOf(parameters, 'outputDimensionality')
    const truncates = memberOf(parameters, 'autoTruncate')
    return {
      inputs: instances.map(inputOf),
      ...(typeof dimensions === 'number' && { dimensions }),
      ...(typeof truncates === 'boolean' && { truncates }),
      names,
      further: [
        ...unknownMembers(body, ['instances', 'parameters']),
        ...new Set(
          instances.flatMap((one) => unknownMembers(one, ['content', 'taskType', 'title'])),
        ),
        ...unknownMembers(parameters, ['outputDimensionality', 'autoTruncate']),
      ],
    }
  },
  encode: (request, model) =>
    takesContents(model) ? contentCalls(request, model) : instanceCalls(request, model),
  decode(replies, { inputs }) {
    const vectors = assertWhole(replies.flatMap(vectorsIn), inputs.length)
    const counts = vectors.flatMap(({ tokens }) => tokens ?? [])
    const sum = counts.reduce((all, tokens) => all + tokens, 0)
    return {
      result: { vectors },
      usage: embeddingUsage(counts.length === vectors.length ? sum : undefined),
    }
  },
  encodeReply({ result, usage }) {
    const { vectors } = result
    return {
      predictions: vectors.map(({ numbers, tokens, isTruncated }) => {
        const count = tokens ?? (vectors.length === 1 ? usage?.inputTokens : undefined)
        const statistics = {
          ...(count !== undefined && { token_count: count }),
          ...(isTruncated !== undefined && { truncated: isTruncated }),
        }
        const hasAny = Object.keys(statistics).length > 0
        return { embeddings: { values: numbers, ...(hasAny && { statistics }) } }
      }),
    }
  },
}

function inputOf(instance: JsonObject): EmbeddingInput {
  const { content, title } = instance
  const task = memberOf(instance, 'taskType')
  return {
    text: typeof content === 'string' ? content : '',
    ...(typeof task === 'string' && { task }),
    ...(typeof title === 'string' && { title }),
  }
}

/** Whether a model takes one content by `:embedContent`, and no instances, as the official SDK decides it. */
function takesContents(model: string): boolean {
  return (
    (model.includes('gemini') && !model.endsWith('gemini-embedding-001')) || model.includes('maas')
  )
}

function contentCalls(request: EmbeddingRequest, model: string): AccountCall[] {
  const { dimensions, truncates } = request
  const path = accountModelPath(model, 'embedContent')
  return request.inputs.map((input) => {
    const config = {
      ...(input.task !== undefined && { taskType: input.task }),
      ...(input.title !== undefined && { title: input.title }),
      ...(dimensions !== undefined && { outputDimensionality: dimensions }),
      ...(truncates !== undefined && { autoTruncate: truncates }),
    }
    const parts = input.parts ?? [{ text: textOfInput(input, request) }]
    const hasConfig = Object.keys(config).length > 0
    const json = { content: { parts }, ...(hasConfig && { embedContentConfig: config }) }
    return { method: 'POST', path, json }
  })
}

function instanceCalls(request: EmbeddingRequest, model: string): AccountCall[] {
  const { dimensions, truncates, inputs } = request
  const path = accountModelPath(model, 'predict')
  const parameters = {
    ...(dimensions !== undefined && { outputDimensionality: dimensions }),
    ...(truncates !== undefined && { autoTruncate: truncates }),
  }
  const hasParameters = Object.keys(parameters).length > 0
  const instances = inputs.map((input) => ({
    content: textOfInput(input, request),
    ...(input.task !== undefined && { task_type: input.task }),
    ...(input.title !== undefined && { title: input.title }),
  }))
  // This model takes one text a request.
  const size = model.endsWith('gemini-embedding-001') ? 1 : mostInstances
  return Array.from({ length: Math.ceil(instances.length / size) }, (_, index) => ({
    method: 'POST',
    path,
    json: {
      instances: instances.slice(index * size, (index + 1) * size),
      ...(hasParameters && { parameters }),
    },
  }))
}

function vectorsIn(reply: JsonObject): (Vector | undefined)[] {
  const embedding = objectAt(reply, 'embedding')
  if (!embedding) return objectsIn(reply.predictions).map(predictionIn)
  const tokens = tokensAt(objectAt(reply, 'usageMetadata'), 'promptTokenCount')
  return [vectorOf(embedding.values, tokens, reply.truncated)]
}

function predictionIn(prediction: JsonObject): Vector | undefined {
  const embeddings = objectAt(prediction, 'embeddings')
  const statistics = objectAt(embeddings, 'statistics')
  return vectorOf(embeddings?.values, tokensOf(statistics), statistics?.truncated)
}

/** A number of Protobuf may have a fraction of zero. */
function tokensOf(statistics: JsonObject | undefined): number | undefined {
  const count = numberAt(statistics, 'token_count')
  return isAmount(count) ? Math.round(count) : undefined
}

function vectorOf(
  values: unknown,
  tokens: number | undefined,
  truncated: unknown,
): Vector | undefined {
  const numbers = listedNumbers(values)
  return (
    numbers && {
      numbers,
      ...(tokens !== undefined && { tokens }),
      ...(typeof truncated === 'boolean' && { isTruncated: truncated }),
    }
  )
}

/** The tokens of a reply, if its account reports the tokens of each input. */
export function tokensOfPredictions(reply: unknown): number | undefined {
  const counts = objectsIn(objectAt(reply, 'predictions')).map((one) => predictionIn(one)?.tokens)
  return counts.reduce<number | undefined>(
    (sum, tokens) => (sum === undefined || tokens === undefined ? undefined : sum + tokens),
    0,
  )
}
