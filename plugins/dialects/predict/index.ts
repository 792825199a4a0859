import type { RequestBody } from '../../../src/contract/body.ts'
import type { Call } from '../../../src/contract/call.ts'
import { defineDialect } from '../../../src/contract/dialect.ts'
import type { Authenticated } from '../../../src/contract/exchange.ts'
import { defineOperation } from '../../../src/contract/operation.ts'
import type { Outcome } from '../../../src/contract/outcome.ts'
import { type GatewayPlugin, definePlugin } from '../../../src/contract/plugin.ts'
import {
  checkArray,
  checkObject,
  requireField,
  requireString,
  wrong,
} from '../../../src/kit/checks.ts'
import { errorIn, failedOutcome, outcomeOfOwn } from '../../../src/kit/upstream-error.ts'
import { isObject } from '../../../src/lib/json/object.ts'
import { assertWholeList, embeddingUsage } from '../shared/embedding-inputs.ts'
import { googleEndpoint } from '../shared/google-endpoint.ts'
import { statusOfGoogleError } from '../shared/google-error.ts'
import { accountPath, modelOfPath, verbPaths } from '../shared/google-paths.ts'
import { flag, integer, list, number, object, text } from '../shared/json-schema.ts'
import { mostInstances, predictCodec, tokensOfPredictions } from './codec.ts'

const instance = object({ content: text, task_type: text, title: text })

const schema = {
  request: {
    ...object({
      instances: { ...list(instance), minItems: 1, maxItems: mostInstances },
      parameters: object({ outputDimensionality: integer, autoTruncate: flag }),
    }),
    required: ['instances'],
    additionalProperties: true,
  },
  reply: object({ predictions: list(object({ embeddings: object({ values: list(number) }) })) }),
}

/** A call, and for how many instances it asks. */
interface PredictCall extends Call {
  readonly inputs: number
}

/** Checks a request and returns its call. Throws `GatewayError` with `param`. */
function understand(exchange: Authenticated, { json }: RequestBody): PredictCall {
  requireField(json, 'instances')
  checkArray(json, 'instances', 1, mostInstances)
  checkObject(json, 'parameters')
  const instances = json.instances as unknown[]
  for (const [index, one] of instances.entries()) {
    const path = `instances[${index}]`
    if (!isObject(one)) throw wrong(path, 'an object')
    requireString(one, 'content', path)
  }
  const inputs = instances.length
  return { ...modelOfPath(exchange), stream: false, refersTo: [], edits: [], losses: [], inputs }
}

function outcomeOf(json: unknown): Outcome {
  const error = errorIn(json)
  if (error) return failedOutcome(statusOfGoogleError(error), error)
  const usage = embeddingUsage(tokensOfPredictions(json))
  return { status: 'completed', fault: 'none', usage }
}

const create = defineOperation<PredictCall>({
  id: 'predict.create',
  method: 'POST',
  paths: verbPaths('predict'),
  auth: 'key',
  capability: 'embed',
  summary: 'Embed texts, as Vertex AI does',
  schema,
  modelOf: modelOfPath,
  understand,
  least: { body: { instances: [{ content: 'Hello' }] } },
  forward: {
    target: (exchange) => ({
      path: accountPath(exchange, 'predict'),
      query: exchange.request.query,
    }),
    observer() {
      throw new Error('Embeddings are no stream.')
    },
    outcome: outcomeOfOwn(({ predictions }) => Array.isArray(predictions), outcomeOf),
    corrected({ predictions }, { call }) {
      assertWholeList(predictions, call.inputs)
      return undefined
    },
  },
})

/** Returns the plugin that serves `:predict` for embeddings. */
export function predict(): GatewayPlugin {
  const dialect = defineDialect({
    id: 'predict',
    title: 'embeddings of Vertex AI',
    ...googleEndpoint,
    upstream: { ...googleEndpoint.upstream, providers: { sandbox: {} } },
    operations: [create],
    converts: { embed: predictCodec },
  })
  return definePlugin({ name: 'predict', dialects: [dialect] })
}
