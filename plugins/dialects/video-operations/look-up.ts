import { requireString, wrong } from '../../../src/kit/checks.ts'
import { type AccountClient, defineOperation } from '../../../src/contract/operation.ts'
import type { Understood } from '../../../src/contract/exchange.ts'
import type { Reply } from '../../../src/contract/outcome.ts'
import { aboutJob } from '../../../src/jobs/job.ts'
import { refreshJob } from '../../../src/jobs/refresh-job.ts'
import { ownJob } from '../../../src/jobs/owner.ts'
import { wholeContents } from '../../../src/jobs/whole-content.ts'
import { type OperationName, contentUriOf, isNamed, noOperation, parseName } from './names.ts'
import type { OperationsParts } from './parts.ts'
import { showOperation } from './reply.ts'
import { fetchSchema, operationSchema } from './schema.ts'

const version = '/{version:v1beta|v1|v1alpha|v1beta1}'
const project = '/projects/{project}/locations/{location}'

/** What can stand before an operation (docs/wire/gemini.md 2.2). */
const places = [
  project,
  '/models/{model+}',
  '/publishers/{publisher}/models/{model+}',
  `${project}/models/{model+}`,
  `${project}/publishers/{publisher}/models/{model+}`,
]

export function getOperation(parts: OperationsParts) {
  return defineOperation({
    id: 'operations.get',
    method: 'GET',
    paths: ['', ...places].map((place) => `${version}${place}/operations/{id}`),
    auth: 'key',
    body: 'none',
    capability: 'video-job',
    summary: 'Tell how an operation stands, by any form of its name',
    schema: { reply: operationSchema },
    understand: () => aboutJob,
    perform: (exchange, _send, accountClient) =>
      answer(exchange, [nameIn(exchange)], { ...parts, accountClient, enterprise: false }),
  })
}

/** How clients in enterprise mode ask: the name stands in the body. */
export function fetchOperation(parts: OperationsParts) {
  return defineOperation({
    id: 'operations.fetch',
    method: 'POST',
    paths: [
      ...places.map((place) => `${version}${place}:fetchPredictOperation`),
      ...['', ...places].map((place) => `${version}${place}/operations/{id}:fetchPredictOperation`),
    ],
    auth: 'key',
    capability: 'video-job',
    summary: 'Tell how an operation stands, by its name in the body',
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
      return answer(exchange, names, { ...parts, accountClient, enterprise: true })
    },
  })
}

function nameIn({ params }: Understood): OperationName {
  const { id = '', version: _, ...place } = params
  return { id, ...place }
}

/** More than this is downloaded by its URI. Bytes of all videos of an operation. */
const mostContent = 32 * 1024 * 1024

interface AnswerOptions extends OperationsParts {
  readonly accountClient: AccountClient
  readonly enterprise: boolean
}

/** All that the names say has to be so. */
async function answer(
  exchange: Understood,
  names: readonly OperationName[],
  options: AnswerOptions,
): Promise<Reply> {
  const { enterprise } = options
  const known = await ownJob(exchange, options.jobs, names[0]?.id ?? '', noOperation)
  if (!names.every((name) => name.id === known.id && isNamed(known, name))) throw noOperation()
  const { job, stale } = await refreshJob(exchange, known, { ...options, notFound: noOperation })
  const headers = {
    'content-type': 'application/json',
    ...(stale && { 'x-dragoman-stale': 'true' }),
  }
  if (exchange.request.method === 'HEAD') return { status: 200, headers, body: null }
  const contents = await wholeContents(exchange, job, {
    ...options,
    limit: mostContent,
    // Clients in enterprise mode have no call that downloads.
    isWanted: ({ inline }) => inline === true || enterprise,
  })
  const shown = {
    job,
    enterprise,
    contents,
    uriOf: (file: string) => contentUriOf(file, options.publicUrl),
  }
  return { status: 200, headers, body: JSON.stringify(showOperation(shown)) }
}
