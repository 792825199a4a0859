import type { Snapshot, TranslatedCapability } from '../../src/contract/candidate.ts'
import { bearer, firstCredential, xApiKey, xGoogApiKey } from '../../src/kit/credential.ts'
import { defineDialect } from '../../src/contract/dialect.ts'
import { defineOperation } from '../../src/contract/operation.ts'
import { errorEnvelope } from '../../src/kit/error-envelope.ts'
import { GatewayError } from '../../src/contract/errors.ts'
import type { Authenticated } from '../../src/contract/exchange.ts'
import type { Reply } from '../../src/contract/outcome.ts'
import { missingModel, resolveModel } from '../../src/kit/models.ts'
import { type GatewayPlugin, definePlugin } from '../../src/contract/plugin.ts'
import { type AccountModelsOptions, createAccountModels } from './account-models.ts'

const geminiVersions = '/{version:v1beta|v1alpha|v1beta1}'
const allVersions = '/{version:v1beta|v1|v1alpha|v1beta1}'

/** Paths of the enterprise clients (docs/wire/gemini.md 1.1). */
const publisherPaths = [
  `${allVersions}/publishers/{publisher}/models`,
  `${allVersions}/projects/{project}/locations/{location}/publishers/{publisher}/models`,
]

const retrieve = defineOperation({
  id: 'models.retrieve',
  method: 'GET',
  paths: [
    '/v1/models/{model+}',
    `${geminiVersions}/models/{model+}`,
    ...publisherPaths.map((path) => `${path}/{model+}`),
  ],
  auth: 'key',
  shared: true,
  summary: 'Retrieve one model',
  serve: (exchange) => json(oneModel(exchange as Authenticated)),
})

/** The options of `models`. */
type ModelsOptions = Partial<Pick<AccountModelsOptions, 'listModels' | 'now'>> &
  Pick<AccountModelsOptions, 'log'>

/**
 * Serves `GET /v1/models` and its Gemini paths with one body that every SDK can read. Without `listModels` it has the
 * names of the configuration alone.
 */
export function models({ listModels, log, now }: ModelsOptions): GatewayPlugin {
  let ending: AbortSignal | undefined
  const namesOf = listModels
    ? createAccountModels({
        listModels,
        log,
        hasEnded: () => ending?.aborted === true,
        ...(now && { now }),
      })
    : ({ modelNames }: Snapshot) => modelNames
  const list = defineOperation({
    id: 'models.list',
    method: 'GET',
    paths: ['/v1/models', `${geminiVersions}/models`, ...publisherPaths],
    auth: 'key',
    shared: true,
    summary: 'List the models that the key may use',
    async serve(exchange) {
      const names = await namesOf(exchange.snapshot)
      return json(modelList(exchange as Authenticated, names))
    },
  })
  const dialect = defineDialect({
    id: 'models',
    credential: (request) => firstCredential(request, [bearer, xApiKey, xGoogApiKey]),
    error: errorEnvelope,
    operations: [list, retrieve],
  })
  return definePlugin({
    name: 'models',
    dialects: [dialect],
    onStart: ({ signal }) => void (ending = signal),
  })
}

/** The list has no page token: with an empty token the SDK repeats forever (docs/wire/gemini.md 1.7). */
function modelList({ snapshot, caller }: Authenticated, names: readonly string[]): object {
  const data: ReturnType<typeof describe>[] = []
  const models: ReturnType<typeof geminiModel>[] = []
  for (const name of names) {
    if (!caller.mayUse(name) && !caller.mayUse(snapshot.platformName(name))) continue
    data.push(describe(name, snapshot.createdAt))
    models.push(geminiModel(name, snapshot))
  }
  return {
    object: 'list',
    data,
    has_more: false,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    models,
    publisherModels: data.map(({ id }) => ({ name: publisherName(id) })),
  }
}

function oneModel(exchange: Authenticated): object {
  const { params, snapshot } = exchange
  const { publisher, model = '' } = params
  const names = publisher === undefined ? [model] : [`${publisher}/${model}`, model]
  const [first = '', ...alternatives] = names
  const { requested, name } = resolveModel(exchange, {
    model: first,
    alternatives,
    stream: false,
    refersTo: [],
    edits: [],
    losses: [],
  })
  if (!snapshot.serves(name)) throw missingModel(exchange, [requested])
  const [, action] = looksLikeAction.exec(requested) ?? []
  if (action && !snapshot.modelNames.includes(requested)) throw unknownAction(action)
  const described = describe(requested, snapshot.createdAt)
  return { ...described, ...geminiModel(requested, snapshot) }
}

/** A word such as `embedContent` after the last colon, which a pattern for models would take for a name. */
const looksLikeAction = /:([a-z]+(?:[A-Z][a-z]+)+)$/

function unknownAction(action: string): GatewayError {
  return new GatewayError('not_found', `Unknown action \`${action.slice(0, 200)}\`.`)
}

/**
 * The objects of OpenAI and Anthropic. The types of Anthropic's SDK require each member, and have `null` for facts that
 * are unknown but for `lifecycle`: each listed model can be called (docs/wire/anthropic.md 1.8).
 */
function describe(id: string, createdAt: Date) {
  return {
    id,
    object: 'model',
    created: Math.floor(createdAt.getTime() / 1_000),
    owned_by: 'dragoman',
    type: 'model',
    display_name: id,
    created_at: createdAt.toISOString(),
    lifecycle: 'active',
    capabilities: null,
    deprecated_at: null,
    line: null,
    max_input_tokens: null,
    max_tokens: null,
    retires_at: null,
  }
}

function geminiModel(id: string, snapshot: Snapshot) {
  const model = snapshot.platformName(id)
  const methods = Object.entries(methodsOf) as [keyof typeof methodsOf, string[]][]
  return {
    name: `models/${id}`,
    displayName: id,
    supportedGenerationMethods: methods.flatMap(([work, names]) =>
      snapshot.can(model, work) ? names : [],
    ),
  }
}

const methodsOf = {
  generate: ['generateContent', 'streamGenerateContent'],
  'count-tokens': ['countTokens'],
  video: ['predictLongRunning'],
} satisfies Record<TranslatedCapability, string[]>

/** The enterprise name of a model, which always has a publisher. */
function publisherName(id: string): string {
  const slash = id.indexOf('/')
  return slash < 0
    ? `publishers/google/models/${id}`
    : `publishers/${id.slice(0, slash)}/models/${id.slice(slash + 1)}`
}

function json(body: object): Reply {
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(body)),
  }
}
