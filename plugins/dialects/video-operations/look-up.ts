import { requireString, wrong } from '../../../src/kit/checks.ts'
import { type AccountClient, defineOperation } from '../../../src/contract/operation.ts'
import type { Understood } from '../../../src/contract/exchange.ts'
import type { Reply } from '../../../src/contract/outcome.ts'
import { aboutJob } from '../../../src/jobs/job.ts'
import { refreshJob } from '../../../src/jobs/refresh-job.ts'
import { ownJob } from '../../../src/jobs/owner.ts'
import { wholeContents } from '../../../src/jobs/whole-content.ts'
import { type OperationName, contentUriOf, matchesName, noOperation, parseName } from './names.ts'
import type { OperationsDependencies } from './parts.ts'
import { showOperation } from './reply.ts'
import { fetchSchema, operationSchema } from './schema.ts'

const version = '/{version:v1beta|v1|v1alpha|v1beta1}'
const project = '/projects/{project}/locations/{location}'

/** Path prefixes of an operation (docs/wire/gemini.md 2.2). */
const prefixes = [
  project,
  '/models/{model*}',
  '/publishers/{publisher}/models/{model*}',
  `${project}/models/{model*}`,
  `${project}/publishers/{publisher}/models/{model*}`,
]

/** Defines `GET .../operations/{id}`. */
export function getOperation(parts: OperationsDependencies) {
  return defineOperation({
    id: 'operations.get',
    method: 'GET',
    paths: ['', ...prefixes].map((prefix) => `${version}${prefix}/operations/{id}`),
    auth: 'key',
    body: 'none',
    capability: 'video-job',
    summary: 'Retrieve the status of an operation by any form of its name',
    schema: { reply: operationSchema },
    understand: () => aboutJob,
    perform: (exchange, _send, accountClient) =>
      replyWithOperation(exchange, [nameIn(exchange)], {
        ...parts,
        accountClient,
        enterprise: false,
      }),
  })
}

/** Defines `:fetchPredictOperation` for clients in enterprise mode, with the name in the body. */
export function fetchOperation(parts: OperationsDependencies) {
  return defineOperation({
    id: 'operations.fetch',
    method: 'POST',
    paths: [
      ...prefixes.map((prefix) => `${version}${prefix}:fetchPredictOperation`),
      ...['', ...prefixes].map(
        (prefix) => `${version}${prefix}/operations/{id}:fetchPredictOperation`,
      ),
    ],
    auth: 'key',
    capability: 'video-job',
    summary: 'Retrieve the status of an operation by its name in the body',
    schema: { request: fetchSchema, reply: operationSchema },
    understand(_exchange, { json }) {
      if (!parseName(requireString(json, 'operationName'))) {
        throw wrong('operationName', 'the name of an operation')
      }
      return aboutJob
    },
    perform(exchange, _send, accountClient) {
      const name = parseName(exchange.body.json['operationName'] as string)
      if (!name) throw noOperation()
      const names = [name, { ...nameIn(exchange), id: exchange.params['id'] ?? name.id }]
      return replyWithOperation(exchange, names, { ...parts, accountClient, enterprise: true })
    },
  })
}

function nameIn({ params }: Understood): OperationName {
  const { id = '', version: _, ...prefix } = params
  return { id, ...prefix }
}

/** Maximum total size of inlined videos in bytes; larger ones are downloaded by URI. */
const maxContentBytes = 32 * 1024 * 1024

interface OperationReplyOptions extends OperationsDependencies {
  readonly accountClient: AccountClient
  readonly enterprise: boolean
}

/** Replies with an operation. Every member of every name must match the job. */
async function replyWithOperation(
  exchange: Understood,
  names: readonly OperationName[],
  options: OperationReplyOptions,
): Promise<Reply> {
  const { enterprise } = options
  const owned = await ownJob(exchange, options.jobs, names[0]?.id ?? '', noOperation)
  if (!names.every((name) => name.id === owned.id && matchesName(owned, name))) throw noOperation()
  const { job, stale } = await refreshJob(exchange, owned, { ...options, notFound: noOperation })
  const headers = {
    'content-type': 'application/json',
    ...(stale && { 'x-dragoman-stale': 'true' }),
  }
  if (exchange.request.method === 'HEAD') return { status: 200, headers, body: null }
  const contents = await wholeContents(exchange, job, {
    ...options,
    limit: maxContentBytes,
    // Clients in enterprise mode have no download call.
    isWanted: ({ inline }) => inline === true || enterprise,
  })
  const view = {
    job,
    enterprise,
    contents,
    uriOf: (file: string) => contentUriOf(file, options.publicUrl, exchange.request),
  }
  return { status: 200, headers, body: JSON.stringify(showOperation(view)) }
}
