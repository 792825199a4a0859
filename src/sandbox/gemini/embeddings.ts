import { ruleFault } from '../fault.ts'
import { type JsonObject, numberOf, objectOf, objectsOf, textOf } from '../json.ts'
import type { Call, Reply } from '../provider.ts'
import { type Members, anything, boolean, choice, integer, list, object, string } from '../shape.ts'
import { vectorOf } from '../text/vector.ts'
import { countTokens } from '../text/words.ts'
import { part } from './part-shapes.ts'

const mostRequests = 100
const mostInstances = 250

const taskType = choice(
  'TASK_TYPE_UNSPECIFIED',
  'RETRIEVAL_QUERY',
  'RETRIEVAL_DOCUMENT',
  'SEMANTIC_SIMILARITY',
  'CLASSIFICATION',
  'CLUSTERING',
  'QUESTION_ANSWERING',
  'FACT_VERIFICATION',
  'CODE_RETRIEVAL_QUERY',
)

const content = object({
  required: { parts: list(part, { min: 1 }) },
  optional: { role: string() },
})

const settings: Members = {
  taskType,
  title: string(),
  outputDimensionality: integer({ min: 1 }),
}

const ofDevelopers = object({
  required: { content },
  optional: { model: string(), ...settings },
})

const ofEnterprise = object({
  required: { content },
  optional: {
    embedContentConfig: object({
      optional: { ...settings, autoTruncate: boolean, documentOcr: anything },
    }),
  },
})

const batch = object({ required: { requests: list(ofDevelopers, { min: 1, max: mostRequests }) } })

const prediction = object({
  required: {
    instances: list(
      object({
        required: { content: string({ min: 1 }) },
        optional: { taskType, title: string() },
      }),
      { min: 1, max: mostInstances },
    ),
  },
  optional: {
    parameters: object({
      optional: { outputDimensionality: integer({ min: 1 }), autoTruncate: boolean },
    }),
  },
})

/** Answers `:embedContent`. Google Cloud has the settings in an object of their own, and reports the use. */
export function embedOne(body: JsonObject, isEnterprise: boolean): Reply {
  const shape = isEnterprise ? ofEnterprise : ofDevelopers
  shape(body, [])
  const config = isEnterprise ? objectOf(body['embedContentConfig']) : body
  const text = textOfContent(body)
  const embedding = { values: vectorOf(text, dimensionsOf(config)) }
  if (!isEnterprise) return { json: { embedding } }
  const usageMetadata = { promptTokenCount: countTokens(text), totalTokenCount: countTokens(text) }
  return { json: { embedding, usageMetadata, truncated: false } }
}

/** Answers `:batchEmbedContents`, in which each request names the model again. */
export function embedBatch(body: JsonObject, model: string): Reply {
  batch(body, [])
  const requests = objectsOf(body['requests'])
  requests.forEach((one, index) => {
    if (one['model'] === `models/${model}`) return
    const message = `* BatchEmbedContentsRequest.requests[${index}].model: unexpected model, or the model differs from the one in the path`
    throw ruleFault(['requests', index, 'model'], message)
  })
  const embeddings = requests.map((one) => ({
    values: vectorOf(textOfContent(one), dimensionsOf(one)),
  }))
  return { json: { embeddings } }
}

/** Answers `:predict` of a model that embeds. */
export function predictEmbeddings({ directives }: Call, body: JsonObject, model: string): Reply {
  prediction(body, [])
  const instances = objectsOf(body['instances'])
  if (model.endsWith('gemini-embedding-001') && instances.length > 1)
    throw ruleFault(['instances'], 'Only one instance is supported by this model in one request.')
  const dimensions = dimensionsOf(objectOf(body['parameters']))
  const predictions = instances.map((instance) => {
    const text = textOf(instance['content'])
    const statistics = { truncated: false, token_count: countTokens(text) }
    const values = vectorOf(text, dimensions)
    return { embeddings: directives.nousage ? { values } : { values, statistics } }
  })
  return { json: { predictions } }
}

function dimensionsOf(settings: JsonObject): number | undefined {
  return numberOf(settings['outputDimensionality'])
}

function textOfContent(request: JsonObject): string {
  const parts = objectsOf(objectOf(request['content'])['parts'])
  return parts.map((one) => textOf(one['text'])).join('')
}
