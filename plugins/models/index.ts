import type { Snapshot, TranslatedCapability } from '../../src/contract/candidate.ts'
import { bearer, firstCredential, xApiKey, xGoogApiKey } from '../../src/kit/credential.ts'
import { defineDialect } from '../../src/contract/dialect.ts'
import { defineOperation } from '../../src/contract/operation.ts'
import { leaseOf } from '../../src/exchange/record.ts'
import { nextTurn, runInTurns } from '../../src/lib/turns.ts'
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
  serve: (exchange) => reply(Buffer.from(JSON.stringify(oneModel(exchange as Authenticated)))),
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
    serve: async (exchange) =>
      listReply(exchange as Authenticated, await namesOf(exchange.snapshot)),
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

/** Longer lists are made in turns of the event loop. */
const longList = 200

/** Accounts choose the names of a list, which may have tens of megabytes: it takes memory, and turns of its key. */
async function listReply(exchange: Authenticated, names: readonly string[]): Promise<Reply> {
  const { caller } = exchange
  const owner = caller.keyId
  if (names.length > longList) await nextTurn(owner)
  const permitted = await runInTurns(permittedOf(exchange, names), { owner })
  await leaseOf(exchange).hold('reply', sizeOfList(permitted))
  return reply(await runInTurns(writeList(permitted, exchange.snapshot), { owner }))
}

function* permittedOf({ snapshot, caller }: Authenticated, names: readonly string[]) {
  const permitted: string[] = []
  for (const name of names) {
    if (caller.mayUse(name) || caller.mayUse(snapshot.platformName(name))) permitted.push(name)
    yield
  }
  return permitted
}

/** The size of a list at most, in bytes: each model stands in it three times, and its name five times. */
function sizeOfList(names: readonly string[]): number {
  const bytes = (name: string) => Buffer.byteLength(JSON.stringify(name))
  return names.reduce((size, name) => size + 600 + 5 * bytes(name), 0)
}

/** The list has no page token: with an empty token the SDK repeats forever (docs/wire/gemini.md 1.7). */
function* writeList(names: readonly string[], snapshot: Snapshot) {
  const data: string[] = []
  const models: string[] = []
  const publisherModels: string[] = []
  for (const name of names) {
    data.push(JSON.stringify(describe(name, snapshot.createdAt)))
    models.push(JSON.stringify(geminiModel(name, snapshot)))
    publisherModels.push(JSON.stringify({ name: publisherName(name) }))
    yield
  }
  const members = Object.entries({
    object: '"list"',
    data: `[${data.join()}]`,
    has_more: 'false',
    first_id: JSON.stringify(names[0] ?? null),
    last_id: JSON.stringify(names.at(-1) ?? null),
    models: `[${models.join()}]`,
    publisherModels: `[${publisherModels.join()}]`,
  })
  return Buffer.from(`{${members.map(([name, json]) => `"${name}":${json}`).join()}}`)
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
  embed: ['embedContent', 'batchEmbedContents'],
  'generate-image': [],
} satisfies Record<TranslatedCapability, string[]>

/** The enterprise name of a model, which always has a publisher. */
function publisherName(id: string): string {
  const slash = id.indexOf('/')
  return slash < 0
    ? `publishers/google/models/${id}`
    : `publishers/${id.slice(0, slash)}/models/${id.slice(slash + 1)}`
}

function reply(body: Buffer): Reply {
  return { status: 200, headers: { 'content-type': 'application/json' }, body }
}
